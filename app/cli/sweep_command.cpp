// Carries out sweep, which computes a grid of settings cell by cell and saves each.

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/job.h"
#include "app/cli/out_folder.h"
#include "app/cli/progress.h"
#include "app/export/page_format.h"
#include "app/export/run_files.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lab/figures/figures.h"
#include "core/lab/sweeps/sweep.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

// Computes scores over a grid of fields.
struct SweepRequest {
    std::string file;  // a sweep, a name in assets/sweeps, the folder of one to resume, or an experiment
    std::vector<std::string> changes;  // "field=1,2,3", "field=0.1:1:5:log", "field=value"
    std::optional<std::string> preset;
    std::optional<std::string> score;
    std::optional<int> seeds;
    std::optional<std::string> out;
};

struct AskedSweep {
    SweepText text;
    std::filesystem::path folder;
};

// Returns the file that was named: a path, the folder of a sweep, or one of assets/sweeps. Returns nothing for another
// name.
std::optional<fs::path> sweep_file_named(const std::string& name, const Environment& environment) {
    if (is_folder(name)) return sweep_file_at(name).value_or(fs::path(name) / kSweepFile);
    if (is_there(name)) return name;
    const fs::path shipped = environment.assets() / "sweeps" / (name + ".toml");
    if (is_there(shipped)) return shipped;
    return std::nullopt;
}

std::pair<std::string, std::string> field_and_value(const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) throw InputError("--set: '{}' is not field=value", text);
    return {text.substr(0, equals), text.substr(equals + 1)};
}

// Reads the settings that the cells share. There is no axis yet.
Sweep sweep_around(const ExperimentInfo& experiment, const SweepRequest& request, const Environment& environment) {
    Sweep sweep;
    sweep.experiment = &experiment;
    sweep.settings = Settings(experiment.fields);
    if (request.preset) {
        const SettingsFile file = read_settings(preset_path(environment.assets(), *request.preset));
        if (file.experiment != experiment.name)
            throw InputError("--preset: {} is of experiment {}, not of {}", *request.preset, file.experiment,
                             experiment.name);
        apply(file, sweep.settings);
    }
    if (experiment.emergence_rule.empty()) sweep.score.clear();
    return sweep;
}

// Several values make an axis, and one value is a setting of all cells.
void apply_sweep_change(const std::string& change, Sweep& sweep) {
    const auto [name, value] = field_and_value(change);
    const FieldInfo& field = sweep.settings.info(name);
    SweepAxis axis = parse_axis(field, value);
    const auto found = find_if(sweep.axes, [&name = name](const SweepAxis& one) { return one.field == name; });
    if (axis.values.size() == 1 && name == "seeds") {
        sweep.seeds = static_cast<int>(std::get<int64_t>(axis.values.front()));
    } else if (axis.values.size() == 1) {
        if (found != sweep.axes.end()) sweep.axes.erase(found);
        sweep.settings.set(name, axis.values.front());
    } else if (found != sweep.axes.end()) {
        *found = std::move(axis);
    } else {
        sweep.axes.push_back(std::move(axis));
    }
}

void apply_changes(const SweepRequest& request, Sweep& sweep) {
    std::set<std::string> named;
    for (const std::string& change : request.changes) {
        const std::string name = field_and_value(change).first;
        if (!named.insert(name).second)
            throw InputError("--set: {0} is given twice. List its values together: {0}=1,2,3", name);
        apply_sweep_change(change, sweep);
    }
    if (sweep.axes.empty())
        throw InputError("give a setting several values: --set num_layers=1,2,3 or --set gamma=0.1:0.9:5");
    AskedFields asked;
    if (named.contains("seeds")) ask_for(asked, "seeds", int64_t{sweep.seeds});
    if (request.seeds) ask_for(asked, "seeds", int64_t{sweep.seeds = *request.seeds});
    if (request.score) sweep.score = *request.score;
    if (sweep.score.empty()) {
        const auto scores = scores_of(*sweep.experiment, settings_of(sweep, SweepCell(sweep.axes.size(), 0)));
        if (!scores.empty()) sweep.score = scores.front().name;
    }
    for (const SweepAxis& axis : sweep.axes)
        sweep.settings.set(axis.field, sweep.settings.info(axis.field).default_value);
}

bool changes_anything(const SweepRequest& request) {
    return !request.changes.empty() || request.seeds || request.score;
}

// The sweep of a file, a folder, assets/sweeps or, for an experiment's name, around its settings, with what --preset,
// --set, --score and --seeds change. Throws InputError.
AskedSweep sweep_asked_for(const SweepRequest& request, const FindExperiment& find, const Environment& environment) {
    const auto file = sweep_file_named(request.file, environment);
    const ExperimentInfo* experiment = file ? nullptr
                                            : &named(environment.experiments, request.file, "sweep, file or experiment",
                                                     "name a sweep file or one of assets/sweeps");
    if (file && request.preset)
        throw InputError("--preset: a sweep file has its own settings. Name an experiment instead");
    AskedSweep asked;
    asked.text = file ? read_sweep(*file, find) : SweepText{sweep_around(*experiment, request, environment), ""};
    if (!file || changes_anything(request)) {
        Sweep sweep = asked.text.sweep;
        apply_changes(request, sweep);
        if (!file || !request.changes.empty() || request.score)
            sweep.title = default_title(sweep, score_of(sweep).label);
        if (!request.changes.empty() || request.score) sweep.description.clear();
        asked.text.text = sweep_to_toml(sweep, true);
        asked.text.sweep = parse_sweep(asked.text.text, "sweep", find);
    }
    const bool in_place = file && is_folder(request.file) && *file == fs::path(request.file) / kSweepFile;
    asked.folder = request.out ? fs::path(*request.out)
                   : in_place  ? fs::path(request.file)
                   : file      ? fs::path("out") / file->stem()
                               : fs::path("out") / folder_name(asked.text.sweep);
    return asked;
}

void refuse_lost_lines(const fs::path& folder, const Sweep& sweep) {
    size_t lost = 0;
    (void)cells_in(folder, sweep, &lost);
    if (lost > 0)
        throw InputError(
            "{}: holds {} finished rows of cells or seeds that are not in this sweep, or out of order, and would be "
            "lost. Choose another --out, or replace it with --force",
            folder.string(), lost);
}

void write_results(const fs::path& folder, const Sweep& sweep, const SweepScores& scores,
                   const Environment& environment) {
    write_sweep_columns(folder, sweep);
    for (const fs::path& picture : write_sweep_pictures(folder, sweep, scores, environment.asked.page))
        environment.wrote(picture);
    for (const char* file : {kCellsFile, kColumnsFile})
        if (is_there(folder / file))  // without a cell there is no file of cells
            environment.wrote(folder / file);
}

int run_sweep(const SweepRequest& request, const Environment& environment) {
    const FindExperiment find = environment.find_experiment();
    const AskedSweep asked = sweep_asked_for(request, find, environment);
    const SweepText& text = asked.text;
    const Sweep& sweep = text.sweep;
    const fs::path& folder = asked.folder;
    const auto holds_sweep = [&folder] { return is_there(folder / kSweepFile) || is_there(folder / kComputedFile); };
    const bool goes_on = holds_sweep() && !environment.asked.force;
    const int left = sweep.cells() - (goes_on ? count_whole(sweep, known_in(folder, sweep, find)) : 0);
    environment.would(
        fmt::format("compute {} of the sweep, {} each", counted(left, "cell"), counted(sweep.seeds, "seed")));
    claim_folder(folder, holds_sweep(), environment);
    const SweepScores known = known_in(folder, sweep, find);
    refuse_lost_lines(folder, sweep);
    if (!environment.does_jobs()) check_score(sweep);
    prepare_folder(folder);
    const FolderLock lock = enter_folder(folder, holds_sweep);
    known_in(folder, sweep, find);  // another command may have begun there meanwhile
    // This is written first, so that the same command knows its folder again wherever it ends.
    if (!holds_sweep()) begin_sweep_in(folder, text);
    if (!known.empty())
        environment.err << fmt::format("sweep: {} of {} cells are already finished\n", count_whole(sweep, known),
                                       sweep.cells());

    GridProgressLine line(environment);
    GridOptions options = grid_options("sweep", line, environment);
    environment.has_saved("Finished cells are saved", folder);
    NotedSession noted(folder, true, environment);
    noted.write();
    const Stopwatch watch;
    const SweepResult result = run_sweep_in(folder, text, known, options);
    line.finish(watch.seconds());
    environment.has_saved(fmt::format("{} of {} cells are saved", count_whole(sweep, result.scores), sweep.cells()),
                          folder);
    for (const JobFailure& failure : result.failures)
        environment.err << fmt::format("emergence-cli: sweep: {}: {}\n", failure.label, failure.reason);
    noted.end(watch);
    if (environment.grid_part != nullptr && result.stopped) return kFailure;
    write_results(folder, sweep, result.scores, environment);
    environment.err << fmt::format("sweep: {} of {} cells, {:.1f} s, {:.1f} s of CPU\n",
                                   count_whole(sweep, result.scores), sweep.cells(), watch.seconds(),
                                   watch.cpu_seconds());
    if (const std::string failed = failed_text(sweep, result.scores); !failed.empty())
        environment.err << fmt::format("sweep: {}; the picture marks these cells and shows no mean there\n", failed);
    return result.stopped || !result.failures.empty() ? kFailure : kDone;
}

}  // namespace

Command sweep_command() {
    return command_of<SweepRequest>(
        "sweep", "Train several networks for each cell of a grid of settings, and score them",
        [](Options& options, SweepRequest& request) {
            constexpr int kMostSeeds = 1000;
            options
                .text("name", "SWEEP|EXPERIMENT|FILE|DIR",
                      "A sweep file (TOML), the name of one in assets/sweeps, a sweep folder to resume, or an "
                      "experiment with --set",
                      request.file)
                .required();
            options.changes(
                "Values of an axis: field=1,2,3 or field=FROM:TO:COUNT[:log]. A single value applies to all cells",
                request.changes);
            options.text("--preset", "PRESET", "For an experiment: preset with the settings of all cells (see list)",
                         request.preset);
            options.text("--score", "NAME",
                         "What the picture shows: emerged, a metric, a read-out or a quantity of each network (see "
                         "handbook quantities)",
                         request.score);
            options.number("--seeds", "K", "Networks per cell (default: as in the sweep, or 4)", 1, kMostSeeds,
                           request.seeds);
            options.out("Folder for the results (default: out/<name>); finished cells there are kept", request.out);
            options.threads();
            options.page();
            options.files_as_json();
        },
        run_sweep, true);
}

}  // namespace emergence::cli
