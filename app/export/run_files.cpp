#include "app/export/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/check.h"
#include "core/io/csv.h"

namespace emergence {

std::string step_column(const std::string& step_unit) {
    std::string name;
    for (const char c : step_unit) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (name.ends_with("ies")) return name.substr(0, name.size() - 3) + "y";
    if (name.ends_with("s")) name.pop_back();
    return name;
}

std::string metrics_csv(const Snapshot& snapshot, const MetricHistory& history) {
    check(static_cast<size_t>(history.num_seeds()) == snapshot.seeds.size(),
          "history and snapshot are of one run");
    std::string text = fmt::format("seed,{}", csv_field(step_column(snapshot.step_unit)));
    for (const MetricInfo& metric : history.table()) text += fmt::format(",{}", csv_field(metric.name));
    text += '\n';
    const std::vector<double>& steps = history.steps();
    std::vector<const std::vector<double>*> columns(history.table().size());
    for (int seed = 0; seed < history.num_seeds(); ++seed) {
        for (size_t i = 0; i < columns.size(); ++i)
            columns[i] = &history.column(history.table()[i].name, seed);
        for (size_t row = 0; row < steps.size() && steps[row] <= static_cast<double>(snapshot.step); ++row) {
            const bool logged = std::any_of(columns.begin(), columns.end(), [row](const auto* column) {
                return !std::isnan((*column)[row]);
            });
            if (!logged) continue;
            text +=
                fmt::format("{},{}", snapshot.seeds[static_cast<size_t>(seed)].seed, csv_field(steps[row]));
            for (const auto* column : columns) text += fmt::format(",{}", csv_field((*column)[row]));
            text += '\n';
        }
    }
    return text;
}

}  // namespace emergence
