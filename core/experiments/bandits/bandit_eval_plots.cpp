#include "core/experiments/bandits/bandit_eval.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/statistics.h"
#include "core/lab/views/measured.h"
#include "core/measures/bandit_measures.h"
#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr int kMostPoints = 100;

std::vector<double> rounds_of(const BanditCurves& curves) { return {curves.at.begin(), curves.at.end()}; }

std::vector<double> mean_row(const std::vector<std::vector<double>>& rows) {
    std::vector<double> mean(rows.empty() ? 0 : rows.front().size(), 0.0);
    for (const auto& row : rows)
        for (size_t i = 0; i < row.size(); ++i) mean[i] += row[i] / static_cast<double>(rows.size());
    return mean;
}

PlotSpec plot_of(const char* id, const char* title, const char* y, const BanditCurves& curves) {
    Plot plot(id, title);
    plot.x("rounds").from(0.0).to(curves.at.back());
    plot.y(y);
    plot.no_markers();
    plot.row_word("environment");
    plot.sparse_markers();
    for (size_t row = 0; row < curves.rate.size(); ++row) plot.spec().seeds.push_back(row);
    return plot;
}

// Index of the player with the least mean final regret, oracles excluded; -1 if none.
int best_player(const BanditCurves& curves, const BanditPlayers& players) {
    int best = -1;
    double least = 0.0;
    for (size_t i = 0; i < players.players.size(); ++i) {
        if (players.players[i].oracle) continue;
        const double mean = final_regret(curves, i).mean;
        if (best >= 0 && !(mean < least)) continue;
        best = static_cast<int>(i);
        least = mean;
    }
    return best;
}

void add_rates(const BanditCurves& curves, const BanditPlayers& players, PlotSpec& plot) {
    const int best = best_player(curves, players);
    if (best < 0 || curves.rate.empty()) return;
    const std::vector<double> x = rounds_of(curves), rate = mean_row(curves.rate),
                              regret = mean_row(curves.regret[best]);
    const double of_rate = fitted_constant(rate, regret), of_line = fitted_constant(x, regret);
    Series law{
        fmt::format("{:.2g} min{{\u221a(Jt), \u0394^1/3 t^2/3 + \u221at}}", of_rate), x, {{}}, law_color(), true};
    Series line{fmt::format("{:.2g} t", of_line), x, {{}}, kLineColor, true};
    for (size_t i = 0; i < x.size(); ++i) {
        law.rows[0].push_back(of_rate * rate[i]);
        line.rows[0].push_back(of_line * x[i]);
    }
    plot.note += fmt::format(
        " Two references are fitted to {}: Corollary 2's rate with one constant (its J and \u0394 are those of the "
        "rounds so far, mean over environments) and a straight line.",
        players.players[best].label);
    plot.series.push_back(std::move(law));
    plot.series.push_back(std::move(line));
}

}  // namespace

std::vector<int> curve_points(int rounds) {
    std::vector<int> points;
    const int count = smaller(rounds, kMostPoints);
    for (int i = 0; i <= count; ++i) points.push_back(static_cast<int>(static_cast<int64_t>(i) * rounds / count));
    return points;
}

PlotSpec eval_regret_plot(const BanditCurves& curves, const BanditPlayers& players) {
    PlotSpec plot = plot_of("regret", "Cumulative dynamic regret", "regret", curves);
    plot.y.minimum = 0.0;
    for (size_t i = 0; i < players.players.size(); ++i) {
        const BanditPlayer& player = players.players[i];
        plot.series.push_back({player.label, rounds_of(curves), curves.regret[i], player.color, player.dashed});
    }
    plot.note = "Sum of max_k m_t(k) - m_t(a_t), on expected rewards; a row is an environment, the same for all." +
                badges_text(players);
    plot.readout = absent_text(players);
    add_rates(curves, players, plot);
    return plot;
}

PlotSpec eval_suboptimality_plot(const BanditCurves& curves, const BanditPlayers& players) {
    PlotSpec plot = plot_of("suboptimality", "Suboptimality", "regret of a round", curves);
    plot.y.minimum = 0.0;
    std::vector<double> middles;
    for (size_t i = 1; i < curves.at.size(); ++i) middles.push_back(0.5 * (curves.at[i - 1] + 1 + curves.at[i]));
    for (size_t p = 0; p < players.players.size(); ++p) {
        const BanditPlayer& player = players.players[p];
        Series series{player.label, middles, {}, player.color, player.dashed};
        for (const auto& row : curves.regret[p]) {
            std::vector<double> slopes;
            for (size_t i = 1; i < row.size(); ++i)
                slopes.push_back((row[i] - row[i - 1]) / (curves.at[i] - curves.at[i - 1]));
            series.rows.push_back(std::move(slopes));
        }
        plot.series.push_back(std::move(series));
    }
    plot.note = "max_k m_t(k) - m_t(a_t), averaged over the rounds between two points; a row is an environment.";
    return plot;
}

PlotSpec eval_difference_plot(const PlotSpec& regret, const BanditPlayers& players, const std::string& compare_with) {
    size_t base = 0;
    for (size_t i = 0; i < players.players.size(); ++i)
        if (players.players[i].id == compare_with) base = i;
    const std::string whose = players.players[base].name;
    PlotSpec plot = regret;
    plot.id = "difference";
    plot.title = "Paired differences";
    plot.y = {};
    plot.y.label = "regret minus that of " + whose;
    plot.readout.clear();
    plot.series.resize(players.players.size());  // without the references
    plot.series.erase(plot.series.begin() + static_cast<std::ptrdiff_t>(base));
    const auto& of_base = regret.series[base].rows;
    for (Series& series : plot.series)
        for (size_t e = 0; e < series.rows.size(); ++e)
            for (size_t i = 0; i < series.rows[e].size(); ++i) series.rows[e][i] -= of_base[e][i];
    plot.lines.push_back({whose, 0.0, false});
    plot.note =
        "On the same environment, so that what an environment does to all of them drops out. Below zero is "
        "better than " +
        whose + ".";
    return plot;
}

Summary final_regret(const BanditCurves& curves, size_t player) {
    std::vector<double> values;
    for (const auto& row : curves.regret[player]) values.push_back(row.back());
    return summarise(values, true);
}

std::vector<Scalar> eval_scalars(const BanditCurves& curves, const BanditPlayers& players) {
    std::vector<Scalar> scalars;
    scalars.push_back({"environments", "environments", static_cast<double>(curves.rate.size()), "",
                       "Played by every algorithm, over all streams."});
    if (curves.rate.empty()) return scalars;
    for (size_t i = 0; i < players.players.size(); ++i) {
        const Summary summary = final_regret(curves, i);
        scalars.push_back({"final_" + players.players[i].id, players.players[i].label, summary.mean, "",
                           fmt::format("Mean regret after all rounds{}; deviation {}, median {:.3g}. {}",
                                       summary.count > 1 ? plus_minus(summary) + " standard error" : "",
                                       readout(summary.deviation), summary.median, players.players[i].badge)});
    }
    return scalars;
}

std::string eval_headline(const BanditCurves& curves, const BanditPlayers& players) {
    if (curves.rate.empty()) return "none played yet";
    std::vector<double> means;
    for (size_t i = 0; i < players.players.size(); ++i) means.push_back(final_regret(curves, i).mean);
    return least_regret_text(means, players, [&](size_t player) { return plus_minus(final_regret(curves, player)); });
}

void describe_streams(const BanditCurves& curves, const BanditPlayers& players, Snapshot& snapshot) {
    snapshot.seed_word = "stream";
    snapshot.counted = {static_cast<int64_t>(curves.rate.size()), "environments"};
    snapshot.headline = eval_headline(curves, players);
    for (size_t i = 0; i < players.players.size(); ++i) {
        std::vector<double> finals;
        for (const auto& row : curves.regret[i]) finals.push_back(row.back());
        snapshot.weights["final_" + players.players[i].id] = {{finals.size()}, std::move(finals)};
    }
}

std::vector<MetricPlot> eval_metric_plots(const BanditPlayers& players) {
    HistoryPlot plot("final_regret", "Final regret so far");
    plot.y("regret").from(0.0);
    plot.sparse_markers();
    for (const BanditPlayer& player : players.players)
        plot.line("final_" + player.id).color(player.color).dashed(player.dashed);
    plot.note("Mean over the environments so far: each line settles as they are added; bands are over streams.");
    return {plot};
}

}  // namespace emergence
