#include "core/experiments/policy_improvement/improvement_study.h"

#include "core/experiments/policy_improvement/improvement_figures.h"

namespace emergence {
namespace {

constexpr const char* kImprovementEmergenceRule =
    "A seed counts as emerged (this laboratory's rule) when its blocks are within 5 % of the manifold {(c P12*, "
    "V21*/c)}: their Frobenius distance to the nearest point, over that point's norm, is below 0.05.";
constexpr double kNearManifold = 0.05;
constexpr StudyNames kSarsa = {"sarsa", "MDPs", "num_mdps", kImprovementEmergenceRule},
                     kActorCritic = {"actor-critic", "MDPs", "num_mdps", kImprovementEmergenceRule};

std::vector<SeedBlocks> blocks_of_seeds(const ImprovementShape& shape,
                                        const std::vector<const ImprovementSeed*>& seeds) {
    std::vector<SeedBlocks> blocks;
    for (const ImprovementSeed* seed : seeds)
        blocks.push_back({blocks_of(shape, seed->training().weights().data()),
                          blocks_of(shape, seed->training().initial_weights().data())});
    return blocks;
}

}  // namespace

EffectiveBlocks improvement_target(const ImprovementConfig& c) {
    return constructed_blocks(c.shape, c.agent.alpha, c.agent.beta);
}

// ---- one seed

ImprovementSeed::ImprovementSeed(const ImprovementConfig& config, int seed_index,
                                 std::shared_ptr<const HeldOutWindows> held_out)
    : TrainedSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, config.log_interval,
                  improvement_metrics(), [&](uint64_t seed) { return TeacherMimicking(config, seed); }),
      held_out_(std::move(held_out)),
      target_(improvement_target(config)),
      frames_(config.frames) {}

void ImprovementSeed::state(Archive& archive) {
    TrainedSeed::state(archive);
    trace_.state(archive);
}

ImprovementMeasured ImprovementSeed::measure() {
    TeacherMimicking& training = own_training();
    const ImprovementMeasured measured{training.take_mean_losses(), held_out_->loss(training.weights()),
                                       fit_manifold(blocks_of(training.shape(), training.weights().data()), target_),
                                       training.rate_sum(), training.learning_rate()};
    judge(measured.fit.relative < kNearManifold);
    if (last_logged() > 0) trace_.add({measured.rate_sum, measured.losses.loss, measured.fit.relative});
    return measured;
}

std::string ImprovementSeed::why_diverged() const {
    return fmt::format("diverged in MDP {}, update {}, its loss not finite", step() + 1, training().updates() + 1);
}

// ---- all seeds

template <class Config>
ImprovementStudy<Config>::ImprovementStudy(const Settings& settings)
    : StudyOf<Config, ImprovementSeed, HeldOutWindows>(Config().is_sarsa() ? kSarsa : kActorCritic, settings),
      loop_(std::make_shared<const ClosedLoop>(closed_loop_options(this->config_))) {
    this->shared_ = std::make_shared<const HeldOutWindows>(held_out_windows(this->config_));
    this->metrics_ = improvement_metrics().table();
    this->metric_plots_ = improvement_metric_plots(this->config_);
}

template <class Config>
void ImprovementStudy<Config>::show(const std::vector<const ImprovementSeed*>& seeds, Snapshot& snapshot) const {
    const ImprovementShape shape = this->config_.shape;
    const std::vector<SeedBlocks> blocks = blocks_of_seeds(shape, seeds);
    snapshot.matrices = improvement_matrices(shape, improvement_target(this->config_), blocks);
    snapshot.formulas = improvement_formulas(this->config_.sizes().algorithm);
    snapshot.weights = improvement_arrays(blocks);
    snapshot.plots = improvement_rate_plots(seeds);
}

template <class Config>
Snapshot ImprovementStudy<Config>::inspect(const Snapshot& snapshot, const Inspection& inspection) const {
    Snapshot answer = this->begin_evaluation(snapshot, inspection);
    const int before = static_cast<int>(snapshot.settings.integer("shown_seed"));
    evaluate_improvement(answer, config_from<Config>(inspection.settings), *loop_, before);
    return answer;
}

// ---- the registry's entries

ExperimentInfo sarsa() {
    return experiment_of<ImprovementStudy<SarsaConfig>>(
        kSarsa, "Policy improvement: SARSA",
        "A linear transformer sees windows of an agent's transitions in random MDPs, with the agent's parameters, and "
        "is trained to write the update that batch SARSA makes of them. Its weights come to be SARSA's (Liang and Lai, "
        "Theorem 3.1).",
        improvement_figures());
}

ExperimentInfo actor_critic() {
    return experiment_of<ImprovementStudy<ActorCriticConfig>>(
        kActorCritic, "Policy improvement: actor-critic",
        "A linear transformer sees windows of an agent's transitions with the scores of its softmax policy, and is "
        "trained to write the update that batch actor-critic makes of actor and critic. Its weights come to be "
        "actor-critic's (Liang and Lai, Theorem 3.3).");
}

}  // namespace emergence
