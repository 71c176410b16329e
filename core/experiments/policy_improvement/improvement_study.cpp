#include "core/experiments/policy_improvement/improvement_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/policy_improvement/improvement_claims.h"
#include "core/experiments/policy_improvement/improvement_figures.h"
#include "core/experiments/policy_improvement/improvement_matrices.h"
#include "core/experiments/policy_improvement/policy_improvement.h"
#include "core/training/state_arrays.h"

namespace emergence {
namespace {

const char* const kImprovementEmergenceRule =
    "A seed counts as emerged (this laboratory's rule) when its blocks are within 5 % of the manifold "
    "{(c P12*, V21*/c)}: their Frobenius distance to the nearest point, over that point's norm, is below "
    "0.05.";
constexpr double kNearManifold = 0.05;

TeacherMimickingOptions training_options(const ImprovementConfig& c) {
    TeacherMimickingOptions options;
    options.shape = improvement_shape(c);
    options.agent = {c.gamma, c.epsilon, c.alpha, c.beta};
    options.frames = c.frames;
    options.adam.learning_rate = c.learning_rate;
    options.rate_decay = c.rate_decay;
    options.decay_every = c.decay_every;
    options.initial_gain = c.initial_gain;
    return options;
}

std::vector<const ImprovementSeed*> own_seeds(const std::vector<const Experiment*>& seeds) {
    std::vector<const ImprovementSeed*> own;
    for (const Experiment* seed : seeds) own.push_back(&dynamic_cast<const ImprovementSeed&>(*seed));
    return own;
}

std::vector<SeedBlocks> blocks_of_seeds(const ImprovementShape& shape,
                                        const std::vector<const ImprovementSeed*>& seeds) {
    std::vector<SeedBlocks> blocks;
    for (const ImprovementSeed* seed : seeds)
        blocks.push_back({blocks_of(shape, seed->training().weights().data()),
                          blocks_of(shape, seed->training().initial_weights().data())});
    return blocks;
}

}  // namespace

ImprovementShape improvement_shape(const ImprovementConfig& c) {
    return {{c.algorithm, c.num_states, c.num_actions, c.d, c.m}, c.n};
}

EffectiveBlocks improvement_target(const ImprovementConfig& c) {
    return constructed_blocks(improvement_shape(c), c.alpha, c.beta);
}

std::string improvement_name(Improvement algorithm) {
    return algorithm == Improvement::sarsa ? "sarsa" : "actor-critic";
}

// ---- one seed

ImprovementSeed::ImprovementSeed(const ImprovementConfig& config, int seed_index)
    : TrainedSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, config.log_interval,
                  [&](uint64_t seed) { return TeacherMimicking(training_options(config), seed); }),
      target_(improvement_target(config)),
      frames_(config.frames) {
    keep(trace_);
}

// In the order of improvement_metrics().
std::vector<double> ImprovementSeed::measure() {
    TeacherMimicking& training = own_training();
    const ManifoldFit fit = fit_manifold(blocks_of(training.shape(), training.weights().data()), target_);
    const TeacherMimicking::Losses losses = training.take_mean_losses();
    judge(fit.relative < kNearManifold);
    if (last_logged() > 0) trace_.add({training.rate_sum(), losses.loss, fit.relative});
    return {losses.loss,
            losses.zero,
            fit.relative,
            fit.distance,
            fit.c,
            training.rate_sum(),
            training.learning_rate()};
}

std::string ImprovementSeed::why_diverged() const {
    return fmt::format("diverged in MDP {}, update {}, its loss not finite", step() + 1,
                       training().updates() + 1);
}

// ---- all seeds

template <class Config>
ImprovementStudy<Config>::ImprovementStudy(const Settings& settings)
    : ConfiguredStudy<Config>(improvement_name(Config().algorithm), "MDPs", settings),
      loop_(std::make_shared<const ClosedLoop>(closed_loop_options(this->config_))) {
    this->metrics_ = improvement_metrics();
    this->metric_plots_ = improvement_metric_plots(this->config_);
}

template <class Config>
std::unique_ptr<Experiment> ImprovementStudy<Config>::make_seed(int seed_index) const {
    return std::make_unique<ImprovementSeed>(this->config_, seed_index);
}

template <class Config>
Snapshot ImprovementStudy<Config>::outline(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = this->begin_snapshot(seeds);
    snapshot.evaluated = false;
    snapshot.emergence_rule = kImprovementEmergenceRule;
    const auto own = own_seeds(seeds);
    const ImprovementShape shape = improvement_shape(this->config_);
    const std::vector<SeedBlocks> blocks = blocks_of_seeds(shape, own);
    snapshot.matrices = improvement_matrices(shape, improvement_target(this->config_), blocks);
    snapshot.formulas = improvement_formulas(this->config_.algorithm);
    snapshot.weights = improvement_arrays(blocks);
    snapshot.plots = improvement_rate_plots(own);
    return snapshot;
}

template <class Config>
Snapshot ImprovementStudy<Config>::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = outline(seeds);
    evaluate_improvement(snapshot, this->config_, *loop_, -1);
    return snapshot;
}

template <class Config>
Snapshot ImprovementStudy<Config>::inspect(const Snapshot& snapshot, const Inspection& inspection) const {
    Snapshot answer = this->begin_evaluation(snapshot, inspection);
    const int before = static_cast<int>(snapshot.settings.integer("shown_seed"));
    evaluate_improvement(answer, config_from<Config>(inspection.settings), *loop_, before);
    return answer;
}

// ---- the registry's entries

namespace {

template <class Config>
ExperimentInfo improvement_experiment() {
    const Improvement algorithm = Config().algorithm;
    ExperimentInfo info;
    info.name = improvement_name(algorithm);
    info.emergence_rule = kImprovementEmergenceRule;
    info.fields = std::make_shared<const FieldTable>(fields_of<Config>());
    info.check = [](const Settings& settings) {
        const auto c = config_from<Config>(settings);
        if (c.log_interval > c.num_mdps)
            throw InputError(fmt::format(
                "log_interval: found {}, allowed is at most num_mdps = {}, else nothing is logged",
                c.log_interval, c.num_mdps));
    };
    info.make = [](const Settings& settings) { return std::make_unique<ImprovementStudy<Config>>(settings); };
    info.claims = improvement_claims(algorithm);
    return info;
}

}  // namespace

ExperimentInfo sarsa() {
    ExperimentInfo info = improvement_experiment<SarsaConfig>();
    info.title = "Policy improvement: SARSA";
    info.summary =
        "A linear transformer sees windows of an agent's transitions in random MDPs, with the agent's "
        "parameters, and is trained to write the update that batch SARSA makes of them. Its weights come to "
        "be SARSA's (Liang and Lai, Theorem 3.1).";
    info.figures = improvement_figures();
    return info;
}

ExperimentInfo actor_critic() {
    ExperimentInfo info = improvement_experiment<ActorCriticConfig>();
    info.title = "Policy improvement: actor-critic";
    info.summary =
        "A linear transformer sees windows of an agent's transitions with the scores of its softmax policy, "
        "and is trained to write the update that batch actor-critic makes of actor and critic. Its weights "
        "come to be actor-critic's (Liang and Lai, Theorem 3.3).";
    return info;
}

}  // namespace emergence
