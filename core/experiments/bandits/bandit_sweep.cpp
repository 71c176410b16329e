#include "core/experiments/bandits/bandit_sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/bandits/bandit_eval_plots.h"
#include "core/experiments/bandits/bandit_figures.h"
#include "core/experiments/bandits/bandit_stream.h"
#include "core/experiments/bandits/bandit_sweep_plots.h"
#include "core/experiments/configured_study.h"

namespace emergence {

void BanditSweepConfig::fields(Fields& f) {
    f.group("sweep");
    f(over, "over", "sweep over",
      "The amount of non-stationarity (b, J or the angle, whose own sliders then have no effect), "
      "or the rounds T, up to the T that is set.")
        .choices({"amount", "rounds"});
    f(horizon, "horizon", "horizon",
      "Over the amount, usual is T = 200 for a cosine, as in the paper and where the transformer can "
      "play, and 1,000 for the other kinds; over T it is up to 1,600. Else the rounds T set below.")
        .choices({"usual", "as set"});
    BanditWorldFields::fields(f);
    f.field("rounds").acts_while("horizon", {"as set"});
    for (const char* amount : {"frequency", "windows", "segments", "angle"})
        f.field(amount).acts_while("over", {"rounds"});
    BanditPlayerFields::fields(f);
    BanditStreamFields::fields(f);
}

namespace {

/// One stream of environments; each is played at every point of the sweep.
class SweepStream final : public BanditStream {
  public:
    SweepStream(const BanditSweepConfig& config, const BanditPlayers& players, int seed_index)
        : BanditStream("bandit-sweep", players.players, static_cast<uint64_t>(config.seed + seed_index),
                       seed_index, config.log_interval),
          points_(sweep_points(config)) {
        declare(players.players.size() + 1, points_.size());
    }

    const std::vector<std::vector<double>>& regret(size_t player) const { return columns()[player]; }
    const std::vector<std::vector<double>>& variation() const { return columns().back(); }

  protected:
    void play_environment(uint32_t index) override {
        std::vector<std::vector<double>> rows(num_players() + 1);
        for (const BanditOptions& point : points_) {
            draw_bandit(point, seed(), index, world_);
            for (size_t i = 0; i < num_players(); ++i)
                rows[i].push_back(play_one(i, index, world_).regret.back());
            rows.back().push_back(variation_of(world_).amount);
        }
        for (size_t i = 0; i < rows.size(); ++i) append(i, std::move(rows[i]));
    }

  private:
    std::vector<BanditOptions> points_;
    BanditTrajectory world_;
};

class SweepStudy final : public ConfiguredStudy<BanditSweepConfig> {
  public:
    explicit SweepStudy(const Settings& settings)
        : ConfiguredStudy("bandit-sweep", "environments", settings), players_(sweep_players(config_)) {
        metrics_ = eval_metrics(players_.players);
        metric_plots_ = eval_metric_plots(players_);

        metric_plots_.front().title = "Regret at the last point so far";
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<SweepStream>(config_, players_, seed_index);
    }
    int64_t target_step() const override { return config_.num_environments; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;

  private:
    BanditPlayers players_;
};

Snapshot SweepStudy::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = begin_snapshot(seeds);
    BanditSweepData data;
    data.regret.resize(players_.players.size());
    for (int64_t e = 0; e < snapshot.step; ++e)
        for (const Experiment* seed : seeds) {
            const auto& stream = dynamic_cast<const SweepStream&>(*seed);
            if (e >= stream.step()) continue;
            for (size_t i = 0; i < players_.players.size(); ++i)
                data.regret[i].push_back(stream.regret(i)[static_cast<size_t>(e)]);
            data.variation.push_back(stream.variation()[static_cast<size_t>(e)]);
        }
    snapshot.plots = {sweep_plot(config_, players_, data)};
    snapshot.scalars = sweep_scalars(config_, players_, data);
    snapshot.seed_word = "stream";
    snapshot.counted = {static_cast<int64_t>(data.variation.size()), "environments"};
    snapshot.headline = fmt::format("at each of {} points", sweep_points(config_).size());
    describe_players(config_, players_, config_.over == "rounds", snapshot);
    return snapshot;
}

}  // namespace

ExperimentInfo bandit_sweep() {
    ExperimentInfo info;
    info.name = "bandit-sweep";
    info.title = "Bandit sweeps";
    info.summary =
        "Regret against the amount of non-stationarity and against the rounds, log-log, with fitted "
        "exponents beside "
        "the slopes 1/2 and 1/3 of theory (Chen, Ito and Imaizumi 2025, Corollary 2). Nothing is trained.";
    info.fields = std::make_shared<const FieldTable>(fields_of<BanditSweepConfig>());
    info.check = [](const Settings& settings) {
        const auto c = config_from<BanditSweepConfig>(settings);
        check_bandit_fields(sweep_points(c).back(), c);
        check_log_interval(c.log_interval, c.num_environments);
        if (c.over == "rounds" && c.kind == BanditKind::abrupt && c.segments > sweep_points(c).front().rounds)
            throw InputError(
                fmt::format("segments: found {}, allowed is at most {}, the sweep's fewest rounds",
                            c.segments, sweep_points(c).front().rounds));
    };
    info.make = [](const Settings& settings) { return std::make_unique<SweepStudy>(settings); };
    info.figures = {figure_of_sweeps()};
    info.claims = bandit_sweep_claims();
    return info;
}

}  // namespace emergence
