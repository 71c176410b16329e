#include "core/experiments/bandits/bandit_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/check.h"
#include "core/base/error.h"

namespace emergence {

BanditStream::BanditStream(std::string experiment, const std::vector<BanditPlayer>& players, uint64_t seed,
                           int seed_index, int log_interval)
    : experiment_(std::move(experiment)),
      players_(players),
      seed_(seed),
      seed_index_(seed_index),
      log_interval_(log_interval) {
    for (const BanditPlayer& player : players_) policies_.push_back(player.make());
}

void BanditStream::declare(size_t columns, size_t width) {
    columns_.assign(columns, {});
    width_ = width;
}

void BanditStream::advance(int64_t target_step, std::vector<MetricRow>& rows) {
    while (step_ < target_step) {
        play_environment(static_cast<uint32_t>(step_));
        ++step_;
        if (step_ % log_interval_ != 0) continue;
        MetricRow row{seed_index_, step_, {}};
        for (size_t i = 0; i < players_.size(); ++i) {
            double sum = 0.0;
            for (const auto& kept : columns_[i]) sum += kept.back();
            row.values.push_back(sum / static_cast<double>(step_));
        }
        rows.push_back(std::move(row));
    }
}

const BanditPlay& BanditStream::play_one(size_t player, uint32_t index, const BanditTrajectory& world) {
    Stream random = policy_stream(seed_, index, players_[player].stream);
    play_bandit(world, *policies_[player], random, play_);
    return play_;
}

ArrayMap BanditStream::save() const {
    ArrayMap map;
    std::vector<double> all;
    for (const auto& column : columns_)
        for (const auto& row : column) all.insert(all.end(), row.begin(), row.end());
    map["rows"] = {{columns_.size(), static_cast<size_t>(step_), width_}, std::move(all)};
    return map;
}

void BanditStream::load(const ArrayMap& state) {
    const auto found = state.find("rows");
    if (state.size() != 1 || found == state.end() || found->second.shape.size() != 3 ||
        found->second.shape[0] != columns_.size() || found->second.shape[2] != width_)
        throw InputError(fmt::format("{} state: needed is one array 'rows' of {} x environments x {}",
                                     experiment_, columns_.size(), width_));
    const std::vector<double> all = as_doubles(found->second);
    const size_t count = found->second.shape[1];
    auto from = all.begin();
    for (auto& column : columns_) {
        column.clear();
        for (size_t e = 0; e < count; ++e, from += static_cast<std::ptrdiff_t>(width_))
            column.emplace_back(from, from + static_cast<std::ptrdiff_t>(width_));
    }
    step_ = static_cast<int64_t>(count);
}

void check_bandit_fields(const BanditOptions& world, const BanditPlayerFields& players) {
    const BanditPlayers found = players_of(world, players);
    if (found.players.empty())
        throw InputError("play_linucb: found that no algorithm plays, allowed is at least one. " +
                         absent_text(found));
    check_bandit_world(world);
}

void check_bandit_world(const BanditOptions& world) {
    if (world.kind == BanditKind::abrupt && world.segments > world.rounds)
        throw InputError(
            fmt::format("segments: found {}, allowed is at most rounds = {}", world.segments, world.rounds));
}

void check_log_interval(int64_t log_interval, int64_t num_environments) {
    if (log_interval > num_environments)
        throw InputError(fmt::format(
            "log_interval: found {}, allowed is at most num_environments = {}, else nothing is logged",
            log_interval, num_environments));
}

}  // namespace emergence
