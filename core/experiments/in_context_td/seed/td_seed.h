#pragma once
// One seed of experiment "td": its training, what it logs, its saved state.

#include <memory>
#include <vector>

#include "core/experiments/in_context_td/seed/td_metrics.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/logged_seed.h"
#include "core/measures/network_evaluator.h"
#include "core/training/multi_task_td.h"

namespace emergence {

struct SeedMeasures;  // td_verdict.h

/// One seed.
class InContextTdSeed : public TrainedSeed<MultiTaskTd, TdMeasured> {
  public:
    InContextTdSeed(const InContextTdConfig& config, int seed_index, std::shared_ptr<const SeedMeasures> measures);
    ~InContextTdSeed() override;

    int64_t step() const override { return training().mrps(); }
    SeedStatus status() const override;
    void state(Archive& archive) override;

    /// The measures of the last logged step since the seed was made or loaded.
    const TdMeasured& latest() const { return latest_; }
    /// One matrix of the present weights.
    Table matrix(const NamedBlock& block) const;
    /// Those at step 0.
    const std::vector<float>& initial_weights() const { return initial_weights_; }

  protected:
    /// For experiments that log more `metrics`.
    InContextTdSeed(const InContextTdConfig& config, int seed_index, std::shared_ptr<const SeedMeasures> measures,
                    Metrics<TdMeasured> metrics);

    void take_step() override { own_training().train_one_mrp(); }
    int64_t lasting_steps() const override;
    TdMeasured measure() override;
    std::string why_diverged() const override;

  private:
    void set_weights(const std::vector<float>& weights, float alpha);
    /// The entries of P and Q that are logged: means over the stored layers, signs aligned if they may be
    /// flipped. Adds what the first layer without the pattern lacks.
    ElementWise elements(std::vector<Lack>& lacks) const;
    /// The same of two heads.
    std::array<ElementWise, 2> heads(std::vector<Lack>& lacks) const;
    void measure_elements(TdMeasured& measured);
    void measure_verdict(TdMeasured& measured);
    NetworkVerdict present_verdict() const;

    InContextTdConfig config_;
    NetworkShape shape_;
    std::shared_ptr<const SeedMeasures> measures_;
    /// On the tasks trained on; null without a pool.
    std::unique_ptr<const NetworkEvaluator> pool_;
    /// For so many logged steps in a row it has computed the algorithm of its loss.
    int64_t held_ = 0;
    /// The first logged step from which it did so for as long as it must last; -1: never so far.
    int64_t computed_since_ = -1;
    std::vector<float> initial_weights_;
    TdMeasured latest_;
};

}  // namespace emergence
