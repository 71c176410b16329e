// Experiment "bandit-sweep": final regret against the amount of non-stationarity, or against the number of
// rounds. One step plays one environment of each stream at every point of the sweep.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/bandits/bandits.h"
#include "core/experiments/figure_file.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Every setting of experiment "bandit-sweep".
struct BanditSweepConfig : BanditWorldFields, BanditPlayerFields, BanditStreamFields {
    BanditSweepConfig() { log_interval = 1; }
    std::string over = "amount";

    void fields(Fields& f) {
        f.group("sweep");
        f(over, "over", "sweep over",
          "What varies: the amount of non-stationarity (b, J or the angle, whose own sliders then have no effect), or "
          "the rounds up to T.")
            .choices({"amount", "rounds"})
            .former("horizon", std::string("as set"))
            .former("horizon", std::string("usual"), [](Settings& settings) {
                const bool over_rounds = settings.text("over") == "rounds", cosine = settings.text("kind") == "cosine";
                settings.set("rounds", int64_t{over_rounds ? 1600 : cosine ? 200 : 1000});
            });
        BanditWorldFields::fields(f);
        for (const char* amount : {"frequency", "windows", "segments", "angle"})
            f.field(amount).acts_while("over", {"rounds"});
        BanditPlayerFields::fields(f);
        BanditStreamFields::fields(f);
    }
};

// The points whose tick labels fit on a logarithmic axis, ascending.
std::vector<double> apart(const std::vector<double>& x) {
    constexpr double kRatio = 1.4;
    std::vector<double> ticks;
    for (const double value : x)
        if (ticks.empty() || value >= kRatio * ticks.back()) ticks.push_back(value);
    return ticks;
}

// Adds guides of slope 1/2 and 1/3, which cross at the geometric mean of all measured points (x, mean regret).
void add_slope_guides(const std::vector<double>& x, const BanditCurves& curves, Plot& plot) {
    double log_x = 0.0, log_y = 0.0, count = 0.0;
    for (size_t player = 0; player + 1 < curves.columns.size(); ++player) {
        const std::vector<double> mean = mean_row(curves.columns[player]);
        for (size_t i = 0; i < x.size(); ++i) {
            if (!(x[i] > 0.0 && mean[i] > 0.0)) continue;
            log_x += std::log(x[i]);
            log_y += std::log(mean[i]);
            count += 1.0;
        }
    }
    const double at_x = std::exp(log_x / count), at_y = std::exp(log_y / count);
    const auto guide = [&](double slope, const char* name, int color) {
        std::vector<double> y = mapped(x, [&](double at) { return at_y * std::pow(at / at_x, slope); });
        plot.path(name, x, std::move(y)).color(color).dashed();
    };
    guide(1.0 / 2.0, "slope 1/2", kLineColor);
    guide(1.0 / 3.0, "slope 1/3", law_color());
}

// The environment's settings at each point of the sweep, ascending by amount or by rounds.
std::vector<BanditOptions> sweep_points(const BanditSweepConfig& config) {
    using Numbers = std::vector<double>;
    using Counts = std::vector<int>;
    const auto over = [&](auto BanditOptions::*amount, const auto& values) {
        std::vector<BanditOptions> points;
        for (const auto value : values) points.emplace_back(config).*amount = value;
        return points;
    };
    if (config.over == "rounds") {
        Counts rounds;
        for (double t = config.rounds; rounds.size() < 6 && t >= 20.0; t /= 2.0)
            rounds.insert(rounds.begin(), static_cast<int>(std::lround(t)));
        return over(&BanditOptions::rounds, rounds);
    }
    if (config.kind == BanditKind::cosine)
        return over(&BanditOptions::frequency, Numbers{0.001, 0.002, 0.004, 0.008, 0.012, 0.018, 0.025, 0.04, 0.06});
    if (config.kind == BanditKind::elevated) return over(&BanditOptions::windows, Counts{1, 2, 3, 4, 6, 8, 12});
    if (config.kind == BanditKind::drift)
        return over(&BanditOptions::angle, Numbers{0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 25.0, 50.0});
    return over(&BanditOptions::segments,
                filtered(Counts{1, 2, 4, 8, 16, 32}, [&](int count) { return count <= config.rounds; }));
}

// The players at all points. If the amount is swept, a network's label says whether its training covered all
// points, and the plot shades the range of its training.
BanditPlayers sweep_players(const BanditSweepConfig& config) {
    BanditPlayers players = players_of(sweep_points(config).back(), config);
    if (config.over != "amount" || !players.trained) return players;
    // players_of() looked at the last point only; the label must hold for the whole curve.
    const std::vector<BanditOptions> points = sweep_points(config);
    const bool all_trained =
        all_of(points, [&](const BanditOptions& world) { return players.trained->contains(amount_of(world).value); });
    for (BanditPlayer& player : players.players)
        if (player.id == "transformer")
            player.label = all_trained ? kSawFamily
                                       : fmt::format("transformer (trained on {} to {} only)", players.trained->from,
                                                     players.trained->to);
    return players;
}

// Final regret, log-log: each player's curve with its exponent, the slope of log mean final regret against log x, and
// guides of slope 1/2 and 1/3.
PlotSpec sweep_plot(const BanditSweepConfig& config, const BanditGame& game, const BanditCurves& curves,
                    std::vector<Scalar>& scalars) {
    // The x axis: T, b, N, J, or for drift the mean Delta over the environments.
    const bool rounds = config.over == "rounds", drifts = !rounds && config.kind == BanditKind::drift;
    const std::string label = rounds ? "rounds T" : drifts ? "variation budget \u0394" : amount_of(config).label;
    const auto place = [&](const BanditOptions& world) { return rounds ? world.rounds : amount_of(world).value; };
    const std::vector<double> x = drifts ? mean_row(curves.beside()) : mapped(game.worlds, place);
    Plot plot("sweep", rounds ? fmt::format("Regret after T rounds, {}", amount_of(config).text)
                              : fmt::format("Regret after {} rounds, {}", game.worlds.back().rounds,
                                            bandit_kind_names()[static_cast<size_t>(config.kind)]));
    plot.x(label).logarithmic();
    if (!drifts) plot.spec().x.ticks = apart(x);
    plot.sparse_markers();
    plot.y("regret").logarithmic();
    plot.row_word("environment");
    for (size_t row = 0; row < curves.size(); ++row) plot.spec().seeds.push_back(row);
    if (curves.size() == 0) return plot;
    const BanditPlayers& players = game.players;
    for (size_t i = 0; i < players.players.size(); ++i) {
        const BanditPlayer& player = players.players[i];
        const FittedExponent exponent = fitted_exponent(x, curves.columns[i]);
        const std::string text = std::isnan(exponent.value) ? "no exponent"
                                                            : fmt::format("{:.2f} [{:.2f}, {:.2f}]", exponent.value,
                                                                          exponent.low, exponent.high);
        plot.line(fmt::format("{}: {}", player.label, text), x, curves.columns[i])
            .color(player.color)
            .dashed(player.dashed);
        scalars.push_back({"exponent_" + player.id, player.label + ": exponent", exponent.value, "",
                           fmt::format("fitted exponent, 95 % interval {:.2f} to {:.2f} by a bootstrap over "
                                       "environments. {}",
                                       exponent.low, exponent.high, player.badge)});
    }
    add_slope_guides(x, curves, plot);
    if (players.trained && !rounds)
        plot.spec().shaded.push_back({kTrainedHere, players.trained->from, players.trained->to});
    plot.readout(absent_text(players));
    return plot.note(fmt::format(
        "The legend names the exponents: slopes of log mean regret against log {}, with bootstrap 95 % intervals over "
        "environments. For drift the axis is the mean \u0394 of Definition 1.",
        label));
}

constexpr StudyNames kBanditSweepStudy = {"bandit-sweep", "environments", "num_environments"};

class SweepStudy final : public StreamStudy<BanditSweepConfig> {
  public:
    explicit SweepStudy(const Settings& settings) : StreamStudy(kBanditSweepStudy, settings) {
        play({sweep_players(config_),
              sweep_points(config_),
              {},
              [](const BanditTrajectory& world) { return std::vector<double>{variation_of(world).amount}; },
              "Regret at the last point so far"});
    }
    static void check(const BanditSweepConfig& c) {
        const std::vector<BanditOptions> points = sweep_points(c);
        check_bandit_fields(points.back(), c);
        if (c.over == "rounds" && c.kind == BanditKind::abrupt && c.segments > points.front().rounds)
            throw InputError("segments: {} is more than {}, the sweep's fewest rounds. Lower it.", c.segments,
                             points.front().rounds);
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const BanditCurves curves = curves_of(seeds, snapshot);
        snapshot.plots = {sweep_plot(config_, *shared_, curves, snapshot.scalars)};
        snapshot.headline = fmt::format("every algorithm plays {} at each of {} points",
                                        counted(curves.size(), "environment"), shared_->worlds.size());
        describe_players(config_, shared_->players, config_.over == "rounds", snapshot);
    }
};

void measure_sweeps(Draft& draft) {
    const auto measure = [&](const char* claim, size_t run, BanditAlgorithm algorithm) {
        const PlotSpec plot = plot_of_run(draft.run(run), "sweep", "");
        if (plot.series.empty()) return;  // nothing has been played yet
        const std::string label = info_of(algorithm).label;
        const auto regret = find_if(plot.series, [&](const Series& series) {
            return series.name.starts_with(label + ": ") || series.name.starts_with(label + " (oracle): ");
        });
        if (regret == plot.series.end()) throw InputError(label + ": does not play in this sweep");
        const FittedExponent exponent = fitted_exponent(regret->x, regret->rows);
        draft.measure(claim,
                      Measurement{exponent.value, "fitted exponent, interval by a bootstrap",
                                  Range{exponent.low, exponent.high}, static_cast<int64_t>(regret->rows.size())});
    };
    measure("nonstationary-sqrt-j", 1, BanditAlgorithm::oracle_restart);
    measure("nonstationary-third-delta", 2, BanditAlgorithm::master_linucb);
}

}  // namespace

ExperimentInfo bandit_sweep() {
    return experiment_of<SweepStudy>(
        kBanditSweepStudy, "Bandit sweeps",
        "How regret grows with non-stationarity and with rounds, log-log: fitted exponents beside theory's slopes 1/2 "
        "and 1/3 (Chen, Ito and Imaizumi 2025, Corollary 2). Nothing is trained.",
        {shipped_figure("nonstationary-sweeps",
                        {.measures = {"nonstationary-sqrt-j", "nonstationary-third-delta"}, .draw = measure_sweeps})});
}

}  // namespace emergence
