#pragma once
// Experiment "basins": where and when training ends, from many seeds and many scales of the initial weights.
// One step is one MRP. A seed has one training per scale; all share its stream of tasks and its random
// initial numbers, multiplied by the scale.

#include <memory>
#include <string>
#include <vector>

#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/study_of.h"

namespace emergence {

/// Every setting of experiment "basins".
struct BasinsConfig : TdRunsConfig {
    BasinsConfig() { seeds = 32; }
    double least_gain = 0.01, largest_gain = 1.0;
    int num_gains = 5;

    void fields(Fields& f);
};

/// Where a training is now.
enum class Basin { neither, emerged, second };
/// The basin of a training. The second basin is our definition: not emerged, |P[-1,-1]| < 0.5 and IWS > 0.7.
/// Such a network predicts almost as well as TD without TD's P.
Basin basin_of(bool emerged, double p_corner, double iws);

/// The scales, ascending.
std::vector<double> gains_of(const BasinsConfig& config);

/// One training of a seed, as last logged.
struct BasinState {
    bool emerged = false, failed = false;
    /// As SeedStatus::emerged_at.
    int64_t emerged_at = -1;
    double p_corner = 0.0, iws = 0.0;
    Basin basin() const { return basin_of(emerged, p_corner, iws); }
};

/// What a seed measures at a logged step: its trainings.
using BasinsMeasured = std::vector<BasinState>;

/// One seed: one training per scale.
class BasinsSeed final : public CountedSeed<BasinsMeasured> {
  public:
    BasinsSeed(const BasinsConfig& config, int seed_index, std::shared_ptr<const SeedMeasures> measures);

    bool failed() const override;
    void state(Archive& archive) override;

    /// In the order of gains_of().
    const std::vector<BasinState>& states() const { return states_; }

  protected:
    void take_step() override;
    BasinsMeasured measure() override;
    std::string why_failed() const override { return "the trainings of all scales have diverged"; }

  private:
    void follow_trainings();

    std::vector<std::unique_ptr<InContextTdSeed>> trainings_;
    std::vector<BasinState> states_;
};

/// Two metrics per scale: whether it has not emerged yet, and IWS.
Metrics<BasinsMeasured> basins_metrics(const BasinsConfig& config);

/// Survival curves and IWS, one curve per scale.
std::vector<MetricPlot> basins_plots(const BasinsConfig& config);
/// Scales x seeds: outcomes, times to emergence, IWS.
std::vector<NamedMatrix> basins_matrices(const BasinsConfig& config, const std::vector<const BasinsSeed*>& seeds);

/// The shares of trainings that have emerged, are in the second basin, or neither.
std::vector<Scalar> basins_scalars(const BasinsConfig& config, const std::vector<const BasinsSeed*>& seeds);
/// "93 of 160 trainings have emerged, 20 are in the second basin".
std::string basins_headline(const BasinsConfig& config, const std::vector<const BasinsSeed*>& seeds);
/// The grid of outcomes, times and survival.
FigureInfo figure_of_basins();

/// The experiment's entry in the registry.
ExperimentInfo basins();

}  // namespace emergence
