#pragma once
// Experiment "softmax-td": a transformer with softmax attention, trained to predict values of random Boyan
// chains by multi-task TD, discovers weighted softmax TD (the softmax paper, Section 8 and Appendix F).

#include <memory>
#include <string>
#include <vector>

#include "core/experiments/logged_seed.h"
#include "core/measures/softmax_td_measures.h"
#include "core/training/softmax_td_training.h"
#include "core/training/training_log.h"

namespace emergence {

// Every setting of experiment "softmax-td". The text of the paper that we used lacks the numbers of Table 1, so the
// defaults are ours.

struct SoftmaxTdConfig : SoftmaxTdTrainingOptions {
    SoftmaxTdConfig() { flip_at = 500; }
    bool flip = false;
    int64_t num_updates = 20000;
    int64_t seed = 0;
    int seeds = 10;
    std::string show = "final";
    int prompt = 0;
    int layer = 1;
    int bank_size = 64;
    int log_interval = 100;

    void fields(Fields& f);
    void model_fields(Fields& f);
    void training_fields(Fields& f);
};

/// Theorem 1's weights in training's layout: P, then Q.
std::vector<float> constructed_softmax_weights(int d, double step, double sharpness);

/// The four signs that a network has found TD. The first that is missing is named.
struct SoftmaxLamp {
    const char *name, *label, *help;
    bool (SoftmaxEmergence::*lit)() const;
};
inline constexpr SoftmaxLamp kSoftmaxLamps[] = {
    {"reward", "reward +", "P's last row is positive under R: the reward is added, as in TD.",
     &SoftmaxEmergence::reward_lamp},
    {"bootstrap", "bootstrap +", "P's last row is positive under v': the next state's value is added.",
     &SoftmaxEmergence::bootstrap_lamp},
    {"current", "current \u2212", "P's last row is negative under v: the current value is subtracted.",
     &SoftmaxEmergence::current_lamp},
    {"q_positive", "Q positive",
     "The mean of the diagonal of Q's feature block is positive: a state attends to similar states. Ours: A-emergence "
     "ignores this sign.",
     &SoftmaxEmergence::positive_lamp}};

/// Assumption 5.1's margin in words.
inline constexpr const char* kMarginHelp =
    "The margin C of Assumption 5.1: min over states of K(s,s) - sum of the others - \u03b3. If positive, the "
    "iteration contracts by 1 - C. This form is ours, because the formula is missing in “Beyond Linear Attention”.";

/// The bank_size chains of a held-out world, which is the same for all runs, so that scores compare.
std::shared_ptr<const SoftmaxTdBank> softmax_bank(const SoftmaxTdConfig& config, uint64_t world = 0);

/// What a seed measures at a logged step.
struct SoftmaxTdMeasured {
    double loss = 0, msve = 0;
    SoftmaxEmergence emergence = {};
    KernelDiagonality kernel = {};

    void say(Row& row) const;
};

class SoftmaxTdSeed final : public TrainedSeed<SoftmaxTdTraining, SoftmaxTdMeasured> {
  public:
    SoftmaxTdSeed(const SoftmaxTdConfig& config, int seed_index, std::shared_ptr<const SoftmaxTdBank> bank);

    int64_t step() const override { return training().updates(); }
    void state(Archive& archive) override;
    /// Rows: kappa, V-emergence, A-emergence.
    const ThinnedTrace& trace() const { return trace_; }
    /// Kappa at the best checkpoint.
    double best_kappa() const { return best_kappa_; }

  protected:
    void take_step() override { own_training().update(); }
    SoftmaxTdMeasured measure() override;

  private:
    double temperature_;
    int layers_;
    std::shared_ptr<const SoftmaxTdBank> bank_;
    ThinnedTrace trace_{3};
    double best_kappa_ = 0;
};

/// One seed's weights in a snapshot, as the setting `show` selects them.
struct ShownSeed {
    std::vector<float> weights;
    double mixing = 0;
};

/// Makes from snapshot.weights all that the live settings select: matrices, microscope, lamps, read-outs.
/// Keeps the other plots.
void show_softmax_snapshot(Snapshot& snapshot, const SoftmaxTdConfig& config, const SoftmaxTdBank& bank);
/// V and A against kappa, of all seeds.
PlotSpec emergence_against_kappa(const std::vector<const SoftmaxTdSeed*>& seeds);

/// The matrices of the microscope at one prompt: kernel, values, TD errors, and the values that P writes.
std::vector<NamedMatrix> softmax_microscope(const SoftmaxTdConfig& config, const SoftmaxTdBank& bank,
                                            const std::vector<ShownSeed>& seeds);
/// Values of that prompt's states, layer by layer.
PlotSpec softmax_values_plot(const SoftmaxTdConfig& config, const SoftmaxTdBank& bank,
                             const std::vector<ShownSeed>& seeds);

/// The entries of this paper's experiments in the registry.
ExperimentInfo softmax_td();
ExperimentInfo softmax_construction();
ExperimentInfo softmax_convergence();

}  // namespace emergence
