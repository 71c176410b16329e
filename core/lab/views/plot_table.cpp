#include "core/lab/views/plot_table.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

#include "core/files/csv.h"

namespace emergence {
namespace {

struct PlotColumn {
    std::string name;
    const std::vector<double>* x;
    const std::vector<double>* values;
};

std::vector<PlotColumn> table_columns(const PlotSpec& plot, const std::vector<SeriesShape>& shapes) {
    std::vector<PlotColumn> columns;
    for (size_t i = 0; i < shapes.size(); ++i) {
        const SeriesShape& shape = shapes[i];
        const std::string& name = plot.series[i].name;
        if (plot.series[i].hidden) continue;
        columns.push_back({name, &shape.x, &shape.center});
        if (!shape.band_low.empty()) {
            columns.push_back({name + " low", &shape.x, &shape.band_low});
            columns.push_back({name + " high", &shape.x, &shape.band_high});
        }
        for (size_t seed = 0; seed < shape.seeds.size(); ++seed)
            columns.push_back({fmt::format("{} row {}", name, seed), &shape.x, &shape.seeds[seed]});
    }
    return columns;
}

}  // namespace

std::string plot_csv(const PlotSpec& plot, const std::vector<SeriesShape>& shapes) {
    const std::vector<PlotColumn> columns = table_columns(plot, shapes);
    std::map<double, std::vector<double>> rows;
    std::string text = csv_field(plot.x.label.empty() ? std::string_view("x") : plot.x.label);
    for (size_t c = 0; c < columns.size(); ++c) {
        text.append(1, ',').append(csv_field(columns[c].name));
        for (size_t i = 0; i < columns[c].values->size(); ++i) {
            const double x = (*columns[c].x)[i];
            if (std::isnan(x)) continue;
            std::vector<double>& row = rows[x];
            row.resize(columns.size(), std::numeric_limits<double>::quiet_NaN());
            row[c] = (*columns[c].values)[i];
        }
    }
    text += '\n';
    for (const auto& [x, row] : rows) {
        text += csv_field(x);
        for (const double value : row) text.append(1, ',').append(csv_field(value));
        text += '\n';
    }
    return text;
}

}  // namespace emergence
