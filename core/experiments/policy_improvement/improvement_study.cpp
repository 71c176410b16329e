#include "core/base/array.h"
#include "core/base/ranges.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/policy_improvement/policy_improvement.h"
#include "core/lab/views/run_views.h"

namespace emergence {

void ImprovementConfig::fields(Fields& f) {
    task_fields(f);
    teacher_fields(f);
    training_fields(f);
    f.group("drive one MDP");
    const bool sarsa = is_sarsa();
    live(f, drive_mdp, "drive_mdp", "unseen MDP", "Which MDP is drawn and driven, with frozen weights.").range(0, 999);
    live(f, drive_updates, "drive_updates", "its updates T", "How often the policy of this MDP is improved.")
        .log_range(1, 500);
    live(f, drive_n, "drive_n", "its window n", "Transitions in a window of this MDP. It may differ from training.")
        .log_range(1, 200);
    live(f, drive.epsilon, "drive_epsilon", "its \u03b5", "Share of random actions in this MDP.").range(0, 1);
    live(f, drive.gamma, "drive_gamma", "its \u03b3",
         "Discount in this MDP. The prompt holds \u03b3 times the next features, so frozen weights follow it.")
        .range(0, 0.99);
    live(f, drive.alpha, "drive_alpha", sarsa ? "teacher's \u03b1" : "teacher's actor \u03b1",
         "Step size of the teacher in this MDP. The transformer's is part of its weights.")
        .log_range(0.01, 2);
    if (!sarsa)
        live(f, drive.beta, "drive_beta", "teacher's critic \u03b2", "Step size of the teacher's critic in this MDP.")
            .log_range(0.01, 2);
    live(f, edit_bonus, "edit_bonus", "added reward",
         "Added to the reward of every step into one state, from one update on. 0: no edit.")
        .range(-5, 5);
    live(f, edit_state, "edit_state", "into state", "The state whose reward changes; the last if there are fewer.")
        .range(0, 29);
    live(f, edit_at, "edit_at", "from update", "The update from which the reward changes.").range(0, 500);
}

void ImprovementConfig::task_fields(Fields& f, double most_features) {
    f.group("task");
    f(shape.sizes.num_states, "num_states", "states", "States of each random MDP.").range(2, 30);
    f(shape.sizes.num_actions, "num_actions", "actions", "Actions in every state.").range(2, 10);
    features_field(f, shape.sizes.d,
                   is_sarsa() ? "Random features of a state and an action; Q is linear in them. With d = states x "
                                "actions every Q is representable."
                              : "Random features of a state; the critic's v is linear in them.",
                   most_features);
    if (!is_sarsa())
        f(shape.sizes.m, "m", "policy features m",
          "Random features of a state and an action; the actor's logits are linear in them.")
            .range(1, 64);
    context_length_field(f, shape.n, 100);
    gamma_field(f, agent.gamma, "Discount factor, in the MDP and in the teacher's update.");
}

void ImprovementConfig::teacher_fields(Fields& f) {
    const bool sarsa = is_sarsa();
    f.group("teacher");
    f(agent.epsilon, "epsilon", "exploration \u03b5",
      sarsa ? "Share of uniformly random actions; the others are greedy in Q."
            : "Share of uniformly random actions; the others follow the actor's softmax.")
        .range(0, 1);
    f(agent.alpha, "alpha", sarsa ? "step size \u03b1" : "actor's step \u03b1",
      sarsa ? "Step size of the teacher, batch SARSA, Eq. (2)." : "Step size of the teacher's actor, Eq. (3).")
        .log_range(0.01, 2);
    if (!sarsa)
        f(agent.beta, "beta", "critic's step \u03b2", "Step size of the teacher's critic, Eq. (3).").log_range(0.01, 2);
}

void ImprovementConfig::training_fields(Fields& f) {
    f.group("training");
    f(frames, "frames", "frames T",
      "Windows of n transitions in each MDP. The teacher and the transformer both update after each.")
        .log_range(1, 10000);
    learning_rate_field(f, adam.learning_rate, "Adam's step size at the start.");
    f(rate_decay, "rate_decay", "rate's decay",
      "Multiplies the learning rate at each decay; 1 keeps it constant. Liang and Lai have 0.99.")
        .range(0.5, 1);
    advanced(f, decay_every, "decay_every", "decays every", "MDPs between two decays of the learning rate.")
        .unit("MDPs")
        .log_range(1, 10000);
    block_gain_field(f);
    train_for_field(f, num_mdps, "num_mdps", "MDPs", "The run stops after this many MDPs.");
    first_seed_field(f, seed, "Each network draws its own weights, MDPs and windows.");
    num_seeds_field(f, seeds, "How many networks are trained. Liang and Lai show one.");
    log_interval_field(f, log_interval, "MDPs");
    f.group("evaluation");
    live(f, shown_seed, "shown_seed", "seed in the loop",
         "Which network improves policies in closed loop, counted from 0; the last if there are fewer.")
        .range(0, 255);
    f(loop_mdps, "loop_mdps", "held-out MDPs", "Unseen MDPs in which the network improves policies in closed loop.")
        .log_range(2, 1000);
    f(loop_updates, "loop_updates", "updates in the loop",
      "How often each policy is improved; every tenth is measured.")
        .log_range(10, 10000)
        .former("returns", std::string("played"));
}

Field ImprovementConfig::block_gain_field(Fields& f) {
    return initial_gain_field(f, initial_gain, "(rows + columns)/2",
                              "Only the two blocks that can move are random; all others stay zero.");
}

void say_fit(const ManifoldFit& fit, Row& row, HistoryPlot* distance, HistoryPlot* scale) {
    const Row::Said relative =
        row("manifold_distance", "relative",
            "Distance of (P12, V21) from the nearest (c P12*, V21*/c), over that point's norm.", fit.relative);
    if (distance != nullptr) relative.line(*distance, kTransformerColor);
    row("manifold_distance_raw", "absolute", "The same distance as a Frobenius norm over both blocks, not divided.",
        fit.distance);
    const Row::Said c = row("scale", "c", "The scale c of the nearest point. Either sign is as good.", fit.c);
    if (scale != nullptr) c.line(*scale, 2);
}

namespace {

constexpr int kNoUpdateColor = 7, kHeldOutColor = 1, kRateColor = 1;

constexpr const char* kImprovementEmergenceRule =
    "A network counts as emerged (our rule) when its blocks are within 5 % of the manifold {(c P12*, V21*/c)}: their "
    "Frobenius distance from the nearest point, over that point's norm, is below 0.05.";
constexpr double kNearManifold = 0.05;
constexpr StudyNames kSarsa = {"sarsa", "MDPs", "num_mdps", kImprovementEmergenceRule},
                     kActorCritic = {"actor-critic", "MDPs", "num_mdps", kImprovementEmergenceRule};

// What a seed measures at a logged step.
struct ImprovementMeasured {
    TeacherMimicking::Losses losses = {};
    double held_out_loss = 0;
    ManifoldFit fit = {};
    double rate_sum = 0, learning_rate = 0;
    // Whether the learning rate decays, and has a plot; false in rows.
    bool decays = false;

    void say(Row& row) const {
        HistoryPlot& loss = row.plot("loss", "Loss: written update against the teacher's");
        loss.y("loss").logarithmic();
        loss.note(
            "Figure 4 of Liang and Lai: half the squared distance between the transformer's update and the teacher's, on "
            "each window before training on it. Frozen: the same weights on unseen MDPs. Dashed: writing no update.");
        HistoryPlot& distance = row.plot("distance", "Distance to theory's weights");
        distance.y("relative distance").logarithmic();
        distance.level("emerged", kNearManifold);
        distance.note(
            "Relative distance of the blocks from theory's manifold {(c P12*, V21*/c)}; Eq. (9) of Liang and Lai.");
        HistoryPlot& scale = row.plot("scale", "Scale c of the nearest point");
        scale.y("c");
        scale.note("(c P12*, V21*/c) writes the same update for every c. The initial weights decide its sign.");

        row("loss", "transformer",
            "Mean of half the squared distance between the written update and the teacher's, since the previous row.",
            losses.loss)
            .line(loss, kTransformerColor);
        row("held_out_loss", "frozen, unseen MDPs",
            "The loss of the current weights on 400 windows that the teacher collected in 20 unseen MDPs.",
            held_out_loss)
            .line(loss, kHeldOutColor);
        row("loss_of_no_update", "no update", "The loss of writing no update.", losses.zero)
            .line(loss, kNoUpdateColor)
            .dashed();
        say_fit(fit, row, &distance, &scale);
        row("rate_sum", "sum of rates", "Sum of Adam's learning rates over all updates so far.", rate_sum);
        const Row::Said rate =
            row("learning_rate", "learning rate", "Adam's learning rate for the next update.", learning_rate);
        if (!decays) return;
        HistoryPlot& rates = row.plot("learning_rate", "Learning rate");
        rates.y("rate").logarithmic();
        rates.note("Adam's learning rate, with its decay.");
        rate.line(rates, kRateColor);
    }
};

class ImprovementSeed final : public TrainedSeed<TeacherMimicking, ImprovementMeasured> {
  public:
    ImprovementSeed(const ImprovementConfig& config, int seed_index, std::shared_ptr<const HeldOutWindows> held_out)
        : TrainedSeed(config.seed, seed_index, config.log_interval, "MDP",
                      [&](uint64_t seed) { return TeacherMimicking(config, seed); }),
          held_out_(std::move(held_out)),
          target_(constructed_blocks(config.shape, config.agent.alpha, config.agent.beta)),
          frames_(config.frames) {}

    int64_t step() const override { return training().updates() / frames_; }
    void state(Archive& archive) override {
        TrainedSeed::state(archive);
        trace_.state(archive);
    }
    // Rows: sum of learning rates, loss, distance to the manifold.
    const ThinnedTrace& trace() const { return trace_; }
    SeedBlocks blocks() const {
        const ImprovementShape& shape = training().shape();
        return {blocks_of(shape, training().weights().data()), blocks_of(shape, training().initial_weights().data())};
    }

  protected:
    void take_step() override {
        for (int frame = 0; frame < frames_; ++frame) own_training().update();
    }
    ImprovementMeasured measure() override {
        TeacherMimicking& training = own_training();
        const ImprovementMeasured measured{training.take_mean_losses(), held_out_->loss(training.weights().data()),
                                           fit_manifold(blocks().now, target_), training.rate_sum(),
                                           training.learning_rate()};
        judge(measured.fit.relative < kNearManifold);
        if (last_logged() > 0) trace_.add({measured.rate_sum, measured.losses.loss, measured.fit.relative});
        return measured;
    }

  private:
    std::shared_ptr<const HeldOutWindows> held_out_;
    EffectiveBlocks target_;
    int frames_;
    ThinnedTrace trace_{3};
};

// `Config` is SarsaConfig or ActorCriticConfig.
template <class Config>
class ImprovementStudy final : public StudyOf<Config, ImprovementSeed, HeldOutWindows> {
  public:
    explicit ImprovementStudy(const Settings& settings)
        : StudyOf<Config, ImprovementSeed, HeldOutWindows>(Config().is_sarsa() ? kSarsa : kActorCritic, settings),
          // The held-out MDPs are the same for all seeds.
          loop_(std::make_shared<const ClosedLoop>(
              ClosedLoopOptions{.shape = this->config_.shape,
                                .agent = this->config_.agent,
                                .mdps = this->config_.loop_mdps,
                                .updates = this->config_.loop_updates,
                                .seed = derive_seed(static_cast<uint64_t>(this->config_.seed), Purpose::held_out)})) {
        this->shared_ = std::make_shared<const HeldOutWindows>(this->config_.shape, this->config_.agent,
                                                               this->config_.frames, loop_->options().seed);
        this->declare(ImprovementMeasured{.decays = this->config_.rate_decay < 1.0});
    }

  protected:
    void show(const std::vector<const ImprovementSeed*>& seeds, Snapshot& snapshot) const override {
        show_blocks(this->config_.shape,
                    constructed_blocks(this->config_.shape, this->config_.agent.alpha, this->config_.agent.beta),
                    mapped(seeds, &ImprovementSeed::blocks), snapshot);
        Plot loss("loss_by_rate", "Loss against the sum of learning rates");
        loss.x("sum of learning rates").from(0.0);
        loss.y("loss").logarithmic();
        add_trace(loss, "transformer", seeds, 1);
        loss.note(
            "The same loss against the sum of Adam's learning rates, how far it could have moved (ours). A loss that "
            "only follows the falling rate plunges here at the right end.");
        snapshot.plots = {loss};
    }
    void evaluate(const Config& config, Snapshot& snapshot) const override {
        evaluate_improvement(snapshot, config, *loop_, returns_);
    }
    bool evaluates_on_request() const override { return true; }

  private:
    std::shared_ptr<const ClosedLoop> loop_;
    mutable KnownReturns returns_;
};

}  // namespace

ExperimentInfo sarsa() {
    return experiment_of<ImprovementStudy<SarsaConfig>>(
        kSarsa, "Policy improvement: SARSA",
        "A linear transformer sees an agent's transitions in random MDPs and learns to write the update that batch "
        "SARSA would make. Its weights become those of SARSA (Liang and Lai, Theorem 3.1).",
        improvement_figures());
}

ExperimentInfo actor_critic() {
    return experiment_of<ImprovementStudy<ActorCriticConfig>>(
        kActorCritic, "Policy improvement: actor-critic",
        "A linear transformer sees an agent's transitions with the scores of its softmax policy, and learns to write "
        "the update that batch actor-critic would make. Its weights become those of actor-critic (Liang and Lai, "
        "Theorem 3.3).");
}

}  // namespace emergence
