#include "core/experiments/bandits/bandit_eval_stream.h"

#include <algorithm>
#include <utility>

#include "core/measures/regret_law.h"

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
    for (const EvalStream* stream : streams) most = std::max(most, stream->step());
    for (int64_t e = 0; e < most; ++e)
        for (const EvalStream* stream : streams) {
            if (e >= stream->step()) continue;
            for (size_t i = 0; i < curves.regret.size(); ++i)
                curves.regret[i].push_back(stream->regret(i)[e]);
            curves.rate.push_back(stream->rate()[e]);
        }
    return curves;
}

}  // namespace emergence
