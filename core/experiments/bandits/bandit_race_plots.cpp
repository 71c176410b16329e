#include "core/experiments/bandits/bandit_race.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/lab/views/run_views.h"
#include "core/lab/views/shown_matrix.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr double kTallestStatistic = 2.0;  // higher values would hide the rest

// "2 restarts after round 43 (test 2), 70 (test 1)", shortened after six.
std::string restarts_text(const MasterTimeline& timeline) {
    constexpr size_t kMost = 6;
    const size_t count = timeline.restarts.size();
    if (count == 0) return "no restart";
    std::string text = counted(count, "restart") + " after round";
    for (size_t i = 0; i < smaller(count, kMost); ++i)
        text += fmt::format("{}{} (test {})", i == 0 ? " " : ", ", timeline.restarts[i].round + 1,
                            timeline.restarts[i].test);
    return count > kMost ? text + ", ..." : text;
}

// "test 1 due 12 times, at most 0.31 of its threshold; test 2 at most 0.08"
std::string tests_text(const std::vector<double>& first, const std::vector<double>& second) {
    const auto most = [](const std::vector<double>& ratios) {
        double largest = -std::numeric_limits<double>::infinity();
        for (const double ratio : ratios)
            if (!std::isnan(ratio)) largest = larger(largest, ratio);
        return largest;
    };
    const std::string one = first.empty() ? "test 1 not due yet: it looks where an instance ends"
                                          : fmt::format("test 1 due {}, at most {:.2g} of its threshold",
                                                        counted(first.size(), "time"), most(first));
    const double two = most(second);
    return std::isinf(two) ? one : fmt::format("{}; test 2 at most {:.2g}", one, two);
}

struct Modifier {
    const char* title;
    const char* name;
    const char* note;
};
Modifier modifier_of(BanditKind kind) {
    switch (kind) {
        case BanditKind::cosine:
            return {"The cosine", "cos(2\u03c0bt)",
                    "Multiplies every reward, noise included. Below zero the worst arm is the best. Vertical lines: "
                    "its changes of sign."};
        case BanditKind::elevated:
            return {"The elevation", "added to all means",
                    "It never changes which arm is best. Vertical lines: where it changes."};
        case BanditKind::abrupt:
            return {"The segment", "segment", "Each has a w* of its own. Vertical lines: the changes."};
        case BanditKind::drift:
            return {"The angle", "angle", "How far w* has turned. Vertical lines: quarter turns."};
    }
    return {"", "", ""};
}

}  // namespace

Metrics<std::vector<RaceRegret>> race_metrics(const std::vector<BanditPlayer>& players) {
    using Regrets = std::vector<RaceRegret>;
    Metrics<Regrets> metrics = {};
    for (size_t i = 0; i < players.size(); ++i)
        metrics.add({"regret_" + players[i].id, players[i].label,
                     "Cumulative dynamic regret: the sum of max_k m_t(k) - m_t(a_t) so far.",
                     [i](const Regrets& regrets) { return regrets[i].total; }});
    for (size_t i = 0; i < players.size(); ++i)
        metrics.add({"suboptimality_" + players[i].id, players[i].label, "The last round's max_k m_t(k) - m_t(a_t).",
                     [i](const Regrets& regrets) { return regrets[i].last; }});
    return metrics;
}

std::vector<MetricPlot> race_metric_plots(const BanditPlayers& players) {
    HistoryPlot regret("regret", "Cumulative dynamic regret"), suboptimality("suboptimality", "Suboptimality");
    regret.y("regret").from(0.0);
    suboptimality.y("regret of the round").from(0.0);
    for (const BanditPlayer& player : players.players) {
        regret.line("regret_" + player.id).color(player.color).dashed(player.dashed);
        suboptimality.line("suboptimality_" + player.id).color(player.color).dashed(player.dashed);
    }
    regret.sparse_markers().note(
        "Sum of max_k m_t(k) - m_t(a_t) over the rounds so far, on expected rewards: one environment, the same for "
        "all." +
        badges_text(players) + " " + absent_text(players));
    suboptimality.sparse_markers().note(
        "What each round adds to the regret, on expected rewards. Smooth it to see more than single choices.");
    return {regret, suboptimality};
}

std::vector<CellMarks> race_marks(const BanditRaceState& state, const std::string& marked) {
    std::vector<CellMarks> all;
    const auto add = [&](const std::string& name, int color, const auto& arm_of) {
        CellMarks marks{name, color, {}, marked != "all"};
        for (int round = 0; round < state.rounds; ++round)
            marks.cells.push_back({arm_of(static_cast<size_t>(round)), round});
        all.push_back(std::move(marks));
    };
    if (marked == "best arm") add("best arm", law_color(), [&](size_t round) { return state.world->best_arm[round]; });
    for (size_t i = 0; i < state.players->players.size(); ++i) {
        const BanditPlayer& player = state.players->players[i];
        if (marked == "all" || player.id == marked)
            add(player.label, player.color, [&](size_t round) { return (*state.arms[i])[round]; });
    }
    return all;
}

NamedMatrix race_rewards(const BanditRaceState& state) {
    const BanditTrajectory& world = *state.world;
    Table means(world.arms(), world.rounds(), kMissing);
    for (int round = 0; round < state.rounds; ++round)
        for (int k = 0; k < world.arms(); ++k) means(k, round) = world.means(k, round);
    ShownMatrix matrix("rewards", "Expected rewards of the arms",
                       "m_t(k): arms as rows, rounds as columns, as far as it has been played. In each arm's row every "
                       "algorithm has a lane, in the legend's order.");
    matrix.words("arm", "round").rows({{"", world.arms()}});
    matrix.columns({{"", state.rounds}, {"", world.rounds() - state.rounds}});
    matrix.meanings({{0, 1, "not played yet", true}}).seed(std::move(means)).unit("reward");
    matrix.as_is("expected rewards as they are").free_aspect();
    return matrix;
}

std::string race_headline(const BanditRaceState& state) {
    if (state.rounds == 0) return fmt::format("{} rounds to come", state.world->rounds());
    return fmt::format("round {}: {}", state.rounds, least_regret_text(state.regret, *state.players));
}

PlotSpec race_world_plot(const BanditRaceState& state) {
    const BanditTrajectory& world = *state.world;
    const Modifier modifier = modifier_of(world.options.kind);
    Plot plot("world", modifier.title);
    plot.x("rounds").from(0.0).to(world.rounds());
    plot.y(modifier.name);
    Series line{"", {}, {{}}, 7, false};
    for (int round = 0; round < state.rounds; ++round) {
        line.x.push_back(round + 1);
        line.rows[0].push_back(world.modifier[round]);
    }
    plot.add(std::move(line));
    for (const int change : world.changes)
        if (change < state.rounds) plot.mark("", change + 1.0);
    plot.no_markers();
    plot.note(modifier.note);
    return plot;
}

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
    Series active{"active", {}, {{}}, 1, false};
    active.points = true;
    for (int round = 0; round < smaller(rounds, static_cast<int>(timeline.active.size())); ++round) {
        active.x.push_back(round + 1.0);
        active.rows[0].push_back(timeline.active[round]);
    }
    plot.add(std::move(active));
    plot.y("order").from(-0.5).to(largest + 0.5);
    for (const auto& restart : timeline.restarts) plot.mark("", restart.round + 1.0);
    plot.readout(restarts_text(timeline));
    plot.note(
        "An order-m instance lasts 2^m rounds (Appendix C; Figure 2). The live one of the lowest order is active: it "
        "acts and only it learns. Vertical lines: a test fired and everything began anew.");
    return plot;
}

PlotSpec master_tests_plot(const MasterTimeline& timeline, const std::string& whose, int of_rounds) {
    Plot plot("master_tests", "Tests of " + whose);
    plot.x("rounds").from(0.0).to(of_rounds);
    plot.y("statistic / threshold").cut(kTallestStatistic);
    Series second{"test 2", {}, {{}}, 0, false}, first{"test 1", {}, {{}}, 1, false};
    first.points = true;
    for (size_t round = 0; round < timeline.test_2.size(); ++round) {
        second.x.push_back(static_cast<double>(round) + 1.0);
        second.rows[0].push_back(timeline.test_2[round]);
        if (std::isnan(timeline.test_1[round])) continue;
        first.x.push_back(static_cast<double>(round) + 1.0);
        first.rows[0].push_back(timeline.test_1[round]);
    }
    plot.readout(tests_text(first.rows[0], second.rows[0]));
    plot.add(std::move(second));
    plot.add(std::move(first));
    plot.level("fires", 1.0);
    for (const auto& restart : timeline.restarts) plot.mark("", restart.round + 1.0);
    plot.no_markers();
    plot.note(
        "At 1 a test fires and MASTER restarts. Test 1, where an instance ends: rewards lie above the block's least "
        "optimistic value. Test 2, every round: rewards lie below what was expected. Where several are due the "
        "largest is drawn.");
    return plot;
}

}  // namespace emergence
