#include <string_view>

#include "app/handbook/chapters.h"
#include "app/handbook/plain.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/in_context_td/settings/published_run.h"
#include "core/experiments/in_context_td/settings/worlds.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/csv.h"
#include "core/lab/figures/claims.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/sweeps/sweep.h"
#include "core/settings/embedded_settings.h"
#include "tests/fuzz/readers.h"
#include "tests/support/generated.h"
#include "tests/support/toy_study.h"

namespace emergence::testing {
namespace {

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

void read_npz_bytes(Bytes bytes) {
    refusing([&] { parse_npz(bytes, "input.npz"); });
}

// NPY and safetensors; NPZ has a reader of its own.
void read_array_bytes(Bytes bytes) {
    refusing([&] {
        ArrayFile file(bytes, "input", size_t{1} << 26);
        file.read(file.names());
    });
}

void read_moment_bytes(Bytes bytes) {
    refusing([&] {
        const std::vector<SavedMoment> moments = parse_moments(bytes, "moments.npz");
        ThreadPool pool(1);
        Run run(toy_info().make(toy_settings()), pool);
        for (const SavedMoment& moment : moments) refusing([&] { run.load(moment.seeds); });
    });
}

// The checksum keeps nearly all altered files out: as the second form it is put right, so that what lies
// behind it is reached too.
void read_checkpoint_bytes(Bytes bytes) {
    const auto restored = [](Bytes file) {
        const Checkpoint checkpoint = parse_checkpoint(file, "checkpoint.npz");
        ThreadPool pool(1);
        Run run(toy_info().make(toy_settings()), pool);
        MetricHistory history(run.study().metrics(), run.num_seeds());
        restore(checkpoint, run, history);
    };
    refusing([&] { restored(bytes); });
    refusing([&] {
        ArrayMap arrays = parse_npz(bytes, "checkpoint.npz");
        seal_checkpoint(arrays);
        restored(npz_bytes(arrays));
    });
}

// A chapter, as every reader shows it.
void read_page_bytes(Bytes bytes) {
    const std::vector<handbook::Document> pages = {handbook::parse_markdown("page", text_of(bytes))};
    handbook::plain_page(pages[0], 40);
    handbook::find(pages, text_of(bytes).substr(0, 8));
    refusing([&] { handbook::with_tables("page.md", text_of(bytes), {}); });
}

// A figure, its data, a preset or a config, as far as an experiment that could be made.
void read_config_bytes(Bytes bytes) {
    refusing([&] {
        const SettingsFile file = config_in(bytes, "input");
        const ExperimentInfo& info = find_experiment(file.experiment);
        Settings settings(info.fields);
        apply(file, settings);
        if (info.check) info.check(settings);
    });
}

void read_sweep_bytes(Bytes bytes) {
    refusing([&] { parse_sweep(text_of(bytes), "sweep.toml", find_experiment); });
}

void read_csv_bytes(Bytes bytes) {
    refusing([&] { parse_csv(text_of(bytes), "metrics.csv"); });
}

// The scores of a sweep that was stopped: what is in them is held against its grid.
void read_cells_bytes(Bytes bytes) {
    static const Sweep sweep = parse_sweep(
        "experiment = \"td\"\nseeds = 2\n[x]\nfield = \"num_layers\"\nvalues = [1, 2, 3]\n"
        "[y]\nfield = \"learning_rate\"\nvalues = \"1e-4:1e-2:3:log\"\n",
        "sweep.toml", find_experiment);
    refusing([&] { scores_in(sweep, text_of(bytes), "cells.csv"); });
}

void read_claims_bytes(Bytes bytes) {
    refusing([&] { parse_claim_results(text_of(bytes), "claims.toml"); });
    std::vector<FileFault> faults;
    refusing([&] { parse_claims(text_of(bytes), "my.toml", {}, faults); });
    refusing([&] { parse_figure(text_of(bytes), "my.toml", faults); });
}

void read_params_bytes(Bytes bytes) {
    refusing([&] { parse_published_params(text_of(bytes), "params.json"); });
}

void read_world_bytes(Bytes bytes) {
    refusing([&] { parse_world_toml(text_of(bytes), "world.toml"); });
    refusing([&] { parse_world_csv(text_of(bytes), "world.csv"); });
}

}  // namespace

const std::vector<FuzzedReader>& core_readers() {
    static const std::vector<FuzzedReader> readers = {
        {"npz", read_npz_bytes},       {"checkpoint", read_checkpoint_bytes}, {"config", read_config_bytes},
        {"csv", read_csv_bytes},       {"sweep", read_sweep_bytes},           {"cells", read_cells_bytes},
        {"claims", read_claims_bytes}, {"params", read_params_bytes},         {"world", read_world_bytes},
        {"handbook", read_page_bytes}, {"arrays", read_array_bytes},          {"moments", read_moment_bytes}};
    return readers;
}

}  // namespace emergence::testing
