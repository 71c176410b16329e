#include "core/experiments/policy_improvement/improvement_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// The rows and columns of P and V, which are the prompt's: Eqs. (4) and (13).
struct Layout {
    std::vector<Block> blocks;
    int phi, next, reward, score, one, actor, w;  // places of the blocks; SARSA has no score and no actor

    explicit Layout(const ImprovementSizes& sizes) {
        const auto place = [this](const char* name, int size) {
            blocks.push_back({name, size});
            return count() - 1;
        };
        const bool has_actor = sizes.algorithm == Improvement::actor_critic;
        phi = place("phi", sizes.d);
        next = place("phi'", sizes.d);
        reward = place("r", 1);
        score = has_actor ? place("score", sizes.m) : -1;
        one = place("1", 1);
        actor = has_actor ? place("lambda", sizes.m) : -1;
        w = place("w", sizes.d);
    }
    int count() const { return static_cast<int>(blocks.size()); }
    bool of_context(int block) const { return block < one; }
};

constexpr const char* kUnread = "Cannot move: the output never depends on it (Proposition 3.1 i).";
constexpr const char* kStaysZero =
    "Cannot move: its gradient is zero while it and its partner are zero, and both start at zero (Proposition 3.1 ii).";

// The blocks that no gradient reaches (Proposition 3.1).
std::vector<BlockMeaning> inert_blocks(const Layout& layout, bool is_P) {
    std::vector<BlockMeaning> inert;
    for (int i = 0; i < layout.count(); ++i)
        for (int j = 0; j < layout.count(); ++j) {
            const bool moves =
                is_P ? layout.of_context(i) && !layout.of_context(j) : i > layout.one && layout.of_context(j);
            if (moves) continue;
            const bool read = is_P ? !layout.of_context(j) : i > layout.one;
            inert.push_back({i, j, read ? kStaysZero : kUnread, true});
        }
    return inert;
}

std::vector<BlockMeaning> meanings_of_P(const Layout& layout) {
    std::vector<BlockMeaning> meanings = inert_blocks(layout, true);
    meanings.push_back({layout.phi, layout.w, "-I: minus the current value.", false, "the current value"});
    meanings.push_back(
        {layout.next, layout.w, "+I: the bootstrapped value of what comes next.", false, "bootstrapping"});
    meanings.push_back({layout.reward, layout.one, "1: the reward.", false, "the reward"});
    return meanings;
}

std::vector<BlockMeaning> meanings_of_V(const Layout& layout) {
    std::vector<BlockMeaning> meanings = inert_blocks(layout, false);
    meanings.push_back(
        {layout.w, layout.phi, "+I times a step: w moves along the features.", false, "the critic's step"});
    if (layout.actor >= 0)
        meanings.push_back({layout.actor, layout.score, "+I times a step: the actor moves along the discounted score.",
                            false, "the actor's step"});
    return meanings;
}

std::string scales_text(std::vector<double> scales) {
    const bool more = scales.size() > 4;
    if (more) scales.resize(4);
    return listed(scales, [](double scale) { return fmt::format("{:.2f}", scale); }) + (more ? ", .." : "");
}

NamedMatrix improvement_matrix(const ImprovementShape& shape, const EffectiveBlocks& target,
                               const std::vector<SeedBlocks>& seeds, const std::vector<double>& scales, bool is_P) {
    const auto part = [&](const EffectiveBlocks& blocks) {
        const FullMatrices full = full_matrices(shape, blocks);
        return is_P ? full.P : full.V;
    };
    const Layout layout(shape.sizes);
    ShownMatrix matrix(is_P ? "P" : "V", "",
                       is_P ? "What attention compares: x_i' P q is transition i's score, in theory its TD error."
                            : "What the layer writes: V's last rows turn scored transitions into the agent's update.");
    matrix.square(layout.blocks).meanings(is_P ? meanings_of_P(layout) : meanings_of_V(layout));
    for (size_t k = 0; k < seeds.size(); ++k) {
        matrix.seed(table_of(part(seeds[k].now)), table_of(part(seeds[k].initial)));
        matrix.spec().signs.push_back(scales[k] < 0 ? -1.0 : 1.0);
    }
    const Eigen::MatrixXd expected = part(target);
    matrix.target(
        table_of(expected / expected.cwiseAbs().maxCoeff<Eigen::PropagateNaN>()),
        shape.sizes.algorithm == Improvement::sarsa ? "Theorem 3.1, Liang and Lai" : "Theorem 3.3, Liang and Lai");
    return matrix.note_alignment(fmt::format("sign and scale by the nearest {}, c = {}; hatched: cannot move",
                                             is_P ? "c P*" : "V*/c", scales_text(scales)));
}

// One block of each seed: seeds x rows x columns.
Array stacked_blocks(const std::vector<SeedBlocks>& seeds, Eigen::MatrixXd EffectiveBlocks::*part) {
    const Eigen::MatrixXd& first = seeds.front().now.*part;
    return stacked(seeds, {static_cast<size_t>(first.rows()), static_cast<size_t>(first.cols())},
                   [part](const SeedBlocks& seed) { return floats_of(seed.now.*part); });
}

std::vector<Formula> improvement_formulas(Improvement algorithm) {
    const bool sarsa = algorithm == Improvement::sarsa;
    const Layout layout({algorithm, 1, 1, 1, sarsa ? 0 : 1});
    const auto update = [&](const char* name, const std::string& what, const std::string& step,
                            const FormulaTerm& along, const BlockReference& by, const char* source) {
        return Formula{
            name,
            written(
                fmt::format("{0} <- {0} + {1} ( r_{{i+1}} + gamma w^T phi'_i - w^T phi_i ) {2}", what, step,
                            along.text),
                {{what, "The agent's parameters: those in the prompt's last column, and the updated ones.", {}},
                 {step, "A step size, averaged over the window's transitions.", {by}},
                 {"r_{i+1}", "The reward.", {{"P", layout.reward, layout.one}}},
                 {"gamma w^T phi'_i", "The value of what comes next: bootstrapping.", {{"P", layout.next, layout.w}}},
                 {"w^T phi_i", "The current value.", {{"P", layout.phi, layout.w}}},
                 along}),
            source};
    };
    const BlockReference critic{"V", layout.w, layout.phi}, actor{"V", layout.actor, layout.score};
    const FormulaTerm features{"phi_i", "The features of the visited state or state and action.", {critic}};
    if (sarsa) return {update("batch SARSA", "w", "(alpha/n) sum_i", features, critic, "Eq. (2) of Liang and Lai.")};
    return {update("critic", "w", "(beta/n) sum_i", features, critic, "Eq. (3) of Liang and Lai."),
            update("actor", "lambda", "(alpha/n) sum_i",
                   {"gamma^i g_i", "The discounted score, the gradient of log pi.", {actor}}, actor,
                   "Eq. (3) of Liang and Lai.")};
}

}  // namespace

void show_blocks(const ImprovementShape& shape, const EffectiveBlocks& target, const std::vector<SeedBlocks>& seeds,
                 Snapshot& snapshot) {
    std::vector<double> scales;
    for (const SeedBlocks& seed : seeds) scales.push_back(fit_manifold(seed.now, target).c);
    snapshot.matrices = {improvement_matrix(shape, target, seeds, scales, true),
                         improvement_matrix(shape, target, seeds, scales, false)};
    snapshot.formulas = improvement_formulas(shape.sizes.algorithm);
    snapshot.weights = {{"P12", stacked_blocks(seeds, &EffectiveBlocks::P12)},
                        {"V21", stacked_blocks(seeds, &EffectiveBlocks::V21)}};
}

std::vector<float> improvement_weights(const ImprovementShape& shape, const Snapshot& snapshot, size_t seed) {
    return weights_of<float>(
        shape, {matrix_of_seed(snapshot.weights.at("P12"), seed), matrix_of_seed(snapshot.weights.at("V21"), seed)});
}

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
        "Figure 3 of Liang and Lai: the agent follows the updates that the transformer writes, with frozen weights, in "
        "{} unseen MDPs. Median over MDPs; means stand above. Returns include exploration and are {}; the oracle is "
        "greedy in Q*.",
        loop.options().mdps, config.returns == "played" ? "means of 32 rollouts of 50 steps" : "exact"));
    return plot;
}

PlotSpec difference_plot(const ClosedLoop& loop, const LoopReturns& own) {
    Plot plot = loop_plot("closed_loop_difference", "Transformer minus teacher, the same MDP", "difference of returns");
    plot.spread(Spread::standard_error);  // most differences are 0, and so would be the quartiles
    LoopReturns difference = own;
    for (size_t i = 0; i < own.size(); ++i)
        for (size_t k = 0; k < own[i].size(); ++k) difference[i][k] -= loop.teacher()[i][k];
    const Summary last = summarise(difference, loop.measured_at().size() - 1);
    plot.line("transformer minus teacher", loop.measured_at(), std::move(difference)).color(kDifferenceColor);
    plot.readout(fmt::format("at the end: mean {:.4f}{}", last.mean, plus_minus(last)));
    plot.level("", 0.0);
    plot.note("The same returns, compared MDP by MDP (ours): mean and standard error.");
    return plot;
}

}  // namespace

void evaluate_improvement(Snapshot& snapshot, const ImprovementConfig& config, const ClosedLoop& loop,
                          KnownReturns& known) {
    const size_t shown = smaller(static_cast<size_t>(config.shown_seed), snapshot.seeds.size() - 1);
    const std::vector<float> weights = improvement_weights(loop.options().shape, snapshot, shown);
    snapshot.scenes = {improvement_scene(config, weights.data())};
    const LoopReturns own =
        *known.get(weights, [&] { return std::make_shared<const LoopReturns>(loop.transformer(weights.data())); });
    std::erase_if(snapshot.plots, [](const PlotSpec& plot) { return plot.id.starts_with("closed_loop"); });
    snapshot.plots.insert(snapshot.plots.begin(), {returns_plot(config, loop, own), difference_plot(loop, own)});
    const double random = mean_of(loop.random()), oracle = mean_of(loop.oracle());
    snapshot.scalars = {
        {"loop_return", "return in the loop", mean_of(last_of(own)), "",
         "Mean return of the transformer's last policies over the held-out MDPs.", false, "return", "in the loop"},
        {"loop_share", "of the way to the oracle", (mean_of(last_of(own)) - random) / (oracle - random), "",
         "This return on a scale from the uniformly random policy (0) to the oracle (1)."}};
}

}  // namespace emergence
