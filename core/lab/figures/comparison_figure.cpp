// comparison_figure(): curves, seeds against seeds, norms of blocks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/lab/figures/comparison.h"
#include "core/lab/figures/figures.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

const MetricInfo* metric_of(const ComparedRun& run, const std::string& name) {
    for (const MetricInfo& metric : run.history.table())
        if (metric.name == name) return &metric;
    return nullptr;
}

void check_compared(const ComparedRun& run, const std::string& score) {
    if (metric_of(run, score) != nullptr) return;
    const bool one_word = score.find_first_of(" (") == std::string::npos;
    if (one_word && score != kEmergedScore && score != kEmergedAtColumn)
        throw InputError(fmt::format("{}: no metric '{}', there are: {}", run.name, score,
                                     listed(run.history.table(), &MetricInfo::name)));
    check_quantity(score_quantity(score), {{run.snapshot, run.history, run.name}});
}

PlotSpec curves_of(const std::vector<ComparedRun>& runs, const MetricInfo& metric) {
    const std::string quantity = metric.label.empty() ? metric.name : metric.label;
    Plot plot("curves", quantity);
    plot.x(runs.front().snapshot.step_unit);
    plot.y(quantity);
    plot.sparse_markers().no_markers();
    MetricPlot only;
    only.lines.push_back({metric.name, ""});
    for (size_t r = 0; r < runs.size(); ++r) {
        const ComparedRun& run = runs[r];
        if (metric_of(run, metric.name) == nullptr) continue;
        Series curve = run.history.plot(only, {}, run.snapshot.step).series.front();
        plot.line(run.name, std::move(curve.x), std::move(curve.rows)).color(static_cast<int>(r));
    }
    return plot;
}

// The last value of each shared seed, against the first run's.
PlotSpec seeds_of(const std::vector<ComparedRun>& runs, const std::string& score) {
    const bool is_metric = metric_of(runs.front(), score) != nullptr;
    Plot plot("seeds", is_metric ? "Each seed" : "Each seed: " + score);
    plot.x(runs.front().name);
    plot.y("the others");
    plot.no_markers();
    const std::vector<double> first = values_of(scores_of_seeds(runs.front(), score), score);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (size_t r = 1; r < runs.size(); ++r) {
        if (is_metric && metric_of(runs[r], score) == nullptr) continue;
        const std::vector<double> values = values_of(scores_of_seeds(runs[r], score), score);
        PairedScores scores = paired_scores(runs.front(), runs[r], first, values);
        if (!scores.paired) continue;
        for (const auto* all : {&scores.a, &scores.b})
            for (const double value : *all) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
        plot.points(runs[r].name, std::move(scores.a), std::move(scores.b)).color(static_cast<int>(r));
    }
    if (low < high) plot.path("equal", {low, high}, {low, high}).color(7).dashed();
    return plot;
}

// Mean norm, or share of the norm, of each block over the seeds that have not failed, rows x columns of blocks.
Table block_norms(const ComparedRun& run, const NamedMatrix& matrix) {
    Table norms(static_cast<int>(matrix.row_blocks.size()), static_cast<int>(matrix.column_blocks.size()), 0.0);
    Quantity mean{.kind = QuantityKind::reduction, .of = Quantity::Of::known, .operands = {{}}};
    for (int i = 0; i < norms.rows; ++i)
        for (int j = 0; j < norms.columns; ++j) {
            mean.operands.front() = block_norm(run.snapshot, matrix, matrix.row_blocks[static_cast<size_t>(i)].label,
                                               matrix.column_blocks[static_cast<size_t>(j)].label);
            norms(i, j) = number_of(mean, {{run.snapshot, run.history}});
        }
    return norms;
}

HeatmapSpec norm_change(const ComparedRun& a, const ComparedRun& b, const NamedMatrix& matrix) {
    const Table from = block_norms(a, matrix), to = block_norms(b, matrix);
    Table change(from.rows, from.columns, 0.0);
    for (size_t i = 0; i < change.values.size(); ++i) change.values[i] = to.values[i] - from.values[i];
    const std::string what = norm_word(a.snapshot, matrix);
    HeatmapSpec map = plain_heatmap("norm-" + matrix.name,
                                    fmt::format("{}: {} per block, {} minus {}", matrix.name, what, b.name, a.name),
                                    std::move(change));
    map.unit = "change of the mean " + what;
    map.free_aspect = true;
    for (const Block& block : matrix.row_blocks) map.row_blocks.push_back({block.label, 1});
    for (const Block& block : matrix.column_blocks) map.column_blocks.push_back({block.label, 1});
    return map;
}

}  // namespace

FigureSpec comparison_figure(const std::vector<ComparedRun>& runs, const std::string& score) {
    check_compared(runs.front(), score);
    const MetricInfo* metric = metric_of(runs.front(), score);
    FigureSpec figure;
    figure.name = "comparison";
    const std::string names = listed(runs, &ComparedRun::name);
    const std::string seeds = listed(runs, [](const ComparedRun& run) { return run.snapshot.seeds.size(); });
    figure.title = "Compared: " + names;
    figure.caption = fmt::format("Runs {} with {} seeds. ", names, seeds);
    const std::vector<std::string> differing = differing_settings(runs);
    figure.caption += differing.empty() ? "All settings are the same." : "They differ in ";
    for (size_t i = 0; i < differing.size(); ++i)
        figure.caption += fmt::format("{}{}", i == 0 ? "" : "; ", differing[i]);
    figure.caption += fmt::format("{} Emergence {}.", differing.empty() ? "" : ".", version());
    PictureOrigin origin{figure.name, runs.front().snapshot.step, ViewValues()};
    std::vector<std::string> beside;
    for (size_t r = 1; r < runs.size(); ++r)
        beside.push_back(other_run_text({"Run", runs[r].name, std::make_shared<const Snapshot>(runs[r].snapshot)},
                                        runs.front().snapshot));
    (*origin.view)[kBesideView] = beside;
    figure.config = settings_to_toml(runs.front().snapshot.experiment, runs.front().snapshot.settings, origin);
    figure.column_weights = {1, 1};
    figure.row_weights = {1};
    figure.width_inches = 10;
    figure.height_inches = 4.2;
    if (metric != nullptr)
        figure.cells = {{curves_of(runs, *metric), 0, 0}, {seeds_of(runs, score), 0, 1}};
    else
        figure.cells = {{seeds_of(runs, score), 0, 0, 1, 2}};
    int column = 0;
    for (const NamedMatrix& matrix : runs[0].snapshot.matrices) {
        const NamedMatrix* other = find_matrix(runs[1].snapshot, matrix.name);
        if (other == nullptr || matrix.free_aspect || other->row_blocks.size() != matrix.row_blocks.size() ||
            other->column_blocks.size() != matrix.column_blocks.size() || column == 2)
            continue;
        figure.cells.push_back({norm_change(runs[0], runs[1], matrix), 1, column++});
    }
    if (column > 0) {
        figure.row_weights = {1, 0.9};
        figure.height_inches = 8;
    }
    return figure;
}

}  // namespace emergence
