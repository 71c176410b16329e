#include "core/experiments/bandits/bandit_race.h"

#include <fmt/format.h>

#include "core/experiments/bandits/bandit_figures.h"
#include "core/experiments/bandits/bandit_stream.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/study_of.h"

namespace emergence {

void BanditRaceConfig::fields(Fields& f) {
    f.group("pictures");
    f(marked, "marked", "choices of",
      "The algorithm whose choices are marked on the map of expected rewards. With all, each has a lane in an arm's "
      "row: zoom in with Ctrl and the wheel.")
        .choices({"all", "best arm", "linucb", "thompson", "sliding-window", "discounted", "master-linucb",
                  "master-thompson", "oracle-restart", "cosine-thompson", "transformer", "random"})
        .called(bandit_algorithm_labels())
        .live();
    f(timeline_of, "timeline_of", "timeline of",
      "The MASTER whose instances, tests and restarts are drawn. One with theory's constants plays only if MASTER's "
      "constants are theory or both.")
        .choices({"master-linucb", "master-thompson", "master-linucb-theory", "master-thompson-theory"})
        .called(bandit_algorithm_labels())
        .live();
    f(first, "first", "first curves", "The first of the curves: the regret, or MASTER's instances and tests.")
        .choices({"regret", "instances"})
        .live();
    BanditWorldFields::fields(f);
    BanditPlayerFields::fields(f);
    f.group("run");
    f(seed, "seed", "environment", "Its number: everything random in it is drawn from this.")
        .range(0, 9e15)
        .role(FieldRole::first_seed);
    num_seeds_field(f, seeds, "Environments side by side; map and timeline are the first one's.");
}

namespace {

constexpr StudyNames kBanditRaceStudy = {"bandit-race", "rounds", "rounds"};

/// One environment and its players. The number of rounds determines its state: load() plays them again.
class Race final : public RetracedSeed<std::vector<RaceRegret>> {
  public:
    Race(const BanditRaceConfig& config, int seed_index, const std::shared_ptr<const BanditPlayers>& players)
        : RetracedSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, config.rounds,
                       race_metrics(players->players), "rounds", -1),
          players_(players) {
        draw_bandit(config, seed(), 0, world_);
        restart();
    }

    BanditRaceState race_state() const {
        BanditRaceState state;
        state.world = &world_;
        state.rounds = static_cast<int>(step());
        state.players = players_.get();
        for (size_t i = 0; i < policies_.size(); ++i) {
            state.arms.push_back(&arms_[i]);
            state.regret.push_back(regrets_[i].total);
            const auto* master = dynamic_cast<const Master*>(policies_[i].get());
            state.timelines.push_back(master ? &master->timeline() : nullptr);
        }
        return state;
    }

  protected:
    void restart() override {
        policies_.clear();
        streams_.clear();
        for (const BanditPlayer& player : players_->players) {
            policies_.push_back(player.make());
            policies_.back()->reset(world_);
            streams_.push_back(policy_stream(seed(), 0, player.stream));
        }
        arms_.assign(policies_.size(), {});
        regrets_.assign(policies_.size(), {});
    }
    void take_step() override {
        const auto round = static_cast<int>(step_++);
        for (size_t i = 0; i < policies_.size(); ++i) {
            const int arm = policies_[i]->choose(round, streams_[i]).arm;
            policies_[i]->observe(arm, world_.reward(round, arm));
            arms_[i].push_back(arm);
            regrets_[i].last = world_.suboptimality(round, arm);
            regrets_[i].total += regrets_[i].last;
        }
    }
    std::vector<RaceRegret> measure() override { return regrets_; }

  private:
    std::shared_ptr<const BanditPlayers> players_;
    BanditTrajectory world_;
    // Per player.
    std::vector<std::unique_ptr<BanditPolicy>> policies_;
    std::vector<Stream> streams_;
    std::vector<std::vector<int>> arms_;
    std::vector<RaceRegret> regrets_;
};

class RaceStudy final : public StudyOf<BanditRaceConfig, Race, BanditPlayers> {
  public:
    explicit RaceStudy(const Settings& settings) : StudyOf(kBanditRaceStudy, settings) {
        shared_ = std::make_shared<const BanditPlayers>(players_of(config_, config_));
        metrics_ = race_metrics(shared_->players).table();
        metric_plots_ = race_metric_plots(*shared_);
    }
    static void check(const BanditRaceConfig& c) { check_bandit_fields(c, c); }

    // The environment and the number of rounds determine all that was played: it is played again.
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override {
        Snapshot answer = begin_evaluation(snapshot, inspection);
        const auto config = config_from<BanditRaceConfig>(inspection.settings);
        Race again(config, 0, shared_);
        std::vector<MetricRow> rows;
        again.advance(snapshot.step, rows);
        choose(config, again.race_state(), answer);
        return answer;
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override;

  private:
    void choose(const BanditRaceConfig& config, const BanditRaceState& state, Snapshot& snapshot) const;
    void add_master(const BanditRaceConfig& config, const BanditRaceState& state, Snapshot& snapshot) const;
};

// Sets all that live fields choose.
void RaceStudy::choose(const BanditRaceConfig& config, const BanditRaceState& state, Snapshot& snapshot) const {
    snapshot.matrices.front().marks = race_marks(state, config.marked);
    std::erase_if(snapshot.plots, [](const PlotSpec& plot) { return plot.id.starts_with("master_"); });
    std::erase_if(snapshot.scalars, [](const Scalar& scalar) { return scalar.name == "restarts"; });
    add_master(config, state, snapshot);
}

// Adds the pictures of the chosen MASTER; if it does not play, those of the first MASTER, with a note.
void RaceStudy::add_master(const BanditRaceConfig& config, const BanditRaceState& state, Snapshot& snapshot) const {
    const MasterTimeline* shown = nullptr;
    std::string whose;
    bool is_chosen = false;
    for (size_t i = 0; i < state.timelines.size(); ++i) {
        const BanditPlayer& player = shared_->players[i];
        const bool chosen = player.id == config.timeline_of;
        if (state.timelines[i] == nullptr || (shown != nullptr && !chosen)) continue;
        shown = state.timelines[i];
        whose = player.name;
        is_chosen = chosen;
    }
    if (shown == nullptr) return;
    snapshot.plots.push_back(master_timeline_plot(*shown, whose, state.rounds, config.rounds));
    if (!is_chosen)
        snapshot.plots.back().readout = fmt::format("{} does not play here (see algorithms). {}: {}",
                                                    config.timeline_of, whose, snapshot.plots.back().readout);
    snapshot.plots.push_back(master_tests_plot(*shown, whose, config.rounds));
    for (size_t i = snapshot.plots.size() - 2; i < snapshot.plots.size(); ++i)
        snapshot.plots[i].leads = config.first == "instances";
    snapshot.scalars.push_back({"restarts", "restarts", static_cast<double>(shown->restarts.size()), "",
                                "How often " + whose + "'s tests have fired."});
}

// Row by row, as files have it.
Array rows_of(const Eigen::MatrixXd& matrix) {
    std::vector<double> values;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
        for (Eigen::Index j = 0; j < matrix.cols(); ++j) values.push_back(matrix(i, j));
    return {{static_cast<size_t>(matrix.rows()), static_cast<size_t>(matrix.cols())}, std::move(values)};
}

void RaceStudy::show(const Seeds& seeds, Snapshot& snapshot) const {
    const BanditRaceState state = seeds.front()->race_state();
    snapshot.matrices = {race_rewards(state)};
    // The window expects one table per seed; each is the first environment's.
    std::vector<Table>& maps = snapshot.matrices.front().seeds;
    maps.resize(seeds.size(), maps.front());
    if (seeds.size() > 1) snapshot.matrices.front().alignment_note = "the first environment's in any case";
    snapshot.plots = {race_world_plot(state)};
    snapshot.plots.front().readout = absent_text(*shared_);
    const BanditVariation variation = variation_of(*state.world);
    snapshot.scalars = {{"delta", "total change \u0394", variation.amount, "",
                         "Variation budget of Definition 1 over all rounds: sum of max_k |m_t(k) - m_t+1(k)|."},
                        {"segments", "segments J", static_cast<double>(variation.segments), "",
                         "Definition 1: one more than the rounds before which an expected reward changed."}};
    snapshot.headline = race_headline(state);
    snapshot.seed_word = "environment";
    snapshot.counted = {state.rounds, state.rounds == 1 ? "round played" : "rounds played"};
    if (seeds.size() > 1) snapshot.counted.what += fmt::format(" in {} environments", seeds.size());
    describe_players(config_, *shared_, true, snapshot);
    choose(config_, state, snapshot);
    // What rebuilds the play: the reward of arm k in round t is means[k, t] + noise[t].
    snapshot.weights["actions"] = rows_of(state.world->actions);
    snapshot.weights["means"] = rows_of(state.world->means);
    snapshot.weights["noise"] = {{state.world->noise.size()}, state.world->noise};
    for (size_t i = 0; i < state.arms.size(); ++i)
        snapshot.weights["arms_" + shared_->players[i].id] = {
            {state.arms[i]->size()}, std::vector<int64_t>(state.arms[i]->begin(), state.arms[i]->end())};
}

}  // namespace

ExperimentInfo bandit_race() {
    ExperimentInfo info = experiment_of<RaceStudy>(
        kBanditRaceStudy, "Bandit race",
        "One linear bandit whose rewards change while it is played, and the classical algorithms side by side, round "
        "by round (Chen, Ito and Imaizumi 2025). Nothing is trained.",
        {figure_of_instances()});
    info.pace = 15.0;
    return info;
}

}  // namespace emergence
