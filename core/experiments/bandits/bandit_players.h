#pragma once
// Who plays in an experiment with bandits, how each is drawn, and what it knows that others do not.

#include <optional>
#include <string>
#include <vector>

#include "core/algorithms/bandit_algorithms.h"
#include "core/algorithms/master.h"
#include "core/experiments/bandits/bandit_fields.h"
#include "core/lab/snapshot.h"

namespace emergence {

struct BanditPlayer {
    std::string id;     // in metrics and files: "linucb"
    std::string name;   // in sentences: "LinUCB"
    std::string label;  // in legends, with its badge: "LinUCB (tuned)"
    std::string badge;  // a sentence: what it was given beforehand; "" where that is nothing
    int color = 0;      // index into the categorical palette: a colour and a mark that no other player has
    bool dashed = false;
    uint32_t stream = 0;  // of its randomness, see policy_stream()
    BanditPolicyFactory make;
    bool oracle = false;  // knows what a player does not: no part in "the best algorithm"
};

/// "LinUCB", and of whoever knows more than a player does "restarted LinUCB (oracle)".
inline std::string in_sentence(const BanditPlayer& player) {
    return player.oracle ? player.name + " (oracle)" : player.name;
}

/// An amount of non-stationarity that a network was trained on, to be shaded.
struct TrainedAmounts {
    std::string label;
    double from = 0.0, to = 0.0;
    bool contains(double amount) const { return amount >= from && amount <= to; }
};

struct BanditPlayers {
    std::vector<BanditPlayer> players;
    /// Who was asked to play and cannot, each with the reason: a sentence.
    std::vector<std::string> absent;
    std::optional<TrainedAmounts> trained;  // in the units of amount_of()
};

BanditOptions bandit_options(const BanditWorldFields& fields);

/// The players that the fields ask for, in the order of the legend. Networks join here.
BanditPlayers players_of(const BanditWorldFields& world, const BanditPlayerFields& fields);
/// The same without a network.
BanditPlayers classical_players(const BanditWorldFields& world, const BanditPlayerFields& fields);

/// Puts what the players say of the run into its snapshot: who is absent, and which stretch of the amount's
/// setting the network was trained on. `amount_acts`: no sweep goes through it.
void describe_players(const BanditWorldFields& world, const BanditPlayers& players, bool amount_acts,
                      Snapshot& snapshot);

/// The fields' constants, or the tuned ones.
BanditConstants constants_of(const BanditWorldFields& world, const BanditPlayerFields& fields);
/// What had the least mean regret on the validation stream of that kind; see tune_bandits().
BanditConstants tuned_constants(BanditKind kind);

/// The setting behind a kind's amount of non-stationarity: its axis label and unit, and its value.
struct BanditAmount {
    std::string field;  // "frequency"
    std::string label;  // of an axis
    double value = 0.0;
};
BanditAmount amount_of(const BanditWorldFields& fields);

/// "b = 0.018", "2 windows", "J = 8", "angle 5 rad".
std::string amount_text(const BanditWorldFields& fields);

/// How an algorithm is drawn, everywhere.
struct BanditLook {
    int color;
    bool dashed;
};
BanditLook look_of(BanditAlgorithm algorithm);
constexpr int kNetworkColor = 6;

/// Colours of references beside the players: laws of theory and their guides.
int law_color();
constexpr int kLineColor = 7;

/// All sentences of `absent`, joined.
std::string absent_text(const BanditPlayers& players);

}  // namespace emergence
