// Experiment "bandit-sweep": final regret against the amount of non-stationarity, or against the number of
// rounds. One step plays one environment of each stream at every point of the sweep.

#include "core/experiments/bandits/bandit_players.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/bandits/bandit_train.h"
#include "core/experiments/study_of.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"
#include "core/measures/regret_law.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Every setting of experiment "bandit-sweep".
struct BanditSweepConfig : BanditWorldFields, BanditPlayerFields, BanditStreamFields {
    BanditSweepConfig() { log_interval = 1; }
    std::string over = "amount";
    std::string horizon = "usual";

    void fields(Fields& f);
};

// Final regrets of single environments.
struct BanditSweepData {
    std::vector<std::vector<std::vector<double>>> regret;  // [player][environment][point]
    std::vector<std::vector<double>> variation;            // [environment][point]: Delta of Definition 1
};

// The x axis: T, b, N, J, or for drift the mean Delta over the environments.
struct SweepCourse {
    std::string label;
    std::vector<double> x;
};

constexpr int kCosineRounds = 200, kOtherRounds = 1000;  // the paper's "high" and "low"
constexpr int kMostRounds = 1600;                        // of a sweep over rounds

// A line of the given slope (log-log) through a point.
Series guide(const std::vector<double>& x, double slope, const char* name, double at_x, double at_y, int color) {
    Series series{name, x, {{}}, color, true};
    for (const double value : x) series.rows[0].push_back(at_y * std::pow(value / at_x, slope));
    return series;
}

// The points whose tick labels fit on a logarithmic axis, ascending.
std::vector<double> apart(const std::vector<double>& x) {
    constexpr double kRatio = 1.4;
    std::vector<double> ticks;
    for (const double value : x)
        if (ticks.empty() || value >= kRatio * ticks.back()) ticks.push_back(value);
    return ticks;
}

// "0.48 [0.40, 0.58]"
std::string exponent_text(const FittedExponent& exponent) {
    if (std::isnan(exponent.value)) return "no exponent";
    return fmt::format("{:.2f} [{:.2f}, {:.2f}]", exponent.value, exponent.low, exponent.high);
}

// The guides cross at the geometric mean of the measured points.
std::pair<double, double> centre_of(const std::vector<double>& x, const BanditSweepData& data) {
    double log_x = 0.0, log_y = 0.0, count = 0.0;
    for (const auto& rows : data.regret)
        for (size_t i = 0; i < x.size(); ++i) {
            double mean = 0.0;
            for (const auto& row : rows) mean += row[i] / static_cast<double>(rows.size());
            if (!(x[i] > 0.0 && mean > 0.0)) continue;
            log_x += std::log(x[i]);
            log_y += std::log(mean);
            count += 1.0;
        }
    return {std::exp(log_x / count), std::exp(log_y / count)};
}

// The world's fields at each point of the sweep, by amount or rounds, ascending.
std::vector<BanditOptions> sweep_points(const BanditSweepConfig& config) {
    std::vector<BanditOptions> points;
    BanditSweepConfig at = config;
    const int usual = config.over == "rounds"             ? kMostRounds
                      : config.kind == BanditKind::cosine ? kCosineRounds
                                                          : kOtherRounds;
    if (config.horizon == "usual") at.rounds = usual;
    const auto add = [&](const auto& change) {
        points.push_back(at);
        change(points.back());
    };
    if (config.over == "rounds") {
        std::vector<int> rounds;
        for (double t = at.rounds; rounds.size() < 6 && t >= 20.0; t /= 2.0)
            rounds.insert(rounds.begin(), static_cast<int>(std::lround(t)));
        for (const int t : rounds) add([t](BanditOptions& world) { world.rounds = t; });
        return points;
    }
    const auto over = [&](auto BanditOptions::*amount, const auto& values) {
        for (const auto value : values) add([&](BanditOptions& world) { world.*amount = value; });
    };
    using Numbers = std::vector<double>;
    using Counts = std::vector<int>;
    if (config.kind == BanditKind::cosine)
        over(&BanditOptions::frequency, Numbers{0.001, 0.002, 0.004, 0.008, 0.012, 0.018, 0.025, 0.04, 0.06});
    if (config.kind == BanditKind::elevated) over(&BanditOptions::windows, Counts{1, 2, 3, 4, 6, 8, 12});
    if (config.kind == BanditKind::abrupt) {
        Counts segments = {1, 2, 4, 8, 16, 32};
        std::erase_if(segments, [&](int count) { return count > at.rounds; });
        over(&BanditOptions::segments, segments);
    }
    if (config.kind == BanditKind::drift)
        over(&BanditOptions::angle, Numbers{0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 25.0, 50.0});
    return points;
}

// The players at all points. If the amount is swept, a network's label says whether its training covered all
// points, and the plot shades the range of its training.
BanditPlayers sweep_players(const BanditSweepConfig& config) {
    BanditPlayers players = players_of(sweep_points(config).back(), config);
    if (config.over != "amount" || !players.trained) return players;
    // players_of() looked at the last point only; the label must hold for the whole curve.
    const std::vector<BanditOptions> points = sweep_points(config);
    const bool all_trained = std::all_of(points.begin(), points.end(), [&](const BanditOptions& world) {
        return players.trained->contains(amount_of(world).value);
    });
    for (BanditPlayer& player : players.players)
        if (player.id == "transformer")
            player.label = all_trained ? kSawFamily
                                       : fmt::format("transformer (trained on {} to {} only)", players.trained->from,
                                                     players.trained->to);
    return players;
}

// The x axis of a sweep.
SweepCourse sweep_axis(const BanditSweepConfig& config, const BanditSweepData& data) {
    SweepCourse axis;
    const std::vector<BanditOptions> points = sweep_points(config);
    if (config.over == "rounds") {
        axis.label = "rounds T";
        for (const BanditOptions& world : points) axis.x.push_back(world.rounds);
    } else if (config.kind == BanditKind::drift) {
        axis.label = "variation budget \u0394";
        axis.x.assign(points.size(), 0.0);
        for (const auto& row : data.variation)
            for (size_t i = 0; i < row.size(); ++i) axis.x[i] += row[i] / static_cast<double>(data.variation.size());
    } else {
        axis.label = amount_of(config).label;
        for (const BanditOptions& world : points) axis.x.push_back(amount_of(world).value);
    }
    return axis;
}

// Each player's exponent: the slope of log mean final regret against log x.
std::vector<FittedExponent> sweep_exponents(const BanditSweepConfig& config, const BanditSweepData& data) {
    const SweepCourse axis = sweep_axis(config, data);
    std::vector<FittedExponent> exponents;
    for (const auto& rows : data.regret) exponents.push_back(fitted_exponent(axis.x, rows));
    return exponents;
}

// Final regret, log-log, one row per environment, with guides of slope 1/2 and 1/3.
PlotSpec sweep_plot(const BanditSweepConfig& config, const BanditPlayers& players, const BanditSweepData& data) {
    const SweepCourse axis = sweep_axis(config, data);
    Plot plot("sweep", config.over == "rounds"
                           ? fmt::format("Regret after T rounds, {}", amount_of(config).text)
                           : fmt::format("Regret after {} rounds, {}", sweep_points(config).back().rounds,
                                         bandit_kind_names()[static_cast<size_t>(config.kind)]));
    plot.x(axis.label).logarithmic();
    if (config.over == "rounds" || config.kind != BanditKind::drift) plot.spec().x.ticks = apart(axis.x);
    plot.sparse_markers();
    plot.y("regret").logarithmic();
    plot.row_word("environment");
    for (size_t row = 0; row < data.variation.size(); ++row) plot.spec().seeds.push_back(row);
    if (data.variation.empty()) return plot;
    const std::vector<FittedExponent> exponents = sweep_exponents(config, data);
    for (size_t i = 0; i < players.players.size(); ++i) {
        const BanditPlayer& player = players.players[i];
        plot.add({fmt::format("{}: {}", player.label, exponent_text(exponents[i])), axis.x, data.regret[i],
                  player.color, player.dashed});
    }
    const auto [x, y] = centre_of(axis.x, data);
    plot.add(guide(axis.x, 1.0 / 2.0, "slope 1/2", x, y, kLineColor));
    plot.add(guide(axis.x, 1.0 / 3.0, "slope 1/3", x, y, law_color()));
    if (players.trained && config.over == "amount")
        plot.spec().shaded.push_back({players.trained->label, players.trained->from, players.trained->to});
    plot.readout(absent_text(players));
    plot.note(fmt::format(
        "The legend names the exponents, the slope of log mean regret against log {}, with 95 % intervals by a "
        "bootstrap over environments. A row is an environment; the same number is the same environment at every "
        "point, as far as it stays the same. For drift the axis is the mean \u0394 of Definition 1.",
        axis.label));
    return plot;
}

// The number of environments, and each player's exponent with its 95 % interval.
std::vector<Scalar> sweep_scalars(const BanditSweepConfig& config, const BanditPlayers& players,
                                  const BanditSweepData& data) {
    std::vector<Scalar> scalars = {{"environments", "environments", static_cast<double>(data.variation.size()), "",
                                    "At every point of the sweep, played by every algorithm."}};
    if (data.variation.empty()) return scalars;
    const std::vector<FittedExponent> exponents = sweep_exponents(config, data);
    for (size_t i = 0; i < exponents.size(); ++i)
        scalars.push_back({"exponent_" + players.players[i].id, players.players[i].label + ": exponent",
                           exponents[i].value, "",
                           fmt::format("fitted exponent, 95 % interval {:.2f} to {:.2f} by a bootstrap over "
                                       "environments. {}",
                                       exponents[i].low, exponents[i].high, players.players[i].badge)});
    return scalars;
}

void BanditSweepConfig::fields(Fields& f) {
    f.group("sweep");
    f(over, "over", "sweep over",
      "The amount of non-stationarity (b, J or the angle, whose own sliders then have no effect), "
      "or the rounds T, up to the T that is set.")
        .choices({"amount", "rounds"});
    f(horizon, "horizon", "horizon",
      "Over the amount, usual is T = 200 for a cosine, as in Chen et al. 2025, and where the transformer can "
      "play, and 1,000 for the other kinds; over T it is up to 1,600. Else the rounds T set below.")
        .choices({"usual", "as set"});
    BanditWorldFields::fields(f);
    f.field("rounds").acts_while("horizon", {"as set"});
    for (const char* amount : {"frequency", "windows", "segments", "angle"})
        f.field(amount).acts_while("over", {"rounds"});
    BanditPlayerFields::fields(f);
    BanditStreamFields::fields(f);
}

constexpr StudyNames kBanditSweepStudy = {"bandit-sweep", "environments", "num_environments"};

// One stream of environments; each is played at every point of the sweep.
class SweepStream final : public BanditStream {
  public:
    SweepStream(const BanditSweepConfig& config, int seed_index, const std::shared_ptr<const BanditPlayers>& players)
        : BanditStream(config, seed_index, players->players, 1, sweep_points(config).size()),
          points_(sweep_points(config)) {}

    const std::vector<std::vector<double>>& variation() const { return columns().back(); }

  protected:
    void play_environment(uint32_t index) override {
        std::vector<std::vector<double>> rows(num_players() + 1);
        for (const BanditOptions& point : points_) {
            draw_bandit(point, seed(), index, world_);
            for (size_t i = 0; i < num_players(); ++i) rows[i].push_back(play_one(i, index, world_).regret.back());
            rows.back().push_back(variation_of(world_).amount);
        }
        for (size_t i = 0; i < rows.size(); ++i) append(i, std::move(rows[i]));
    }

  private:
    std::vector<BanditOptions> points_;
    BanditTrajectory world_;
};

class SweepStudy final : public StudyOf<BanditSweepConfig, SweepStream, BanditPlayers> {
  public:
    explicit SweepStudy(const Settings& settings) : StudyOf(kBanditSweepStudy, settings) {
        shared_ = std::make_shared<const BanditPlayers>(sweep_players(config_));
        metrics_ = final_regret_metrics(shared_->players).table();
        metric_plots_ = eval_metric_plots(*shared_);
        metric_plots_.front().title = "Regret at the last point so far";
    }
    static void check(const BanditSweepConfig& c) {
        const std::vector<BanditOptions> points = sweep_points(c);
        check_bandit_fields(points.back(), c);
        if (c.over == "rounds" && c.kind == BanditKind::abrupt && c.segments > points.front().rounds)
            throw InputError(fmt::format("segments: {} is more than {}, the sweep's fewest rounds. Lower it.",
                                         c.segments, points.front().rounds));
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override;
};

void SweepStudy::show(const Seeds& seeds, Snapshot& snapshot) const {
    BanditSweepData data;
    data.regret.resize(shared_->players.size());
    for (int64_t e = 0; e < snapshot.step; ++e)
        for (const SweepStream* stream : seeds) {
            if (e >= stream->step()) continue;
            for (size_t i = 0; i < data.regret.size(); ++i) data.regret[i].push_back(stream->regret(i)[e]);
            data.variation.push_back(stream->variation()[e]);
        }
    snapshot.plots = {sweep_plot(config_, *shared_, data)};
    snapshot.scalars = sweep_scalars(config_, *shared_, data);
    snapshot.seed_word = "stream";
    snapshot.counted = {static_cast<int64_t>(data.variation.size()), "environments"};
    snapshot.headline = fmt::format("at each of {} points", sweep_points(config_).size());
    describe_players(config_, *shared_, config_.over == "rounds", snapshot);
}

}  // namespace

ExperimentInfo bandit_sweep() {
    return experiment_of<SweepStudy>(
        kBanditSweepStudy, "Bandit sweeps",
        "Regret against the amount of non-stationarity and against the rounds, log-log, with fitted exponents beside "
        "the slopes 1/2 and 1/3 of theory (Chen, Ito and Imaizumi 2025, Corollary 2). Nothing is trained.",
        {figure_of_sweeps()});
}

}  // namespace emergence
