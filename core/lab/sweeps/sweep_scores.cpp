#include "core/lab/sweeps/sweep_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/base/error.h"
#include "core/base/near_names.h"
#include "core/files/csv.h"

namespace emergence {
namespace {

constexpr const char* kSeedColumn = "seed";
constexpr const char* kScoreSuffix = " (score)";

const double* find_score(const SeedScores& seed, const std::string& score) {
    for (const auto& [name, value] : seed)
        if (name == score) return &value;
    return nullptr;
}

// The column of a score. One that is called as an axis, for example the loss of a sweep over losses, is told from it.
std::string column_of(const Sweep& sweep, const std::string& score) {
    return sweep.axis(score) != nullptr ? score + kScoreSuffix : score;
}
std::string score_in(const Sweep& sweep, const std::string& column) {
    const std::string_view suffix = kScoreSuffix;
    if (!column.ends_with(suffix)) return column;
    std::string score = column.substr(0, column.size() - suffix.size());
    return sweep.axis(score) != nullptr ? score : column;
}

// The names of all scores, in the order in which they are met.
std::vector<std::string> score_names(const SweepScores& scores) {
    std::vector<std::string> names;
    for (const auto& [cell, seeds] : scores)
        for (const SeedScores& seed : seeds)
            for (const auto& [name, value] : seed)
                if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
}

size_t count_scores(const CellScores& cell) {
    size_t least = cell.empty() ? 0 : cell.front().size();
    for (const SeedScores& seed : cell) least = std::min(least, seed.size());
    return least;
}

}  // namespace

std::vector<ScoreInfo> scores_of(const ExperimentInfo& experiment, const Settings& settings) {
    std::vector<ScoreInfo> scores;
    if (!experiment.emergence_rule.empty())
        scores.push_back({kEmergedScore, kEmergedLabel, experiment.emergence_rule, true});
    const std::unique_ptr<Study> study = experiment.make(settings);
    for (const MetricInfo& metric : study->metrics())
        scores.push_back({metric.name, metric.label, metric.help, metric.share});
    const std::unique_ptr<Experiment> seed = study->make_seed(0);
    std::vector<MetricRow> rows;
    seed->advance(0, rows);
    for (const Scalar& scalar : study->describe({seed.get()}).scalars) {
        const bool is_metric = std::any_of(scores.begin(), scores.end(),
                                           [&](const ScoreInfo& one) { return one.name == scalar.name; });
        if (!is_metric) scores.push_back({scalar.name, scalar.label, scalar.help, scalar.counts_seeds});
    }
    return scores;
}

void check_score(const Sweep& sweep) {
    Settings settings = settings_of(sweep, SweepCell(sweep.axes.size(), 0));
    settings.set("seeds", int64_t{1});
    std::vector<std::string> names;
    for (const ScoreInfo& score : scores_of(*sweep.experiment, settings)) {
        if (score.name == sweep.score) return;
        names.push_back(score.name);
    }
    const bool no_rule = sweep.score == kEmergedScore && sweep.experiment->emergence_rule.empty();
    throw InputError(no_rule ? fmt::format("score: '{}': experiment {} has no rule for it, there are: {}",
                                           kEmergedScore, sweep.experiment->name, fmt::join(names, ", "))
                             : fmt::format("score: '{}' is unknown, there are: {}{}", sweep.score,
                                           fmt::join(names, ", "), did_you_mean(sweep.score, names)));
}

ScoreInfo score_of(const Sweep& sweep, const std::vector<ScoreInfo>& listed) {
    for (const ScoreInfo& score : listed)
        if (score.name == sweep.score && !score.label.empty()) return score;
    const bool emerged = sweep.score == kEmergedScore && !sweep.experiment->emergence_rule.empty();
    return {sweep.score, emerged ? kEmergedLabel : sweep.score, "", emerged};
}

ScoreInfo score_of(const Sweep& sweep) {
    try {
        Settings settings = settings_of(sweep, SweepCell(sweep.axes.size(), 0));
        settings.set("seeds", int64_t{1});
        return score_of(sweep, scores_of(*sweep.experiment, settings));
    } catch (const std::exception&) {  // computing the cells reports what is wrong with the settings
        return score_of(sweep, {});
    }
}

std::vector<double> values_of(const CellScores& scores, const std::string& score) {
    std::vector<double> values;
    for (const SeedScores& seed : scores) {
        const double* found = find_score(seed, score);
        values.push_back(found != nullptr ? *found : std::numeric_limits<double>::quiet_NaN());
    }
    return values;
}

bool is_whole(const Sweep& sweep, const CellScores& scores) {
    return scores.size() == static_cast<size_t>(sweep.seeds) &&
           std::all_of(scores.begin(), scores.end(),
                       [&](const SeedScores& seed) { return find_score(seed, sweep.score) != nullptr; });
}

int count_whole(const Sweep& sweep, const SweepScores& scores) {
    return static_cast<int>(std::count_if(scores.begin(), scores.end(),
                                          [&](const auto& cell) { return is_whole(sweep, cell.second); }));
}

void merge(SweepScores& scores, SweepScores more) {
    for (auto& [cell, values] : more) {
        CellScores& known = scores[cell];
        const bool longer = values.size() > known.size();
        if (longer || (values.size() == known.size() && count_scores(values) > count_scores(known)))
            known = std::move(values);
    }
}

std::string sweep_csv(const Sweep& sweep, const SweepScores& scores) {
    const std::vector<std::string> names = score_names(scores);
    std::string text;
    for (const SweepAxis& axis : sweep.axes) text += csv_field(std::string_view(axis.field)) + ',';
    text += kSeedColumn;
    for (const std::string& name : names) text += ',' + csv_field(std::string_view(column_of(sweep, name)));
    text += '\n';
    for (const auto& [cell, seeds] : scores) {
        std::string place;
        for (size_t i = 0; i < cell.size(); ++i)
            place +=
                csv_field(std::string_view(to_text(sweep.axes[i].values[static_cast<size_t>(cell[i])]))) +
                ',';
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

// The lines of a cells file by cell and seed, and the number of those that are not the sweep's.
struct PlacedLines {
    std::map<SweepCell, std::map<int, SeedScores>> found;
    size_t outside = 0;
};

// Where the columns of a cells file are.
struct CellColumns {
    std::vector<size_t> axes;  // in the order of the sweep's
    size_t seed = 0;
};

// Older files begin with the columns "column" and "row".
bool is_older_place(const std::string& name) { return name == "column" || name == "row"; }

CellColumns columns_of(const Sweep& sweep, const std::vector<std::string>& header,
                       const std::string& source) {
    CellColumns columns;
    columns.seed = static_cast<size_t>(std::find(header.begin(), header.end(), kSeedColumn) - header.begin());
    const auto before = header.begin() + static_cast<std::ptrdiff_t>(std::min(columns.seed, header.size()));
    for (const SweepAxis& axis : sweep.axes)
        columns.axes.push_back(
            static_cast<size_t>(std::find(header.begin(), before, axis.field) - header.begin()));
    const auto is_axis = [&](const std::string& name) {
        return is_older_place(name) || sweep.axis(name) != nullptr;
    };
    const bool all =
        std::all_of(columns.axes.begin(), columns.axes.end(), [&](size_t at) { return at < columns.seed; });
    if (columns.seed == header.size() || !all || !std::all_of(header.begin(), before, is_axis)) {
        std::vector<std::string> needed;
        for (const SweepAxis& axis : sweep.axes) needed.push_back(axis.field);
        throw InputError(fmt::format("{}: its columns are {} instead of {}, {} and scores", source,
                                     fmt::join(header, ", "), fmt::join(needed, ", "), kSeedColumn));
    }
    return columns;
}

// The place of the value that `text` is, as a person writes it or, in older files, as axis_number() gives it.
std::optional<int> place_on(const Sweep& sweep, const SweepAxis& axis, const std::string& text) {
    const std::optional<double> number = csv_number(text);
    for (size_t i = 0; i < axis.values.size(); ++i)
        if (to_text(axis.values[i]) == text ||
            (number && axis_number(sweep, axis, axis.values[i]) == *number))
            return static_cast<int>(i);
    return std::nullopt;
}

PlacedLines placed_lines(const Sweep& sweep, std::string_view csv, const std::string& source) {
    CsvReader table(csv, source);
    const CellColumns columns = columns_of(sweep, table.header(), source);
    PlacedLines lines;
    std::vector<std::string> row;
    while (table.next(row)) {
        SweepCell cell;
        for (size_t a = 0; a < sweep.axes.size(); ++a)
            if (const auto place = place_on(sweep, sweep.axes[a], row[columns.axes[a]]))
                cell.push_back(*place);
        const double seed = csv_number(row[columns.seed]).value_or(-1.0);
        if (cell.size() < sweep.axes.size() || !(seed >= 0 && seed < sweep.seeds)) {
            ++lines.outside;
            continue;
        }
        SeedScores& scores = lines.found[cell][static_cast<int>(seed)];
        scores.clear();
        for (size_t c = columns.seed + 1; c < row.size(); ++c) {
            if (row[c].empty()) continue;
            const auto value = csv_number(row[c]);
            if (!value) table.fail(fmt::format("column '{}': '{}' is no number", table.header()[c], row[c]));
            scores.emplace_back(score_in(sweep, table.header()[c]), *value);
        }
    }
    return lines;
}

}  // namespace

size_t lines_outside(const Sweep& sweep, std::string_view csv, const std::string& source) {
    return placed_lines(sweep, csv, source).outside;
}

SweepScores scores_in(const Sweep& sweep, std::string_view csv, const std::string& source) {
    PlacedLines lines = placed_lines(sweep, csv, source);
    SweepScores scores;
    for (auto& [cell, seeds] : lines.found)
        for (auto& [seed, values] : seeds) {
            if (seed != static_cast<int>(scores[cell].size())) break;  // a seed is missing
            scores[cell].push_back(std::move(values));
        }
    std::erase_if(scores, [](const auto& cell) { return cell.second.empty(); });
    return scores;
}

ArrayMap sweep_arrays(const Sweep& sweep, const SweepScores& scores) {
    ArrayMap arrays;
    std::vector<size_t> shape;
    for (size_t i = 0; i < sweep.axes.size(); ++i) {
        const SweepAxis& axis = sweep.axes[i];
        std::vector<double> values;
        for (const FieldValue& value : axis.values) values.push_back(axis_number(sweep, axis, value));
        shape.push_back(values.size());
        arrays[fmt::format("axis {} {}", i, axis.field)] = {{values.size()}, std::move(values)};
    }
    shape.push_back(static_cast<size_t>(sweep.seeds));
    for (const std::string& name : score_names(scores)) {
        std::vector<double> values(element_count(shape), std::numeric_limits<double>::quiet_NaN());
        for (const auto& [cell, seeds] : scores) {
            size_t at = 0;
            for (size_t i = 0; i < cell.size(); ++i) at = at * shape[i] + static_cast<size_t>(cell[i]);
            for (size_t k = 0; k < std::min(seeds.size(), shape.back()); ++k)
                if (const double* value = find_score(seeds[k], name)) values[at * shape.back() + k] = *value;
        }
        arrays[name] = {shape, std::move(values)};
    }
    return arrays;
}

}  // namespace emergence
