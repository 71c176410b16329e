#pragma once
// Base of the experiments whose seed is a stream of environments and whose step plays one of them.

#include "core/experiments/bandits/bandit_players.h"
#include "core/experiments/logged_seed.h"

namespace emergence {

/// The final regret of each player, mean over the environments so far.
using FinalRegrets = std::vector<double>;
/// One metric per player: final_ID.
Metrics<FinalRegrets> final_regret_metrics(const std::vector<BanditPlayer>& players);

/// Plays environment after environment and stores columns with one row per environment. Column p belongs to player p,
/// and the last number of its rows is that player's final regret; the derived class defines further columns.
class BanditStream : public SampledSeed<FinalRegrets> {
  public:
    void state(Archive& archive) final;

    /// [column][environment][number]
    const std::vector<std::vector<std::vector<double>>>& columns() const { return columns_; }
    const std::vector<std::vector<double>>& regret(size_t player) const { return columns_[player]; }

  protected:
    /// `columns`: how many there are beside the players'; `width`: the numbers in a row.
    BanditStream(const BanditStreamFields& fields, int seed_index, const std::vector<BanditPlayer>& players,
                 size_t columns, size_t width);

    /// Appends one row to every column.
    virtual void play_environment(uint32_t index) = 0;
    void take_step() final {
        play_environment(static_cast<uint32_t>(step_));
        ++step_;
    }
    FinalRegrets measure() final;

    size_t num_players() const { return players_.size(); }
    /// Lets `player` play `world`; the result is valid until the next call. `index` keys its randomness.
    const BanditPlay& play_one(size_t player, uint32_t index, const BanditTrajectory& world);
    void append(size_t column, std::vector<double> row) { columns_[column].push_back(std::move(row)); }

  private:
    std::vector<BanditPlayer> players_;
    std::vector<std::unique_ptr<BanditPolicy>> policies_;
    size_t width_;
    std::vector<std::vector<std::vector<double>>> columns_;
    BanditPlay play_;
};

/// Each throws InputError if settings contradict each other although each is in its range.
void check_bandit_fields(const BanditOptions& world, const BanditPlayerFields& players);
void check_bandit_world(const BanditOptions& world);

}  // namespace emergence
