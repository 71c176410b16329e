#include "core/experiments/bandits/bandit_eval.h"

#include "core/experiments/bandits/bandit_eval_plots.h"
#include "core/experiments/bandits/bandit_eval_stream.h"
#include "core/experiments/bandits/bandit_figures.h"
#include "core/experiments/study_of.h"

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

constexpr StudyNames kBanditEvalStudy = {"bandit-eval", "environments", "num_environments"};

class EvalStudy final : public StudyOf<BanditEvalConfig, EvalStream, EvalGame> {
  public:
    explicit EvalStudy(const Settings& settings) : StudyOf(kBanditEvalStudy, settings) {
        shared_ = std::make_shared<const EvalGame>(EvalGame{config_, players_of(config_, config_)});
        metrics_ = final_regret_metrics(shared_->players.players).table();
        metric_plots_ = eval_metric_plots(shared_->players);
    }
    static void check(const BanditEvalConfig& c) { check_bandit_fields(c, c); }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const BanditPlayers& players = shared_->players;
        const BanditCurves curves = curves_of(seeds, *shared_);
        snapshot.plots = {eval_regret_plot(curves, players), eval_suboptimality_plot(curves, players)};
        snapshot.scalars = eval_scalars(curves, players);
        describe_streams(curves, players, snapshot);
        describe_players(config_, players, true, snapshot);
    }
    void evaluate(const BanditEvalConfig& config, Snapshot& snapshot) const override {
        snapshot.plots.resize(2);
        snapshot.plots.push_back(
            eval_difference_plot(snapshot.plots.front(), shared_->players, config.compare_with));
    }
};

}  // namespace

ExperimentInfo bandit_eval() {
    return experiment_of<EvalStudy>(
        kBanditEvalStudy, "Bandit regret",
        "The same environments for all algorithms, by the hundred: dynamic regret with bands, paired differences, and "
        "the optimal rate (Chen, Ito and Imaizumi 2025, Figures 3 to 7). Nothing is trained.",
        bandit_eval_figures(), bandit_eval_measures());
}

}  // namespace emergence
