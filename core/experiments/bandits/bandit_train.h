#pragma once
// Experiments "bandit-train", in which a causal transformer learns to play non-stationary bandits by imitating an
// oracle (Section 5 of Chen et al. 2025), and "bandit-inside", which looks into a trained one; networks as files.

#include <filesystem>

#include "core/experiments/bandits/bandit_players.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/study_of.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"
#include "core/measures/bandit_measures.h"
#include "core/models/causal_transformer.h"
#include "core/settings/toml.h"
#include "core/training/bandit_imitation.h"

namespace emergence {

/// One seed's network as a snapshot holds it.
struct TrainedBandit {
    std::vector<float> weights;  // flat
    double temperature = 1.0;
};

/// The attention shown, and the keys of the randomness with which the network plays, see policy_stream().
struct BanditView {
    CausalTransformerShape shape;
    /// Counted from 1; the last one if the network has fewer.
    int layer = 1, head = 1;
    uint64_t seed = 0;
    uint32_t index = 0;

    bool operator==(const BanditView&) const = default;
};

/// Pictures of one environment, with one network per seed.
struct BanditInsidePictures {
    std::vector<NamedMatrix> matrices;
    std::vector<PlotSpec> plots;
};

/// Lets the networks of `seeds` play `world`, and draws what they do and attend to.
BanditInsidePictures look_inside(const BanditView& view, const BanditTrajectory& world,
                                 const std::vector<TrainedBandit>& seeds);

/// Every setting of experiment "bandit-train".
struct BanditTrainConfig : BanditImitationOptions, BanditLookFields {
    /// The environments of the test.
    BanditOptions test;
    // How often each trajectory of a finite data set is seen; 0: until `steps` updates are done.
    int epochs = 0;
    int bank_size = 64;
    int log_interval = 500;
    int64_t seed = 0;
    int seeds = 1;

    void fields(Fields& f);
    void network_fields(Fields& f);
    void family_fields(Fields& f);
    void training_fields(Fields& f);
};

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
    int arms() const { return test_.worlds().front().arms(); }
    double best_validation() const { return least(&ClassicalReference::validation); }
    double best_test() const { return least(&ClassicalReference::test); }

  private:
    double least(double ClassicalReference::*regret) const;

    BanditBank validation_, test_;
    std::vector<ClassicalReference> classical_;
};

/// Mean final regrets of a network, and its loss in training.
struct NetworkRegrets {
    double cross_entropy = 0;
    std::array<double, 3> validation = {};  // at each of kTemperatures
    size_t best = 0;                        // the index of the least
    double test = 0;                        // at that temperature
    /// The plots draw these regrets as levels; null in rows.
    const BanditReferences* references = nullptr;

    void say(Row& row) const;
};

/// Plays a network on both banks and chooses the temperature with the least validation regret.
NetworkRegrets network_regrets(const BanditReferences& references, const CausalTransformerShape& shape,
                               const std::vector<float>& weights);

/// One array per block, seeds x rows x columns, and "temperature".
ArrayMap bandit_weight_arrays(const CausalTransformerShape& shape, const std::vector<TrainedBandit>& seeds);
/// Reads such arrays. Throws InputError with `source` and the array's name if one is missing or does not fit the shape.
std::vector<TrainedBandit> trained_bandits(const CausalTransformerShape& shape, const ArrayMap& arrays,
                                           const std::string& source);

ExperimentInfo bandit_train();

/// Legend label of a network that was trained on this kind of environment and this amount of non-stationarity.
inline constexpr const char* kSawFamily = "transformer (saw this family in training)";

/// A network read from a file, with the settings that trained it.
struct BanditNetwork {
    /// "cosine", or the file it was read from.
    std::string name;
    /// Settings of the training run.
    BanditTrainConfig config;
    CausalTransformerShape shape;
    /// The file's seed with the least regret on the validation stream, and its number.
    TrainedBandit trained;
    int64_t seed = 0;

    /// A sentence that says why the network cannot play environments of these sizes; "" if it can.
    std::string misfit(int d, int arms, int rounds) const;
    /// The range of that kind's amount in its training, in the units of amount_of(); none if it did not see the kind.
    std::optional<TrainedAmounts> amounts(BanditKind kind) const;
    std::unique_ptr<BanditPolicy> make_policy() const;
};

/// Names of the shipped networks. The preset bandit-NAME made the file assets/weights/bandit-NAME.npz.
const std::vector<std::string>& shipped_bandit_networks();

/// Reads weights.npz of experiment "bandit-train". Throws InputError with the file's name if it cannot be
/// read, belongs to another experiment, or has arrays that do not fit its settings.
BanditNetwork read_bandit_network(const std::filesystem::path& path);
/// Path of a shipped network's weights.
std::filesystem::path bandit_weights_path(const std::string& name);
/// Reads a shipped network. Throws InputError also if the name is unknown.
BanditNetwork shipped_bandit_network(const std::string& name);

/// Adds the network that `transformer`, a setting of BanditPlayerFields, selects in this world; if it cannot play, adds
/// the reason to `absent`. "auto" selects "cosine" for cosines, "low" for more than the mixture's 200 elevated rounds,
/// otherwise "mixture".
void add_transformer(const std::string& transformer, const BanditOptions& world, BanditPlayers& players);
/// Adds a network that has been read. Its label says whether its training covered this kind of environment and this
/// amount.
void add_network(std::shared_ptr<const BanditNetwork> network, const BanditOptions& world, BanditPlayers& players);

/// Whether the file holds the weights of a training, with any settings; see read_bandit_network().
bool holds_bandit_network(const std::filesystem::path& path);

/// Settings that show the network of this file in the test environments of its training. Throws InputError if
/// read_bandit_network() does.
SettingsFile bandit_inside_settings(const std::filesystem::path& weights);

ExperimentInfo bandit_inside();

}  // namespace emergence
