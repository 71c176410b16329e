#pragma once
// The players of a bandit experiment: how each is drawn, and what an oracle knows.

#include "core/algorithms/bandit_policy.h"
#include "core/algorithms/linear_bandits.h"
#include "core/experiments/bandits/bandit_fields.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// A player: an algorithm or a network, with its names and its look.
struct BanditPlayer {
    /// In metrics and files: "linucb".
    std::string id;
    /// In sentences: "LinUCB".
    std::string name;
    /// In legends, with its badge: "LinUCB (tuned)".
    std::string label;
    /// A sentence that says what the player knows beforehand; "" if nothing.
    std::string badge;
    /// Index into the categorical palette: a colour and a mark that no other player has.
    int color = 0;
    bool dashed = false;
    /// Stream of its randomness, see policy_stream().
    uint32_t stream = 0;
    BanditPolicyFactory make;
    /// Knows what a player cannot know; never counts as the best algorithm.
    bool oracle = false;
};

/// Name in a sentence: "LinUCB", and for an oracle "restarted LinUCB (oracle)".
inline std::string in_sentence(const BanditPlayer& player) {
    return player.oracle ? player.name + " (oracle)" : player.name;
}

/// The range of an amount of non-stationarity that a network was trained on; plots shade it.
struct TrainedAmounts {
    std::string label;
    double from = 0.0, to = 0.0;
    bool contains(double amount) const { return amount >= from && amount <= to; }
};

/// The players of a run.
struct BanditPlayers {
    std::vector<BanditPlayer> players;
    /// One sentence for each chosen player that cannot play, with the reason.
    std::vector<std::string> absent;
    /// In the units of amount_of().
    std::optional<TrainedAmounts> trained;
};

/// The players that the settings select, in the order of the legend, with the network.
BanditPlayers players_of(const BanditOptions& world, const BanditPlayerFields& fields);
/// The same players without the network.
BanditPlayers classical_players(const BanditOptions& world, const BanditPlayerFields& fields);

/// Adds to the snapshot the players that cannot play, and the range of the amount's setting that the network
/// was trained on. `amount_acts`: the run has one amount and does not sweep it.
void describe_players(const BanditOptions& world, const BanditPlayers& players, bool amount_acts, Snapshot& snapshot);

/// The constants that the settings give, or the tuned ones.
BanditConstants constants_of(const BanditOptions& world, const BanditPlayerFields& fields);
/// The constants with the least mean regret on validation environments of that kind; a claim tunes them again.
BanditConstants tuned_constants(BanditKind kind);

/// The setting that holds a kind's amount of non-stationarity: name, axis label, value.
struct BanditAmount {
    std::string field;  // "frequency"
    std::string label;  // of an axis
    double value = 0.0;
    std::string text;  // "b = 0.018", "2 windows", "J = 8", "angle 5 rad"
};
/// The amount of the present kind of non-stationarity: b, N, J or the angle.
BanditAmount amount_of(const BanditOptions& fields);
/// How every picture draws an algorithm.
struct BanditLook {
    int color;
    bool dashed;
};

/// An algorithm's colour, and whether its curve is dashed.
BanditLook look_of(BanditAlgorithm algorithm);
constexpr int kBanditNetworkColor = 6;

/// Colours of reference curves: laws of theory and their guides.
int law_color();
constexpr int kLineColor = 7;

/// All sentences of `absent`, joined.
std::string absent_text(const BanditPlayers& players);
/// " LABEL: BADGE" of each player that has a badge.
std::string badges_text(const BanditPlayers& players);
/// The three least regrets: "least regret transformer 97, ...", with what `behind` says of a player by its place.
std::string least_regret_text(const std::vector<double>& regrets, const BanditPlayers& players,
                              const std::function<std::string(size_t)>& behind = {});
}  // namespace emergence
