#include "core/experiments/bandits/bandit_eval.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/bandits/bandit_eval_views.h"
#include "core/experiments/bandits/bandit_figures.h"
#include "core/experiments/bandits/bandit_stream.h"
#include "core/experiments/configured_study.h"
#include "core/metrics/regret_law.h"

namespace emergence {
namespace {

/// One stream of environments, with every environment's curves.
class EvalStream final : public BanditStream {
  public:
    EvalStream(const BanditEvalConfig& config, const BanditPlayers& players, int seed_index)
        : BanditStream("bandit-eval", players.players, static_cast<uint64_t>(config.seed + seed_index),
                       seed_index, config.log_interval),
          options_(bandit_options(config)),
          at_(curve_points(config.rounds)) {
        declare(players.players.size() + 1, at_.size());
    }

    const std::vector<std::vector<double>>& regret(size_t player) const { return columns()[player]; }
    const std::vector<std::vector<double>>& rate() const { return columns().back(); }

  protected:
    void play_environment(uint32_t index) override {
        draw_bandit(options_, seed(), index, world_);
        for (size_t i = 0; i < num_players(); ++i) {
            const BanditPlay& play = play_one(i, index, world_);
            std::vector<double> curve;
            for (const int t : at_) curve.push_back(t == 0 ? 0.0 : play.regret[static_cast<size_t>(t) - 1]);
            append(i, std::move(curve));
        }
        append(num_players(), optimal_rate(world_, at_));
    }

  private:
    BanditOptions options_;
    std::vector<int> at_;
    BanditTrajectory world_;
};

class EvalStudy final : public ConfiguredStudy<BanditEvalConfig> {
  public:
    explicit EvalStudy(const Settings& settings)
        : ConfiguredStudy("bandit-eval", "environments", settings), players_(players_of(config_, config_)) {
        metrics_ = eval_metrics(players_.players);
        metric_plots_ = eval_metric_plots(players_);
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<EvalStream>(config_, players_, seed_index);
    }
    int64_t target_step() const override { return config_.num_environments; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;

  private:
    BanditPlayers players_;
};

Snapshot EvalStudy::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = begin_snapshot(seeds);
    BanditCurves curves;
    curves.at = curve_points(config_.rounds);
    curves.regret.resize(players_.players.size());
    // Environment by environment, so that rows stay where they are as more come.
    for (int64_t e = 0; e < snapshot.step; ++e)
        for (const Experiment* seed : seeds) {
            const auto& stream = dynamic_cast<const EvalStream&>(*seed);
            if (e >= stream.step()) continue;
            for (size_t i = 0; i < players_.players.size(); ++i)
                curves.regret[i].push_back(stream.regret(i)[static_cast<size_t>(e)]);
            curves.rate.push_back(stream.rate()[static_cast<size_t>(e)]);
        }
    snapshot.plots = {eval_regret_plot(curves, players_), eval_suboptimality_plot(curves, players_),
                      eval_difference_plot(curves, players_, config_.compare_with)};
    snapshot.scalars = eval_scalars(curves, players_);
    snapshot.headline = eval_headline(curves, players_);
    for (size_t i = 0; i < players_.players.size(); ++i) {
        std::vector<double> finals;
        for (const auto& row : curves.regret[i]) finals.push_back(row.back());
        snapshot.weights["final_" + players_.players[i].id] = {{finals.size()}, std::move(finals)};
    }
    return snapshot;
}

}  // namespace

ExperimentInfo bandit_eval() {
    ExperimentInfo info;
    info.name = "bandit-eval";
    info.title = "Bandit regret";
    info.summary =
        "The same environments for all algorithms, by the hundred: dynamic regret with bands, paired "
        "differences, and "
        "the optimal rate (Chen, Ito and Imaizumi 2025, Figures 3 to 7). Nothing is trained.";
    info.fields = std::make_shared<const FieldTable>(fields_of<BanditEvalConfig>());
    info.check = [](const Settings& settings) {
        const auto c = config_from<BanditEvalConfig>(settings);
        check_bandit_fields(c, c);
        check_log_interval(c.log_interval, c.num_environments);
    };
    info.make = [](const Settings& settings) { return std::make_unique<EvalStudy>(settings); };
    info.grid_figures = bandit_eval_figures();
    info.claims = bandit_eval_claims();
    return info;
}

}  // namespace emergence
