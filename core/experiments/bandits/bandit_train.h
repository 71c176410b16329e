#pragma once
// Experiment "bandit-train": a causal transformer learns to play non-stationary bandits by imitating an
// oracle (Section 5 of Chen, Ito and Imaizumi 2025).

#include "core/experiments/bandits/bandit_fields.h"
#include "core/experiments/bandits/bandit_inside_plots.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/study_of.h"
#include "core/lab/study.h"
#include "core/training/bandit_imitation.h"

namespace emergence {

/// Every setting of experiment "bandit-train".
struct BanditTrainConfig : BanditImitationOptions, BanditLookFields {
    /// The environments of the test.
    BanditOptions test;
    // With a finite data set: how often each trajectory is seen; 0: as `steps` says.
    int epochs = 0;
    int bank_size = 64;
    int log_interval = 500;
    int64_t seed = 0;
    int seeds = 1;

    void fields(Fields& f);
    void network_fields(Fields& f);
    void family_fields(Fields& f);
    void data_fields(Fields& f);
    void imitation_fields(Fields& f);
    void test_fields(Fields& f);
};

/// Updates of a whole training: those that the epochs take, or the config's.
int64_t updates_of(const BanditTrainConfig& config);
/// The family of training environments; its shares are normalised to sum 1.
BanditFamily training_family(const BanditTrainConfig& config);

/// The temperatures that a network may be deployed at; 0: the most probable arm.
constexpr std::array<double, 3> kTemperatures = {1.0, 0.5, 0.0};

/// A classical algorithm without knowledge of the environment, and its mean final regret.
struct ClassicalReference {
    BanditAlgorithm algorithm;
    double validation, test;
};

/// Environments that no network trains on, with the classical algorithms' regrets; all seeds share them.
class BanditReferences {
  public:
    explicit BanditReferences(const BanditTrainConfig& config);

    /// Fresh environments of the training family; test() has those of the test settings.
    const BanditBank& validation() const { return validation_; }
    const BanditBank& test() const { return test_; }
    const std::vector<ClassicalReference>& classical() const { return classical_; }
    double best_validation() const;
    double best_test() const;

  private:
    BanditBank validation_, test_;
    std::vector<ClassicalReference> classical_;
};

/// Mean final regrets of a network, and its loss in training.
struct NetworkRegrets {
    double cross_entropy = 0;
    std::array<double, 3> validation;  // at each of kTemperatures
    size_t best = 0;                   // the index of the least
    double test = 0;                   // at that temperature
};

/// Plays a network on both banks and chooses the temperature with the least validation regret.
NetworkRegrets network_regrets(const BanditReferences& references, const CausalTransformerShape& shape,
                               const std::vector<float>& weights);

/// One seed.
class BanditTrainSeed final : public TrainedSeed<BanditImitation, NetworkRegrets> {
  public:
    BanditTrainSeed(const BanditTrainConfig& config, int seed_index,
                    std::shared_ptr<const BanditReferences> references);

    int64_t step() const override { return training().steps(); }
    void state(Archive& archive) override {
        TrainedSeed::state(archive);
        archive("temperature", temperature_);
    }
    const std::vector<float>& weights() const { return training().weights(); }
    /// The temperature with the least validation regret at the last logged step.
    double temperature() const { return temperature_; }

  protected:
    void take_step() override { own_training().train_one_step(); }
    bool is_logged(int64_t step) const override;
    NetworkRegrets measure() override;
    std::string why_diverged() const override;

  private:
    BanditTrainConfig config_;
    std::shared_ptr<const BanditReferences> references_;
    double temperature_ = 1.0;
};

/// All seeds.
class BanditTrainStudy final : public StudyOf<BanditTrainConfig, BanditTrainSeed, BanditReferences> {
  public:
    explicit BanditTrainStudy(const Settings& settings);

    static void check(const BanditTrainConfig& config);
    int64_t target_step() const override { return updates_of(config_); }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override;
    void evaluate(const BanditTrainConfig& config, Snapshot& snapshot) const override;
    bool evaluates_on_request() const override { return true; }
};

/// One array per block, seeds x rows x columns, and "temperature".
ArrayMap bandit_weight_arrays(const CausalTransformerShape& shape, const std::vector<TrainedBandit>& seeds);
/// Reads such arrays. Throws InputError with `source` and the array's name if one is missing or does not fit the shape.
std::vector<TrainedBandit> trained_bandits(const CausalTransformerShape& shape, const ArrayMap& arrays,
                                           const std::string& source);

/// Our figure: networks trained on four frequencies or on all, in one phase or in any.
FigureInfo figure_of_learning_by_heart();

/// The metrics that a seed logs.
Metrics<NetworkRegrets> bandit_train_metrics();

/// Cross-entropy, validation regret and test regret while training, beside the classical algorithms.
std::vector<MetricPlot> bandit_train_plots(const BanditTrainConfig& config, const BanditReferences& references);

/// The experiment's entry in the registry.
ExperimentInfo bandit_train();

}  // namespace emergence
