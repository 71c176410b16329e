#pragma once
// Base of the experiments whose seed is a stream of environments and whose step plays one of them.

#include <string>
#include <vector>

#include "core/experiments/bandits/bandit_players.h"
#include "core/lab/study.h"

namespace emergence {

/// Plays environment after environment and stores columns with one row per environment. Column p belongs to
/// player p, and the last number of its rows is that player's final regret; the derived class defines further
/// columns.
class BanditStream : public Experiment {
  public:
    BanditStream(std::string experiment, const std::vector<BanditPlayer>& players, uint64_t seed,
                 int seed_index, int log_interval);

    void advance(int64_t target_step, std::vector<MetricRow>& rows) final;
    int64_t step() const final { return step_; }
    bool failed() const final { return false; }
    SeedStatus status() const final { return {seed_, step_, false, "", false, -1}; }
    ArrayMap save() const final;
    void load(const ArrayMap& state) final;
    void set_live(const Settings&) final {}  // live settings change pictures and the last step only

    /// [column][environment][number]
    const std::vector<std::vector<std::vector<double>>>& columns() const { return columns_; }

  protected:
    /// Declares `columns` columns whose rows have `width` numbers; the derived constructor calls it once.
    void declare(size_t columns, size_t width);
    /// Appends one row to every column.
    virtual void play_environment(uint32_t index) = 0;

    uint64_t seed() const { return seed_; }
    size_t num_players() const { return players_.size(); }
    /// Lets `player` play `world`; the result is valid until the next call. `index` keys its randomness.
    const BanditPlay& play_one(size_t player, uint32_t index, const BanditTrajectory& world);
    void append(size_t column, std::vector<double> row) { columns_[column].push_back(std::move(row)); }

  private:
    std::string experiment_;
    std::vector<BanditPlayer> players_;
    std::vector<std::unique_ptr<BanditPolicy>> policies_;
    uint64_t seed_;
    int seed_index_;
    int log_interval_;
    int64_t step_ = 0;
    size_t width_ = 0;
    std::vector<std::vector<std::vector<double>>> columns_;
    BanditPlay play_;
};

/// Each throws InputError if settings contradict each other although each is in its range.
void check_bandit_fields(const BanditOptions& world, const BanditPlayerFields& players);
void check_bandit_world(const BanditOptions& world);
void check_log_interval(int64_t log_interval, int64_t num_environments);

}  // namespace emergence
