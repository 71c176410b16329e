#include "core/experiments/bandits/bandit_train.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/base/mean_and_norm.h"
#include "core/experiments/bandits/bandit_train_study.h"
#include "core/experiments/stacked.h"

namespace emergence {
namespace {

constexpr StudyNames kBanditTrainStudy = {
    "bandit-train", "updates", "num_steps",
    "A seed counts as emerged (this laboratory's rule) once its mean regret on the validation stream, at the best of "
    "the temperatures 1, 0.5 and 0, is below that of every classical algorithm that does not know the environment, "
    "with the paper's constants."};

// Logs every `interval` updates, and after 10, 20, 50, 100, ... before the first: most is learned early.
bool is_logged_update(int64_t step, int64_t interval) {
    if (step % interval == 0) return true;
    if (step > interval) return false;
    int64_t decade = 10;
    while (10 * decade <= step) decade *= 10;
    return step == decade || step == 2 * decade || step == 5 * decade;
}

BanditImitationOptions imitation_options(const BanditTrainConfig& c) {
    BanditImitationOptions options = c;
    options.family = training_family(c);
    return options;
}

// Stream of the measurements beside training; each classical algorithm has its own.
constexpr uint32_t kNetworkStream = kFirstOtherPolicyStream;

// "W_token 32 x 109, W_actions 32 x 320, ..."; the first layer stands for all.
std::string shape_table(const CausalTransformerShape& shape) {
    std::string table;
    for (const NamedBlock& block : causal_transformer_blocks(shape)) {
        const bool in_layer = block.name.back() >= '0' && block.name.back() <= '9';
        if (in_layer &&
            (block.name.back() != '0' || block.name.ends_with("10") || block.name.ends_with("20")))
            continue;
        table +=
            fmt::format("{}{} {} x {}", table.empty() ? "" : ", ", block.name, block.rows, block.columns);
    }
    return fmt::format("{}; {} such layers", table, shape.layers);
}

}  // namespace

BanditFamily training_family(const BanditTrainConfig& c) {
    BanditFamily family = c.family;
    const double sum = std::accumulate(family.shares.begin(), family.shares.end(), 0.0);
    for (double& share : family.shares) share /= sum;
    return family;
}

// ---- references

BanditReferences::BanditReferences(const BanditTrainConfig& config)
    : validation_(training_family(config), derive_seed(static_cast<uint64_t>(config.seed), Purpose::held_out),
                  config.bank_size),
      test_(std::vector<BanditOptions>(static_cast<size_t>(config.bank_size), config.test),
            derive_seed(static_cast<uint64_t>(config.seed), Purpose::pool)) {
    using enum BanditAlgorithm;
    for (const BanditAlgorithm algorithm : {linucb, thompson, sliding_window, discounted, master_linucb}) {
        const auto policy = make_policy(algorithm, {});
        const uint32_t stream = info_of(algorithm).stream;
        classical_.push_back({algorithm, mean_of(validation_.regrets(*policy, stream)),
                              mean_of(test_.regrets(*policy, stream))});
    }
}

double BanditReferences::best_validation() const {
    return std::min_element(classical_.begin(), classical_.end(),
                            [](const auto& a, const auto& b) { return a.validation < b.validation; })
        ->validation;
}
double BanditReferences::best_test() const {
    return std::min_element(classical_.begin(), classical_.end(),
                            [](const auto& a, const auto& b) { return a.test < b.test; })
        ->test;
}

NetworkRegrets network_regrets(const BanditReferences& references, const CausalTransformerShape& shape,
                               const std::vector<float>& weights) {
    TransformerPolicy policy(shape, weights, 1.0);
    NetworkRegrets regrets{};
    for (size_t i = 0; i < kTemperatures.size(); ++i) {
        policy.set_temperature(kTemperatures[i]);
        regrets.validation[i] = mean_of(references.validation().regrets(policy, kNetworkStream));
        if (regrets.validation[i] < regrets.validation[regrets.best]) regrets.best = i;
    }
    policy.set_temperature(kTemperatures[regrets.best]);
    regrets.test = mean_of(references.test().regrets(policy, kNetworkStream));
    return regrets;
}

// ---- one seed

BanditTrainSeed::BanditTrainSeed(const BanditTrainConfig& config, int seed_index,
                                 std::shared_ptr<const BanditReferences> references)
    : TrainedSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, config.log_interval,
                  bandit_train_metrics(),
                  [&](uint64_t seed) { return BanditImitation(imitation_options(config), seed); }),
      config_(config),
      references_(std::move(references)) {}

bool BanditTrainSeed::is_logged(int64_t step) const { return is_logged_update(step, config_.log_interval); }

NetworkRegrets BanditTrainSeed::measure() {
    NetworkRegrets regrets = network_regrets(*references_, config_.shape, training().weights());
    regrets.cross_entropy = own_training().take_mean_loss();
    temperature_ = kTemperatures[regrets.best];
    judge(regrets.validation[regrets.best] < references_->best_validation());
    return regrets;
}

std::string BanditTrainSeed::why_diverged() const {
    return fmt::format("diverged at update {}, its loss not finite", step() + 1);
}

// ---- the study

BanditTrainStudy::BanditTrainStudy(const Settings& settings) : StudyOf(kBanditTrainStudy, settings) {
    shared_ = std::make_shared<const BanditReferences>(config_);
    metrics_ = bandit_train_metrics().table();
    metric_plots_ = bandit_train_plots(config_, *shared_);
}

void BanditTrainStudy::check(const BanditTrainConfig& c) {
    check_causal_shape(c.shape);
    if (std::accumulate(c.family.shares.begin(), c.family.shares.end(), 0.0) <= 0)
        throw InputError("share_cosine: all shares are 0. Set at least one above 0.");
}

void BanditTrainStudy::show(const Seeds& seeds, Snapshot& snapshot) const {
    std::vector<TrainedBandit> trained;
    for (const BanditTrainSeed* seed : seeds) trained.push_back({seed->weights(), seed->temperature()});
    snapshot.weights = bandit_weight_arrays(config_.shape, trained);
    snapshot.weights["seed"] = seed_numbers(seeds);
}

void BanditTrainStudy::evaluate(const BanditTrainConfig& config, Snapshot& snapshot) const {
    const auto& worlds = shared_->test().worlds();
    const auto index = static_cast<size_t>(config.shown_environment) % worlds.size();
    const BanditView view{config.shape, config.shown_layer, config.shown_head,
                          static_cast<uint64_t>(config.seed), static_cast<uint32_t>(index)};
    BanditInsidePictures pictures =
        look_inside(view, worlds[index], trained_bandits(view.shape, snapshot.weights, "snapshot"));
    snapshot.matrices = std::move(pictures.matrices);
    snapshot.plots = std::move(pictures.plots);
    snapshot.scalars = {
        {"parameters", "parameters", static_cast<double>(config.shape.num_weights()), "",
         "Weights of the network: " + shape_table(config.shape) + "."},
        {"best_classical_validation", "best classical, validation", shared_->best_validation(), "",
         "Least mean regret of LinUCB, TS, sliding-window and discounted LinUCB and practical MASTER on the "
         "validation stream."},
        {"best_classical_test", "best classical, test", shared_->best_test(), "",
         "The same on the test environments."}};
}

// ---- the registry's entry

ExperimentInfo bandit_train() {
    return experiment_of<BanditTrainStudy>(
        kBanditTrainStudy, "Learning to play",
        "A causal transformer sees what was played and what came of it, round by round, in bandits whose rewards "
        "change, and is trained to name the arm that is best now. Without any update it then adapts while it plays, "
        "better than the classical algorithms where the changes are like those of its training (Chen, Ito and Imaizumi "
        "2025).",
        {figure_of_learning_by_heart()}, bandit_train_measures());
}

}  // namespace emergence
