// import and export: runs in the form of the published code of Wang et al. 2025 and of other programs; the networks of
// a bench.

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/command.h"
#include "app/cli/export_formats.h"
#include "app/cli/out_folder.h"
#include "app/cli/progress.h"
#include "app/cli/run_request.h"
#include "app/cli/saved_runs.h"
#include "app/export/event_file.h"
#include "core/base/error.h"
#include "core/experiments/in_context_td/published/published_run.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/lab/guessing/game.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/settings/embedded_settings.h"

namespace emergence::cli {
namespace {

constexpr const char *kPublished = "published", *kNetworks = "networks", *kTensorBoard = "tensorboard",
                     *kJsonLines = "jsonl", *kTorch = "torch";

// A run of another program becomes a run folder of ours.
struct ImportRequest {
    std::string path;  // of data.npz and params.json, or of several such folders
    std::string format = kPublished;
    std::string out;
    std::optional<int> threads;
    Existing existing = Existing::refuse;
};

// A run of ours in the form of another program.
struct ExportRequest {
    std::string name;  // the folder of a run, or a file with settings
    std::string format = kPublished;
    std::string out;
    std::optional<int> threads;
    Existing existing = Existing::refuse;
};

namespace fs = std::filesystem;

// A run's own folder names its settings in config.toml.
fs::path settings_file(const std::string& name) {
    std::error_code ignored;
    const fs::path config = fs::path(name) / "config.toml";
    return published_run_folders(name).empty() && fs::is_regular_file(config, ignored) ? config : fs::path(name);
}

struct Recording {
    std::vector<PublishedRun> runs;
    bool stopped = false;
};

// Trains and keeps what is logged on the way.
Recording record(const ExperimentInfo& experiment, const Settings& settings, int threads,
                 const Environment& environment) {
    PublishedRecorder recorder(experiment.name, settings);
    ThreadPool pool(threads);
    environment.report_threads(pool.threads(), threads);
    Run run(experiment.make(settings), pool);
    MetricHistory history(run.study().metrics(), run.num_seeds());
    Progress progress(environment.err, environment.err_is_terminal, environment.err_columns);
    ProgressState state;
    state.name = experiment.name;
    state.step_unit = run.study().step_unit();
    state.target = run.study().target_step();
    state.seeds = run.num_seeds();
    bool stopped = false;
    for (int64_t step = 0; !run.finished() && !stopped;) {
        step = std::min(step + run.study().log_interval(), state.target);
        for (const MetricRow& row : run.advance_to(step)) history.append(row);
        recorder.add(run.outline(), history);
        state.step = run.step();
        state.failed = run.num_failed();
        state.emerged = 0;
        for (int k = 0; k < run.num_seeds(); ++k) state.emerged += run.seed_status(k).emerged ? 1 : 0;
        progress.show(state, run.finished());
        stopped = environment.stopped();
    }
    return {recorder.runs(), stopped};
}

int run_import(const ImportRequest& request, const Environment& environment) {
    const fs::path out = folder_named(request.out);
    const std::vector<fs::path> folders = published_run_folders(request.path);
    published_settings(request.path);  // refuses other folders, and runs that do not belong together
    std::vector<PublishedRun> runs;
    for (const fs::path& folder : folders) runs.push_back(read_published_run(folder));
    claim_folder(out, false, request.existing, environment);
    for (size_t k = 0; k < runs.size(); ++k)
        write_published_run(runs.size() == 1 ? out : out / folders[k].filename(), runs[k]);
    RunRequest run;
    run.name = request.out;
    run.out = request.out;
    run.threads = request.threads;
    run.existing = Existing::ours;
    return run_run(run, environment);
}

// Of a saved run whose networks are known: those that test, each as a file of weights.
int export_networks(const ExportRequest& request, const Environment& environment) {
    const fs::path out = folder_named(request.out);
    const Snapshot snapshot = saved_runs({request.name}, environment).front().snapshot;
    if (!snapshot.riddles || snapshot.riddles->networks.empty())
        throw InputError(
            fmt::format("{}: has no networks of known algorithm. Name a run of experiment bench, of at least "
                        "7 networks",
                        request.name));
    claim_folder(out, false, request.existing, environment);
    prepare_folder(out);
    const Riddles& riddles = *snapshot.riddles;
    for (size_t i = 0; i < riddles.networks.size() && !environment.stopped(); ++i) {
        const fs::path file = out / (riddles.networks[i].file_name() + ".npz");
        write_npz(file, riddles.network(i).shown.weights);
        environment.wrote(file);
    }
    write_file(out / "networks.csv", std::string_view(networks_csv(riddles)));
    environment.wrote(out / "networks.csv");
    return environment.stopped() ? kFailure : kDone;
}

// Of a saved run what it logged, or its networks.
int export_saved(const ExportRequest& request, const Environment& environment) {
    const fs::path out = folder_named(request.out);
    const ComparedRun run = saved_runs({request.name}, environment).front();
    std::vector<std::pair<fs::path, std::string>> files;
    if (request.format == kJsonLines) files.emplace_back("metrics.jsonl", json_lines(run));
    if (request.format == kTorch) files.emplace_back("network.py", torch_script(run));
    if (request.format == kTensorBoard)
        for (size_t k = 0; k < run.snapshot.seeds.size(); ++k)
            files.emplace_back(
                fs::path(fmt::format("seed-{}", run.snapshot.seeds[k].seed)) / "events.out.tfevents.0.emergence",
                event_file(run.snapshot, run.history, static_cast<int>(k)));
    claim_folder(out, false, request.existing, environment);
    for (const auto& [name, text] : files) {
        prepare_folder((out / name).parent_path());
        write_file(out / name, std::string_view(text));
        environment.wrote(out / name);
    }
    return kDone;
}

int run_export(const ExportRequest& request, const Environment& environment) {
    if (request.format == kNetworks) return export_networks(request, environment);
    if (request.format != kPublished) return export_saved(request, environment);
    const fs::path out = folder_named(request.out);
    const SettingsFile file = settings_that_made(settings_file(request.name));
    const ExperimentInfo& experiment = find_experiment_in(environment.experiments, file.experiment);
    Settings settings(experiment.fields);
    apply(file, settings);
    if (experiment.check) experiment.check(settings);
    // Before hours are spent on it; what is there is moved only when there is something to write.
    if (request.existing == Existing::refuse || environment.dry_run)
        claim_folder(out, false, request.existing, environment);
    const Recording recording = record(experiment, settings, request.threads.value_or(default_threads()), environment);
    if (recording.runs.empty())
        throw InputError(fmt::format("{}: logs nothing, there is no run to write", request.name));
    claim_folder(out, false, request.existing, environment);
    for (const PublishedRun& run : recording.runs) {
        const fs::path folder = recording.runs.size() == 1 ? out : out / fmt::format("seed_{}", run.params.random_seed);
        write_published_run(folder, run);
        for (const char* name : {kPublishedData, kPublishedParams}) environment.wrote(folder / name);
    }
    std::vector<std::string> again = environment.arguments;
    if (request.existing == Existing::refuse) again.emplace_back("--force");
    environment.has_saved("What was logged until then is saved", again);
    const std::vector<std::string> unsaid = without_published_param(settings);
    if (!unsaid.empty())
        environment.err << fmt::format("emergence-cli: {} has no place for these settings: {}\n", kPublishedParams,
                                       fmt::join(unsaid, ", "));
    if (!std::get<std::string>(settings.value("replay")).empty())
        environment.err << "emergence-cli: weights and alpha are those that were logged; the scores are this "
                           "program's, of its held-out bank\n";
    return recording.stopped ? kFailure : kDone;
}

}  // namespace

Command import_command() {
    return command_of<ImportRequest>(
        "import", "Convert a run of another program into a run folder",
        [](Options& options, ImportRequest& request) {
            options
                .text("folder", "DIR", "Folder with data.npz and params.json, or of several such folders", request.path)
                .required();
            options.choice("--format", {kPublished}, "published: of the code of Wang et al. 2025 (default: published)",
                           request.format);
            options.out("Folder for the results", request.out, request.existing).required();
            options.threads(request.threads);
            options.files_as_json();
        },
        run_import, true);
}

Command export_command() {
    return command_of<ExportRequest>(
        "export", "Write a run in the form of another program; trains again to recover the logged values",
        [](Options& options, ExportRequest& request) {
            options.text("name", "DIR|FILE", "Folder of a run, or a file with its settings", request.name).required();
            options.choice(
                "--format", {kPublished, kNetworks, kTensorBoard, kJsonLines, kTorch},
                "published: as the code of Wang et al. 2025 does, data.npz and params.json, one "
                "folder per seed; networks: those of a bench, a file of weights each; of a saved run: "
                "tensorboard: event files, one folder per seed; jsonl: its metrics as JSON lines; torch: its "
                "networks as a PyTorch script (default: published)",
                request.format);
            options.out("Folder for the results", request.out, request.existing).required();
            options.threads(request.threads);
            options.files_as_json();
        },
        run_export, true);
}

}  // namespace emergence::cli
