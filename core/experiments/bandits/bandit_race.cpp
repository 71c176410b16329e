#include "core/experiments/bandits/bandit_race.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/bandits/bandit_figures.h"
#include "core/experiments/bandits/bandit_race_plots.h"
#include "core/experiments/bandits/bandit_stream.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/configured_study.h"

namespace emergence {

void BanditRaceConfig::fields(Fields& f) {
    f.group("pictures");
    f(marked, "marked", "choices of",
      "Whose choices are marked on the map of expected rewards. Zoom in with the wheel: "
      "each algorithm has a lane in an arm's row, and its mark where there is room.")
        .choices({"all", "best arm", "linucb", "thompson", "sliding-window", "discounted", "master-linucb",
                  "master-thompson", "oracle-restart", "cosine-thompson", "transformer", "random"})
        .live();
    f(timeline_of, "timeline_of", "timeline of",
      "Whose instances, tests and restarts are drawn: that with the theory's constants plays "
      "where those are chosen for MASTER.")
        .choices({"master-linucb", "master-thompson", "master-linucb-theory", "master-thompson-theory"})
        .live();
    f(first, "first", "first curves",
      "What stands first among the curves: the regret, or MASTER's instances and tests.")
        .choices({"regret", "instances"})
        .live();
    BanditWorldFields::fields(f);
    BanditPlayerFields::fields(f);
    f.group("run");
    f(seed, "seed", "environment", "Its number: everything random in it is drawn from this.").range(0, 9e15);
    num_seeds_field(f, seeds, "Environments side by side; map and timeline are the first one's.");
}

namespace {

/// One environment and its players.
class Race final : public Experiment {
  public:
    Race(const BanditRaceConfig& config, const BanditPlayers& players, int seed_index)
        : players_(players.players),
          seed_(static_cast<uint64_t>(config.seed + seed_index)),
          seed_index_(seed_index) {
        draw_bandit(config, seed_, 0, world_);
        begin();
    }

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override {
        if (!begun_) rows.push_back(row());
        begun_ = true;
        while (step_ < std::min<int64_t>(target_step, world_.rounds())) {
            play_round();
            rows.push_back(row());
        }
    }
    int64_t step() const override { return step_; }
    bool failed() const override { return false; }
    SeedStatus status() const override { return {seed_, step_, false, "", false, -1}; }

    // The number of rounds determines the state: load() plays them again.
    ArrayMap save() const override { return {{"rounds", {{}, std::vector<int64_t>{begun_ ? step_ : -1}}}}; }
    void load(const ArrayMap& state) override {
        const auto found = state.find("rounds");
        const auto* rounds =
            found == state.end() ? nullptr : std::get_if<std::vector<int64_t>>(&found->second.values);
        if (state.size() != 1 || rounds == nullptr || rounds->size() != 1 || rounds->front() < -1 ||
            rounds->front() > world_.rounds())
            throw InputError(fmt::format(
                "bandit-race state: needed is one whole number 'rounds' from -1 to {}", world_.rounds()));
        begin();
        begun_ = rounds->front() >= 0;
        while (step_ < rounds->front()) play_round();
    }
    void set_live(const Settings&) override {}  // live settings change pictures only

    BanditRaceState state() const {
        BanditRaceState state;
        state.world = &world_;
        state.rounds = static_cast<int>(step_);
        state.players = &players_;
        for (const Seat& seat : seats_) {
            state.arms.push_back(&seat.arms);
            state.regret.push_back(seat.regret);
            const auto* master = dynamic_cast<const Master*>(seat.policy.get());
            state.timelines.push_back(master ? &master->timeline() : nullptr);
        }
        return state;
    }

  private:
    struct Seat {
        std::unique_ptr<BanditPolicy> policy;
        Stream random;
        std::vector<int> arms;
        double regret = 0.0, last = std::numeric_limits<double>::quiet_NaN();
    };

    void begin() {
        seats_.clear();
        step_ = 0;
        for (const BanditPlayer& player : players_) {
            seats_.push_back({player.make(), policy_stream(seed_, 0, player.stream), {}});
            seats_.back().policy->reset(world_);
        }
    }
    void play_round() {
        const auto round = static_cast<int>(step_);
        for (Seat& seat : seats_) {
            const int arm = seat.policy->choose(round, seat.random).arm;
            seat.policy->observe(arm, world_.reward(round, arm));
            seat.arms.push_back(arm);
            seat.last = world_.suboptimality(round, arm);
            seat.regret += seat.last;
        }
        ++step_;
    }
    MetricRow row() const {
        MetricRow row{seed_index_, step_, {}};
        for (const Seat& seat : seats_) row.values.push_back(seat.regret);
        for (const Seat& seat : seats_) row.values.push_back(seat.last);
        return row;
    }

    std::vector<BanditPlayer> players_;
    uint64_t seed_;
    int seed_index_;
    bool begun_ = false;  // the row of step 0 has been reported
    int64_t step_ = 0;
    BanditTrajectory world_;
    std::vector<Seat> seats_;
};

class RaceStudy final : public ConfiguredStudy<BanditRaceConfig> {
  public:
    explicit RaceStudy(const Settings& settings)
        : ConfiguredStudy("bandit-race", "rounds", settings), players_(players_of(config_, config_)) {
        metrics_ = race_metrics(players_.players);
        metric_plots_ = race_metric_plots(players_);
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<Race>(config_, players_, seed_index);
    }
    int64_t target_step() const override { return config_.rounds; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;

  private:
    void add_master(const BanditRaceState& state, Snapshot& snapshot) const;

    BanditPlayers players_;
};

// Adds the pictures of the chosen MASTER; if it does not play, those of the first MASTER, with a note.
void RaceStudy::add_master(const BanditRaceState& state, Snapshot& snapshot) const {
    const MasterTimeline* shown = nullptr;
    std::string whose;
    bool is_chosen = false;
    for (size_t i = 0; i < state.timelines.size(); ++i) {
        const BanditPlayer& player = players_.players[i];
        const bool chosen = player.id == config_.timeline_of;
        if (state.timelines[i] == nullptr || (shown != nullptr && !chosen)) continue;
        shown = state.timelines[i];
        whose = player.name;
        is_chosen = chosen;
    }
    if (shown == nullptr) return;
    snapshot.plots.push_back(master_timeline_plot(*shown, whose, state.rounds, config_.rounds));
    if (!is_chosen)
        snapshot.plots.back().readout =
            fmt::format("{} does not play here (see algorithms). {}: {}", config_.timeline_of, whose,
                        snapshot.plots.back().readout);
    snapshot.plots.push_back(master_tests_plot(*shown, whose, config_.rounds));
    for (size_t i = snapshot.plots.size() - 2; i < snapshot.plots.size(); ++i)
        snapshot.plots[i].leads = config_.first == "instances";
    snapshot.scalars.push_back({"restarts", "restarts", static_cast<double>(shown->restarts.size()), "",
                                "How often " + whose + "'s tests have fired."});
}

Snapshot RaceStudy::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = begin_snapshot(seeds);
    const BanditRaceState state = dynamic_cast<const Race&>(*seeds.front()).state();
    snapshot.matrices = {race_rewards(state, config_.marked)};
    // The window expects one table per seed; each is the first environment's.
    std::vector<Table>& maps = snapshot.matrices.front().seeds;
    maps.resize(seeds.size(), maps.front());
    if (seeds.size() > 1) snapshot.matrices.front().alignment_note = "the first environment's in any case";
    snapshot.plots = {race_world_plot(state)};
    snapshot.plots.front().readout = absent_text(players_);
    const BanditVariation variation = variation_of(*state.world);
    snapshot.scalars = {
        {"delta", "\u0394", variation.amount, "",
         "Variation budget of Definition 1 over all rounds: sum of max_k |m_t(k) - m_t+1(k)|."},
        {"segments", "J", static_cast<double>(variation.segments), "",
         "Definition 1: one more than the rounds before which an expected reward changed."}};
    snapshot.headline = race_headline(state);
    snapshot.seed_word = "environment";
    describe_players(config_, players_, true, snapshot);
    add_master(state, snapshot);
    for (size_t i = 0; i < state.arms.size(); ++i)
        snapshot.weights["arms_" + players_.players[i].id] = {
            {state.arms[i]->size()}, std::vector<int64_t>(state.arms[i]->begin(), state.arms[i]->end())};
    return snapshot;
}

}  // namespace

ExperimentInfo bandit_race() {
    ExperimentInfo info;
    info.name = "bandit-race";
    info.title = "Bandit race";
    info.summary =
        "One linear bandit whose rewards change while it is played, and the classical algorithms side by "
        "side, round "
        "by round (Chen, Ito and Imaizumi 2025). Nothing is trained.";
    info.fields = std::make_shared<const FieldTable>(fields_of<BanditRaceConfig>());
    info.check = [](const Settings& settings) {
        const auto c = config_from<BanditRaceConfig>(settings);
        check_bandit_fields(c, c);
    };
    info.make = [](const Settings& settings) { return std::make_unique<RaceStudy>(settings); };
    info.figures = {figure_of_instances()};
    info.claims = bandit_race_claims();
    info.pace = 15.0;
    return info;
}

}  // namespace emergence
