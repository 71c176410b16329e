#include "app/export/run_files.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "app/export/export.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/csv.h"
#include "core/lab/sweeps/sweep.h"
#include "core/lab/views/run_views.h"
#include "core/settings/toml.h"

namespace emergence {

std::string step_column(const std::string& step_unit) {
    std::string name = small_letters(step_unit);
    if (name.ends_with("ies")) return name.substr(0, name.size() - 3) + "y";
    if (name.ends_with("s")) name.pop_back();
    return name;
}

RunsOfTable::RunsOfTable(const std::vector<FinishedRun>& runs) : labelled(true) {
    check(!runs.empty(), "tables are of runs");
    for (const FinishedRun& run : runs) all.push_back({run.snapshot, run.history, csv_field(run.label) + ","});
}

namespace {

std::vector<std::string> metric_names(const RunsOfTable& runs) {
    std::vector<std::string> names;
    for (const auto& [snapshot, history, head] : runs.all)
        for (const MetricInfo& metric : history.table())
            if (!contains(names, metric.name)) names.push_back(metric.name);
    return names;
}

bool has_metric(const MetricHistory& history, const std::string& name) {
    return any_of(history.table(), [&](const MetricInfo& metric) { return metric.name == name; });
}

}  // namespace

std::string metrics_csv(const RunsOfTable& runs) {
    const std::vector<std::string> names = metric_names(runs);
    std::string text = runs.labelled ? "run,seed," : "seed,";
    text += csv_field(step_column(runs.all.front().snapshot.step_unit));
    for (const std::string& name : names) text += "," + csv_field(name);
    text += '\n';
    for (const auto& [snapshot, history, head] : runs.all) {
        check(static_cast<size_t>(history.num_seeds()) == snapshot.seeds.size(), "history and snapshot are of one run");
        const std::vector<double>& steps = history.steps();
        for (int seed = 0; seed < history.num_seeds(); ++seed) {
            std::vector<const std::vector<double>*> columns;
            for (const std::string& name : names)
                columns.push_back(has_metric(history, name) ? &history.column(name, seed) : nullptr);
            for (size_t row = 0; row < steps.size() && steps[row] <= static_cast<double>(snapshot.step); ++row) {
                const bool logged = any_of(
                    columns, [row](const auto* column) { return column != nullptr && !std::isnan((*column)[row]); });
                if (!logged) continue;
                text += fmt::format("{}{},{}", head, snapshot.seeds[seed].seed, csv_field(steps[row]));
                for (const auto* column : columns) text += "," + (column ? csv_field((*column)[row]) : "");
                text += '\n';
            }
        }
    }
    return text;
}

namespace {

// A column of seeds.csv that stands before the metrics.
struct SeedColumn {
    std::string name;
    std::string help;
    std::function<std::string(size_t)> field;  // for the k-th seed
};

std::vector<SeedColumn> seed_columns(const Snapshot& snapshot) {
    const std::vector<SeedStatus>& seeds = snapshot.seeds;
    const std::string rule = snapshot.emergence_rule;
    std::vector<SeedColumn> columns = {
        {"seed", "Number of the seed.", [&](size_t k) { return fmt::format("{}", seeds[k].seed); }},
        {step_column(snapshot.step_unit), "Step that the network has reached, in " + snapshot.step_unit + ".",
         [&](size_t k) { return fmt::format("{}", seeds[k].step); }}};
    if (!rule.empty()) {
        columns.push_back({"emerged", "1 if the network has emerged. " + rule,
                           [&](size_t k) { return std::string(seeds[k].emerged ? "1" : "0"); }});
        columns.push_back(
            {"emerged_at",
             "Logged step from which the rule held, once it has lasted (the last time, if it held more than once). "
             "Empty if the network never emerged.",
             [&](size_t k) { return seeds[k].emerged_at < 0 ? "" : fmt::format("{}", seeds[k].emerged_at); }});
    }
    if (counts_verdicts(snapshot)) {
        const auto of = [&](std::string Judged::*part) {
            return [&seeds, part](size_t k) { return seeds[k].judged ? csv_field((*seeds[k].judged).*part) : ""; };
        };
        columns.push_back({"verdict_name", "What the network computes, as named by identify.", of(&Judged::verdict)});
        columns.push_back({"computes", "The same in a sentence.", of(&Judged::sentence)});
        columns.push_back(
            {"computes_since",
             "First logged step from which the network computed its loss's algorithm, once it has lasted. Empty if it "
             "never did.",
             [&](size_t k) { return counted_since(seeds[k]) < 0 ? "" : fmt::format("{}", counted_since(seeds[k])); }});
    }
    columns.push_back({"failed", "1 if training diverged or failed.",
                       [&](size_t k) { return std::string(seeds[k].failed ? "1" : "0"); }});
    columns.push_back(
        {"reason", "Why it failed. Empty if it did not.", [&](size_t k) { return csv_field(seeds[k].reason); }});
    for (const NamedMatrix& matrix : snapshot.matrices)
        if (matrix.signs.size() == seeds.size())
            columns.push_back(
                {"sign_" + matrix.name,
                 fmt::format("Pictures and metrics multiply {} by this sign: {}.", matrix.name, matrix.alignment_note),
                 [&matrix](size_t k) { return csv_field(matrix.signs[k]); }});
    for (const Lamp& lamp : snapshot.lamps)
        if (lamp.lit.size() == seeds.size())
            columns.push_back(
                {lamp.name, lamp.help, [&lamp](size_t k) { return std::string(lamp.lit[k] ? "1" : "0"); }});
    return columns;
}

std::string column_table(const char* file, const std::string& name, const std::string& label, const std::string& help) {
    return fmt::format("\n[[{}]]\nname = {}\n{}help = {}\n", file, quoted_toml(name),
                       label.empty() ? "" : fmt::format("label = {}\n", quoted_toml(label)), quoted_toml(help));
}

}  // namespace

double last_value(const Snapshot& snapshot, const MetricHistory& history, const std::string& metric, int seed) {
    for (size_t row = history.steps().size(); row-- > 0;) {
        if (history.steps()[row] > static_cast<double>(snapshot.step)) continue;
        const bool logged = any_of(
            history.table(), [&](const MetricInfo& one) { return !std::isnan(history.column(one.name, seed)[row]); });
        if (logged) return history.column(metric, seed)[row];
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::string seeds_csv(const RunsOfTable& runs) {
    std::vector<std::string> before;
    for (const RunsOfTable::One& run : runs.all)
        for (const SeedColumn& column : seed_columns(run.snapshot))
            if (!contains(before, column.name)) before.push_back(column.name);
    const std::vector<std::string> names = metric_names(runs);
    std::string text = runs.labelled ? "run," : "";
    for (const std::string& name : before) text += (name == before.front() ? "" : ",") + csv_field(name);
    for (const std::string& name : names) text += "," + csv_field(name);
    text += '\n';
    for (const auto& [snapshot, history, head] : runs.all) {
        const std::vector<SeedColumn> columns = seed_columns(snapshot);
        for (size_t k = 0; k < snapshot.seeds.size(); ++k) {
            text += head;
            for (const std::string& name : before) {
                const auto found = find_if(columns, [&](const auto& column) { return column.name == name; });
                text += (name == before.front() ? "" : ",") + (found == columns.end() ? "" : found->field(k));
            }
            for (const std::string& name : names)
                text += "," + (has_metric(history, name)
                                   ? csv_field(last_value(snapshot, history, name, static_cast<int>(k)))
                                   : "");
            text += '\n';
        }
    }
    return text;
}

std::string columns_toml(const RunsOfTable& runs) {
    const std::string unit = runs.all.front().snapshot.step_unit;
    const auto label = [&](const char* file) {
        return runs.labelled ? column_table(file, "run", "", "Name of the run in the figure.") : "";
    };
    std::string text =
        "# The columns of metrics.csv and, under [[seeds]], the columns of seeds.csv before the metrics.\n";
    text += label("metrics") + column_table("metrics", "seed", "", "Number of the seed.");
    text += column_table("metrics", step_column(unit), "", "Logged step, in " + unit + ".");
    std::set<std::string> metrics, before;
    for (const RunsOfTable::One& run : runs.all)
        for (const MetricInfo& metric : run.history.table())
            if (metrics.insert(metric.name).second)
                text += column_table("metrics", metric.name, metric.label, metric.help);
    text += label("seeds");
    for (const RunsOfTable::One& run : runs.all)
        for (const SeedColumn& column : seed_columns(run.snapshot))
            if (before.insert(column.name).second) text += column_table("seeds", column.name, "", column.help);
    return text;
}

ArrayMap weights_of(const std::vector<FinishedRun>& runs) {
    ArrayMap weights;
    for (const FinishedRun& run : runs)
        for (const auto& [name, array] : run.snapshot.weights)
            weights.emplace(runs.size() == 1 ? name : fmt::format("{}/{}", run.label, name), array);
    return weights;
}

std::vector<std::filesystem::path> write_comparison(const std::filesystem::path& folder,
                                                    const std::vector<PairOfRuns>& pairs, const FigureSpec& figure,
                                                    std::span<const FileFormat> formats, const PageFormat& page) {
    const std::filesystem::path differences = folder / kDifferencesFile;
    write_file(differences, std::string_view(comparison_csv(pairs)));
    std::vector<std::filesystem::path> files = DrawnFigure(figure, page).write_all(folder, "comparison", formats);
    files.insert(files.begin(), differences);
    return files;
}

void write_sweep_columns(const std::filesystem::path& folder, const Sweep& sweep) {
    Settings settings = settings_of(sweep, SweepCell(sweep.axes.size(), 0));
    settings.set(FieldRole::seed_count, int64_t{1});
    std::string text = "# The columns of cells.csv.\n";
    for (const SweepAxis& axis : sweep.axes) {
        const FieldInfo& field = sweep.settings.info(axis.field);
        text += column_table("axes", field.name, field.label, field.help);
    }
    for (const ScoreInfo& score : scores_of(*sweep.experiment, settings))
        text += column_table("scores", score.name, score.label, score.help);
    write_file(folder / kColumnsFile, std::string_view(text));
}

std::vector<std::filesystem::path> write_sweep_pictures(const std::filesystem::path& folder, const Sweep& sweep,
                                                        const SweepScores& scores, const PageFormat& page) {
    if (scores.empty()) return {};
    return DrawnFigure(sweep_figure(sweep, scores, score_of(sweep)), page)
        .write_all(folder, "sweep", writable_formats());
}

}  // namespace emergence
