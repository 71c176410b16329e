#include "app/gui/exports/export_order.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "app/export/run_files.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/csv.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/embedded_settings.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

namespace fs = std::filesystem;

bool go_on(const FileProgress&) { return true; }

ExportOrder order_into(const fs::path& folder) {
    RunOf run(toy_info(), toy_settings({"num_seeds=3", "seed=4"}), 1);
    ExportOrder order;
    order.experiment = &toy_info();
    order.history = run.history_to(40);
    order.snapshot = std::make_shared<const Snapshot>(run.snapshot());
    MatrixView raw;
    raw.mode = MatrixView::Mode::raw;
    raw.seed_index = 1;
    for (const NamedMatrix& matrix : order.snapshot->matrices)
        order.shown.heatmaps.push_back(heatmap_of(*order.snapshot, matrix, raw));
    for (const MetricPlot& plot : run.study().metric_plots())
        order.shown.plots.push_back(order.history.plot(plot, {}, order.snapshot->step));
    order.choices = {figure_choices(toy_info(), order.shown).front()};
    order.formats = {kFileFormats.begin(), kFileFormats.end()};
    order.run_files = true;
    order.folder = folder;
    return order;
}

// A limit on the size of files fails a write as a full disk does.
struct FullDisk {
    explicit FullDisk(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before);
        handler = std::signal(SIGXFSZ, SIG_IGN);
        rlimit small = before;
        small.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
    }
    rlimit before{};
    void (*handler)(int) = nullptr;
};

}  // namespace

TEST_CASE("an export writes every format and the run's files, in a folder that it makes") {
    const Scratch scratch;
    const ExportOrder order = order_into(scratch / "a/b");
    std::vector<std::string> seen;
    const FileReport report = write_export(order, [&](const FileProgress& progress) {
        CHECK(progress.done == seen.size());
        CHECK(progress.total == 8);
        seen.push_back(progress.name);
        return true;
    });
    CHECK(report.failures.empty());
    CHECK(seen == file_names(order));
    CHECK(seen.back() == "toy-weights.npz");
    CHECK(report.written.size() == 8);
    CHECK(count_entries(scratch / "a/b") == 8);
    for (const fs::path& path : report.written) CHECK(fs::file_size(path) > 0);
    CHECK(sentence_of(report) == "Saved 8 files in " + (scratch / "a/b").string());
    CHECK(read_npz(scratch / "a/b/toy-weights.npz") == weights_file(*order.snapshot));
}

TEST_CASE("the exported numbers are the snapshot's and the history's, to the last bit") {
    const Scratch scratch;
    ExportOrder order = order_into(scratch.path());
    write_export(order, go_on);
    const ArrayMap arrays = read_npz(scratch / (order.choices[0].name + ".npz"));
    const NamedMatrix& matrix = order.snapshot->matrices.front();
    const HeatmapSpec& drawn = order.shown.heatmaps.front();
    const std::string panel = drawn.id;
    CHECK(as_doubles(arrays.at(panel)) == drawn.values.values);
    // Raw, one seed: the very matrix, up to its sign.
    const double sign = matrix.signs.empty() ? 1.0 : matrix.signs[1];
    for (size_t i = 0; i < drawn.values.values.size(); ++i)
        CHECK(drawn.values.values[i] == sign * matrix.seeds[1].values[i]);

    const PlotSpec& plot = order.shown.plots.front();
    const std::string series = plot.id + "/" + plot.series[0].name;
    CHECK(as_doubles(arrays.at(series + "/x")) == order.history.steps());
    std::vector<double> expected;
    for (const auto& row : plot.series[0].rows) expected.insert(expected.end(), row.begin(), row.end());
    CHECK(as_doubles(arrays.at(series)) == expected);

    const NumericTable metrics = read_csv(scratch / "toy-metrics.csv");
    CHECK(metrics.column("seed").front() == 4);
    const std::string name = order.history.table().front().name;
    for (size_t i = 0; i < order.history.steps().size(); ++i)
        CHECK(metrics.column(name)[i] == order.history.column(name, 0)[i]);
    // The same numbers in the CSV, found by their shortest text.
    const std::string csv = slurp(scratch / (order.choices[0].name + ".csv"));
    for (const double value : drawn.values.values) CHECK(holds(csv, "," + csv_field(value) + "\n"));
    for (const double value : expected) CHECK(holds(csv, "," + csv_field(value) + "\n"));
}

TEST_CASE("files that are there are named first and replaced only when that is asked for") {
    const Scratch scratch;
    ExportOrder order = order_into(scratch.path());
    const std::string first = file_names(order).front();
    spit(scratch / first, "mine");
    FileReport report = write_export(order, go_on);
    CHECK(report.written.empty());
    CHECK(report.in_the_way == std::vector<fs::path>{scratch / first});
    CHECK(sentence_of(report) == "1 of these files is there already: nothing was written");
    CHECK(slurp(scratch / first) == "mine");
    CHECK(count_entries(scratch.path()) == 1);
    order.replace = true;
    report = write_export(order, go_on);
    CHECK(report.written.size() == 8);
    CHECK(slurp(scratch / first).starts_with("%PDF"));
}

TEST_CASE("a full disk is a sentence, and the old files stay") {
    const Scratch scratch;
    ExportOrder order = order_into(scratch.path());
    order.replace = true;
    for (const std::string& name : file_names(order)) spit(scratch / name, "old");
    FileReport report;
    {
        const FullDisk disk(200);
        report = write_export(order, go_on);
    }
    CHECK(report.failures.size() + report.written.size() == 8);
    CHECK(report.failures.size() >= 6);
    CHECK(holds(report.failures.front(), file_names(order).front() + ": could not be written: "));
    CHECK(holds(sentence_of(report), "(and "));
    CHECK(slurp(scratch / file_names(order).front()) == "old");
    CHECK(count_entries(scratch.path()) == 8);  // nothing half-written is left behind
}

TEST_CASE("a folder that cannot be made or written is a sentence") {
    const Scratch scratch;
    spit(scratch / "file", "");
    ExportOrder order = order_into(scratch / "file/in");
    FileReport report = write_export(order, go_on);
    REQUIRE(report.failures.size() == 1);
    CHECK(holds(report.failures[0], "file/in: cannot be made: "));
    order.folder = "/proc/self/task";  // exists, and takes no files, even from root
    report = write_export(order, go_on);
    CHECK(report.written.empty());
    CHECK(report.failures.front().find("/proc/self/task/") == 0);
    if (::geteuid() != 0) {
        order.folder = scratch / "sealed";
        fs::create_directory(order.folder);
        ::chmod(order.folder.c_str(), 0500);
        CHECK(holds(write_export(order, go_on).failures.front(), "Permission denied"));
    }
}

TEST_CASE("an export that is told to stop writes no more") {
    const Scratch scratch;
    const FileReport report =
        write_export(order_into(scratch.path()), [](const FileProgress& progress) { return progress.done < 2; });
    CHECK(report.written.size() == 2);
    CHECK(count_entries(scratch.path()) == 2);
}

TEST_CASE("names and folders as they are typed") {
    ExportOrder order = order_into("/tmp");
    order.formats = {FileFormat::svg};
    order.run_files = false;
    order.name = "my figure/1";
    CHECK(file_names(order) == std::vector<std::string>{"my-figure-1.svg"});
    order.choices.push_back({FigureChoice::Kind::plot, 0, "toy-loss", ""});
    CHECK(file_names(order)[1] == "my-figure-1-toy-loss.svg");
    const char* home = std::getenv("HOME");
    const std::string before = home == nullptr ? "" : home;
    ::setenv("HOME", "/home/somebody", 1);
    CHECK(default_export_folder() == "/home/somebody/emergence-figures");
    CHECK(typed_folder("  ~/figures ") == "/home/somebody/figures");
    CHECK(typed_folder("~") == "/home/somebody");
    CHECK(typed_folder("/a b") == "/a b");
    CHECK(typed_folder("here").is_absolute());
    CHECK_THROWS_AS(typed_folder("  "), InputError);
    if (home != nullptr) ::setenv("HOME", before.c_str(), 1);
}

TEST_CASE("a figure of many runs is made for an export, tells how far it is, and can be cancelled" *
          doctest::test_suite("release")) {
    const Scratch scratch;
    ExportOrder order;
    order.experiment = &find_experiment("construction");
    const auto choices = figure_choices(*order.experiment, {});
    REQUIRE(choices.front().kind == FigureChoice::Kind::grid);
    order.choices = {choices.front()};
    order.formats = {FileFormat::csv, FileFormat::svg};
    order.folder = scratch / "figures";
    double share = 0.0;
    FileReport report = write_export(order, [&](const FileProgress& progress) {
        CHECK(progress.total == 2);
        share = std::max(share, progress.share);
        return true;
    });
    CHECK(report.failures.empty());
    REQUIRE(report.written.size() == 2);
    CHECK(report.written[0].filename() == "wang-13.csv");
    CHECK(read_config_of(report.written[1]).figure == "wang-13");
    CHECK(share > 0.5);

    order.folder = scratch / "none";
    report = write_export(order, [](const FileProgress& progress) { return progress.share == 0.0; });
    CHECK(report.written.empty());
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0] == "wang-13.csv: cancelled");
    CHECK(count_entries(order.folder) == 0);
    CHECK(holds(effort_of(order.experiment->figures[0], 2), "about 1 s on 2 cores"));
}

TEST_CASE("the metrics of a figure's runs are one table, their weights one archive") {
    std::vector<FinishedRun> runs;
    for (const char* label : {"a", "b, c"}) {
        RunOf run(toy_info(), toy_settings({"num_seeds=2"}), 1);
        FinishedRun one{label, {}, run.history_to(20)};
        one.snapshot = run.snapshot();
        one.snapshot.weights["A"] = {{1}, std::vector<double>{1.5}};
        runs.push_back(std::move(one));
    }
    const std::string alone = metrics_csv({runs[0].snapshot, runs[0].history}), all = metrics_csv(runs);
    CHECK(all.starts_with("run," + alone.substr(0, alone.find('\n') + 1) + "a,0,0,"));
    CHECK(holds(all, "\n\"b, c\",0,0,"));
    CHECK(std::count(all.begin(), all.end(), '\n') == 2 * std::count(alone.begin(), alone.end(), '\n') - 1);
    CHECK(weights_of(runs).contains("b, c/A"));
    runs.pop_back();
    CHECK(weights_of(runs).contains("A"));
}
