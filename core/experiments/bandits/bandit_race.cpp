// Experiment "bandit-race": all chosen algorithms play one environment of Chen et al. 2025 side by side. One
// step is one round, so that pace, play and the time strip control the race.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/array.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/bandits/bandits.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Every setting of experiment "bandit-race".
struct BanditRaceConfig : BanditWorldFields, BanditPlayerFields {
    std::string marked = "all";
    std::string timeline_of = "master-linucb";
    int64_t seed = 0;
    int seeds = 1;

    void fields(Fields& f) {
        f.group("pictures");
        live(f, marked, "marked", "choices of",
             "Whose choices are marked on the map of expected rewards. All: each has a lane in every arm's row.")
            .choices({"all", "best arm", "linucb", "thompson", "sliding-window", "discounted", "master-linucb",
                      "master-thompson", "oracle-restart", "cosine-thompson", "transformer", "random"})
            .called(bandit_algorithm_labels());
        live(f, timeline_of, "timeline_of", "timeline of",
             "The MASTER whose instances, tests and restarts are drawn. The versions with theory's constants play "
             "only if MASTER's constants are theory or both.")
            .choices({"master-linucb", "master-thompson", "master-linucb-theory", "master-thompson-theory"})
            .called(bandit_algorithm_labels())
            .former("first", std::nullopt);
        BanditWorldFields::fields(f);
        BanditPlayerFields::fields(f);
        f.group("run");
        f(seed, "seed", "environment", "The environment's number. Everything random in it follows from this number.")
            .range(0, 9e15)
            .role(FieldRole::first_seed);
        num_seeds_field(f, seeds, "Environments side by side. The map and the timeline show the first one.");
    }
};

// A player's regret, of all rounds so far and of the last one.
struct RaceRegret {
    double total = 0.0, last = kMissing;
};

// The regrets of all players, with the players for the plots' labels.
struct RaceMeasured {
    const BanditPlayers* players;
    std::vector<RaceRegret> regrets;

    void say(Row& row) const {
        HistoryPlot &regret = row.plot("regret", "Cumulative dynamic regret"),
                    &suboptimality = row.plot("suboptimality", "Suboptimality");
        regret.y("regret").from(0.0);
        regret.sparse_markers().note(
            "Sum of max_k m_t(k) - m_t(a_t) over the rounds so far. All algorithms play the same environment." +
            badges_text(*players) + " " + absent_text(*players));
        suboptimality.y("regret of the round").from(0.0);
        suboptimality.sparse_markers().note("What each round adds to the regret. Smooth the curves to see a trend.");
        const auto each = [&](const char* name, const char* help, double RaceRegret::*value, HistoryPlot& plot) {
            for (size_t i = 0; i < regrets.size(); ++i) {
                const BanditPlayer& player = players->players[i];
                row(name + player.id, player.label, help, regrets[i].*value)
                    .line(plot, player.color)
                    .dashed(player.dashed);
            }
        };
        each("regret_", "Cumulative dynamic regret: the sum of max_k m_t(k) - m_t(a_t) so far.", &RaceRegret::total,
             regret);
        each("suboptimality_", "The last round's max_k m_t(k) - m_t(a_t).", &RaceRegret::last, suboptimality);
    }
};

// One environment and its players. The number of rounds determines its state: load() plays them again.
class Race final : public RetracedSeed<RaceMeasured> {
  public:
    Race(const BanditRaceConfig& config, int seed_index, const std::shared_ptr<const BanditPlayers>& players)
        : RetracedSeed(config.seed, seed_index, config.rounds, "rounds", -1), players_(players) {
        draw_bandit(config, seed(), 0, world_);
        restart();
    }

    const BanditTrajectory& world() const { return world_; }
    const BanditPlayers& players() const { return *players_; }
    int rounds() const { return static_cast<int>(step()); }
    // The arm of each round so far.
    const std::vector<int>& arms(size_t player) const { return racers_[player].arms; }
    std::vector<RaceRegret> regrets() const { return mapped(racers_, &Racer::regret); }
    // Null if the player is not MASTER.
    const MasterTimeline* timeline(size_t player) const {
        const auto* master = dynamic_cast<const Master*>(racers_[player].policy.get());
        return master ? &master->timeline() : nullptr;
    }

  protected:
    void restart() override {
        racers_.clear();
        for (const BanditPlayer& player : players_->players) {
            racers_.push_back({player.make(), policy_stream(seed(), 0, player.stream), {}, {}});
            racers_.back().policy->reset(world_);
        }
    }
    void take_step() override {
        const auto round = static_cast<int>(step_++);
        for (Racer& one : racers_) {
            const int arm = one.policy->choose(round, one.random).arm;
            one.policy->observe(arm, world_.reward(round, arm));
            one.arms.push_back(arm);
            one.regret.last = world_.suboptimality(round, arm);
            one.regret.total += one.regret.last;
        }
    }
    RaceMeasured measure() override { return {players_.get(), regrets()}; }

  private:
    struct Racer {
        std::unique_ptr<BanditPolicy> policy;
        Stream random;
        std::vector<int> arms;
        RaceRegret regret;
    };

    std::shared_ptr<const BanditPlayers> players_;
    BanditTrajectory world_;
    std::vector<Racer> racers_;  // in the order of the players
};

// "2 restarts after round 43 (test 2), 70 (test 1)", shortened after six.
std::string restarts_text(const MasterTimeline& timeline) {
    constexpr size_t kMost = 6;
    const size_t count = timeline.restarts.size();
    if (count == 0) return "no restart";
    const auto text = [](const auto& restart) { return fmt::format("{} (test {})", restart.round + 1, restart.test); };
    return fmt::format("{} after round {}{}", counted(count, "restart"),
                       listed(std::span(timeline.restarts).first(smaller(count, kMost)), text),
                       count > kMost ? ", ..." : "");
}

// "test 1 due 12 times, at most 0.31 of its threshold; test 2 at most 0.08"
std::string tests_text(const std::vector<double>& first, const std::vector<double>& second) {
    const std::string one = first.empty() ? "test 1 not due yet: it runs where an instance ends"
                                          : fmt::format("test 1 due {}, at most {:.2g} of its threshold",
                                                        counted(first.size(), "time"), largest_of(first));
    const std::vector<double> due = filtered(second, [](double ratio) { return !std::isnan(ratio); });
    return due.empty() ? one : fmt::format("{}; test 2 at most {:.2g}", one, largest_of(due));
}

struct Modifier {
    const char *title, *name, *note;
};
// In the order of BanditKind.
constexpr Modifier kModifiers[] = {
    {"The cosine", "cos(2\u03c0bt)",
     "It multiplies every reward, noise included. Below zero the worst arm becomes the best. Vertical lines: changes "
     "of sign."},
    {"The elevation", "added to all means", "It never changes which arm is best. Vertical lines: where it changes."},
    {"The segment", "segment", "Each segment has its own w*. Vertical lines: the changes."},
    {"The angle", "angle", "How far w* has turned. Vertical lines: quarter turns."}};

// Marks the arms that `marked` (a player's id, "all" or "best arm") chose. The marks of one player lie at the cells'
// edges; with "all" each player has a lane.
std::vector<CellMarks> race_marks(const Race& race, const std::string& marked) {
    if (marked == "best arm") return {arm_marks(marked, law_color(), race.world().best_arm, race.rounds())};
    std::vector<CellMarks> all;
    for (size_t i = 0; i < race.players().players.size(); ++i) {
        const BanditPlayer& player = race.players().players[i];
        if (marked != "all" && player.id != marked) continue;
        all.push_back(arm_marks(player.label, player.color, race.arms(i), race.rounds()));
        all.back().edge = marked != "all";
    }
    return all;
}

// Expected rewards m_t(k), arms x rounds, up to the present round.
NamedMatrix race_rewards(const Race& race) {
    const BanditTrajectory& world = race.world();
    Table means(world.arms(), world.rounds(), kMissing);
    for (int round = 0; round < race.rounds(); ++round)
        for (int k = 0; k < world.arms(); ++k) means(k, round) = world.means(k, round);
    ShownMatrix matrix("rewards", "Expected rewards of the arms",
                       "m_t(k). In each row every algorithm has a lane, in the legend's order.");
    matrix.words("arm", "round").rows({{"", world.arms()}});
    matrix.columns({{"", race.rounds()}, {"", world.rounds() - race.rounds()}});
    matrix.meanings({{0, 1, "not played yet", true}}).seed(std::move(means)).unit("reward");
    matrix.as_is("expected rewards as they are").free_aspect();
    return matrix;
}

// The cosine, the elevation, the segment or the angle, with the changes as vertical lines.
PlotSpec race_world_plot(const Race& race) {
    const BanditTrajectory& world = race.world();
    const Modifier& modifier = kModifiers[static_cast<size_t>(world.options.kind)];
    Plot plot("world", modifier.title);
    plot.x("rounds").from(0.0).to(world.rounds());
    plot.y(modifier.name);
    plot.path("", numbered_points(race.step(), 1.0), {world.modifier.begin(), world.modifier.begin() + race.rounds()})
        .color(7);
    for (const int change : world.changes)
        if (change < race.rounds()) plot.mark("", change + 1.0);
    plot.no_markers();
    plot.note(modifier.note);
    return plot;
}

// Figure 2: MASTER's instances by order, with the active one marked and restarts as vertical lines.
PlotSpec master_timeline_plot(const MasterTimeline& timeline, const std::string& whose, int rounds, int of_rounds) {
    Plot plot("master_timeline", "Instances of " + whose);
    plot.x("rounds").from(0.0).to(of_rounds);
    plot.no_markers();
    std::map<int, Series> scheduled;
    int largest = 0;
    for (const auto& instance : timeline.instances) {
        if (instance.begin >= rounds) continue;
        largest = larger(largest, instance.order);
        Series& line = scheduled.try_emplace(instance.order, Series{"", {}, {{}}, 7, false}).first->second;
        const std::array<double, 3> x = {instance.begin + 1.0, static_cast<double>(smaller(instance.end, rounds)),
                                         instance.end + 0.5};
        line.x.insert(line.x.end(), x.begin(), x.end());
        const auto order = static_cast<double>(instance.order);
        line.rows[0].insert(line.rows[0].end(), {order, order, kMissing});
    }
    if (!scheduled.empty()) scheduled.begin()->second.name = "scheduled";
    for (auto& [order, line] : scheduled) plot.add(std::move(line));
    const auto acted = static_cast<size_t>(smaller(rounds, static_cast<int>(timeline.active.size())));
    plot.points("active", numbered_points(acted, 1.0), {timeline.active.begin(), timeline.active.begin() + acted})
        .color(1);
    plot.y("order").from(-0.5).to(largest + 0.5);
    for (const auto& restart : timeline.restarts) plot.mark("", restart.round + 1.0);
    plot.readout(restarts_text(timeline));
    plot.note(
        "An order-m instance lasts 2^m rounds (Appendix C; Figure 2). Only the live one of the lowest order acts and "
        "learns. Vertical lines: a test fired and MASTER restarted.");
    return plot;
}

// Both tests' statistics over their thresholds.
PlotSpec master_tests_plot(const MasterTimeline& timeline, const std::string& whose, int of_rounds) {
    Plot plot("master_tests", "Tests of " + whose);
    plot.x("rounds").from(0.0).to(of_rounds);
    plot.y("statistic / threshold").cut(2.0);  // higher values would hide the rest
    const std::vector<double>& second = timeline.test_2;
    std::vector<double> x, first;  // test 1 is not due in every round
    for (size_t round = 0; round < second.size(); ++round) {
        if (std::isnan(timeline.test_1[round])) continue;
        x.push_back(static_cast<double>(round) + 1.0);
        first.push_back(timeline.test_1[round]);
    }
    plot.readout(tests_text(first, second));
    plot.path("test 2", numbered_points(second.size(), 1.0), second).color(0);
    plot.points("test 1", std::move(x), std::move(first)).color(1);
    plot.level("fires", 1.0);
    for (const auto& restart : timeline.restarts) plot.mark("", restart.round + 1.0);
    plot.no_markers();
    plot.note(
        "At 1 a test fires and MASTER restarts. Test 1 runs where an instance ends: are rewards above the block's "
        "least optimistic value? Test 2 runs every round: are rewards below expectation?");
    return plot;
}

constexpr StudyNames kBanditRaceStudy = {"bandit-race", "rounds", "rounds"};

class RaceStudy final : public StudyOf<BanditRaceConfig, Race, BanditPlayers> {
  public:
    explicit RaceStudy(const Settings& settings) : StudyOf(kBanditRaceStudy, settings) {
        shared_ = std::make_shared<const BanditPlayers>(players_of(config_, config_));
        declare(RaceMeasured{shared_.get(), std::vector<RaceRegret>(shared_->players.size())});
    }
    static void check(const BanditRaceConfig& c) { check_bandit_fields(c, c); }

    // Plays the race again, because the environment and the number of rounds determine all of it.
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override {
        Snapshot answer = begin_evaluation(snapshot, inspection);
        const auto config = config_from<BanditRaceConfig>(inspection.settings);
        Race again(config, 0, shared_);
        std::vector<MetricRow> rows;
        again.advance(snapshot.step, rows);
        choose(config, again, answer);
        return answer;
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const Race& race = *seeds.front();
        snapshot.matrices = {race_rewards(race)};
        // The window expects one table per seed; each is the first environment's.
        std::vector<Table>& maps = snapshot.matrices.front().seeds;
        maps.resize(seeds.size(), maps.front());
        if (seeds.size() > 1) snapshot.matrices.front().alignment_note = "always of the first environment";
        snapshot.plots = {race_world_plot(race)};
        snapshot.plots.front().readout = absent_text(*shared_);
        const BanditVariation variation = variation_of(race.world());
        snapshot.scalars = {{"delta", "total change \u0394", variation.amount, "",
                             "Variation budget of Definition 1 over all rounds: sum of max_k |m_t(k) - m_t+1(k)|."},
                            {"segments", "segments J", static_cast<double>(variation.segments), "",
                             "Definition 1: one more than the number of rounds in which an expected reward changed."}};
        snapshot.headline = race.rounds() == 0
                                ? fmt::format("none of {} rounds has been played yet", race.world().rounds())
                                : fmt::format("round {}: least regret {}", race.rounds(),
                                              least_regret_text(mapped(race.regrets(), &RaceRegret::total), *shared_));
        snapshot.seed_word = "environment";
        snapshot.counted = {race.rounds(), race.rounds() == 1 ? "round played" : "rounds played"};
        if (seeds.size() > 1) snapshot.counted.what += fmt::format(" in {} environments", seeds.size());
        describe_players(config_, *shared_, true, snapshot);
        choose(config_, race, snapshot);
        // These arrays rebuild the race: the reward of arm k in round t is means[k, t] + noise[t].
        const BanditTrajectory& world = race.world();
        const auto rounds = static_cast<size_t>(world.rounds()), arms = static_cast<size_t>(world.arms());
        snapshot.weights["actions"] = {{arms, static_cast<size_t>(world.options.d)}, table_of(world.actions).values};
        snapshot.weights["means"] = {{arms, rounds}, table_of(world.means).values};
        snapshot.weights["noise"] = array_of(world.noise);
        for (size_t i = 0; i < shared_->players.size(); ++i)
            snapshot.weights["arms_" + shared_->players[i].id] =
                array_of(std::vector<int64_t>(race.arms(i).begin(), race.arms(i).end()));
    }

  private:
    // Sets everything that depends on live settings: the marks, and the pictures of the chosen MASTER; if it does not
    // play, those of the first MASTER, with a note.
    void choose(const BanditRaceConfig& config, const Race& race, Snapshot& snapshot) const {
        snapshot.matrices.front().marks = race_marks(race, config.marked);
        std::erase_if(snapshot.plots, [](const PlotSpec& plot) { return plot.id.starts_with("master_"); });
        std::erase_if(snapshot.scalars, [](const Scalar& scalar) { return scalar.name == "restarts"; });
        const BanditPlayer* whose = nullptr;
        const MasterTimeline* shown = nullptr;
        for (size_t i = 0; i < shared_->players.size(); ++i) {
            const BanditPlayer& player = shared_->players[i];
            if (race.timeline(i) == nullptr || (shown != nullptr && player.id != config.timeline_of)) continue;
            whose = &player;
            shown = race.timeline(i);
        }
        if (shown == nullptr) return;
        snapshot.plots.push_back(master_timeline_plot(*shown, whose->name, race.rounds(), config.rounds));
        if (whose->id != config.timeline_of)
            snapshot.plots.back().readout = fmt::format("{} does not play here (see algorithms). {}: {}",
                                                        config.timeline_of, whose->name, snapshot.plots.back().readout);
        snapshot.plots.push_back(master_tests_plot(*shown, whose->name, config.rounds));
        snapshot.scalars.push_back({"restarts", "restarts", static_cast<double>(shown->restarts.size()), "",
                                    "How often " + whose->name + "'s tests have fired."});
    }
};

// The number of rounds in which an instance acted that was not the live one of the lowest order.
Measurement not_the_lowest(const FinishedRun& run) {
    const PlotSpec plot = plot_of_run(run, "master_timeline", "");
    std::map<int, double> lowest, active;  // by round
    for (const Series& series : plot.series) {
        if (series.rows.empty()) continue;
        const std::vector<double>& order = series.rows.front();
        if (series.points) {
            for (size_t i = 0; i < series.x.size(); ++i) active[static_cast<int>(series.x[i])] = order[i];
            continue;
        }
        // x holds triples: an instance's first round, its last round, and a gap.
        for (size_t i = 0; i + 2 < series.x.size(); i += 3)
            for (int round = static_cast<int>(series.x[i]); round <= static_cast<int>(series.x[i + 1]); ++round) {
                const auto [at, first] = lowest.try_emplace(round, order[i]);
                if (!first) at->second = smaller(at->second, order[i]);
            }
    }
    const auto wrong = std::count_if(active.begin(), active.end(), [&](const auto& round) {
        const auto found = lowest.find(round.first);
        return found == lowest.end() || found->second != round.second;
    });
    return {static_cast<double>(wrong), fmt::format("of {} rounds", active.size())};
}

void measure_instances(Draft& draft) {
    // The caption quotes each run's read-out: "theory: test 1 due 50 times, ...".
    for (const FinishedRun& run : draft.runs())
        draft.caption += fmt::format(" {}: {}.", run.label, plot_of_run(run, "master_tests", "").readout);
    draft.measure("nonstationary-2-lowest-acts", not_the_lowest(draft.run(1)));
}

}  // namespace

ExperimentInfo bandit_race() {
    ExperimentInfo info = experiment_of<RaceStudy>(
        kBanditRaceStudy, "Bandit race",
        "The classical algorithms play one linear bandit whose rewards change, side by side, round by round (Chen, "
        "Ito and Imaizumi 2025). Nothing is trained.",
        {shipped_figure("nonstationary-2", {.measures = {"nonstationary-2-lowest-acts"}, .draw = measure_instances})});
    info.pace = 15.0;
    return info;
}

}  // namespace emergence
