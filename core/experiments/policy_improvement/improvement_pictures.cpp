// The pictures of "sarsa" and "actor-critic": their matrices, policies in closed loop, Figures 2 to 4 of Liang and Lai,
// and our figure of thirty seeds in small MDPs.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/policy_improvement/policy_improvement.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// The rows and columns of P and V, which are the prompt's: Eqs. (4) and (13).
struct Layout {
    std::vector<Block> blocks;
    // The places of the blocks; SARSA has no score and no actor.
    int phi = 0, next = 1, reward = 2, score = -1, one = 3, actor = -1, w = 4;

    explicit Layout(const ImprovementSizes& sizes)
        : blocks{{"phi", sizes.d}, {"phi'", sizes.d}, {"r", 1}, {"1", 1}, {"w", sizes.d}} {
        if (sizes.algorithm == Improvement::sarsa) return;
        blocks.insert(blocks.begin() + 3, Block{"score", sizes.m});
        blocks.insert(blocks.begin() + 5, Block{"lambda", sizes.m});
        score = 3;
        one = 4;
        actor = 5;
        w = 6;
    }
    int count() const { return static_cast<int>(blocks.size()); }
    bool of_context(int block) const { return block < one; }
};

constexpr const char* kUnread = "Cannot move: the output never depends on it (Proposition 3.1 i).";
constexpr const char* kStaysZero =
    "Cannot move: its gradient is zero while it and its partner are zero, and both start at zero (Proposition 3.1 ii).";

std::vector<BlockMeaning> meanings_of(const Layout& layout, bool is_P) {
    std::vector<BlockMeaning> meanings;
    // The blocks that no gradient reaches (Proposition 3.1).
    for (int i = 0; i < layout.count(); ++i)
        for (int j = 0; j < layout.count(); ++j) {
            const bool moves =
                is_P ? layout.of_context(i) && !layout.of_context(j) : i > layout.one && layout.of_context(j);
            if (moves) continue;
            const bool read = is_P ? !layout.of_context(j) : i > layout.one;
            meanings.push_back({i, j, read ? kStaysZero : kUnread, true});
        }
    const auto add = [&](int row, int column, const char* meaning, const char* what) {
        meanings.push_back({row, column, meaning, false, what});
    };
    if (is_P) {
        add(layout.phi, layout.w, "-I: minus the current value.", "the current value");
        add(layout.next, layout.w, "+I: the bootstrapped value of what comes next.", "bootstrapping");
        add(layout.reward, layout.one, "1: the reward.", "the reward");
        return meanings;
    }
    add(layout.w, layout.phi, "+I times a step: w moves along the features.", "the critic's step");
    if (layout.actor >= 0)
        add(layout.actor, layout.score, "+I times a step: the actor moves along the discounted score.",
            "the actor's step");
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
    matrix.square(layout.blocks).meanings(meanings_of(layout, is_P));
    for (size_t k = 0; k < seeds.size(); ++k) {
        matrix.seed(table_of(part(seeds[k].now)), table_of(part(seeds[k].initial)));
        matrix.spec().signs.push_back(scales[k] < 0 ? -1.0 : 1.0);
    }
    const Mat expected = part(target);
    matrix.target(table_of(expected / expected.cwiseAbs().maxCoeff()), shape.sizes.algorithm == Improvement::sarsa
                                                                           ? "Theorem 3.1, Liang and Lai"
                                                                           : "Theorem 3.3, Liang and Lai");
    return matrix.note_alignment(fmt::format("sign and scale by the nearest {}, c = {}; hatched: cannot move",
                                             is_P ? "c P*" : "V*/c", scales_text(scales)));
}

// One block of each seed: seeds x rows x columns.
Array stacked_blocks(const std::vector<SeedBlocks>& seeds, Mat EffectiveBlocks::*part) {
    const Mat& first = seeds.front().now.*part;
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

constexpr int kDifferenceColor = 4;

// The weights of seed `seed`, flat as in ImprovementLayout.
std::vector<float> improvement_weights(const ImprovementShape& shape, const Snapshot& snapshot, size_t seed) {
    return weights_of<float>(
        shape, {matrix_of_seed(snapshot.weights.at("P12"), seed), matrix_of_seed(snapshot.weights.at("V21"), seed)});
}

double mean_at_end(const LoopReturns& returns) {
    return mean_of(mapped(returns, [](const auto& row) { return row.back(); }));
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
    const auto level = [&](const char* name, const std::vector<double>& returns, int color) {
        auto rows = mapped(returns, [](double value) { return std::vector<double>{value, value}; });
        plot.line(name, {0.0, x.back()}, std::move(rows)).color(color).dashed();
    };
    level("oracle", loop.oracle(), kOracleColor);
    level("random", loop.random(), kRandomColor);
    plot.line(teacher, x, loop.teacher()).color(kTeacherColor).dashed();
    plot.line("transformer", x, own).color(kTransformerColor);
    plot.readout(fmt::format("means at the end: transformer {:.3f}, {} {:.3f}, oracle {:.3f}, random {:.3f}",
                             mean_at_end(own), teacher, mean_at_end(loop.teacher()), mean_of(loop.oracle()),
                             mean_of(loop.random())));
    plot.note(fmt::format(
        "Figure 3 of Liang and Lai: the agent follows the updates that the transformer writes, with frozen weights, in "
        "{} unseen MDPs. Median over MDPs; means stand above. Returns include exploration and are means of 32 rollouts "
        "of 50 steps; the oracle is greedy in Q*.",
        loop.options().mdps));
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

constexpr const char* kAlgorithms[] = {"sarsa", "actor-critic"};
constexpr const char* kTitles[] = {"SARSA", "actor-critic"};

// Both algorithms, SARSA first. Actor-critic has SARSA's settings, except alpha and d, for which it has its own
// defaults.
std::vector<GridConfig> both_algorithms(const ExperimentInfo&, const Settings& sarsa) {
    const auto other = std::make_shared<const ExperimentInfo>(actor_critic());
    Settings settings(other->fields);
    for (const FieldInfo& field : sarsa.fields())
        if (settings.has(field.name) && field.name != "d" && field.name != "alpha")
            settings.set(field.name, sarsa.value(field.name));
    return {{kTitles[0], sarsa}, {kTitles[1], settings, {}, other}};
}

// Both algorithms, each followed by a control with a constant rate.
std::vector<GridConfig> both_with_controls(const ExperimentInfo& info, const Settings& sarsa) {
    std::vector<GridConfig> runs;
    for (const GridConfig& run : both_algorithms(info, sarsa)) {
        runs.push_back(run);
        runs.push_back(config_with(run.label + ", constant rate", run.settings, {{"rate_decay", 1.0}}));
        runs.back().experiment = run.experiment;
    }
    return runs;
}

// A run's plot with the control's transformer line added.
PlotSpec with_control(const FinishedRun& run, const FinishedRun& control, const std::string& id,
                      const std::string& title, const std::string& as) {
    PlotSpec plot = plot_of_run(run, id, title, as);
    plot.series[0].name = "rate decays";
    Series other = plot_of_run(control, id, title).series[0];
    other.name = "constant rate";
    other.color = 3;
    plot.series.insert(plot.series.begin() + 1, std::move(other));
    return plot;
}

// Correlation of log loss with MDPs, mean over seeds that logged losses.
double log_correlation(const FinishedRun& run) {
    SeedRows rows;
    for (const std::vector<double>& losses : logged_values(run, "loss")) {
        const std::vector<double> log_loss = mapped(losses, [](double loss) { return std::log(loss); });
        rows.push_back({fit_line(run.history.steps(), log_loss).correlation});
    }
    return summarise(rows, 0).mean;
}

void draw_policy_4(Draft& draft) {
    for (int column = 0; column < 2; ++column) {
        const auto first = static_cast<size_t>(2 * column);
        const FinishedRun &run = draft.run(first), &control = draft.run(first + 1);
        int row = 0;
        for (const char* id : {"loss", "loss_by_rate"})
            draft.add(with_control(run, control, id, kTitles[column], fmt::format("{}_{}", kAlgorithms[column], id)),
                      row++, column);
        draft.measure(fmt::format("policy-4-{}-exponential", kAlgorithms[column]), log_correlation(run));
    }
}

std::vector<GridConfig> both_in_small_mdps(const ExperimentInfo& info, const Settings& sarsa) {
    std::vector<GridConfig> both = both_algorithms(info, sarsa);
    const int64_t states = sarsa.integer("num_states"), pairs = states * sarsa.integer("num_actions");
    GridConfig of_sizes = config_with(both[1].label, both[1].settings, {{"d", states}, {"m", pairs}});
    of_sizes.experiment = both[1].experiment;
    both[1] = of_sizes;
    return both;
}

// How far the transformer ends from its teacher in unseen MDPs, over the width of the teacher's band, for the seed that
// ends farthest.
Measurement largest_gap_to_teacher(const FinishedRun& run, const ImprovementConfig& config) {
    const ClosedLoop loop({.shape = config.shape,
                           .agent = config.agent,
                           .mdps = config.loop_mdps,
                           .updates = config.loop_updates,
                           .every = config.loop_updates,
                           .rollouts = 0});
    const size_t last = loop.measured_at().size() - 1;
    const Summary teacher = summarise(loop.teacher(), last);
    const double band = teacher.upper_quartile - teacher.lower_quartile;
    std::vector<double> gaps;
    for (const size_t seed : live_seeds(run.snapshot)) {
        const LoopReturns returns = loop.transformer(improvement_weights(config.shape, run.snapshot, seed).data());
        gaps.push_back(std::abs(summarise(returns, last).mean - teacher.mean) / band);
    }
    const double largest = largest_of(gaps), median = summarise(gaps, true).median;
    return {largest, fmt::format("median {:.2g}, band {:.3f}, {} seeds", median, band, gaps.size())};
}

void measure_policy_seeds(Draft& draft) {
    draft.measure("policy-seeds-sarsa-loop",
                  largest_gap_to_teacher(draft.run(0), config_from<SarsaConfig>(draft.run(0).snapshot.settings)));
    draft.measure("policy-seeds-actor-critic-loop",
                  largest_gap_to_teacher(draft.run(1), config_from<ActorCriticConfig>(draft.run(1).snapshot.settings)));
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

void evaluate_improvement(Snapshot& snapshot, const ImprovementConfig& config, const ClosedLoop& loop,
                          KnownReturns& known) {
    const size_t shown = smaller(static_cast<size_t>(config.shown_seed), snapshot.seeds.size() - 1);
    const std::vector<float> weights = improvement_weights(loop.options().shape, snapshot, shown);
    snapshot.scenes = {improvement_scene(config, weights.data())};
    const LoopReturns own =
        *known.get(weights, [&] { return std::make_shared<const LoopReturns>(loop.transformer(weights.data())); });
    std::erase_if(snapshot.plots, [](const PlotSpec& plot) { return plot.id.starts_with("closed_loop"); });
    snapshot.plots.insert(snapshot.plots.begin(), {returns_plot(config, loop, own), difference_plot(loop, own)});
    const double end = mean_at_end(own), random = mean_of(loop.random()), oracle = mean_of(loop.oracle());
    snapshot.scalars = {
        {"loop_return", "return in the loop", end, "",
         "Mean return of the transformer's last policies over the held-out MDPs.", false, "return", "in the loop"},
        {"loop_share", "of the way to the oracle", (end - random) / (oracle - random), "",
         "This return on a scale from the uniformly random policy (0) to the oracle (1)."}};
}

std::vector<FigureInfo> improvement_figures() {
    return {shipped_figure("policy-2", {.plan = both_algorithms}),
            shipped_figure("policy-3", {.plan = both_algorithms}),
            shipped_figure("policy-4", {.plan = both_with_controls,
                                        .measures = {"policy-4-sarsa-exponential", "policy-4-actor-critic-exponential"},
                                        .draw = draw_policy_4}),
            shipped_figure("policy-seeds", {.plan = both_in_small_mdps,
                                            .measures = {"policy-seeds-sarsa-loop", "policy-seeds-actor-critic-loop"},
                                            .draw = measure_policy_seeds})};
}

}  // namespace emergence
