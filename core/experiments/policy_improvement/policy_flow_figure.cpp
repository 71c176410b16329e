// The figure of gradient flow from many distances.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/policy_improvement/improvement_study.h"
#include "core/experiments/policy_improvement/policy_flow.h"
#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr double kStartDistances[] = {0.1, 0.5, 1, 2, 4, 8};
constexpr const char* kRandomStart = "random start";

const Series& flow_series(const FinishedRun& run) {
    for (const PlotSpec& plot : run.snapshot.plots)
        if (plot.id == "flow_loss") return plot.series.front();
    throw InputError("figure policy-flow: a run has no losses");
}

PlotSpec losses_plot(const std::vector<FinishedRun>& runs) {
    Plot plot("losses", "Loss, median start");
    plot.x("flow time").from(0.0);
    plot.y("loss").logarithmic();
    plot.spread(Spread::median);
    plot.row_word("start");
    plot.no_markers();
    for (size_t i = 0; i < runs.size(); ++i) {
        Series series = flow_series(runs[i]);
        series.name = runs[i].label;
        series.color = static_cast<int>(i);
        plot.add(std::move(series));
    }
    plot.note("Median over starts with the 25 to 75 % band.");
    return plot;
}

// The share of starts that have arrived, by their distance at the start.
PlotSpec arrivals_plot(const std::vector<FinishedRun>& runs) {
    Plot plot("arrivals", "Starts that have arrived");
    plot.x("relative distance at the start").logarithmic();
    plot.y("share").from(0.0).to(1.05);
    Series off{"off the manifold", {}, {}, kTransformerColor};
    for (size_t i = 0; i < std::size(kStartDistances); ++i)
        add_share(kStartDistances[i], emerged_seeds(runs[i].snapshot), off);
    plot.row_word("start");
    plot.add(std::move(off));
    plot.level(kRandomStart, emerged_fraction(runs.back().snapshot).value);
    plot.note("Within 0.1 % of the manifold at the end, with Wilson's 95 % interval.");
    return plot;
}

// Theory's rate and the measured rate of every start that has arrived.
std::vector<std::pair<double, double>> arrived_rates(const FlowWorld& world, const FinishedRun& run) {
    std::vector<std::pair<double, double>> pairs;
    for (const size_t place : live_seeds(run.snapshot)) {
        if (!run.snapshot.seeds[place].emerged) continue;
        const int k = static_cast<int>(place);
        std::vector<std::vector<double>> rows(run.history.steps().size());
        for (const char* metric : {"time", "loss", "manifold_distance", "scale"})
            for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back(run.history.column(metric, k)[i]);
        const FlowRates rates = flow_rates(world, rows);
        pairs.emplace_back(rates.theory, rates.measured);
    }
    return pairs;
}

PlotSpec rates_plot(const FlowWorld& world, const std::vector<FinishedRun>& runs) {
    Plot plot("rates", "Measured rate against theory's");
    plot.x("2 x least curvature").logarithmic();
    plot.y("measured rate").logarithmic();
    Series points{"a start", {}, {{}}, kTransformerColor};
    points.points = true;
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const FinishedRun& run : runs)
        for (const auto& [theory, measured] : arrived_rates(world, run)) {
            points.x.push_back(theory);
            points.rows[0].push_back(measured);
            least = smaller(least, theory);
            most = larger(most, theory);
        }
    plot.add(std::move(points));
    if (most > 0) plot.add({"equal", {least, most}, {{least, most}}, 7, true});
    plot.note("A point a start that has arrived, at any distance or from random weights.");
    return plot;
}

void draw_policy_flow(Draft& draft) {
    const Settings& preset = draft.settings;
    const FlowWorld world(config_from<PolicyFlowConfig>(preset));
    draft.add(losses_plot(draft.runs()));
    draft.add(arrivals_plot(draft.runs()));
    draft.add(rates_plot(world, draft.runs()));
    draft.caption = fmt::format(
        "Theorem 3.2 of Liang and Lai. Gradient flow on the mean loss of {} windows, {} states, {} actions, "
        "d = {}, {} starts each around c = {} and from Xavier's weights. Left: median loss over starts with "
        "the 25 to 75 % band. Middle: starts within 0.1 % of the manifold at time {:g}. Right: the rates of "
        "those. The theorem speaks of distances below {:.1g}.",
        preset.integer("windows"), preset.integer("num_states"), preset.integer("num_actions"), preset.integer("d"),
        preset.integer("seeds"), readout(preset.number("scale")),
        preset.number("interval") * static_cast<double>(preset.integer("num_steps")),
        world.guaranteed_distance(preset.number("scale")));
}

}  // namespace

FigureInfo figure_of_policy_flow() {
    std::vector<RecipeRun> runs;
    for (const double distance : kStartDistances)
        runs.push_back({fmt::format("distance {:g}", distance), {{"start", "off_manifold"}, {"distance", distance}}});
    runs.push_back({kRandomStart, {{"start", "random"}}});
    return figure_of({.name = "policy-flow",
                      .title = "Theorem 3.2: gradient flow from many distances",
                      .page = {"Gradient flow to the manifold, from near and from far", {1.4, 1, 1}, {1}, 15, 5},
                      .runs = std::move(runs),
                      .start = {{"start", "off_manifold"}, {"distance", kStartDistances[0]}},
                      .draw = draw_policy_flow});
}

}  // namespace emergence
