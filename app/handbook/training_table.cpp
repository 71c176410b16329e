// The table of how the networks that ship were trained.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "app/handbook/generated.h"
#include "app/handbook/markdown_table.h"
#include "core/base/array.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/csv.h"
#include "core/files/folders.h"
#include "core/settings/toml.h"

namespace emergence::handbook {
namespace {

constexpr const char* kCurve = "validation";  // its plot, with the classical algorithms as levels

struct Column {
    int updates;
    const char* title;
};
constexpr std::array<Column, 8> kColumns = {{{100, "after 100"},
                                             {500, "500"},
                                             {1000, "1,000"},
                                             {2000, "2,000"},
                                             {4000, "4,000"},
                                             {8000, "8,000"},
                                             {16000, "16,000"},
                                             {35000, "35,000 updates"}}};

// "D-LinUCB 148": the lowest level of the curve's plot.
std::string lowest_level(const ExperimentInfo& info, const SettingsFile& preset) {
    Settings settings(info.fields);
    apply(preset, settings);
    const std::unique_ptr<Study> study = info.make(settings);
    for (const MetricPlot& plot : study->metric_plots()) {
        if (plot.id != kCurve || plot.references.empty()) continue;
        const auto lowest = std::min_element(plot.references.begin(), plot.references.end(),
                                             [](const auto& a, const auto& b) { return a.value < b.value; });
        return fmt::format("{} {:.0f}", lowest->label, lowest->value);
    }
    throw InputError(fmt::format("experiment {}: no plot '{}' with levels", info.name, kCurve));
}

// What one seed has after so many updates; "" if none was logged then.
std::string logged(const NumericTable& curves, double seed, double updates) {
    const std::vector<double>&seeds = curves.column("seed"), &steps = curves.column("update");
    for (size_t row = 0; row < curves.rows(); ++row)
        if (seeds[row] == seed && steps[row] == updates)
            return fmt::format("{:.0f}", curves.column("validation_regret")[row]);
    return "";
}

}  // namespace

std::string training_table(const std::vector<ExperimentInfo>& experiments, const std::filesystem::path& assets) {
    std::vector<std::string> titles = {"network", "best classical", "seed"};
    for (const Column& column : kColumns) titles.emplace_back(column.title);
    std::string table = head(titles);
    for (const std::string& name : shipped_networks()) {
        const std::filesystem::path weights = assets / "weights" / (name + ".npz");
        const double ships = as_doubles(ArrayFile(weights).at("seed")).front();
        const NumericTable curves = read_csv(assets / "weights" / (name + ".csv"));
        const SettingsFile preset = read_settings(preset_path(assets, name));
        const auto info = std::find_if(experiments.begin(), experiments.end(),
                                       [&](const ExperimentInfo& one) { return one.name == preset.experiment; });
        if (info == experiments.end())
            throw InputError(fmt::format("{}: unknown experiment '{}'", name, preset.experiment));
        const std::set<double> seeds(curves.column("seed").begin(), curves.column("seed").end());
        bool first = true;
        for (const double seed : seeds) {
            std::vector<std::string> cells = {first ? as_code(name) : "",
                                              first ? escaped(lowest_level(*info, preset)) : "",
                                              fmt::format("{}{}", seed, seed == ships ? ", ships" : "")};
            for (const Column& column : kColumns) cells.push_back(logged(curves, seed, column.updates));
            table += row(cells);
            first = false;
        }
    }
    return table;
}

}  // namespace emergence::handbook
