#include "core/lab/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>

#include "core/base/error.h"
#include "core/files/csv.h"

namespace emergence {
namespace {

using SweepClock = std::chrono::steady_clock;

// Approximate seconds between progress reports per seed, least and most.
constexpr double kShortPart = 0.05;
constexpr double kLongPart = 0.3;

double last_metric(const std::vector<MetricRow>& rows, size_t metric) {
    return rows.empty() ? std::numeric_limits<double>::quiet_NaN() : rows.back().values[metric];
}

// The place of a score.
struct ScorePlace {
    enum class Kind { emerged, metric, scalar } kind = Kind::emerged;
    size_t metric = 0;  // column of the study's metrics
};

// Finds the place of the sweep's score; throws InputError if none. `seed` is at step 0.
ScorePlace score_place(const Sweep& sweep, const Study& study, const Experiment& seed) {
    using Kind = ScorePlace::Kind;
    const bool has_rule = !sweep.experiment->emergence_rule.empty();
    if (sweep.score == kEmergedScore) {
        if (!has_rule)
            throw InputError(fmt::format("score: '{}': experiment {} has no rule for it", kEmergedScore,
                                         sweep.experiment->name));
        return {Kind::emerged, 0};
    }
    const MetricTable& metrics = study.metrics();
    for (size_t i = 0; i < metrics.size(); ++i)
        if (metrics[i].name == sweep.score) return {Kind::metric, i};
    std::string names = has_rule ? kEmergedScore : "";
    const auto add = [&names](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
    for (const MetricInfo& metric : metrics) add(metric.name);
    for (const Scalar& scalar : study.describe({&seed}).scalars) {
        if (scalar.name == sweep.score) return {Kind::scalar, 0};
        add(scalar.name);
    }
    throw InputError(fmt::format("score: found '{}', there are: {}", sweep.score, names));
}

double score_at(const ScorePlace& place, const Sweep& sweep, const Study& study, const Experiment& seed,
                const std::vector<MetricRow>& rows) {
    if (place.kind == ScorePlace::Kind::emerged) return seed.status().emerged ? 1.0 : 0.0;
    if (place.kind == ScorePlace::Kind::metric) return last_metric(rows, place.metric);
    for (const Scalar& scalar : study.describe({&seed}).scalars)
        if (scalar.name == sweep.score) return scalar.value;
    return std::numeric_limits<double>::quiet_NaN();
}

// The columns of a sweep's file.
std::vector<std::string> sweep_columns(const Sweep& sweep) {
    std::vector<std::string> names = {"column", "row", sweep.x.field};
    if (sweep.y) names.push_back(sweep.y->field);
    names.insert(names.end(), {"seed", sweep.score});
    return names;
}

}  // namespace

double axis_number(const Sweep& sweep, const SweepAxis& axis, const FieldValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1.0 : 0.0;
    if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&value)) return *number;
    const auto& choices = sweep.settings.info(axis.field).choices;
    return static_cast<double>(std::find(choices.begin(), choices.end(), std::get<std::string>(value)) -
                               choices.begin());
}

std::vector<SweepCell> cells_coarse_first(int columns, int rows) {
    std::vector<SweepCell> order;
    std::set<SweepCell> seen;
    int stride = 1;
    while (stride < std::max(columns, rows)) stride *= 2;
    for (; stride >= 1; stride /= 2)
        for (int row = 0; row < rows; row += stride)
            for (int column = 0; column < columns; column += stride)
                if (seen.insert({column, row}).second) order.push_back({column, row});
    return order;
}

Settings settings_of(const Sweep& sweep, const SweepCell& cell) {
    Settings settings = sweep.settings;
    settings.set(sweep.x.field, sweep.x.values[static_cast<size_t>(cell.column)]);
    if (sweep.y) settings.set(sweep.y->field, sweep.y->values[static_cast<size_t>(cell.row)]);
    settings.set("seeds", static_cast<int64_t>(sweep.seeds));
    return settings;
}

std::string cell_label(const Sweep& sweep, const SweepCell& cell) {
    std::string label =
        fmt::format("{} = {}", sweep.x.field, to_text(sweep.x.values[static_cast<size_t>(cell.column)]));
    if (sweep.y)
        label +=
            fmt::format(", {} = {}", sweep.y->field, to_text(sweep.y->values[static_cast<size_t>(cell.row)]));
    return label;
}

std::vector<ScoreInfo> scores_of(const ExperimentInfo& experiment, const Settings& settings) {
    std::vector<ScoreInfo> scores;
    if (!experiment.emergence_rule.empty())
        scores.push_back({kEmergedScore, kEmergedLabel, experiment.emergence_rule});
    const std::unique_ptr<Study> study = experiment.make(settings);
    for (const MetricInfo& metric : study->metrics())
        scores.push_back({metric.name, metric.label, metric.help});
    const std::unique_ptr<Experiment> seed = study->make_seed(0);
    std::vector<MetricRow> rows;
    seed->advance(0, rows);
    for (const Scalar& scalar : study->describe({seed.get()}).scalars) {
        const bool is_metric = std::any_of(scores.begin(), scores.end(),
                                           [&](const ScoreInfo& one) { return one.name == scalar.name; });
        if (!is_metric) scores.push_back({scalar.name, scalar.label, scalar.help});
    }
    return scores;
}

std::string score_label(const Sweep& sweep) {
    try {
        Settings settings = settings_of(sweep, {0, 0});
        settings.set("seeds", int64_t{1});
        for (const ScoreInfo& score : scores_of(*sweep.experiment, settings))
            if (score.name == sweep.score && !score.label.empty()) return score.label;
    } catch (const std::exception&) {
        // Computing the cells reports what is wrong with the settings.
    }
    return sweep.score;
}

bool is_whole(const Sweep& sweep, const CellScores& scores) {
    return scores.size() == static_cast<size_t>(sweep.seeds);
}

int count_whole(const Sweep& sweep, const SweepScores& scores) {
    return static_cast<int>(std::count_if(scores.begin(), scores.end(),
                                          [&](const auto& cell) { return is_whole(sweep, cell.second); }));
}

void merge(SweepScores& scores, SweepScores more) {
    for (auto& [cell, values] : more)
        if (CellScores& known = scores[cell]; values.size() > known.size()) known = std::move(values);
}

CellScores score_cell(const Sweep& sweep, const SweepCell& cell, JobHandle& handle) {
    const std::unique_ptr<Study> study = sweep.experiment->make(settings_of(sweep, cell));
    std::optional<ScorePlace> place;
    const int64_t target = study->target_step();
    int64_t part = 1;  // steps per advance; does not affect the result
    CellScores scores;
    for (int k = 0; k < study->num_seeds(); ++k) {
        const std::unique_ptr<Experiment> seed = study->make_seed(k);
        std::vector<MetricRow> rows;
        seed->advance(0, rows);
        if (!place) place = score_place(sweep, *study, *seed);
        while (seed->step() < target && !seed->failed()) {
            if (rows.size() > 1) rows.erase(rows.begin(), rows.end() - 1);  // only the last one counts
            const auto start = SweepClock::now();
            seed->advance(std::min(target, seed->step() + part), rows);
            const double taken = std::chrono::duration<double>(SweepClock::now() - start).count();
            if (taken < kShortPart) part *= 2;
            if (taken > kLongPart) part = std::max<int64_t>(1, part / 2);
            handle.reached((k + static_cast<double>(seed->step()) / static_cast<double>(target)) /
                           study->num_seeds());
        }
        scores.push_back(seed->failed() ? std::numeric_limits<double>::quiet_NaN()
                                        : score_at(*place, sweep, *study, *seed, rows));
    }
    return scores;
}

void check_score(const Sweep& sweep) {
    const SweepCell first = cells_coarse_first(sweep.columns(), sweep.rows()).front();
    const std::unique_ptr<Study> study = sweep.experiment->make(settings_of(sweep, first));
    const std::unique_ptr<Experiment> seed = study->make_seed(0);
    std::vector<MetricRow> rows;
    seed->advance(0, rows);
    score_place(sweep, *study, *seed);
}

std::string sweep_csv(const Sweep& sweep, const SweepScores& scores) {
    std::string text;
    for (const std::string& column : sweep_columns(sweep))
        text += (text.empty() ? "" : ",") + csv_field(std::string_view(column));
    text += '\n';
    for (const auto& [cell, values] : scores) {
        std::string place = fmt::format(
            "{},{},{}", cell.column, cell.row,
            csv_field(axis_number(sweep, sweep.x, sweep.x.values[static_cast<size_t>(cell.column)])));
        if (sweep.y)
            place +=
                ',' + csv_field(axis_number(sweep, *sweep.y, sweep.y->values[static_cast<size_t>(cell.row)]));
        for (size_t k = 0; k < values.size(); ++k)
            text += fmt::format("{},{},{}\n", place, k, csv_field(values[k]));
    }
    return text;
}

namespace {

// The lines of a cells file by cell and seed, and the number of those that are not the sweep's.
struct PlacedLines {
    std::map<SweepCell, std::map<int, double>> found;
    size_t outside = 0;
};

PlacedLines placed_lines(const Sweep& sweep, std::string_view csv, const std::string& source) {
    const NumericTable table = parse_csv(csv, source);
    const std::vector<std::string> header = sweep_columns(sweep);
    if (table.header != header)
        throw InputError(fmt::format("{}: found the columns {}, needed are {}", source,
                                     fmt::join(table.header, ", "), fmt::join(header, ", ")));
    const auto place = [&sweep](const SweepAxis& axis, double value) -> std::optional<int> {
        for (size_t i = 0; i < axis.values.size(); ++i)
            if (axis_number(sweep, axis, axis.values[i]) == value) return static_cast<int>(i);
        return std::nullopt;
    };
    PlacedLines lines;
    const size_t seeds_at = header.size() - 2, scores_at = header.size() - 1;
    for (size_t i = 0; i < table.rows(); ++i) {
        const auto column = place(sweep.x, table.columns[2][i]);
        const auto row = sweep.y ? place(*sweep.y, table.columns[3][i]) : 0;
        const double seed = table.columns[seeds_at][i];
        if (column && row && seed >= 0 && seed < sweep.seeds)
            lines.found[{*column, *row}][static_cast<int>(seed)] = table.columns[scores_at][i];
        else
            ++lines.outside;
    }
    return lines;
}

}  // namespace

size_t lines_outside(const Sweep& sweep, std::string_view csv, const std::string& source) {
    return placed_lines(sweep, csv, source).outside;
}

SweepScores scores_in(const Sweep& sweep, std::string_view csv, const std::string& source) {
    const PlacedLines lines = placed_lines(sweep, csv, source);
    SweepScores scores;
    for (const auto& [cell, seeds] : lines.found)
        for (const auto& [seed, score] : seeds) {
            if (seed != static_cast<int>(scores[cell].size())) break;  // a seed is missing
            scores[cell].push_back(score);
        }
    std::erase_if(scores, [](const auto& cell) { return cell.second.empty(); });
    return scores;
}

SweepResult run_sweep(const Sweep& sweep, const SweepScores& known, const GridOptions& options,
                      const std::function<void(const SweepScores&)>& keep, const SweepShare& share) {
    SweepResult result;
    std::mutex lock;
    std::vector<GridJob<bool>> jobs;
    int place = 0;
    for (const SweepCell& cell : cells_coarse_first(sweep.columns(), sweep.rows())) {
        if (place++ % share.size != share.rank) continue;
        if (const auto found = known.find(cell); found != known.end()) {
            result.scores.insert(*found);
            if (is_whole(sweep, found->second)) continue;
        }
        jobs.push_back({cell_label(sweep, cell), [&, cell](JobHandle& handle) {
                            CellScores scores = score_cell(sweep, cell, handle);
                            const std::lock_guard guard(lock);
                            result.scores[cell] = std::move(scores);
                            keep(result.scores);
                            return true;
                        }});
    }
    const GridResults<bool> grid = run_grid(jobs, options);
    result.failures = grid.failures;
    result.stopped = grid.stopped;
    return result;
}

}  // namespace emergence
