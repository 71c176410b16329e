#include "app/export/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/check.h"
#include "core/files/csv.h"

namespace emergence {

std::string step_column(const std::string& step_unit) {
    std::string name;
    for (const char c : step_unit) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (name.ends_with("ies")) return name.substr(0, name.size() - 3) + "y";
    if (name.ends_with("s")) name.pop_back();
    return name;
}

namespace {

// The lines of one run, each after `head`, with the metrics of `names`.
std::string metric_lines(const Snapshot& snapshot, const MetricHistory& history, const std::string& head,
                         const std::vector<std::string>& names) {
    check(static_cast<size_t>(history.num_seeds()) == snapshot.seeds.size(),
          "history and snapshot are of one run");
    std::string text;
    const std::vector<double>& steps = history.steps();
    std::vector<const std::vector<double>*> columns(names.size(), nullptr);
    for (int seed = 0; seed < history.num_seeds(); ++seed) {
        for (size_t i = 0; i < names.size(); ++i)
            for (const MetricInfo& metric : history.table())
                if (metric.name == names[i]) columns[i] = &history.column(metric.name, seed);
        for (size_t row = 0; row < steps.size() && steps[row] <= static_cast<double>(snapshot.step); ++row) {
            const bool logged = std::any_of(columns.begin(), columns.end(), [row](const auto* column) {
                return column != nullptr && !std::isnan((*column)[row]);
            });
            if (!logged) continue;
            text += fmt::format("{}{},{}", head, snapshot.seeds[static_cast<size_t>(seed)].seed,
                                csv_field(steps[row]));
            for (const auto* column : columns)
                text += column == nullptr ? "," : fmt::format(",{}", csv_field((*column)[row]));
            text += '\n';
        }
    }
    return text;
}

std::string header(const std::string& head, const Snapshot& snapshot, const std::vector<std::string>& names) {
    std::string text = fmt::format("{}seed,{}", head, csv_field(step_column(snapshot.step_unit)));
    for (const std::string& name : names) text += fmt::format(",{}", csv_field(name));
    return text + '\n';
}

void add_names(const MetricHistory& history, std::vector<std::string>& names) {
    for (const MetricInfo& metric : history.table())
        if (std::find(names.begin(), names.end(), metric.name) == names.end()) names.push_back(metric.name);
}

}  // namespace

std::string metrics_csv(const Snapshot& snapshot, const MetricHistory& history) {
    std::vector<std::string> names;
    add_names(history, names);
    return header("", snapshot, names) + metric_lines(snapshot, history, "", names);
}

std::string metrics_csv(const std::vector<FinishedRun>& runs) {
    check(!runs.empty(), "metrics are of runs");
    std::vector<std::string> names;
    for (const FinishedRun& run : runs) add_names(run.history, names);
    std::string text = header("run,", runs.front().snapshot, names);
    for (const FinishedRun& run : runs)
        text += metric_lines(run.snapshot, run.history, csv_field(run.label) + ",", names);
    return text;
}

ArrayMap weights_of(const std::vector<FinishedRun>& runs) {
    ArrayMap weights;
    for (const FinishedRun& run : runs)
        for (const auto& [name, array] : run.snapshot.weights)
            weights.emplace(runs.size() == 1 ? name : fmt::format("{}/{}", run.label, name), array);
    return weights;
}

}  // namespace emergence
