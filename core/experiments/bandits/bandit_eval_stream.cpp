#include "core/experiments/bandits/bandit_eval_stream.h"

#include <algorithm>
#include <utility>

#include "core/measures/regret_law.h"

namespace emergence {

EvalStream::EvalStream(std::string experiment, const BanditOptions& options, const BanditPlayers& players,
                       uint64_t seed, int seed_index, int log_interval)
    : BanditStream(std::move(experiment), players.players, seed, seed_index, log_interval),
      options_(options),
      at_(curve_points(options.rounds)) {
    declare(players.players.size() + 1, at_.size());
}

void EvalStream::play_environment(uint32_t index) {
    draw_bandit(options_, seed(), index, world_);
    for (size_t i = 0; i < num_players(); ++i) {
        const BanditPlay& play = play_one(i, index, world_);
        std::vector<double> curve;
        for (const int t : at_) curve.push_back(t == 0 ? 0.0 : play.regret[static_cast<size_t>(t) - 1]);
        append(i, std::move(curve));
    }
    append(num_players(), optimal_rate(world_, at_));
}

BanditCurves curves_of(const std::vector<const Experiment*>& seeds, size_t num_players, int rounds) {
    BanditCurves curves;
    curves.at = curve_points(rounds);
    curves.regret.resize(num_players);
    int64_t most = 0;
    for (const Experiment* seed : seeds) most = std::max(most, seed->step());
    for (int64_t e = 0; e < most; ++e)
        for (const Experiment* seed : seeds) {
            const auto& stream = dynamic_cast<const EvalStream&>(*seed);
            if (e >= stream.step()) continue;
            for (size_t i = 0; i < num_players; ++i)
                curves.regret[i].push_back(stream.regret(i)[static_cast<size_t>(e)]);
            curves.rate.push_back(stream.rate()[static_cast<size_t>(e)]);
        }
    return curves;
}

}  // namespace emergence
