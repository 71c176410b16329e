// Our figure: the causes of the teachers' gap to the oracle: exploration, conditioning, noise, steps, the
// number of updates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/policy_improvement/improvement_figures.h"
#include "core/experiments/policy_improvement/improvement_study.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Four numbers of updates per decade, up to `last`: .., last / 10, .., last.
constexpr int kPerDecade = 4;
std::vector<double> gap_updates(int last) {
    std::vector<double> at;
    for (int k = 0;; ++k) {
        const double update = std::round(last * std::pow(10.0, -k / static_cast<double>(kPerDecade)));
        if (update < 1.0) break;
        if (at.empty() || update < at.back()) at.push_back(update);
    }
    std::reverse(at.begin(), at.end());
    return at;
}

// The finding was made from so many MDPs, the first; the figure plays none of them.
constexpr int kKnownMdps = 50;

// The gaps in one MDP, after each of gap_updates().
struct GapOfMdp {
    // The oracle's return minus that of the policy as it acts, and of the greedy policy in its Q.
    std::vector<double> acting, greedy;
    // The oracle's return minus that of the best policy that explores.
    double exploring = 0;
    // Condition number of the features: their largest singular value over the smallest.
    double condition = 0;
    void numbers(auto& list) { list(acting, greedy, exploring, condition); }
};

double largest_over_smallest(const Eigen::MatrixXd& features) {
    const Eigen::VectorXd singular = singular_values(features);
    return singular(0) / singular(singular.size() - 1);
}

// One way to improve policies.
struct GapVariant {
    std::string name;
    ClosedLoopOptions options;
    int color = 0;
    bool orthogonal = false;
    // As 1 / t, once t is beyond kFallsAfter.
    bool step_falls = false, exploration_falls = false;
};
constexpr double kFallsAfter = 500.0;

// The agent's options at update t.
AgentOptions options_at(const GapVariant& variant, int t) {
    AgentOptions now = variant.options.agent;
    const double share = std::min(1.0, kFallsAfter / std::max(1, t));
    if (variant.step_falls) {
        now.alpha *= share;
        now.beta *= share;
    }
    if (variant.exploration_falls) now.epsilon *= share;
    return now;
}

GapOfMdp gap_of_mdp(const GapVariant& variant, uint32_t index) {
    const ClosedLoopOptions& options = variant.options;
    ImprovementTask task = random_improvement_task(options.shape.sizes, options.seed, index);
    // Orthogonal features with the mean length of random ones, one per state and action.
    if (variant.orthogonal)
        task.value_features = std::sqrt(options.shape.sizes.d / 3.0) *
                              Eigen::MatrixXd::Identity(task.value_features.rows(), options.shape.sizes.d);
    const Mdp& mdp = task.mdp;
    const double gamma = options.agent.gamma;
    const double oracle = mdp.initial.dot(optimal_action_values(mdp, gamma).rowwise().maxCoeff());
    GapOfMdp gap;
    gap.exploring = oracle - mdp.initial.dot(best_exploring_values(mdp, gamma, options.agent.epsilon));
    gap.condition = largest_over_smallest(task.value_features);
    PolicyAgent<float> agent(options.shape, options.agent);
    std::vector<float> update(options.shape.outputs());
    agent.begin(task);
    size_t next = 0;
    const std::vector<double> at = gap_updates(options.updates);
    for (int t = 0; next < at.size(); ++t) {
        Stream stream(options.seed, Purpose::trajectory, index, static_cast<uint32_t>(t));
        if (t == 0) agent.draw_state(stream);
        if (t == static_cast<int>(at[next])) {
            // The greedy policy takes the agent's most likely actions.
            const auto gap_to = [&](const Eigen::MatrixXd& policy) {
                return oracle - mdp.initial.dot(policy_values(mdp, policy, gamma));
            };
            gap.acting.push_back(gap_to(agent.policy()));
            gap.greedy.push_back(gap_to(greedy_policy(agent.policy())));
            ++next;
        }
        agent.set_options(options_at(variant, t));
        agent.teach(stream, update.data());
        agent.improve(update.data());
    }
    return gap;
}

using Gaps = std::vector<GapOfMdp>;

std::vector<GridJob<Gaps>> gap_jobs(const std::vector<GapVariant>& variants) {
    std::vector<GridJob<Gaps>> jobs;
    for (const GapVariant& variant : variants)
        jobs.push_back({variant.name, [variant](JobHandle& handle) {
                            Gaps gaps;
                            const int fresh = variant.options.mdps;
                            for (int i = 0; i < fresh; ++i) {
                                gaps.push_back(gap_of_mdp(variant, static_cast<uint32_t>(kKnownMdps + i)));
                                handle.reached((i + 1.0) / fresh);
                            }
                            return gaps;
                        }});
    return jobs;
}

// The variants in the order of the panels: features, what settles SARSA, actor-critic.
enum Which {
    random_features,
    table,
    falling_step,
    falling_exploration,
    long_windows,
    long_and_falling,
    random_falling_step,
    actor_critic_as_is,
    actor_critic_faster,
    actor_critic_unexploring
};

std::vector<GapVariant> gap_variants(const ClosedLoopOptions& sarsa) {
    ClosedLoopOptions longer = sarsa, other = sarsa;
    longer.shape.n *= 10;
    other.shape.sizes.algorithm = Improvement::actor_critic;
    other.shape.sizes.m = sarsa.shape.sizes.d;
    other.shape.sizes.d = sarsa.shape.sizes.num_states;
    ClosedLoopOptions faster = other, exploring = other;
    faster.agent.alpha *= 10;
    exploring.agent.epsilon = 0.0;
    return {{"random features", sarsa, 0},
            {"a table", sarsa, 2, true},
            {"step size falls", sarsa, 1, true, true},
            {"exploration falls", sarsa, 3, true, false, true},
            {"windows of ten times n", longer, 5, true},
            {"such windows, step size falls", longer, 6, true, true},
            {"random features, step size falls", sarsa, 0, false, true},
            {"as in the paper", other, 0},
            {"actor's step x 10", faster, 1},
            {"without exploration", exploring, 3}};
}

Series gap_line(const std::string& name, const std::vector<double>& at, const Gaps& gaps, bool greedy, int color) {
    Series series{name, at, {}, color, !greedy};
    for (const GapOfMdp& gap : gaps) series.rows.push_back(greedy ? gap.greedy : gap.acting);
    return series;
}

// One panel: the greedy policies of variants first .. last; with `acting` also the policies as they act.
PlotSpec gap_plot(const char* id, const char* title, const std::vector<double>& at,
                  const std::vector<GapVariant>& variants, const std::vector<Gaps>& results, int first, int last,
                  bool acting) {
    Plot plot(id, title);
    plot.x("updates in context").logarithmic();
    plot.y("return below the oracle's").logarithmic();
    plot.row_word("MDP");
    for (int i = first; i <= last; ++i) {
        const auto k = static_cast<size_t>(i);
        if (acting) plot.add(gap_line(variants[k].name + ", as it acts", at, results[k], false, variants[k].color));
        plot.add(gap_line(variants[k].name + (acting ? ", greedy" : ""), at, results[k], true, variants[k].color));
    }
    if (acting) {
        std::vector<std::vector<double>> floors;
        for (const GapOfMdp& gap : results[static_cast<size_t>(first)]) floors.push_back({gap.exploring});
        plot.level("best that explores", summarise(floors, 0).mean);
    }
    plot.note(
        "Exact returns, mean over MDPs and its standard error. Greedy: the policy that never explores, of the same Q "
        "or actor. A table: orthogonal features (ours), as long as the random ones.");
    return plot;
}

void draw_oracle_gap(Draft& draft) {
    const auto config = config_from<SarsaConfig>(draft.settings);
    if (config.sizes().d != config.sizes().num_states * config.sizes().num_actions)
        throw InputError(fmt::format("d: {} is not states x actions = {}, as many as every Q needs. Set it to that.",
                                     config.sizes().d, config.sizes().num_states * config.sizes().num_actions));
    const ClosedLoopOptions loop = closed_loop_options(config);
    const std::vector<GapVariant> variants = gap_variants(loop);
    const std::vector<double> at = gap_updates(config.loop_updates);
    const auto results = draft.results_of(gap_jobs(variants), [&](const Gaps& gaps) {
        return gaps.size() == static_cast<size_t>(loop.mdps) &&
               std::all_of(gaps.begin(), gaps.end(), [&](const GapOfMdp& gap) {
                   return gap.acting.size() == at.size() && gap.greedy.size() == at.size();
               });
    });
    if (!results) return;
    draft.add(gap_plot("gap", "SARSA: features and exploration", at, variants, *results, random_features, table, true));
    draft.add(
        gap_plot("gap_cause", "What settles SARSA, greedy", at, variants, *results, table, random_falling_step, false));
    draft.add(gap_plot("gap_actor_critic", "Actor-critic, greedy", at, variants, *results, actor_critic_as_is,
                       actor_critic_unexploring, false));
    std::vector<std::vector<double>> conditions;
    for (const GapOfMdp& gap : (*results)[random_features]) conditions.push_back({gap.condition});
    draft.caption = fmt::format(
        "The teachers alone, {} updates in each of {} unseen MDPs. With d = {} features, as many as states x "
        "actions, every Q can be represented. Left: exploration (level line) and conditioning (random features, "
        "median condition number {:.0f}, against a table). Middle: the greedy policy when step size or exploration "
        "fall as 1/t after {:g} updates, and with windows of {} transitions instead of {}. Right: actor-critic.",
        config.loop_updates, config.loop_mdps, config.sizes().d, summarise(conditions, 0).median, kFallsAfter,
        10 * config.shape.n, config.shape.n);
}

}  // namespace

FigureInfo figure_of_oracle_gap() {
    return figure_of({.name = "policy-gap",
                      .title = "What keeps policies from the oracle",
                      .page = {"What keeps policies from the oracle", {1, 1, 1}, {1}, 17, 5.5},
                      .start = {{"loop_mdps", 1000}},
                      .uses = {"num_states", "num_actions", "d", "n", "gamma", "epsilon", "alpha", "seed", "loop_mdps",
                               "loop_updates"},
                      .draw = draw_oracle_gap});
}

}  // namespace emergence
