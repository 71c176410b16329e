#include "core/experiments/bandits/bandit_eval.h"

#include <fmt/format.h>

#include "core/experiments/bandits/bandit_eval_plots.h"
#include "core/experiments/bandits/bandit_eval_stream.h"
#include "core/experiments/bandits/bandit_figures.h"
#include "core/experiments/configured_study.h"

namespace emergence {

void BanditEvalConfig::fields(Fields& f) {
    BanditWorldFields::fields(f);
    BanditPlayerFields::fields(f);
    f.group("pictures");
    f(compare_with, "compare_with", "differences from",
      "Each algorithm's regret minus this one's on the same environment.")
        .choices({"linucb", "thompson", "sliding-window", "discounted", "master-linucb", "master-thompson",
                  "oracle-restart", "cosine-thompson", "transformer", "random"})
        .live();
    BanditStreamFields::fields(f);
}

namespace {

class EvalStudy final : public ConfiguredStudy<BanditEvalConfig> {
  public:
    explicit EvalStudy(const Settings& settings)
        : ConfiguredStudy("bandit-eval", "environments", settings), players_(players_of(config_, config_)) {
        metrics_ = eval_metrics(players_.players);
        metric_plots_ = eval_metric_plots(players_);
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<EvalStream>("bandit-eval", config_, players_,
                                            static_cast<uint64_t>(config_.seed + seed_index), seed_index,
                                            config_.log_interval);
    }
    int64_t target_step() const override { return config_.num_environments; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;

  private:
    BanditPlayers players_;
};

Snapshot EvalStudy::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = begin_snapshot(seeds);
    const BanditCurves curves = curves_of(seeds, players_.players.size(), config_.rounds);
    snapshot.plots = {eval_regret_plot(curves, players_), eval_suboptimality_plot(curves, players_),
                      eval_difference_plot(curves, players_, config_.compare_with)};
    snapshot.scalars = eval_scalars(curves, players_);
    describe_streams(curves, players_, snapshot);
    describe_players(config_, players_, true, snapshot);
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
    info.figures = bandit_eval_figures();
    info.claims = bandit_eval_claims();
    return info;
}

}  // namespace emergence
