#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/experiments/bandits/bandits.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"

namespace emergence {

void BanditTrainConfig::fields(Fields& f) {
    BanditLookFields::fields(f);
    f.group("model");
    f(shape.layers, "layers", "layers L", "Each layer has an attention and an MLP. Chen et al. 2025 use 16.")
        .range(1, 24);
    f(shape.heads, "heads", "heads",
      "Heads of each attention. They share the width, which must be a multiple of this. Chen et al. 2025 use 16.")
        .range(1, 24);
    f(shape.width, "width", "width", "How many numbers represent a round inside the network.").log_range(4, 512);
    f(shape.hidden, "hidden", "MLP", "Hidden units of each MLP, with ReLU as in Section 2.2.").log_range(4, 2048);
    f.choice(shape.attention, {{"softmax", CausalAttention::softmax}, {"relu", CausalAttention::relu}}, "attention",
             "attention", "Softmax as in GPT, or the theory's ReLU(q k) / i (Section 2.2).")
        .called({{"relu", "ReLU"}});
    family_fields(f);
    training_fields(f);
    first_seed_field(f, seed, "Each seed draws its own weights and environments.");
    num_seeds_field(f, seeds, "How many networks are trained, each on one core.");
}

void BanditTrainConfig::family_fields(Fields& f) {
    f.group("environments");
    const std::string share = "How many training environments are of this kind, relative to the other shares.";
    f(family.shares[0], "share_cosine", "share of cosine", share).range(0, 1);
    f(family.shares[1], "share_elevated", "share of elevated", share).range(0, 1);
    f(family.shares[2], "share_abrupt", "share of abrupt", share).range(0, 1);
    f(family.shares[3], "share_drift", "share of drift", share).range(0, 1);
    f.choice(family.cosines,
             {{"continuous", CosineTraining::continuous},
              {"continuous_one_phase", CosineTraining::continuous_one_phase},
              {"four", CosineTraining::four},
              {"four_any_phase", CosineTraining::four_any_phase}},
             "frequencies", "training frequencies",
             "Continuous: b ~ U(0, b max), random phase. Four: 0.005, 0.01, 0.015 and 0.02 with one phase. The "
             "others (ours) mix both.")
        .idle_while("share_cosine", {"0"});
    f(family.max_frequency, "max_frequency", "b max", "Continuous training frequencies go up to here.")
        .range(0, 0.06)
        .idle_while("share_cosine", {"0"})
        .acts_while("frequencies", {"continuous", "continuous_one_phase"});
    advanced(f, family.stationary, "stationary", "stationary", "Share of the cosine environments that have b = 0.")
        .range(0, 1)
        .idle_while("share_cosine", {"0"});
    advanced(f, family.windows, "training_windows", "elevated: N in training",
             "Windows with +3 in the elevated training environments. 0: no windows, as in Chen et al. 2025, where "
             "only the test has them.")
        .range(0, kMostElevatedWindows)
        .idle_while("share_elevated", {"0"});
    advanced(f, family.max_segments, "max_segments", "most segments J", "Abrupt: J is drawn uniformly from 1 to this.")
        .range(1, 32)
        .idle_while("share_abrupt", {"0"});
    advanced(f, family.max_angle, "max_angle", "angle max", "Drift: w turns by up to this many radians.")
        .range(0, 50)
        .idle_while("share_drift", {"0"});
    advanced(f, family.d, "d", "features d", "Entries of an action vector. Fixed once trained.").range(1, 64);
    advanced(f, family.arms, "arms", "arms A", "Number of action vectors. Fixed once trained.").range(2, 32);
    advanced(f, family.rounds, "rounds", "rounds T",
             "Rounds of a training environment; the trained network cannot play more.")
        .range(10, 1000);
    advanced(f, family.noise, "noise", "noise", "Standard deviation of the noise, before the environment scales it.")
        .range(0, 5);
    // The network and the test have the sizes of training.
    shape.d = test.d = family.d;
    shape.arms = test.arms = family.arms;
    shape.rounds = test.rounds = family.rounds;
    test.noise = family.noise;
}

void BanditTrainConfig::training_fields(Fields& f) {
    f.group("training");
    advanced(f, trajectories, "trajectories", "trajectories N",
             "Trains again and again on N environments that other algorithms played. 0: every environment is fresh. "
             "Chen et al. 2025 use 100,000.")
        .range(0, 1e6);
    advanced(f, epochs, "epochs", "epochs",
             "How often each of the N trajectories is seen; replaces stop after. 0: until stop after. Chen et al. "
             "2025 use 200.")
        .range(0, 1e4);
    f(adam.learning_rate, "learning_rate", "learning rate",
      "Adam's largest step size. It falls to 3 % along half a cosine.")
        .log_range(0, 0.1);
    f(batch, "batch", "batch", "Fresh environments per update. Small batches learn faster.").log_range(1, 128);
    f(steps, "num_steps", "stop after",
      "Number of updates. The learning rate falls over all of them, so a change restarts the run. 0: untrained.")
        .log_range(0, 1e6)
        .acts_while("epochs", {"0"});
    advanced(f, warm_up, "warm_up", "warm-up", "Updates over which the learning rate rises.").log_range(1, 1e4);
    advanced(f, adam.weight_decay, "weight_decay", "weight decay",
             "AdamW: each update shrinks every weight by the learning rate times this.")
        .log_range(0, 0.1);
    advanced(f, clip, "clip", "clip at", "A gradient with a larger norm is scaled down to this norm.")
        .log_range(0.01, 100);
    advanced(f, played_by_others, "played_by_others", "own play from",
             "From this update on the network itself plays half of its training contexts. Discounted Thompson "
             "sampling, blind to the action vectors, plays the rest.")
        .range(0, 1e6)
        .acts_while("trajectories", {"0"});

    f.group("evaluation");
    f.choice(test.kind, words_of<BanditKind>(bandit_kind_names()), "test_kind", "test on",
             "The environments of the second regret plot. The temperature is never chosen on them, but on fresh "
             "training environments.");
    advanced(f, test.frequency, "test_frequency", "test b", "Chen et al. 2025 test 0.018 and 0.025.")
        .range(0, 0.06)
        .acts_while("test_kind", {"cosine"});
    advanced(f, test.segments, "test_segments", "test: segments J", "Segments J of the test environments.")
        .log_range(1, 32)
        .acts_while("test_kind", {"abrupt"});
    advanced(f, test.angle, "test_angle", "test angle", "How many radians w turns in the test environments.")
        .range(0, 50)
        .acts_while("test_kind", {"drift"});
    advanced(f, bank_size, "bank_size", "environments",
             "Environments in the validation stream, and as many in the test.")
        .log_range(4, 2000);
    log_interval_field(f, log_interval, "updates");
}

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
        classical_.push_back(
            {algorithm, mean_of(validation_.regrets(*policy, stream)), mean_of(test_.regrets(*policy, stream))});
    }
}

double BanditReferences::least(double ClassicalReference::*regret) const {
    return least_of(mapped(classical_, regret));
}

NetworkRegrets network_regrets(const BanditReferences& references, const CausalTransformerShape& shape,
                               const std::vector<float>& weights) {
    TransformerPolicy policy(shape, weights, 1.0);
    NetworkRegrets regrets{};
    for (size_t i = 0; i < kTemperatures.size(); ++i) {
        policy.set_temperature(kTemperatures[i]);
        regrets.validation[i] = mean_of(references.validation().regrets(policy, kFirstOtherPolicyStream));
        if (regrets.validation[i] < regrets.validation[regrets.best]) regrets.best = i;
    }
    policy.set_temperature(kTemperatures[regrets.best]);
    regrets.test = mean_of(references.test().regrets(policy, kFirstOtherPolicyStream));
    return regrets;
}

void NetworkRegrets::say(Row& row) const {
    HistoryPlot& loss = row.plot("cross-entropy", "Cross-entropy");
    loss.y("a round").unit("nats");
    loss.note("The training loss, Eq. (6) of Chen et al. 2025, with the best arm as the label.");
    HistoryPlot& of_validation = row.plot("validation", "Validation regret");
    of_validation.note(
        "On fresh environments of the training family. Dashed: classical algorithms that do not know the environment, "
        "with the constants of Chen et al. 2025.");
    HistoryPlot& of_test = row.plot("test", "Test regret");
    of_test.note("On environments of the test settings, at the temperature that was best in validation.");
    for (HistoryPlot* plot : {&of_validation, &of_test}) plot->y("mean final regret").from(0.0);
    if (references != nullptr) {
        loss.level("knowing nothing: log A", std::log(static_cast<double>(references->arms())));
        for (const ClassicalReference& one : references->classical()) {
            of_validation.level(info_of(one.algorithm).label, one.validation);
            of_test.level(info_of(one.algorithm).label, one.test);
        }
    }
    row("cross_entropy", "cross-entropy", "Mean of -log p(best arm) per round, over the updates since the last point.",
        cross_entropy)
        .line(loss);
    row("validation_regret", "network",
        "Mean final regret on fresh environments of the training family, at the best of three temperatures.",
        validation[best])
        .line(of_validation)
        .label("at the best temperature");
    row("test_regret", "network", "The same on the test environments, at the temperature chosen above.", test)
        .line(of_test);
    row("temperature", "temperature",
        "The temperature with the least validation regret: 1, 0.5 or 0 (most probable arm).", kTemperatures[best]);
    row("validation_regret_1", "temperature 1", "Validation regret at temperature 1.", validation[0])
        .line(of_validation, 1);
    row("validation_regret_half", "temperature 0.5", "Validation regret at temperature 0.5.", validation[1])
        .line(of_validation, 2);
    row("validation_regret_greedy", "most probable arm", "Validation regret when the most probable arm is played.",
        validation[2])
        .line(of_validation, 3);
}

// ---- the experiment

namespace {

constexpr StudyNames kBanditTrainStudy = {
    "bandit-train", "updates", "num_steps",
    "A network counts as emerged (our rule) once its mean validation regret, at the best of the temperatures 1, 0.5 "
    "and 0, is below that of every classical algorithm that does not know the environment, with the constants of Chen "
    "et al. 2025.",
    "ahead of the classical algorithms"};

// The number of updates of a whole training: as many as the epochs need or, without epochs, `steps`.
int64_t updates_of(const BanditTrainConfig& c) {
    return c.epochs > 0 ? (c.epochs * c.trajectories + c.batch - 1) / c.batch : c.steps;
}

// "W_token 32 x 109, W_actions 32 x 320, ...", where the first layer stands for all layers.
std::string shape_table(const CausalTransformerShape& shape) {
    const auto of_first_layer = filtered(causal_transformer_blocks(shape), [](const NamedBlock& block) {
        const std::string layer = block.name.substr(block.name.find_last_not_of("0123456789") + 1);
        return layer.empty() || layer == "0";
    });
    const auto text = [](const NamedBlock& block) {
        return fmt::format("{} {} x {}", block.name, block.rows, block.columns);
    };
    return fmt::format("{}; {} such layers", listed(of_first_layer, text), shape.layers);
}

class BanditTrainSeed final : public TrainedSeed<BanditImitation, NetworkRegrets> {
  public:
    BanditTrainSeed(const BanditTrainConfig& config, int seed_index, std::shared_ptr<const BanditReferences> references)
        : TrainedSeed(config.seed, seed_index, config.log_interval, "update",
                      [&](uint64_t seed) {
                          BanditImitationOptions options = config;
                          options.family = training_family(config);
                          options.steps = updates_of(config);
                          return BanditImitation(options, seed);
                      }),
          config_(config),
          references_(std::move(references)) {}

    int64_t step() const override { return training().steps(); }
    void state(Archive& archive) override {
        TrainedSeed::state(archive);
        archive("temperature", temperature_);
    }
    // The weights, with the temperature of the least validation regret at the last logged step.
    TrainedBandit trained() const { return {training().weights(), temperature_}; }

  protected:
    void take_step() override { own_training().train_one_step(); }
    // Every log_interval updates, and after 10, 20, 50, 100, ... before the first: most is learned early.
    bool is_logged(int64_t step) const override {
        if (step % config_.log_interval == 0) return true;
        int64_t decade = 10;
        while (10 * decade <= step) decade *= 10;
        return step < config_.log_interval && (step == decade || step == 2 * decade || step == 5 * decade);
    }
    NetworkRegrets measure() override {
        NetworkRegrets regrets = network_regrets(*references_, config_.shape, training().weights());
        regrets.cross_entropy = own_training().take_mean_loss();
        temperature_ = kTemperatures[regrets.best];
        judge(regrets.validation[regrets.best] < references_->best_validation());
        return regrets;
    }

  private:
    BanditTrainConfig config_;
    std::shared_ptr<const BanditReferences> references_;
    double temperature_ = 1.0;
};

class BanditTrainStudy final : public StudyOf<BanditTrainConfig, BanditTrainSeed, BanditReferences> {
  public:
    explicit BanditTrainStudy(const Settings& settings) : StudyOf(kBanditTrainStudy, settings) {
        shared_ = std::make_shared<const BanditReferences>(config_);
        NetworkRegrets regrets;
        regrets.references = shared_.get();
        declare(regrets);
    }

    static void check(const BanditTrainConfig& c) {
        check_causal_shape(c.shape);
        if (std::accumulate(c.family.shares.begin(), c.family.shares.end(), 0.0) <= 0)
            throw InputError("share_cosine: all shares are 0. Set at least one above 0.");
        if (c.epochs > 0 && c.trajectories == 0)
            throw InputError(
                "epochs: with trajectories = 0 every trajectory is fresh and seen once. Set trajectories too.");
        if (c.trajectories > 0 && c.trajectories < c.batch)
            throw InputError("trajectories: {} is fewer than the {} of one update. Raise it, or lower batch.",
                             c.trajectories, c.batch);
        if (c.epochs > 0 && c.log_interval > updates_of(c))
            throw InputError("log_interval: {} is more than the {} updates of {} epochs. Lower it.", c.log_interval,
                             updates_of(c), c.epochs);
    }
    int64_t target_step() const override { return updates_of(config_); }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        snapshot.weights = bandit_weight_arrays(config_.shape, mapped(seeds, &BanditTrainSeed::trained));
        snapshot.weights["seed"] = seed_numbers(seeds);
    }
    void evaluate(const BanditTrainConfig& config, Snapshot& snapshot) const override {
        const auto& worlds = shared_->test().worlds();
        const auto index = static_cast<size_t>(config.shown_environment) % worlds.size();
        const BanditView view{config.shape, config.shown_layer, config.shown_head, static_cast<uint64_t>(config.seed),
                              static_cast<uint32_t>(index)};
        BanditInsidePictures pictures =
            look_inside(view, worlds[index], trained_bandits(view.shape, snapshot.weights, "snapshot"));
        snapshot.matrices = std::move(pictures.matrices);
        snapshot.plots = std::move(pictures.plots);
        snapshot.scalars = {{"parameters", "parameters", static_cast<double>(config.shape.num_weights()), "",
                             "Weights of the network: " + shape_table(config.shape) + "."},
                            {"best_classical_validation", "best classical, validation", shared_->best_validation(), "",
                             "Least mean regret of the classical algorithms on the validation stream."},
                            {"best_classical_test", "best classical, test", shared_->best_test(), "",
                             "The same algorithms' least mean regret on the test environments."}};
    }
    bool evaluates_on_request() const override { return true; }
};

}  // namespace

ExperimentInfo bandit_train() {
    return experiment_of<BanditTrainStudy>(
        kBanditTrainStudy, "Learning to play",
        "A causal transformer learns to name the best arm of bandits whose rewards change, from what was played and "
        "won so far. It then adapts while it plays, without any update, and beats the classical algorithms where the "
        "changes resemble its training (Chen, Ito and Imaizumi 2025).",
        {shipped_figure("nonstationary-by-heart"), shipped_figure("nonstationary-stationary"),
         shipped_figure("nonstationary-trajectories"), shipped_figure("nonstationary-architecture")});
}

}  // namespace emergence
