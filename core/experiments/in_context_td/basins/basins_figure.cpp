// The figure of the grid of basins.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/basins/basins.h"

namespace emergence {
namespace {

const Table& grid(const Snapshot& snapshot, const char* name) { return find_matrix(snapshot, name)->seeds.front(); }

// The row whose gain is nearest to the paper's, 0.1, in ratio.
int paper_row(const BasinsConfig& config) {
    const auto gains = gains_of(config);
    const auto nearest = std::min_element(gains.begin(), gains.end(), [](double a, double b) {
        return std::abs(std::log(a / 0.1)) < std::abs(std::log(b / 0.1));
    });
    return static_cast<int>(nearest - gains.begin());
}

Fraction outcomes(const Table& grid, int row, double outcome) {
    int count = 0;
    for (int k = 0; k < grid.columns; ++k) count += grid(row, k) == outcome;
    return fraction(count, grid.columns);
}

// "14 of 32 at gains 0.01: 12, 0.1: 14".
std::string counts_by_gain(const BasinsConfig& config, const Table& grid, double outcome) {
    std::string text;
    int row = 0;
    for (const double gain : gains_of(config))
        text += fmt::format("{}{:.2g}: {}", row == 0 ? "" : ", ", gain, outcomes(grid, row, outcome).count), ++row;
    return fmt::format("{} of {} at gains {}", row == 0 ? 0 : outcomes(grid, paper_row(config), outcome).count,
                       grid.columns, text);
}

// A row's entries, one for each seed.
std::vector<std::vector<double>> by_seed(const Table& table, int row) {
    std::vector<std::vector<double>> rows;
    for (int k = 0; k < table.columns; ++k) rows.push_back({table(row, k)});
    return rows;
}

// Share of seeds with the same outcome at two neighbouring scales, averaged over the pairs of scales.
double agreement(const Table& grid, const Places& places) {
    int alike = 0;
    for (int row = 0; row + 1 < grid.rows; ++row)
        for (const size_t place : places) {
            const int k = static_cast<int>(place);
            alike += grid(row, k) == grid(row + 1, k);
        }
    return alike / (static_cast<double>(grid.rows - 1) * static_cast<double>(places.size()));
}

void measure_over_scales(Draft& draft, const Table& outcome, const Table& times, int paper_row) {
    const auto least = by_seed(times, 0), paper = by_seed(times, paper_row);
    const auto ratio = [&](const Places& places) {
        return summary_at(least, places).median / summary_at(paper, places).median;
    };
    draft.measure("basins-time", bootstrapped(least.size(), ratio,
                                              fmt::format("medians of those that emerged: {:g} and {:g} MRPs",
                                                          summarise(least, 0).median, summarise(paper, 0).median)));
    draft.measure("basins-alike",
                  bootstrapped(least.size(), [&](const Places& places) { return agreement(outcome, places); }));
}

void draw_basins(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    const auto config = config_from<BasinsConfig>(snapshot.settings);
    for (const char* name : {"outcome", "emerged_after"}) {
        HeatmapSpec map = heatmap_of_run(draft.run(), name, MatrixView::Mode::raw);
        map.note = find_matrix(snapshot, name)->alignment_note;
        draft.add(std::move(map));
    }
    const AxisSpec x{"MRPs", "", Scale::linear, 0.0, std::nullopt, std::nullopt};
    draft.add(draft.run().history.plot(basins_plots(config).front(), x, snapshot.step));
    draft.caption = fmt::format(
        "Ours. {} seeds x {} initial scales, L = {}, {} MRPs each; a seed's scales share random numbers and "
        "tasks. Outcome: red, +1, emerged by the rule of experiment td; blue, -1, second basin: not emerged, "
        "P's corner within 0.5 of 0 and IWS above 0.7; white neither. Bands: Wilson's 95 % interval.",
        config.seeds, config.num_gains, config.num_layers, snapshot.step);
    const Table &outcome = grid(snapshot, "outcome"), &times = grid(snapshot, "emerged_after");
    const int row = paper_row(config);
    draft.measure("basins-second", outcomes(outcome, row, -1.0), counts_by_gain(config, outcome, -1.0));
    draft.measure("basins-emerged", outcomes(outcome, row, 1.0), counts_by_gain(config, outcome, 1.0));
    measure_over_scales(draft, outcome, times, row);
}

}  // namespace

FigureInfo figure_of_basins() {
    return figure_of({.name = "basins",
                      .title = "Basins: seeds against initial scales",
                      .page = {"Where training ends, by seed and initial scale", {1}, {1, 1, 1.4}, 10, 8.4},
                      .runs = {{}},
                      .measures = {"basins-second", "basins-emerged", "basins-time", "basins-alike"},
                      .draw = draw_basins,
                      .of_any_run = true});
}

}  // namespace emergence
