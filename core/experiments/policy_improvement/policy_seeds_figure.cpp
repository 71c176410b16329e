// Figures 2 to 4 of Liang and Lai with thirty seeds of both algorithms, in small MDPs.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "core/base/array.h"
#include "core/base/statistics.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/policy_improvement/improvement_figures.h"
#include "core/experiments/policy_improvement/improvement_study.h"

namespace emergence {
namespace {

std::vector<GridConfig> both_in_small_mdps(const ExperimentInfo&, const Settings& sarsa) {
    const auto other = std::make_shared<const ExperimentInfo>(actor_critic());
    const Settings settings = for_actor_critic(*other, sarsa);
    const int64_t states = settings.integer("num_states"), pairs = states * settings.integer("num_actions");
    GridConfig second = config_with("actor-critic", settings, {{"d", states}, {"m", pairs}});
    second.experiment = other;
    return {{"SARSA", sarsa}, second};
}

// A seed's block from the snapshot's arrays.
Eigen::MatrixXd block_of_seed(const Array& array, size_t seed) {
    const std::vector<double> values = as_doubles(array);
    const auto rows = static_cast<Eigen::Index>(array.shape[1]), columns = static_cast<Eigen::Index>(array.shape[2]);
    return Eigen::Map<const RowMajorMatrix>(values.data() + static_cast<Eigen::Index>(seed) * rows * columns, rows,
                                            columns);
}

// How far a seed's transformer ends from its teacher in unseen MDPs, over the width of the teacher's band: the largest
// of all seeds.
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
        const EffectiveBlocks blocks{block_of_seed(run.snapshot.weights.at("P12"), seed),
                                     block_of_seed(run.snapshot.weights.at("V21"), seed)};
        const LoopReturns returns = loop.transformer(weights_of<float>(config.shape, blocks).data());
        gaps.push_back(std::abs(summarise(returns, last).mean - teacher.mean) / band);
    }
    const double largest = largest_of(gaps), median = summarise(gaps, true).median;
    return {largest, fmt::format("median {:.2g}, band {:.3f}, {} seeds", median, band, gaps.size())};
}

void draw_policy_seeds(Draft& draft) {
    for (size_t i = 0; i < draft.runs().size(); ++i) {
        const FinishedRun& run = draft.run(i);
        int row = 0;
        for (const char* id : {"distance", "loss"})
            draft.add(plot_of_run(run, id, run.label, fmt::format("{}_{}", id, i)), row++, static_cast<int>(i));
    }
    draft.measure("policy-seeds-sarsa-loop",
                  largest_gap_to_teacher(draft.run(0), config_from<SarsaConfig>(draft.run(0).snapshot.settings)));
    draft.measure("policy-seeds-actor-critic-loop",
                  largest_gap_to_teacher(draft.run(1), config_from<ActorCriticConfig>(draft.run(1).snapshot.settings)));
    draft.caption = fmt::format(
        "Random MDPs of {} states and {} actions, {} MDPs of {} windows. Actor-critic has as many value features as "
        "states and as many policy features as states times actions.",
        draft.settings.integer("num_states"), draft.settings.integer("num_actions"), draft.settings.integer("num_mdps"),
        draft.settings.integer("frames"));
}

}  // namespace

FigureInfo figure_of_policy_seeds() {
    return figure_of({.name = "policy-seeds",
                      .title = "Figures 2 to 4 with thirty seeds, small MDPs",
                      .page = {"Every seed: distance to the manifold and loss", {1, 1}, {1, 1}, 12, 8},
                      .after = "Figures 2 to 4 of Liang and Lai",
                      .plan = both_in_small_mdps,
                      .measures = {"policy-seeds-sarsa-loop", "policy-seeds-actor-critic-loop"},
                      .draw = draw_policy_seeds});
}

}  // namespace emergence
