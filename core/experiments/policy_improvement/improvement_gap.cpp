// What keeps the teacher from the oracle: exploration, conditioning, the number of updates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/experiments/figure_parts.h"
#include "core/experiments/policy_improvement/improvement_figures.h"
#include "core/experiments/policy_improvement/improvement_study.h"
#include "core/runtime/job_grid.h"

namespace emergence {
namespace {

// Four a decade, up to `last`: .., last / 10, .., last.
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

// Of one MDP, after each of gap_updates().
struct GapOfMdp {
    std::vector<double> acting, greedy;  // oracle minus the return as it acts; of the greedy policy in its Q
    double exploring = 0;                // oracle minus the best policy that explores
    double condition = 0;                // of the features: largest singular value over the smallest
};

double largest_over_smallest(const Eigen::MatrixXd& features) {
    const Eigen::VectorXd singular = features.jacobiSvd().singularValues();
    return singular(0) / singular(singular.size() - 1);
}

GapOfMdp gap_of_mdp(const ClosedLoopOptions& options, uint32_t index, bool orthogonal) {
    ImprovementTask task = random_improvement_task(options.shape.sizes, options.seed, index);
    // As long as random features are in the mean, and as many as there are of states and actions.
    if (orthogonal)
        task.value_features = std::sqrt(options.shape.sizes.d / 3.0) *
                              Eigen::MatrixXd::Identity(task.value_features.rows(), options.shape.sizes.d);
    const Mdp& mdp = task.mdp;
    const double gamma = options.agent.gamma;
    const double oracle = mdp.initial.dot(optimal_action_values(mdp, gamma).rowwise().maxCoeff());
    GapOfMdp gap;
    gap.exploring = oracle - mdp.initial.dot(best_exploring_values(mdp, gamma, options.agent.epsilon));
    gap.condition = largest_over_smallest(task.value_features);
    PolicyAgent<float> agent(options.shape, options.agent);
    ImprovementPrompt<float> prompt(options.shape);
    agent.begin(task);
    size_t next = 0;
    const std::vector<double> at = gap_updates(options.updates);
    for (int t = 0; next < at.size(); ++t) {
        Stream stream(options.seed, Purpose::trajectory, index, static_cast<uint32_t>(t));
        if (t == 0) agent.draw_state(stream);
        if (t == static_cast<int>(at[next])) {
            // Its most likely actions are the greedy ones.
            const auto gap_to = [&](const Eigen::MatrixXd& policy) {
                return oracle - mdp.initial.dot(policy_values(mdp, policy, gamma));
            };
            gap.acting.push_back(gap_to(agent.policy()));
            gap.greedy.push_back(gap_to(greedy_policy(agent.policy())));
            ++next;
        }
        agent.collect(stream, prompt);
        agent.improve(prompt.teacher.data());
    }
    return gap;
}

using Gaps = std::vector<GapOfMdp>;

GridResults<Gaps> all_gaps(const ClosedLoopOptions& options, const GridOptions& grid) {
    std::vector<GridJob<Gaps>> jobs;
    for (const bool orthogonal : {false, true})
        jobs.push_back({orthogonal ? "orthogonal features" : "random features",
                        [options, orthogonal](JobHandle& handle) {
                            Gaps gaps;
                            for (int i = 0; i < options.mdps; ++i) {
                                gaps.push_back(gap_of_mdp(options, static_cast<uint32_t>(i), orthogonal));
                                handle.reached((i + 1.0) / options.mdps);
                            }
                            return gaps;
                        }});
    return run_grid(jobs, grid);
}

void add_lines(const Gaps& gaps, const std::vector<double>& at, const std::string& features, int color,
               PlotSpec& plot) {
    Series acting{features + ", as it acts", at, {}, color};
    Series greedy{features + ", greedy in its Q", at, {}, color, true};
    for (const GapOfMdp& gap : gaps) {
        acting.rows.push_back(gap.acting);
        greedy.rows.push_back(gap.greedy);
    }
    plot.series.push_back(std::move(acting));
    plot.series.push_back(std::move(greedy));
}

PlotSpec gap_plot(const std::vector<double>& at, const Gaps& random, const Gaps& orthogonal) {
    PlotSpec plot;
    plot.id = "gap";
    plot.title = fmt::format("SARSA's distance from the oracle, {} unseen MDPs", random.size());
    plot.x = {"updates in context", "", Scale::logarithmic};
    plot.y = {"return below the oracle's", "", Scale::logarithmic};
    plot.row_word = "MDP";
    add_lines(random, at, "random features", kTransformerColor, plot);
    add_lines(orthogonal, at, "orthogonal", kOracleColor, plot);
    std::vector<std::vector<double>> floors;
    for (const GapOfMdp& gap : random) floors.push_back({gap.exploring});
    plot.lines = {{"best that explores", summarise(floors, 0).mean, false}};
    plot.note =
        "Exact returns, mean over MDPs and its standard error. As it acts: with its share epsilon of random "
        "actions, which costs any policy at least the level line. Greedy: the same Q without them. "
        "Orthogonal "
        "features (ours), as long as the random ones: what ill-conditioned features cost.";
    return plot;
}

double mean_at(const Gaps& gaps, size_t at, bool greedy) {
    std::vector<std::vector<double>> rows;
    for (const GapOfMdp& gap : gaps) rows.push_back({(greedy ? gap.greedy : gap.acting)[at]});
    return summarise(rows, 0).mean;
}

}  // namespace

GridFigure figure_improvement_gap(const ExperimentInfo&, const Settings& preset, const GridOptions& options) {
    const auto config = config_from<SarsaConfig>(preset);
    if (config.d != config.num_states * config.num_actions)
        throw InputError(
            fmt::format("d: found {}, allowed is states x actions = {}, as many as every Q needs", config.d,
                        config.num_states * config.num_actions));
    GridResults<Gaps> results = all_gaps(closed_loop_options(config), options);
    GridFigure made;
    made.failures = results.failures;
    made.stopped = results.stopped;
    if (made.stopped || !results.results[0] || !results.results[1]) return made;
    const Gaps &random = *results.results[0], &orthogonal = *results.results[1];
    const std::vector<double> at = gap_updates(config.loop_updates);
    const size_t tenth = at.size() - 1 - std::min<size_t>(kPerDecade, at.size() - 1);
    const double early = mean_at(random, tenth, false), late = mean_at(random, at.size() - 1, true);
    const double orthogonal_early = mean_at(orthogonal, tenth, false);
    std::vector<std::vector<double>> conditions;
    for (const GapOfMdp& gap : random) conditions.push_back({gap.condition});
    made.figure.name = "policy-gap";
    made.figure.title = "What keeps SARSA from the oracle";
    made.figure.caption = fmt::format(
        "The teacher alone, {} updates in each of {} unseen MDPs. With d = {} features, as many as states x "
        "actions, every Q can be represented: what is left is exploration (level line), conditioning (random "
        "features, median condition number {:.0f}, against orthogonal ones) and the number of updates. "
        "Emergence {}.",
        config.loop_updates, config.loop_mdps, config.d, summarise(conditions, 0).median, EMERGENCE_VERSION);
    made.figure.cells = {{gap_plot(at, random, orthogonal), 0, 0}};
    made.figure.column_weights = made.figure.row_weights = {1};
    made.figure.width_inches = 9;
    made.figure.height_inches = 5.5;
    made.measured = {
        {"policy-gap",
         {late / early, fmt::format("{:.3f} as it acts after {:.0f} updates, {:.3f} greedy after {}", early,
                                    at[tenth], late, config.loop_updates)}},
        {"policy-gap-conditioning",
         {early / orthogonal_early, fmt::format("{:.3f} and {:.3f}", early, orthogonal_early)}}};
    return made;
}

}  // namespace emergence
