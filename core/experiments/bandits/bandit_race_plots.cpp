#include "core/experiments/bandits/bandit_race_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace emergence {
namespace {

constexpr double kTallestStatistic = 2.0;  // higher values would hide the rest

AxisSpec round_axis(int of_rounds) { return {"rounds", "", Scale::linear, 0.0, of_rounds, std::nullopt}; }

// The marks of one player lie at the cells' edges; if all are marked, each has a lane.
std::vector<CellMarks> race_marks(const BanditRaceState& state, const std::string& marked) {
    std::vector<CellMarks> all;
    const auto add = [&](const std::string& name, int color, const auto& arm_of) {
        CellMarks marks{name, color, {}, marked != "all"};
        for (int round = 0; round < state.rounds; ++round)
            marks.cells.push_back({arm_of(static_cast<size_t>(round)), round});
        all.push_back(std::move(marks));
    };
    if (marked == "best arm")
        add("best arm", law_color(), [&](size_t round) { return state.world->best_arm[round]; });
    for (size_t i = 0; i < state.players->size(); ++i) {
        const BanditPlayer& player = (*state.players)[i];
        if (marked == "all" || player.id == marked)
            add(player.label, player.color, [&](size_t round) { return (*state.arms[i])[round]; });
    }
    return all;
}

// "2 restarts after round 43 (test 2), 70 (test 1)", shortened after six.
std::string restarts_text(const MasterTimeline& timeline) {
    constexpr size_t kMost = 6;
    const size_t count = timeline.restarts.size();
    if (count == 0) return "no restart";
    std::string text = fmt::format("{} restart{} after round", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < std::min(count, kMost); ++i)
        text += fmt::format("{}{} (test {})", i == 0 ? " " : ", ", timeline.restarts[i].round + 1,
                            timeline.restarts[i].test);
    return count > kMost ? text + ", ..." : text;
}

// "test 1 due 12 times, at most 0.31 of its threshold; test 2 at most 0.08"
std::string tests_text(const std::vector<double>& first, const std::vector<double>& second) {
    const auto most = [](const std::vector<double>& ratios) {
        double largest = -std::numeric_limits<double>::infinity();
        for (const double ratio : ratios)
            if (!std::isnan(ratio)) largest = std::max(largest, ratio);
        return largest;
    };
    const std::string one = first.empty()
                                ? "test 1 not due yet: it looks where an instance ends"
                                : fmt::format("test 1 due {} time{}, at most {:.2g} of its threshold",
                                              first.size(), first.size() == 1 ? "" : "s", most(first));
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
                    "Multiplies every reward, noise included. Below zero the worst arm is the best. Vertical "
                    "lines: "
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

MetricTable race_metrics(const std::vector<BanditPlayer>& players) {
    MetricTable table;
    for (const BanditPlayer& player : players)
        table.push_back({"regret_" + player.id, player.label,
                         "Cumulative dynamic regret: the sum of max_k m_t(k) - m_t(a_t) so far."});
    for (const BanditPlayer& player : players)
        table.push_back(
            {"suboptimality_" + player.id, player.label, "The last round's max_k m_t(k) - m_t(a_t)."});
    return table;
}

std::vector<MetricPlot> race_metric_plots(const BanditPlayers& players) {
    MetricPlot regret, suboptimality;
    regret.id = "regret";
    regret.title = "Cumulative dynamic regret";
    regret.y.label = "regret";
    suboptimality.id = "suboptimality";
    suboptimality.title = "Suboptimality";
    suboptimality.y.label = "regret of the round";
    for (const BanditPlayer& player : players.players) {
        regret.lines.push_back({"regret_" + player.id, "", player.color, player.dashed});
        suboptimality.lines.push_back({"suboptimality_" + player.id, "", player.color, player.dashed});
        if (!player.badge.empty()) regret.note += player.label + ": " + player.badge + " ";
    }
    regret.y.minimum = suboptimality.y.minimum = 0.0;
    regret.sparse_markers = suboptimality.sparse_markers = true;
    regret.note =
        "Sum of max_k m_t(k) - m_t(a_t) over the rounds so far, on expected rewards: one environment, the "
        "same "
        "for all. " +
        regret.note + absent_text(players);
    suboptimality.note =
        "What each round adds to the regret, on expected rewards. Smooth it to see more than single choices.";
    return {regret, suboptimality};
}

NamedMatrix race_rewards(const BanditRaceState& state, const std::string& marked) {
    const BanditTrajectory& world = *state.world;
    NamedMatrix matrix;
    matrix.name = "rewards";
    matrix.title = "Expected rewards of the arms";
    matrix.help =
        "m_t(k): arms as rows, rounds as columns, as far as it has been played. In each arm's row every "
        "algorithm has a lane, in the legend's order.";
    matrix.row_word = "arm";
    matrix.column_word = "round";
    matrix.row_blocks = {{"", world.arms()}};
    matrix.column_blocks = {{"", state.rounds}, {"", world.rounds() - state.rounds}};
    matrix.meanings = {{0, 1, "not played yet", true}};
    Table means(world.arms(), world.rounds(), kMissing);
    for (int round = 0; round < state.rounds; ++round)
        for (int k = 0; k < world.arms(); ++k) means(k, round) = world.means(k, round);
    matrix.seeds = {std::move(means)};
    matrix.may_scale = false;
    matrix.alignment_note = "expected rewards as they are";
    matrix.unit = "reward";
    matrix.free_aspect = true;
    matrix.marks = race_marks(state, marked);
    return matrix;
}

std::string race_headline(const BanditRaceState& state) {
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i < state.regret.size(); ++i) order.emplace_back(state.regret[i], i);
    std::sort(order.begin(), order.end());
    if (state.rounds == 0) return fmt::format("{} rounds to come", state.world->rounds());
    std::string text = fmt::format("round {}: least regret", state.rounds);
    for (size_t place = 0; place < std::min<size_t>(order.size(), 3); ++place)
        text += fmt::format("{} {} {:.3g}", place == 0 ? "" : ",",
                            in_sentence((*state.players)[order[place].second]), order[place].first);
    return text;
}

PlotSpec race_world_plot(const BanditRaceState& state) {
    const BanditTrajectory& world = *state.world;
    const Modifier modifier = modifier_of(world.options.kind);
    PlotSpec plot;
    plot.id = "world";
    plot.title = modifier.title;
    plot.x = round_axis(world.rounds());
    plot.y.label = modifier.name;
    Series line{"", {}, {{}}, 7, false};
    for (int round = 0; round < state.rounds; ++round) {
        line.x.push_back(round + 1);
        line.rows[0].push_back(world.modifier[static_cast<size_t>(round)]);
    }
    plot.series = {std::move(line)};
    for (const int change : world.changes)
        if (change < state.rounds) plot.lines.push_back({"", change + 1.0, true});
    plot.markers = false;
    plot.note = modifier.note;
    return plot;
}

PlotSpec master_timeline_plot(const MasterTimeline& timeline, const std::string& whose, int rounds,
                              int of_rounds) {
    PlotSpec plot;
    plot.id = "master_timeline";
    plot.title = "Instances of " + whose;
    plot.x = round_axis(of_rounds);
    plot.y.label = "order";
    plot.markers = false;
    std::map<int, Series> scheduled;
    int largest = 0;
    for (const auto& instance : timeline.instances) {
        if (instance.begin >= rounds) continue;
        largest = std::max(largest, instance.order);
        Series& line = scheduled.try_emplace(instance.order, Series{"", {}, {{}}, 7, false}).first->second;
        const std::array<double, 3> x = {
            instance.begin + 1.0, static_cast<double>(std::min(instance.end, rounds)), instance.end + 0.5};
        line.x.insert(line.x.end(), x.begin(), x.end());
        const auto order = static_cast<double>(instance.order);
        line.rows[0].insert(line.rows[0].end(), {order, order, kMissing});
    }
    if (!scheduled.empty()) scheduled.begin()->second.name = "scheduled";
    for (auto& [order, line] : scheduled) plot.series.push_back(std::move(line));
    Series active{"active", {}, {{}}, 1, false};
    active.points = true;
    for (int round = 0; round < std::min(rounds, static_cast<int>(timeline.active.size())); ++round) {
        active.x.push_back(round + 1.0);
        active.rows[0].push_back(timeline.active[static_cast<size_t>(round)]);
    }
    plot.series.push_back(std::move(active));
    plot.y.minimum = -0.5;
    plot.y.maximum = largest + 0.5;
    for (const auto& restart : timeline.restarts) plot.lines.push_back({"", restart.round + 1.0, true});
    plot.readout = restarts_text(timeline);
    plot.note =
        "An order-m instance lasts 2^m rounds (Appendix C; Figure 2). The live one of the lowest order is "
        "active: it "
        "acts and only it learns. Vertical lines: a test fired and everything began anew.";
    return plot;
}

PlotSpec master_tests_plot(const MasterTimeline& timeline, const std::string& whose, int of_rounds) {
    PlotSpec plot;
    plot.id = "master_tests";
    plot.title = "Tests of " + whose;
    plot.x = round_axis(of_rounds);
    plot.y.label = "statistic / threshold";
    plot.y.cut = kTallestStatistic;
    Series second{"test 2", {}, {{}}, 0, false}, first{"test 1", {}, {{}}, 1, false};
    first.points = true;
    for (size_t round = 0; round < timeline.test_2.size(); ++round) {
        second.x.push_back(static_cast<double>(round) + 1.0);
        second.rows[0].push_back(timeline.test_2[round]);
        if (std::isnan(timeline.test_1[round])) continue;
        first.x.push_back(static_cast<double>(round) + 1.0);
        first.rows[0].push_back(timeline.test_1[round]);
    }
    plot.readout = tests_text(first.rows[0], second.rows[0]);
    plot.series = {std::move(second), std::move(first)};
    plot.lines.push_back({"fires", 1.0, false});
    for (const auto& restart : timeline.restarts) plot.lines.push_back({"", restart.round + 1.0, true});
    plot.markers = false;
    plot.note =
        "At 1 a test fires and MASTER restarts. Test 1, where an instance ends: rewards lie above the "
        "block's least "
        "optimistic value. Test 2, every round: rewards lie below what was expected. Where several are due "
        "the "
        "largest is drawn.";
    return plot;
}

}  // namespace emergence
