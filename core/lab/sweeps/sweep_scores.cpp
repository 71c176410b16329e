#include "core/lab/sweeps/sweep.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/csv.h"
#include "core/files/text.h"

namespace emergence {
namespace {

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

std::vector<std::vector<std::string>> shown_values_of_axes(const Sweep& sweep) {
    return mapped(sweep.axes, [&](const SweepAxis& axis) { return shown_values(sweep, axis); });
}

// The names of all scores, in the order in which they are met.
std::vector<std::string> score_names(const SweepScores& scores) {
    std::vector<std::string> names;
    for (const auto& [cell, seeds] : scores)
        for (const SeedScores& seed : seeds)
            for (const auto& [name, value] : seed)
                if (!contains(names, name)) names.push_back(name);
    return names;
}

}  // namespace

const double* find_score(const SeedScores& seed, const std::string& score) {
    const auto* found = find_by(seed, &SeedScores::value_type::first, score);
    return found == nullptr ? nullptr : &found->second;
}

namespace {

// A seed of the sweep's first cell at step 0, and what it has logged.
std::pair<Snapshot, MetricHistory> first_moment(const ExperimentInfo& experiment, const Settings& settings) {
    const std::unique_ptr<Study> study = experiment.make(settings);
    const std::unique_ptr<Experiment> seed = study->make_seed(0);
    std::vector<MetricRow> rows;
    seed->advance(0, rows);
    return {study->describe({seed.get()}), MetricHistory(study->metrics(), 1)};
}

// All scores that have a name: "emerged" if there is a rule, metrics, scalars.
std::vector<ScoreInfo> named_scores(const Snapshot& snapshot, const MetricTable& metrics, const std::string& rule) {
    std::vector<ScoreInfo> scores;
    if (!rule.empty()) scores.push_back({kEmergedScore, kEmergedLabel, rule, true});
    for (const MetricInfo& metric : metrics) scores.push_back({metric.name, metric.label, metric.help, metric.share});
    for (const Scalar& scalar : snapshot.scalars) {
        const bool is_metric = any_of(scores, [&](const ScoreInfo& one) { return one.name == scalar.name; });
        if (!is_metric) scores.push_back({scalar.name, scalar.label, scalar.help, scalar.counts_seeds});
    }
    return scores;
}

Settings first_settings(const Sweep& sweep) { return settings_of(sweep, SweepCell(sweep.axes.size(), 0)); }

}  // namespace

std::vector<ScoreInfo> scores_of(const ExperimentInfo& experiment, const Settings& settings) {
    const auto [snapshot, history] = first_moment(experiment, settings);
    return named_scores(snapshot, history.table(), experiment.emergence_rule);
}

Quantity score_quantity(const std::string& score) {
    Quantity quantity = parse_quantity(score);
    if (has_reduction(quantity))
        throw InputError(
            "\"{}\": is one number per run, but a score needs one number per network. Leave out mean( ) "
            "and the like; pictures show the mean",
            score);
    return quantity;
}

void check_score(const Sweep& sweep) {
    const std::string& rule = sweep.experiment->emergence_rule;
    const auto [snapshot, history] = first_moment(*sweep.experiment, first_settings(sweep));
    const std::vector<ScoreInfo> scores = named_scores(snapshot, history.table(), rule);
    if (any_of(scores, [&](const auto& one) { return one.name == sweep.score; })) return;
    const std::string names = listed(scores, &ScoreInfo::name);
    if (sweep.score == kEmergedScore)
        throw InputError("score: '{}': experiment {} has no rule for it. Scores: {}", kEmergedScore,
                         sweep.experiment->name, names);
    try {
        (void)values({snapshot, history}, score_quantity(sweep.score));
    } catch (const InputError& error) {
        const bool one_word = sweep.score.find_first_of(" (") == std::string::npos;
        throw InputError(one_word ? fmt::format("score: '{}' is unknown. Scores: {}", sweep.score, names)
                                  : fmt::format("score: {}", error.what()));
    }
}

ScoreInfo score_of(const Sweep& sweep, const std::vector<ScoreInfo>& listed) {
    for (const ScoreInfo& score : listed)
        if (score.name == sweep.score && !score.label.empty()) return score;
    const bool emerged = sweep.score == kEmergedScore && !sweep.experiment->emergence_rule.empty();
    const bool failed = sweep.score == kFailedScore;
    return {sweep.score, emerged ? kEmergedLabel : failed ? kFailedLabel : sweep.score, "", emerged || failed};
}

ScoreInfo score_of(const Sweep& sweep) {
    try {
        return score_of(sweep, scores_of(*sweep.experiment, first_settings(sweep)));
    } catch (const std::exception&) {  // computing the cells will report the error
        return score_of(sweep, {});
    }
}

std::vector<double> values_of(const CellScores& scores, const std::string& score) {
    return mapped(scores, [&](const SeedScores& seed) {
        const double* found = find_score(seed, score);
        return found != nullptr ? *found : kMissing;
    });
}

int count_failed(const CellScores& scores, const std::string& score) {
    return static_cast<int>(count_if(scores, [&](const SeedScores& seed) {
        const double *failed = find_score(seed, kFailedScore), *value = find_score(seed, score);
        if (value != nullptr && std::isfinite(*value)) return false;
        // A table without this column has NaN for what failed.
        if (failed == nullptr)
            return !seed.empty() && all_of(seed, [](const auto& of) { return std::isnan(of.second); });
        return *failed == 1.0;
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
    const std::vector<std::string> names = score_names(scores);
    std::string text;
    for (const SweepAxis& axis : sweep.axes) text += csv_field(axis.field) + ',';
    text += kSeedColumn;
    for (const std::string& name : names) text += ',' + csv_field(column_of(sweep, name));
    text += '\n';
    const auto shown = shown_values_of_axes(sweep);
    for (const auto& [cell, seeds] : scores) {
        std::string place;
        for (size_t i = 0; i < cell.size(); ++i) place += csv_field(shown[i][cell[i]]) + ',';
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

namespace {

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

}  // namespace

SweepScores scores_in(const Sweep& sweep, std::string_view csv, const std::string& source, size_t* outside) {
    CsvReader table(csv, source);
    const std::vector<size_t> columns = axis_columns(sweep, table.header(), source);
    const auto shown = shown_values_of_axes(sweep);
    std::map<SweepCell, std::map<size_t, SeedScores>> known;  // by seed, because the lines may have any order
    std::vector<std::string> row;
    for (size_t read = 0; table.next(row); ++read) {
        if (read == kMostSweepLines) table.fail(fmt::format("has more than {} lines", kMostSweepLines));
        SweepCell cell;
        for (size_t a = 0; a < shown.size(); ++a) {
            const auto value = std::find(shown[a].begin(), shown[a].end(), row[columns[a]]);
            if (value != shown[a].end()) cell.push_back(static_cast<int>(value - shown[a].begin()));
        }
        const double number = csv_number(row[columns.size()]).value_or(-1.0);
        if (cell.size() < sweep.axes.size() || !(number >= 0 && number < sweep.seeds)) {
            if (outside != nullptr) ++*outside;
            continue;
        }
        SeedScores& seed = known[cell][static_cast<size_t>(number)];
        seed.clear();
        for (size_t c = columns.size() + 1; c < row.size(); ++c) {
            if (row[c].empty()) continue;
            const auto value = csv_number(row[c]);
            if (!value) table.fail(fmt::format("column '{}': '{}' is not a number", table.header()[c], row[c]));
            seed.emplace_back(score_in(sweep, table.header()[c]), *value);
        }
    }
    SweepScores scores;
    for (auto& [cell, seeds] : known)
        for (auto& [k, seed] : seeds) {
            if (k != (scores.contains(cell) ? scores[cell].size() : 0)) break;  // one is missing
            scores[cell].push_back(std::move(seed));
        }
    return scores;
}

}  // namespace emergence
