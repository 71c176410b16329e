#pragma once
// A trained network read from a file, and the environments that it can play: the bandit experiments add it to
// their players.

#include <filesystem>

#include "core/experiments/bandits/bandit_players.h"
#include "core/experiments/bandits/bandit_train.h"

namespace emergence {

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
    /// Whether its training had environments of this kind.
    bool saw(BanditKind kind) const;
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

/// Name of the network that `transformer`, a setting of BanditPlayerFields, selects in this world; "" for none. "auto"
/// selects "cosine" for cosines, "low" for more than the mixture's 200 elevated rounds, otherwise "mixture".
std::string network_for(const std::string& transformer, const BanditOptions& world);
/// Adds that network to the players; if it cannot play, adds the reason to `absent`.
void add_transformer(const std::string& transformer, const BanditOptions& world, BanditPlayers& players);
/// Does the same for a network that has been read. Its label says whether its training covered this family
/// and this amount.
void add_network(std::shared_ptr<const BanditNetwork> network, const BanditOptions& world, BanditPlayers& players);

/// Whether the file holds the weights of a training, with any settings; see read_bandit_network().
bool holds_bandit_network(const std::filesystem::path& path);

}  // namespace emergence
