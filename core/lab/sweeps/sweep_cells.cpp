// The cells of a sweep: every score of every seed, as a table, computed, in their folder.
#include "core/lab/sweeps/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <mutex>

#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/csv.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/embedded_settings.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSeedColumn = "seed";
constexpr const char* kScoreSuffix = " (score)";

// The column of a score. A score may have the name of an axis, such as the loss in a sweep over losses.
std::string column_of(const Sweep& sweep, const std::string& score) {
    return sweep.axis(score) != nullptr ? score + kScoreSuffix : score;
}
std::string score_in(const Sweep& sweep, const std::string& column) {
    const std::string_view suffix = kScoreSuffix;
    if (!column.ends_with(suffix)) return column;
    std::string score = column.substr(0, column.size() - suffix.size());
    return sweep.axis(score) != nullptr ? score : column;
}

// Null if no score has this name.
const double* find_score(const SeedScores& seed, const std::string& score) {
    const auto* found = find_by(seed, &SeedScores::value_type::first, score);
    return found == nullptr ? nullptr : &found->second;
}

// The places of the axes' columns, in the order of the sweep's axes. The column of the seeds is the first behind them.
std::vector<size_t> axis_columns(const Sweep& sweep, const std::vector<std::string>& header,
                                 const std::string& source) {
    std::vector<size_t> columns;
    for (const SweepAxis& axis : sweep.axes)
        columns.push_back(static_cast<size_t>(std::find(header.begin(), header.end(), axis.field) - header.begin()));
    const size_t seed = columns.size();
    if (all_of(columns, [&](size_t at) { return at < seed; }) && seed < header.size() && header[seed] == kSeedColumn)
        return columns;
    throw InputError("{}: its columns are {} instead of {}, {} and scores", source, fmt::join(header, ", "),
                     listed(sweep.axes, &SweepAxis::field), kSeedColumn);
}

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
    add(kFailedScore, {.kind = QuantityKind::failed});
    return found;
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

std::vector<double> values_of(const CellScores& scores, const std::string& score) {
    return mapped(scores, [&](const SeedScores& seed) {
        const double* found = find_score(seed, score);
        return found != nullptr ? *found : kMissing;
    });
}

int count_failed(const CellScores& scores, const std::string& score) {
    return static_cast<int>(count_if(scores, [&](const SeedScores& seed) {
        const double *failed = find_score(seed, kFailedScore), *value = find_score(seed, score);
        return failed != nullptr && *failed == 1.0 && !(value != nullptr && std::isfinite(*value));
    }));
}

bool is_whole(const Sweep& sweep, const CellScores& scores) {
    return scores.size() == static_cast<size_t>(sweep.seeds) &&
           all_of(scores, [&](const SeedScores& seed) { return find_score(seed, sweep.score) != nullptr; });
}

int count_whole(const Sweep& sweep, const SweepScores& scores) {
    return static_cast<int>(count_if(scores, [&](const auto& cell) { return is_whole(sweep, cell.second); }));
}

void merge(SweepScores& scores, SweepScores more) {
    for (auto& [cell, seeds] : more) {
        CellScores& known = scores[cell];
        known.resize(std::max(known.size(), seeds.size()));
        for (size_t k = 0; k < seeds.size(); ++k)
            for (auto& score : seeds[k])
                if (find_score(known[k], score.first) == nullptr) known[k].push_back(std::move(score));
    }
}

std::string sweep_csv(const Sweep& sweep, const SweepScores& scores) {
    std::vector<std::string> names;  // in the order in which they are met
    for (const auto& [cell, seeds] : scores)
        for (const SeedScores& seed : seeds)
            for (const auto& [name, value] : seed)
                if (!contains(names, name)) names.push_back(name);
    std::string text;
    for (const SweepAxis& axis : sweep.axes) text += csv_field(axis.field) + ',';
    text += kSeedColumn;
    for (const std::string& name : names) text += ',' + csv_field(column_of(sweep, name));
    text += '\n';
    for (const auto& [cell, seeds] : scores) {
        std::string place;
        for (size_t i = 0; i < cell.size(); ++i) place += csv_field(to_text(sweep.axes[i].values[cell[i]])) + ',';
        for (size_t k = 0; k < seeds.size(); ++k) {
            text += place + std::to_string(k);
            for (const std::string& name : names) {
                const double* value = find_score(seeds[k], name);
                text += ',' + (value != nullptr ? csv_field(*value) : std::string());
            }
            text += '\n';
        }
    }
    return text;
}

SweepScores scores_in(const Sweep& sweep, std::string_view csv, const std::string& source, size_t* outside) {
    CsvReader table(csv, source);
    const std::vector<size_t> columns = axis_columns(sweep, table.header(), source);
    const auto shown = mapped(sweep.axes, [](const SweepAxis& axis) {
        return mapped(axis.values, [](const FieldValue& value) { return to_text(value); });
    });
    SweepScores scores;
    std::vector<std::string> row;
    for (size_t read = 0; table.next(row); ++read) {
        if (read == kMostSweepLines) table.fail(fmt::format("has more than {} lines", kMostSweepLines));
        SweepCell cell;
        for (size_t a = 0; a < shown.size(); ++a) {
            const auto value = std::find(shown[a].begin(), shown[a].end(), row[columns[a]]);
            if (value != shown[a].end()) cell.push_back(static_cast<int>(value - shown[a].begin()));
        }
        const double number = csv_number(row[columns.size()]).value_or(-1.0);
        // The sweep does not have its cell or seed, or the seed before it is missing.
        if (cell.size() < sweep.axes.size() || !(number < sweep.seeds) ||
            number != static_cast<double>(scores[cell].size())) {
            if (outside != nullptr) ++*outside;
            continue;
        }
        SeedScores& seed = scores[cell].emplace_back();
        for (size_t c = columns.size() + 1; c < row.size(); ++c) {
            if (row[c].empty()) continue;
            const auto value = csv_number(row[c]);
            if (!value) table.fail(fmt::format("column '{}': '{}' is not a number", table.header()[c], row[c]));
            seed.emplace_back(score_in(sweep, table.header()[c]), *value);
        }
    }
    std::erase_if(scores, [](const auto& cell) { return cell.second.empty(); });
    return scores;
}

SweepResult run_sweep(const Sweep& sweep, const SweepScores& known, const GridOptions& options,
                      const std::function<void(const SweepCell&, const CellScores&)>& on_cell) {
    SweepResult result;
    result.scores = known;
    std::vector<SweepCell> cells = cells_coarse_first(sweep);
    std::erase_if(cells, [&](const SweepCell& cell) {
        const auto found = known.find(cell);
        return found != known.end() && is_whole(sweep, found->second);
    });
    // "num_layers = 3, n = 30"
    const auto labels = mapped(cells, [&](const SweepCell& cell) {
        auto place = cell.begin();
        return listed(sweep.axes, [&](const SweepAxis& axis) {
            return fmt::format("{} = {}", axis.field, to_text(axis.values[*place++]));
        });
    });
    std::mutex lock;
    static_cast<GridOutcome&>(result) = run_jobs(labels, options, [&](size_t job, const Reached& reached) {
        CellScores of_cell = compute_cell(sweep, cells[job], reached);
        const std::lock_guard guard(lock);
        if (on_cell) on_cell(cells[job], of_cell);
        result.scores[cells[job]] = std::move(of_cell);
    });
    return result;
}

std::optional<fs::path> sweep_file_at(const fs::path& path) {
    if (is_folder(path)) {
        if (is_there(path / kSweepFile)) return path / kSweepFile;
        // A folder of results beside the file of its sweep, as for the shipped sweeps.
        fs::path beside = path.has_filename() ? path : path.parent_path();
        beside += ".toml";
        return has_axis(beside) ? std::optional(beside) : std::nullopt;
    }
    constexpr const char* kKinds[] = {".toml", ".pdf", ".svg", ".png", ".npz"};
    return contains(kKinds, path.extension()) && has_axis(path) ? std::optional(path) : std::nullopt;
}

std::optional<fs::path> results_beside(const fs::path& file, const Sweep& sweep, const FindExperiment& find) {
    const fs::path folder = file.parent_path() / file.stem();
    if (!is_there(folder / kComputedFile)) return std::nullopt;
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
        if (file.extension() == ".csv" && is_there(file))
            merge(cells, scores_in(sweep, whole_text(file), file.string(), outside));
    return cells;
}

SweepScores known_in(const fs::path& folder, const Sweep& sweep, const FindExperiment& find) {
    const fs::path computed = folder / kComputedFile;
    const fs::path before = is_there(computed) ? computed : folder / kSweepFile;
    if (!is_there(before)) return {};
    // The sweep of a start that was killed before it had copied its inputs cannot be read, so compare its text first.
    if (whole_text(before) != sweep_to_toml(sweep) && !same_but_for_places(read_sweep(before, find).sweep, sweep))
        throw InputError(
            "{}: its cells have another experiment, other [settings] or other axes, see {}. Use another folder",
            folder.string(), before.filename().string());
    return cells_in(folder, sweep);
}

void begin_sweep_in(const fs::path& folder, const SweepText& of) {
    const Settings& settings = of.sweep.settings;
    const bool names_places = sweep_to_toml(of.sweep) != sweep_to_toml(of.sweep, true);
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
