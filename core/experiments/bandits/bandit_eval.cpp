// Experiments "bandit-eval", in which all algorithms play the same many environments, and "bandit-inside", in which a
// network that has been trained plays beside them. One step plays one environment of each stream.

#include <fmt/format.h>

#include <limits>

#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/experiments/bandits/bandits.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/files/folders.h"
#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Every setting of experiment "bandit-eval".
struct BanditEvalConfig : BanditWorldFields, BanditPlayerFields, BanditStreamFields {
    std::string compare_with = "linucb";

    void fields(Fields& f) {
        BanditWorldFields::fields(f);
        BanditPlayerFields::fields(f);
        f.group("pictures");
        live(f, compare_with, "compare_with", "differences from",
             "Plots each algorithm's regret minus the regret of this one on the same environment.")
            .choices({"linucb", "thompson", "sliding-window", "discounted", "master-linucb", "master-thompson",
                      "oracle-restart", "cosine-thompson", "transformer", "random"})
            .called(bandit_algorithm_labels());
        BanditStreamFields::fields(f);
    }
};

// Every setting of experiment "bandit-inside".
struct BanditInsideConfig : BanditWorldFields, BanditPlayerFields, BanditStreamFields, BanditLookFields {
    BanditInsideConfig() {
        num_environments = 100;
        seeds = 1;
    }
    std::string network = "cosine";
    std::string network_file;
    std::string temperature = "chosen";

    void fields(Fields& f) {
        f.group("network");
        f(network, "network", "weights",
          "A shipped network, or one in a file. Presets bandit-cosine, -low and -mixture train them again.")
            .choices({"cosine", "low", "mixture", "memorise", "file"});
        f(network_file, "network_file", "file",
          "The weights.npz of a bandit-train run. Of several networks the one with the best validation plays.")
            .path()
            .acts_while("network", {"file"});
        f(temperature, "temperature", "temperature",
          "The network draws its arm from softmax(logits / temperature). Chosen: the temperature with the best "
          "validation during training. 0: the most probable arm.")
            .choices({"chosen", "1", "0.5", "0"});
        BanditLookFields::fields(f);
        kind_fields(f);
        play_fields(f);
        classical_fields(f);
        constants_fields(f);
        BanditStreamFields::fields(f);
    }
};

// A game that stores regret at no more than 101 points from 0 rounds to all of them, and Corollary 2's rate beside it.
BanditGame curve_game(const BanditOptions& world, BanditPlayers players) {
    constexpr int kMostPoints = 100;
    BanditGame game{std::move(players), {world}, {}, {}};
    const int count = smaller(world.rounds, kMostPoints);
    for (int i = 0; i <= count; ++i)
        game.at.push_back(static_cast<int>(static_cast<int64_t>(i) * world.rounds / count));
    game.beside = [at = game.at](const BanditTrajectory& played) { return optimal_rate(played, at); };
    return game;
}

Plot plot_of(const char* id, const char* title, const char* y, const BanditCurves& curves, const BanditGame& game) {
    Plot plot(id, title);
    plot.x("rounds").from(0.0).to(game.at.back());
    plot.y(y).from(0.0);
    plot.no_markers().row_word("environment").sparse_markers();
    for (size_t row = 0; row < curves.size(); ++row) plot.spec().seeds.push_back(row);
    return plot;
}

void add_player(Plot& plot, const BanditPlayer& player, const std::vector<double>& x, BanditCurves::Rows rows) {
    plot.line(player.label, x, std::move(rows)).color(player.color).dashed(player.dashed);
}

// Adds a straight line, c t, and Corollary 2's rate, c min{sqrt(J t), Delta^(1/3) t^(2/3) + sqrt(t)}, each fitted with
// one constant c to the player with the least mean final regret, oracles excluded.
void add_rates(const BanditCurves& curves, const BanditGame& game, const std::vector<double>& x, Plot& plot) {
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < game.players.players.size(); ++i)
        if (const double mean = mean_of(curves.finals(i)); !game.players.players[i].oracle && mean < least) {
            best = static_cast<int>(i);
            least = mean;
        }
    if (best < 0) return;
    const std::vector<double> regret = mean_row(curves.columns[best]);
    const auto reference = [&](const char* name, const std::vector<double>& law, int color) {
        const double constant = fitted_constant(law, regret);
        std::vector<double> y = mapped(law, [&](double value) { return constant * value; });
        plot.path(fmt::format(fmt::runtime(name), constant), x, std::move(y)).color(color).dashed();
    };
    reference("{:.2g} min{{\u221a(Jt), \u0394^1/3 t^2/3 + \u221at}}", mean_row(curves.beside()), law_color());
    reference("{:.2g} t", x, kLineColor);
    plot.spec().note += fmt::format(
        " Two references are fitted to {}, with one constant each: a straight line, and Corollary 2's rate.",
        game.players.players[best].label);
}

// Cumulative regret, one row per environment.
PlotSpec eval_regret_plot(const BanditCurves& curves, const BanditGame& game) {
    Plot plot = plot_of("regret", "Cumulative dynamic regret", "regret", curves, game);
    const std::vector<double> x(game.at.begin(), game.at.end());
    for (size_t i = 0; i < game.players.players.size(); ++i)
        add_player(plot, game.players.players[i], x, curves.columns[i]);
    plot.note("Sum of max_k m_t(k) - m_t(a_t), on expected rewards. All algorithms play the same environments." +
              badges_text(game.players));
    plot.readout(absent_text(game.players));
    add_rates(curves, game, x, plot);
    return plot;
}

// Regret per round, averaged over the rounds between two points.
PlotSpec suboptimality_plot(const BanditCurves& curves, const BanditGame& game) {
    Plot plot = plot_of("suboptimality", "Suboptimality", "regret of a round", curves, game);
    std::vector<double> middles;
    for (size_t i = 1; i < game.at.size(); ++i) middles.push_back(0.5 * (game.at[i - 1] + 1 + game.at[i]));
    for (size_t p = 0; p < game.players.players.size(); ++p) {
        BanditCurves::Rows rows;
        for (const auto& row : curves.columns[p]) {
            rows.emplace_back();
            for (size_t i = 1; i < row.size(); ++i)
                rows.back().push_back((row[i] - row[i - 1]) / (game.at[i] - game.at[i - 1]));
        }
        add_player(plot, game.players.players[p], middles, std::move(rows));
    }
    return plot.note("max_k m_t(k) - m_t(a_t), averaged over the rounds between two points.");
}

// Subtracts from each regret of eval_regret_plot() the regret of player `compare_with` (an id) on the same environment.
// If that player is absent, the first player takes its place.
PlotSpec paired_plot(const PlotSpec& regret, const BanditPlayers& players, const std::string& compare_with) {
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
    plot.note = "Both play the same environment, so its difficulty cancels. Below zero is better than " + whose + ".";
    return plot;
}

// Adds to the snapshot the headline with the three least mean regrets ("least regret over 200 environments: transformer
// 97 ± 4.6, ..."), each player's mean final regret, and all of them (array final_ID).
void describe_streams(const BanditCurves& curves, const BanditGame& game, Snapshot& snapshot) {
    std::vector<Summary> summaries;
    for (size_t i = 0; i < game.players.players.size(); ++i) {
        const BanditPlayer& player = game.players.players[i];
        std::vector<double> finals = curves.finals(i), sorted = finals;
        const Summary summary = summaries.emplace_back(summarise(sorted, true));
        if (curves.size() > 0)
            snapshot.scalars.push_back({"final_" + player.id, player.label, summary.mean, "",
                                        fmt::format("Mean regret after all rounds{}; deviation {}, median {:.3g}. {}",
                                                    summary.count > 1 ? plus_minus(summary) + " standard error" : "",
                                                    readout(summary.deviation), summary.median, player.badge)});
        snapshot.weights["final_" + player.id] = {{finals.size()}, std::move(finals)};
    }
    snapshot.headline = curves.size() == 0
                            ? "no environment has been played yet"
                            : fmt::format("least regret over {}: {}", counted(curves.size(), "environment"),
                                          least_regret_text(mapped(summaries, &Summary::mean), game.players,
                                                            [&](size_t i) { return plus_minus(summaries[i]); }));
}

constexpr StudyNames kBanditEvalStudy = {"bandit-eval", "environments", "num_environments"},
                     kBanditInsideStudy = {"bandit-inside", "environments", "num_environments"};

class EvalStudy final : public StreamStudy<BanditEvalConfig> {
  public:
    explicit EvalStudy(const Settings& settings) : StreamStudy(kBanditEvalStudy, settings) {
        play(curve_game(config_, players_of(config_, config_)));
    }
    static void check(const BanditEvalConfig& c) { check_bandit_fields(c, c); }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const BanditCurves curves = curves_of(seeds, snapshot);
        snapshot.plots = {eval_regret_plot(curves, *shared_), suboptimality_plot(curves, *shared_)};
        describe_streams(curves, *shared_, snapshot);
        describe_players(config_, shared_->players, true, snapshot);
    }
    void evaluate(const BanditEvalConfig& config, Snapshot& snapshot) const override {
        snapshot.plots.resize(2);
        snapshot.plots.push_back(paired_plot(snapshot.plots.front(), shared_->players, config.compare_with));
    }
};

BanditNetwork chosen_network(const BanditInsideConfig& c) {
    if (c.network == "file" && c.network_file.empty())
        throw InputError("network_file: network = file needs a file. Name the weights.npz of a bandit-train run.");
    BanditNetwork network =
        c.network == "file" ? read_bandit_network(c.network_file) : shipped_bandit_network(c.network);
    if (const auto chosen = parsed<double>(c.temperature)) network.trained.temperature = *chosen;
    return network;
}

class InsideStudy final : public StreamStudy<BanditInsideConfig> {
  public:
    explicit InsideStudy(const Settings& settings)
        : StreamStudy(kBanditInsideStudy, settings),
          network_(std::make_shared<const BanditNetwork>(chosen_network(config_))) {
        BanditOptions world = config_;  // the weights fix d and A
        world.d = network_->config.shape.d;
        world.arms = network_->config.shape.arms;
        BanditPlayers players = classical_players(world, config_);
        add_network(network_, world, players);
        play(curve_game(world, std::move(players)));
    }
    static void check(const BanditInsideConfig& c) {
        const BanditNetwork network = chosen_network(c);
        if (c.rounds > network.config.shape.rounds)
            throw InputError("rounds: weights '{}' have positions for {} rounds, not for {}. Lower it.", network.name,
                             network.config.shape.rounds, c.rounds);
        check_bandit_world(c);
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const BanditCurves curves = curves_of(seeds, snapshot);
        snapshot.plots = {eval_regret_plot(curves, *shared_)};
        describe_streams(curves, *shared_, snapshot);
        snapshot.scalars.push_back({"temperature", "temperature", network_->trained.temperature, "",
                                    "The temperature at which it plays; 0 is the most probable arm."});
        snapshot.scalars.push_back({"parameters", "parameters",
                                    static_cast<double>(network_->config.shape.num_weights()), "",
                                    "Weights of the network."});
        describe_players(shared_->worlds.front(), shared_->players, true, snapshot);
    }
    // Adds pictures of one environment of the first stream; they do not depend on the chosen stream.
    void evaluate(const BanditInsideConfig& config, Snapshot& snapshot) const override {
        const BanditView view{network_->config.shape, config.shown_layer, config.shown_head,
                              static_cast<uint64_t>(config.seed), static_cast<uint32_t>(config.shown_environment)};
        const auto pictures = pictures_.get(view, [&] {
            BanditTrajectory world;
            draw_bandit(shared_->worlds.front(), view.seed, view.index, world);
            return std::make_shared<const BanditInsidePictures>(look_inside(view, world, {network_->trained}));
        });
        snapshot.matrices = pictures->matrices;
        for (NamedMatrix& matrix : snapshot.matrices)
            matrix.seeds.resize(larger<size_t>(1, snapshot.seeds.size()), matrix.seeds.front());
        snapshot.matrices.front().alignment_note = fmt::format(
            "environment {}, weights '{}' from the file, not trained here", config.shown_environment, network_->name);
        snapshot.plots.resize(1);  // only the regret plot stays
        snapshot.plots.insert(snapshot.plots.end(), pictures->plots.begin(), pictures->plots.end());
    }

  private:
    std::shared_ptr<const BanditNetwork> network_;
    // The pictures depend on the view alone, so they are not drawn again while environments are added.
    mutable Memo<BanditView, BanditInsidePictures> pictures_;
};

}  // namespace

ExperimentInfo bandit_eval() {
    std::vector<FigureInfo> figures;
    for (const char* number : {"3", "4", "5", "6", "7"})
        figures.push_back(shipped_figure(std::string("nonstationary-") + number));
    return experiment_of<EvalStudy>(
        kBanditEvalStudy, "Bandit regret",
        "All algorithms play the same hundreds of environments: dynamic regret with bands, paired differences, and "
        "the optimal rate (Chen, Ito and Imaizumi 2025, Figures 3 to 7). Nothing is trained.",
        std::move(figures));
}

ExperimentInfo bandit_inside() {
    return experiment_of<InsideStudy>(
        kBanditInsideStudy, "Inside a trained player",
        "A network already trained to play bandits: where it looks, what it would do, which algorithm it resembles, "
        "and its regret beside theirs (Chen, Ito and Imaizumi 2025). Nothing is trained.");
}

}  // namespace emergence
