#include "core/experiments/bandits/bandit_eval.h"

#include "core/base/statistics.h"
#include "core/experiments/bandits/bandit_figures.h"
#include "core/experiments/study_of.h"
#include "core/measures/bandit_measures.h"

namespace emergence {

EvalStream::EvalStream(const BanditStreamFields& fields, int seed_index, std::shared_ptr<const EvalGame> game)
    : BanditStream(fields, seed_index, game->players.players, 1, curve_points(game->world.rounds).size()),
      game_(std::move(game)),
      at_(curve_points(game_->world.rounds)) {}

void EvalStream::play_environment(uint32_t index) {
    draw_bandit(game_->world, seed(), index, world_);
    for (size_t i = 0; i < num_players(); ++i) {
        const BanditPlay& play = play_one(i, index, world_);
        std::vector<double> curve;
        for (const int t : at_) curve.push_back(t == 0 ? 0.0 : play.regret[static_cast<size_t>(t) - 1]);
        append(i, std::move(curve));
    }
    append(num_players(), optimal_rate(world_, at_));
}

BanditCurves curves_of(const std::vector<const EvalStream*>& streams, const EvalGame& game) {
    BanditCurves curves;
    curves.at = curve_points(game.world.rounds);
    curves.regret.resize(game.players.players.size());
    int64_t most = 0;
    for (const EvalStream* stream : streams) most = larger(most, stream->step());
    for (int64_t e = 0; e < most; ++e)
        for (const EvalStream* stream : streams) {
            if (e >= stream->step()) continue;
            for (size_t i = 0; i < curves.regret.size(); ++i) curves.regret[i].push_back(stream->regret(i)[e]);
            curves.rate.push_back(stream->rate()[e]);
        }
    return curves;
}

void BanditEvalConfig::fields(Fields& f) {
    BanditWorldFields::fields(f);
    BanditPlayerFields::fields(f);
    f.group("pictures");
    f(compare_with, "compare_with", "differences from",
      "Each algorithm's regret minus this one's on the same environment.")
        .choices({"linucb", "thompson", "sliding-window", "discounted", "master-linucb", "master-thompson",
                  "oracle-restart", "cosine-thompson", "transformer", "random"})
        .called(bandit_algorithm_labels())
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
        snapshot.plots.push_back(eval_difference_plot(snapshot.plots.front(), shared_->players, config.compare_with));
    }
};

}  // namespace

ExperimentInfo bandit_eval() {
    return experiment_of<EvalStudy>(
        kBanditEvalStudy, "Bandit regret",
        "The same environments for all algorithms, by the hundred: dynamic regret with bands, paired differences, and "
        "the optimal rate (Chen, Ito and Imaizumi 2025, Figures 3 to 7). Nothing is trained.",
        bandit_eval_figures());
}

}  // namespace emergence
