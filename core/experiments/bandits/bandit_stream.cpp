#include "core/experiments/bandits/bandit_stream.h"

#include "core/base/error.h"

namespace emergence {

Metrics<FinalRegrets> final_regret_metrics(const std::vector<BanditPlayer>& players) {
    Metrics<FinalRegrets> metrics = {};
    for (size_t i = 0; i < players.size(); ++i)
        metrics.add({"final_" + players[i].id, players[i].label,
                     "Regret after all rounds, mean over the stream's environments so far.",
                     [i](const FinalRegrets& regrets) { return regrets[i]; }});
    return metrics;
}

BanditStream::BanditStream(const BanditStreamFields& fields, int seed_index, const std::vector<BanditPlayer>& players,
                           size_t columns, size_t width)
    : SampledSeed(static_cast<uint64_t>(fields.seed + seed_index), seed_index, fields.log_interval,
                  final_regret_metrics(players)),
      players_(players),
      width_(width),
      columns_(players.size() + columns) {
    for (const BanditPlayer& player : players_) policies_.push_back(player.make());
}

FinalRegrets BanditStream::measure() {
    FinalRegrets means;
    for (size_t i = 0; i < players_.size(); ++i) {
        double sum = 0.0;
        for (const auto& row : columns_[i]) sum += row.back();
        means.push_back(sum / static_cast<double>(step()));
    }
    return means;
}

const BanditPlay& BanditStream::play_one(size_t player, uint32_t index, const BanditTrajectory& world) {
    Stream random = policy_stream(seed(), index, players_[player].stream);
    play_bandit(world, *policies_[player], random, play_);
    return play_;
}

void BanditStream::state(Archive& archive) {
    std::vector<double> all;
    for (const auto& column : columns_)
        for (const auto& row : column) all.insert(all.end(), row.begin(), row.end());
    Array rows{{columns_.size(), static_cast<size_t>(step()), width_}, std::move(all)};
    archive("rows", rows);
    archive.require(rows.shape.size() == 3 && rows.shape[0] == columns_.size() && rows.shape[2] == width_, "rows",
                    fmt::format("is not of {} x environments x {}", columns_.size(), width_));
    if (!archive.loads()) return;
    all = as_doubles(rows);
    auto from = all.begin();
    for (auto& column : columns_) {
        column.clear();
        for (size_t e = 0; e < rows.shape[1]; ++e, from += static_cast<std::ptrdiff_t>(width_))
            column.emplace_back(from, from + static_cast<std::ptrdiff_t>(width_));
    }
    resume_at(static_cast<int64_t>(rows.shape[1]));
}

void check_bandit_fields(const BanditOptions& world, const BanditPlayerFields& players) {
    const BanditPlayers found = players_of(world, players);
    if (found.players.empty())
        throw InputError("play_linucb: no algorithm plays. Switch at least one on. " + absent_text(found));
    check_bandit_world(world);
}

void check_bandit_world(const BanditOptions& world) {
    if (world.kind == BanditKind::abrupt && world.segments > world.rounds)
        throw InputError(fmt::format("segments: {} is more than rounds = {}. Lower it.", world.segments, world.rounds));
}

}  // namespace emergence
