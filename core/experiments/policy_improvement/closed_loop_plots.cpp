// Pictures of policies in closed loop.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/experiments/policy_improvement/driven_mdp.h"
#include "core/experiments/policy_improvement/improvement_study.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr int kDifferenceColor = 4;

std::vector<double> last_of(const LoopReturns& returns) {
    std::vector<double> last;
    for (const auto& row : returns) last.push_back(row.back());
    return last;
}

// One horizontal line per MDP, over all updates.
Series level(const std::string& name, const std::vector<double>& values, double last, int color) {
    Series series{name, {0.0, last}, {}, color, true};
    for (const double value : values) series.rows.push_back({value, value});
    return series;
}

Plot loop_plot(std::string id, std::string title, std::string quantity) {
    Plot plot(std::move(id), std::move(title));
    plot.x("updates in context").from(0.0);
    plot.y(std::move(quantity));
    plot.spread(Spread::median).row_word("MDP").no_markers();
    return plot;
}

PlotSpec returns_plot(const ImprovementConfig& config, const ClosedLoop& loop, const LoopReturns& own) {
    Plot plot = loop_plot("closed_loop", "Closed loop in unseen MDPs", "discounted return");
    const auto& x = loop.measured_at();
    const std::string teacher = config.is_sarsa() ? "SARSA" : "actor-critic";
    plot.add(level("oracle", loop.oracle(), x.back(), kOracleColor));
    plot.add(level("random", loop.random(), x.back(), kRandomColor));
    plot.line(teacher, x, loop.teacher()).color(kTeacherColor).dashed();
    plot.line("transformer", x, own).color(kTransformerColor);
    plot.readout(fmt::format("means at the end: transformer {:.3f}, {} {:.3f}, oracle {:.3f}, random {:.3f}",
                             mean_of(last_of(own)), teacher, mean_of(last_of(loop.teacher())), mean_of(loop.oracle()),
                             mean_of(loop.random())));
    plot.note(fmt::format(
        "Figure 3 of Liang and Lai: the update that is written becomes the agent's, in {} MDPs that training never "
        "saw, weights frozen. Median over MDPs with the 25 to 75 % band (Liang and Lai draw the mean; means stand above). "
        "All meet the same random numbers. Returns of the agents are {}; oracle (the greedy policy in Q*, which never "
        "explores) and random are exact.",
        loop.options().mdps,
        config.returns == "played" ? "the mean of 32 rollouts of 50 steps, exploration and all"
                                   : "exact, exploration and all"));
    return plot;
}

PlotSpec difference_plot(const ClosedLoop& loop, const LoopReturns& own) {
    Plot plot = loop_plot("closed_loop_difference", "Transformer minus teacher, the same MDP", "difference of returns");
    plot.spread(Spread::standard_error);  // most are 0, so that quartiles would be too
    LoopReturns difference = own;
    for (size_t i = 0; i < own.size(); ++i)
        for (size_t k = 0; k < own[i].size(); ++k) difference[i][k] -= loop.teacher()[i][k];
    const Summary last = summarise(difference, loop.measured_at().size() - 1);
    plot.line("transformer minus teacher", loop.measured_at(), std::move(difference)).color(kDifferenceColor);
    plot.readout(fmt::format("at the end: mean {:.4f}{}", last.mean, plus_minus(last)));
    plot.level("", 0.0);
    plot.note(
        "The same returns, compared MDP by MDP (ours): mean and its standard error. Two loops that differ by rounding "
        "alone part in time, where an action or a state falls differently.");
    return plot;
}

}  // namespace

ClosedLoopOptions closed_loop_options(const ImprovementConfig& c) {
    ClosedLoopOptions options;
    options.shape = c.shape;
    options.agent = c.agent;
    options.mdps = c.loop_mdps;
    options.updates = c.loop_updates;
    if (c.returns == "exact") options.rollouts = 0;
    options.seed = derive_seed(static_cast<uint64_t>(c.seed), Purpose::held_out);
    return options;
}

HeldOutWindows held_out_windows(const ImprovementConfig& c) {
    return {c.shape, c.agent, c.frames, closed_loop_options(c).seed};
}

std::vector<float> improvement_weights(const ImprovementShape& shape, const Snapshot& snapshot, size_t seed) {
    const auto block = [&](const char* name, int rows, int columns) {
        const auto values = as_doubles(snapshot.weights.at(name));
        const auto size = static_cast<size_t>(rows * columns);
        check(values.size() >= (seed + 1) * size, "an inspection keeps the trained sizes");
        return Eigen::MatrixXd(Eigen::Map<const RowMajorMatrix>(values.data() + seed * size, rows, columns));
    };
    return weights_of<float>(
        shape, {block("P12", shape.context(), shape.query()), block("V21", shape.outputs(), shape.context())});
}

void evaluate_improvement(Snapshot& snapshot, const ImprovementConfig& config, const ClosedLoop& loop,
                          int evaluated_seed) {
    const size_t shown = smaller(static_cast<size_t>(config.shown_seed), snapshot.seeds.size() - 1);
    const std::vector<float> weights = improvement_weights(loop.options().shape, snapshot, shown);
    snapshot.scenes = {improvement_scene(config, weights.data())};
    if (snapshot.evaluated && evaluated_seed == config.shown_seed) return;
    snapshot.evaluated = true;
    const LoopReturns own = loop.transformer(weights.data());
    std::erase_if(snapshot.plots, [](const PlotSpec& plot) { return plot.id.starts_with("closed_loop"); });
    snapshot.plots.insert(snapshot.plots.begin(), {returns_plot(config, loop, own), difference_plot(loop, own)});
    const double random = mean_of(loop.random()), oracle = mean_of(loop.oracle());
    snapshot.scalars = {
        {"loop_return", "return in the loop", mean_of(last_of(own)), "",
         "Mean return of the transformer's last policies over the held-out MDPs.", false, "return {} (in the loop)"},
        {"loop_share", "of the way to the oracle", (mean_of(last_of(own)) - random) / (oracle - random), "",
         "That return, from the uniformly random policy's (0) to the oracle's (1)."}};
}

}  // namespace emergence
