#include "tests/support/quantity_run.h"

#include <algorithm>

#include "tests/support/toy_study.h"

namespace emergence::testing {

FinishedRun quantity_run(const std::vector<uint64_t>& numbers, const std::vector<std::vector<double>>& losses) {
    FinishedRun run{
        "", {}, MetricHistory({{"loss", "loss", ""}, {"twice", "twice", ""}}, static_cast<int>(numbers.size()))};
    Snapshot& snapshot = run.snapshot;
    snapshot.experiment = "toy";
    snapshot.emergence_rule = "the loss is small";
    snapshot.settings = toy_settings();
    snapshot.scalars.push_back({"probe", "probe", 7.0, "", ""});
    NamedMatrix matrix;
    matrix.name = "P";
    matrix.row_blocks = matrix.column_blocks = {{"a", 2}, {"b", 1}};
    PlotSpec plot;
    plot.id = "by length";
    plot.series = {{"network", {5, 10, 20}, {}, 0}, {"batch TD", {5, 10, 20}, {{7, 8, 9}}, 1}};
    for (size_t k = 0; k < numbers.size(); ++k) {
        snapshot.seeds.emplace_back();
        snapshot.seeds[k].seed = numbers[k];
        const auto factor = static_cast<double>(k + 1);
        Table table(3, 3);
        table.values = {3, 4, 0, -1, 2, 5, 0, 1, -2};
        for (double& value : table.values) value *= factor;
        matrix.seeds.push_back(table);
        plot.series[0].rows.push_back({0.0, factor - 0.5, 0.0});
        for (size_t row = 0; row < losses[k].size(); ++row) {
            const auto step = static_cast<int64_t>(10 * row);
            run.history.append({static_cast<int>(k), step, {losses[k][row], 2 * losses[k][row]}});
            snapshot.step = std::max(snapshot.step, step);
        }
    }
    snapshot.matrices.push_back(std::move(matrix));
    snapshot.plots.push_back(std::move(plot));
    return run;
}

}  // namespace emergence::testing
