#pragma once
// A trained network as a file holds it, and where it can play: what the experiments with bandits let join.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/experiments/bandits/bandit_players.h"
#include "core/experiments/bandits/bandit_train_study.h"

namespace emergence {

/// What a legend says of a network that knows the kind of world and was trained on such an amount of it.
inline constexpr const char* kSawFamily = "transformer (saw this family in training)";

struct BanditNetwork {
    std::string name;          // "cosine", or the file it was read from
    BanditTrainConfig config;  // what made it
    CausalTransformerShape shape;
    TrainedBandit trained;  // the file's first seed

    /// Why it cannot play environments of these sizes, a sentence; "" where it can.
    std::string misfit(int d, int arms, int rounds) const;
    /// Whether environments of this kind were among those it was trained on.
    bool saw(BanditKind kind) const;
    /// The amounts of that kind that it was trained on, in the units of amount_of(); none where it did not
    /// see the kind.
    std::optional<TrainedAmounts> amounts(BanditKind kind) const;
    std::unique_ptr<BanditPolicy> make_policy() const;
};

/// The names of the networks that ship, each the file assets/weights/bandit-NAME.npz made by the preset
/// bandit-NAME.
const std::vector<std::string>& shipped_bandit_networks();

/// Reads weights.npz of experiment "bandit-train". Throws InputError, naming the file, where it cannot be
/// read, is by another experiment or has arrays that do not fit its settings.
BanditNetwork read_bandit_network(const std::filesystem::path& path);
/// Where the weights of a network that ships are.
std::filesystem::path bandit_weights_path(const std::string& name);
/// One that ships. Throws also where its file is missing.
BanditNetwork shipped_bandit_network(const std::string& name);

/// The network that `transformer`, a choice of BanditPlayerFields, means in this world; "" for none. "auto"
/// is the one trained on cosines for those, the one trained on 1,000 elevated rounds where there are more
/// than the mixture's 200 of them, else the mixture.
std::string network_for(const std::string& transformer, const BanditWorldFields& world);
/// Lets that network join, or says why it cannot.
void add_transformer(const std::string& transformer, const BanditWorldFields& world, BanditPlayers& players);
/// The same for one that has been read. Its label has the badge: whether its training knew this family, and
/// whether the world's amount lies beyond what it was trained on.
void add_network(std::shared_ptr<const BanditNetwork> network, const BanditWorldFields& world,
                 BanditPlayers& players);

/// Whether the file has the weights of a training, by whichever settings: see read_bandit_network().
bool holds_bandit_network(const std::filesystem::path& path);

}  // namespace emergence
