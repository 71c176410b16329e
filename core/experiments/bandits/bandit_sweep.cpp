#include "core/experiments/bandits/bandit_sweep.h"

#include "core/experiments/bandits/bandit_figures.h"
#include "core/experiments/study_of.h"

namespace emergence {

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

namespace {

constexpr StudyNames kBanditSweepStudy = {"bandit-sweep", "environments", "num_environments"};

/// One stream of environments; each is played at every point of the sweep.
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
