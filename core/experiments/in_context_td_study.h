#pragma once
// What the parts of experiment "td" share: its seeds, its study, its pictures and its claims.

#include <memory>
#include <vector>

#include "core/experiments/in_context_td.h"
#include "core/metrics/element_wise.h"
#include "core/metrics/held_out_bank.h"
#include "core/training/multi_task_td.h"

namespace emergence {

/// The theory's P and Q for these sizes, largest entry 1: Theorem 1's with C = I, Corollary 1's for a single
/// layer.
struct TheoryMatrices {
    Table P, Q;
    std::string name;
};
TheoryMatrices in_context_td_theory(int d, int num_layers);

/// What the theory's matrices do, block by block, and the update that they carry out.
std::vector<BlockMeaning> in_context_td_meanings(const std::string& matrix, int num_layers);
Formula in_context_td_formula(int num_layers);

/// One seed.
class InContextTdSeed final : public Experiment {
  public:
    InContextTdSeed(const InContextTdConfig& config, uint64_t seed, int seed_index,
                    std::shared_ptr<const HeldOutBank> bank);

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override;
    int64_t step() const override { return training_.mrps(); }
    bool failed() const override { return training_.diverged(); }
    SeedStatus status() const override;
    ArrayMap save() const override;
    void load(const ArrayMap& state) override;
    void set_live(const Settings&) override {}  // all live fields concern the study

    const MultiTaskTd& training() const { return training_; }
    Table P() const;
    Table Q() const;
    double initial_norm_P() const { return initial_norm_P_; }
    double initial_norm_Q() const { return initial_norm_Q_; }

  private:
    void log(std::vector<MetricRow>& rows);

    InContextTdConfig config_;
    uint64_t seed_;
    int seed_index_;
    std::shared_ptr<const HeldOutBank> bank_;
    MultiTaskTd training_;
    double initial_norm_P_, initial_norm_Q_;
    int64_t last_logged_ = -1;
    int64_t emerged_at_ = -1;
    bool emerged_ = false;
};

class InContextTdStudy final : public Study {
  public:
    explicit InContextTdStudy(const Settings& settings);

    const Settings& settings() const override { return settings_; }
    std::unique_ptr<Experiment> make_seed(int seed_index) const override;
    int num_seeds() const override { return config_.seeds; }
    int64_t target_step() const override { return config_.num_mrps; }
    std::string step_unit() const override { return "MRPs"; }
    int64_t log_interval() const override { return config_.log_interval; }
    const MetricTable& metrics() const override;
    const std::vector<MetricPlot>& metric_plots() const override { return metric_plots_; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;
    Snapshot outline(const std::vector<const Experiment*>& seeds) const override;
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override;
    void set_live(const Settings& settings) override;

  private:
    Settings settings_;
    InContextTdConfig config_;
    std::shared_ptr<const HeldOutBank> bank_;         // at the training's context length
    std::shared_ptr<const HeldOutBank> length_bank_;  // at many context lengths
    // Never replaced, so that inspections may read them on any thread.
    const Settings first_settings_;
    const std::shared_ptr<const HeldOutBank> first_length_bank_;
    std::vector<MetricPlot> metric_plots_;
};

/// One seed's weights, as value-error plots need them.
struct TrainedSeed {
    std::vector<float> P, Q;
    float alpha = 1;
    bool failed = false;
};
/// MSVE against context length for the networks and batch TD, with the best linear predictor and
/// predict-zero.
PlotSpec value_error_plot(const InContextTdConfig& config, const HeldOutBank& bank,
                          const std::vector<TrainedSeed>& seeds);
/// Its read-outs at the marked context length.
std::vector<Scalar> value_error_scalars(const InContextTdConfig& config, const HeldOutBank& bank,
                                        const PlotSpec& plot);

/// The tasks that are trained on, and of which held-out banks are made.
TaskOptions task_options(const InContextTdConfig& config);

/// The held-out world that all seeds share; `lengths`: ascending.
std::shared_ptr<const HeldOutBank> make_bank(const InContextTdConfig& config, int size,
                                             std::vector<int> lengths);
/// 1 .. 40, and beyond it, as far as the marked and the trained length ask for, a grid that thins; holds
/// `marked`.
std::vector<int> context_length_grid(int marked, int trained);

std::vector<MetricPlot> in_context_td_plots(const InContextTdConfig& config, const HeldOutBank& bank);
FigureSpec figure_wang_2(const Snapshot& snapshot, const MetricHistory& history);
/// The table of claims: constructions, identities, fast paths.
std::vector<Claim> in_context_td_claims();

}  // namespace emergence
