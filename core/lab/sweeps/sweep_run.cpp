#include "core/lab/sweeps/sweep_run.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <array>
#include <mutex>
#include <system_error>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/figures.h"
#include "core/lab/jobs/job_grid.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/embedded_settings.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

// A seed's scores in the order that SeedScores describes.
SeedScores scores_of_seed(const Sweep& sweep, const Study& study, const Experiment& seed,
                          const std::vector<MetricRow>& rows) {
    MetricHistory history(study.metrics(), 1);
    for (MetricRow row : rows) {
        row.seed_index = 0;
        history.append(row);
    }
    const Snapshot snapshot = study.describe({&seed});
    SeedScores found;
    const SeedStatus& status = snapshot.seeds.front();
    const auto add = [&](const std::string& name, const Quantity& quantity) {
        if (find_score(found, name) == nullptr)
            found.emplace_back(name, values({snapshot, history}, quantity).front().value);
    };
    if (!sweep.experiment->emergence_rule.empty()) {
        found.emplace_back(kEmergedScore, status.failed ? kMissing : status.emerged ? 1.0 : 0.0);
        if (status.emerged) add(kEmergedAtColumn, {.kind = QuantityKind::emerged_at});
    }
    for (const MetricInfo& metric : study.metrics()) add(metric.name, metric_quantity(metric.name));
    for (const Scalar& scalar : snapshot.scalars) add(scalar.name, {.kind = QuantityKind::scalar, .name = scalar.name});
    if (find_score(found, sweep.score) == nullptr) add(sweep.score, score_quantity(sweep.score));
    if (find_score(found, kFailedScore) == nullptr) found.emplace_back(kFailedScore, status.failed ? 1.0 : 0.0);
    return found;
}

// Estimates the seconds of a cell: trains its first seed for about `budget` seconds, in parts that double.
double seconds_of_cell(const Sweep& sweep, const SweepCell& cell, double budget) {
    const Stopwatch making;
    const std::unique_ptr<Study> study = sweep.experiment->make(settings_of(sweep, cell));
    const double made = making.seconds();
    const Stopwatch describing;
    const std::unique_ptr<Experiment> seed = study->make_seed(0);
    std::vector<MetricRow> rows;
    seed->advance(0, rows);
    study->describe({seed.get()});
    const double described = describing.seconds();
    const Stopwatch training;
    const int64_t target = study->target_step();
    for (int64_t part = 1; training.seconds() < budget && seed->step() < target && !seed->failed(); part *= 2)
        seed->advance(std::min(target, seed->step() + part), rows);
    double trained = training.seconds();
    if (const int64_t steps = seed->step(); steps > 0 && !seed->failed())
        trained *= static_cast<double>(target) / static_cast<double>(steps);
    return made + study->num_seeds() * (described + trained);
}

// The cells that are not known, or not whole, coarse ones first.
std::vector<SweepCell> missing_cells(const Sweep& sweep, const SweepScores& known) {
    std::vector<SweepCell> missing = cells_coarse_first(sweep);
    std::erase_if(missing, [&](const SweepCell& cell) {
        const auto found = known.find(cell);
        return found != known.end() && is_whole(sweep, found->second);
    });
    return missing;
}

// Trains the seeds of a cell and takes all of their scores.
CellScores compute_cell(const Sweep& sweep, const SweepCell& cell, const Reached& reached) {
    const std::unique_ptr<Study> study = sweep.experiment->make(settings_of(sweep, cell));
    const int seeds = study->num_seeds();
    CellScores scores;
    for (int k = 0; k < seeds; ++k) {
        const std::unique_ptr<Experiment> seed = study->make_seed(k);
        std::vector<MetricRow> rows;
        seed->advance(0, rows);
        train_to(study->target_step(), *seed, rows, [&](double share) { reached((k + share) / seeds); });
        scores.push_back(scores_of_seed(sweep, *study, *seed, rows));
    }
    return scores;
}

}  // namespace

SweepResult run_sweep(const Sweep& sweep, const SweepScores& known, const GridOptions& options,
                      const std::function<void(const SweepCell&, const CellScores&)>& on_cell) {
    SweepResult result;
    result.scores = known;
    const std::vector<SweepCell> cells = missing_cells(sweep, known);
    const std::vector<std::string> labels =
        mapped(cells, [&](const SweepCell& cell) { return cell_label(sweep, cell); });
    std::mutex lock;
    static_cast<GridOutcome&>(result) = run_jobs(labels, options, [&](size_t job, const Reached& reached) {
        CellScores of_cell = compute_cell(sweep, cells[job], reached);
        const std::lock_guard guard(lock);
        if (on_cell) on_cell(cells[job], of_cell);
        result.scores[cells[job]] = std::move(of_cell);
    });
    return result;
}

double estimate_seconds(const Sweep& sweep, const SweepScores& known, double budget) {
    std::vector<SweepCell> missing = missing_cells(sweep, known);
    if (missing.empty()) return 0.0;
    const size_t samples = std::min<size_t>(missing.size(), 5);
    std::sort(missing.begin(), missing.end());
    double seconds = 0.0;
    try {
        for (size_t i = 0; i < samples; ++i) {
            const size_t at = samples > 1 ? i * (missing.size() - 1) / (samples - 1) : 0;
            seconds += seconds_of_cell(sweep, missing[at], budget / static_cast<double>(samples));
        }
    } catch (const std::exception&) {  // computing the cells says what is wrong
        return kMissing;
    }
    return seconds / static_cast<double>(samples) * static_cast<double>(missing.size());
}

namespace {

namespace fs = std::filesystem;

std::string whole_text(const fs::path& path) { return std::string(as_text(read_file(path, kMostTableBytes))); }

// The text of a sweep's file; for a picture of a sweep, the sweep inside it.
std::string sweep_text(const fs::path& path) {
    const std::vector<std::byte> bytes = read_file(path, kMostFigureBytes);
    const std::optional<std::string> embedded = embedded_text(bytes, path.string());
    return plain_text(embedded ? *embedded : as_text(bytes), path.string());
}

bool has_axis(const fs::path& file) {
    try {
        return parse_toml(sweep_text(file), file.string())["x"].is_table();
    } catch (const InputError&) {  // not TOML
        return false;
    }
}

}  // namespace

std::optional<fs::path> sweep_file_at(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        if (fs::exists(path / kSweepFile, ignored)) return path / kSweepFile;
        // A folder of results beside the file of its sweep, as for the shipped sweeps.
        fs::path beside = path.has_filename() ? path : path.parent_path();
        beside += ".toml";
        return has_axis(beside) ? std::optional(beside) : std::nullopt;
    }
    if (path.filename() == kComputedFile) {  // the copy in a folder of results stands for the folder's sweep
        const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
        if (const auto file = sweep_file_at(folder)) return file;
    }
    constexpr std::array kKinds = {".toml", ".pdf", ".svg", ".png", ".npz"};
    return contains(kKinds, path.extension()) && has_axis(path) ? std::optional(path) : std::nullopt;
}

std::optional<fs::path> results_beside(const fs::path& file, const Sweep& sweep, const FindExperiment& find) {
    const fs::path folder = file.parent_path() / file.stem();
    std::error_code ignored;
    if (!fs::exists(folder / kComputedFile, ignored)) return std::nullopt;
    try {
        if (same_but_for_places(read_sweep(folder / kComputedFile, find).sweep, sweep)) return folder;
    } catch (const InputError&) {
        // The folder has the same name by chance.
    }
    return std::nullopt;
}

SweepText read_sweep(const fs::path& file, const FindExperiment& find) {
    std::string text = sweep_text(file);
    try {
        const fs::path folder = file.parent_path();
        Sweep sweep =
            parse_sweep(text, file.string(), find, [&](Settings& settings) { use_copied_inputs(folder, settings); });
        return {std::move(sweep), std::move(text)};
    } catch (const InputError& error) {
        const std::string sentence = error.what(), name = file.string();
        throw InputError(sentence.starts_with(name) ? sentence : fmt::format("{}: {}", name, sentence));
    }
}

SweepScores cells_in(const fs::path& folder, const Sweep& sweep, size_t* outside) {
    SweepScores cells;
    std::vector<fs::path> files = all_entries_in(folder / kJobsFolder);
    files.push_back(folder / kCellsFile);
    for (const fs::path& file : files)
        if (std::error_code ignored; file.extension() == ".csv" && fs::exists(file, ignored))
            merge(cells, scores_in(sweep, whole_text(file), file.string(), outside));
    return cells;
}

SweepScores known_in(const fs::path& folder, const Sweep& sweep, const FindExperiment& find) {
    std::error_code ignored;
    const fs::path computed = folder / kComputedFile;
    const fs::path before = fs::exists(computed, ignored) ? computed : folder / kSweepFile;
    if (!fs::exists(before, ignored)) return {};
    // The sweep of a start that was killed before it had copied its inputs cannot be read, so compare its text first.
    if (whole_text(before) != sweep_to_toml(sweep) && !same_but_for_places(read_sweep(before, find).sweep, sweep))
        throw InputError(
            "{}: its cells have another experiment, other [settings] or other axes, see {}. Use another folder",
            folder.string(), before.filename().string());
    return cells_in(folder, sweep);
}

void begin_sweep_in(const fs::path& folder, const SweepText& of) {
    const Settings& settings = of.sweep.settings;
    const bool names_places = sweep_to_toml(of.sweep) != sweep_to_toml(of.sweep, WholePaths::all);
    const std::string text = names_places ? sweep_to_toml(of.sweep) : of.text;
    for (const char* file : {kSweepFile, kComputedFile}) write_file(folder / file, std::string_view(text));
    const std::vector<RunInput> inputs = inputs_of(settings, folder);
    std::vector<RunInput> held = read_inputs(folder);
    if (held.empty()) return copy_inputs(inputs, folder);
    // The folder's own copies have not changed.
    std::erase_if(held, [&](const RunInput& input) { return lies_in(settings.text(input.field), folder); });
    if (inputs_to_toml(held) != inputs_to_toml(inputs))
        throw InputError(
            "{}: {} was changed or removed since its cells were computed. Restore the copy in {}, or choose another "
            "folder",
            folder.string(), (held.empty() ? inputs : held).front().path, (folder / kInputsFolder).string());
}

SweepResult run_sweep_in(const fs::path& folder, const SweepText& of, const SweepScores& known,
                         const GridOptions& options, const std::function<void(const SweepScores&)>& on_cells) {
    const Sweep& sweep = of.sweep;
    begin_sweep_in(folder, of);
    // The folder also gets the cells that are known from elsewhere.
    SweepScores all = known;
    merge(all, cells_in(folder, sweep));
    const auto write = [&] { write_file(folder / kCellsFile, std::string_view(sweep_csv(sweep, all))); };
    if (!all.empty()) write();
    std::error_code ignored;
    for (const fs::path& taken : all_entries_in(folder / kJobsFolder)) fs::remove(taken, ignored);
    fs::remove(folder / kJobsFolder, ignored);
    const auto save = [&](const SweepCell& cell, const CellScores& computed) {
        all[cell] = computed;
        write();
        if (on_cells) on_cells(all);
    };
    SweepResult result = run_sweep(sweep, known, options, save);
    result.scores = std::move(all);
    return result;
}

}  // namespace emergence
