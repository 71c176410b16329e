#pragma once
// What the bandit experiments share (Chen, Ito and Imaizumi 2025): the settings of environments and players, the
// players themselves, streams of environments and regret curves. Also the experiments that train nothing.

#include "core/algorithms/bandit_policy.h"
#include "core/algorithms/linear_bandits.h"
#include "core/base/statistics.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/study_of.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"
#include "core/settings/fields.h"
#include "core/tasks/bandit.h"

namespace emergence {

/// The environment, Section 5 of Chen et al. 2025; b = 0.018 is their test frequency.
struct BanditWorldFields : BanditOptions {
    BanditWorldFields() { segments = 8; }

    void fields(Fields& f);
    /// The kind of non-stationarity and its amount.
    void kind_fields(Fields& f);
    /// The number of rounds and the noise.
    void play_fields(Fields& f);
};

/// Which algorithms play, and the constants that they have unless these are tuned; those of LinUCB and TS are the
/// paper's.
struct BanditPlayerFields : BanditConstants {
    std::string transformer = "auto";
    bool play_random = true;
    bool play_linucb = true;
    bool play_thompson = true;
    bool play_sliding_window = true;
    bool play_discounted = true;
    bool play_master_linucb = true;
    bool play_master_thompson = true;
    std::string master_constants = "practical";
    bool play_oracle_restart = true;
    bool play_cosine_thompson = true;
    std::string constants = "default";

    void fields(Fields& f);
    /// The switches of the classical algorithms.
    void classical_fields(Fields& f);
    void constants_fields(Fields& f);
};

/// The name and the label of each classical algorithm, for Field::called().
std::vector<std::pair<std::string, std::string>> bandit_algorithm_labels();

/// How many environments are played, in several independent streams.
struct BanditStreamFields {
    int64_t num_environments = 50;
    int64_t seed = 0;
    int seeds = 4;
    int log_interval = 5;

    void fields(Fields& f);
};

/// Which environment and which attention of a network are shown.
struct BanditLookFields {
    int shown_environment = 0;
    int shown_layer = 2;
    int shown_head = 1;

    void fields(Fields& f);
};

/// A player, which is an algorithm or a network, with its names and how its curve looks.
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
    /// Whether the player is told what others cannot know; then it never counts as the best algorithm.
    bool oracle = false;
};

/// The range of an amount of non-stationarity that a network was trained on; plots shade it under this label.
inline constexpr const char* kTrainedHere = "transformer trained here";
struct TrainedAmounts {
    double from = 0.0, to = 0.0;
    bool contains(double amount) const { return amount >= from && amount <= to; }
};

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

/// The constants with the least mean regret on validation environments of that kind. A claim checks them by tuning
/// again.
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
/// An algorithm's colour in every picture.
int color_of(BanditAlgorithm algorithm);
constexpr int kBanditNetworkColor = 6;

/// Colours of reference curves: laws of theory and their guides.
int law_color();
constexpr int kLineColor = 7;

/// Marks these arms of the first `rounds` rounds in a map of arms x rounds, at the cells' edges, so that the colours
/// stay readable.
CellMarks arm_marks(std::string name, int color, const std::vector<int>& arms, int rounds);

/// All sentences of `absent`, joined.
std::string absent_text(const BanditPlayers& players);
/// " LABEL: BADGE" of each player that has a badge.
std::string badges_text(const BanditPlayers& players);
/// The three least regrets: "transformer 97, ...", with what `behind` says of a player by its place.
std::string least_regret_text(const std::vector<double>& regrets, const BanditPlayers& players,
                              const std::function<std::string(size_t)>& behind = {});

/// What all streams of a run play.
struct BanditGame {
    BanditPlayers players;
    /// The environments that one step plays, one after the other: a single one, or one for each point of a sweep.
    std::vector<BanditOptions> worlds;
    /// The numbers of rounds after which regret is stored; empty: all rounds of each environment.
    std::vector<int> at;
    /// Further numbers of an environment, as many as there are points, which are stored beside the regrets.
    std::function<std::vector<double>(const BanditTrajectory&)> beside;
    /// The title of the plot of final regrets.
    std::string final_title = "Final regret so far";

    size_t num_points() const { return worlds.size() * larger<size_t>(at.size(), 1); }
};

/// What streams have stored: a row for each environment with a number for each point.
struct BanditCurves {
    using Rows = std::vector<std::vector<double>>;
    /// The regret of each player, then what is stored beside it.
    std::vector<Rows> columns;

    size_t size() const { return columns.back().size(); }
    const Rows& beside() const { return columns.back(); }
    /// The last numbers of a player's rows, its final regrets.
    std::vector<double> finals(size_t player) const;
};

/// The mean over environments at each point; empty without environments.
std::vector<double> mean_row(const BanditCurves::Rows& rows);

/// The final regret of each player, mean over the environments so far.
struct FinalRegrets {
    const BanditGame* game;
    std::vector<double> means;

    void say(Row& row) const;
};

/// One stream of environments, each played by all players.
class BanditStream final : public SampledSeed<FinalRegrets> {
  public:
    BanditStream(const BanditStreamFields& fields, int seed_index, std::shared_ptr<const BanditGame> game);

    void state(Archive& archive) override;
    const BanditCurves& curves() const { return curves_; }

  protected:
    void take_step() override;
    FinalRegrets measure() override;

  private:
    std::shared_ptr<const BanditGame> game_;
    std::vector<std::unique_ptr<BanditPolicy>> policies_;
    BanditCurves curves_;
    BanditTrajectory world_;
    BanditPlay play_;
};

/// Curves of all streams, ordered by environment first, so that rows keep their place as more arrive.
BanditCurves curves_of(const std::vector<const BanditStream*>& streams);

/// The base of the studies of streams: the derived constructor calls play().
template <class Config>
class StreamStudy : public StudyOf<Config, BanditStream, BanditGame> {
  protected:
    using StudyOf<Config, BanditStream, BanditGame>::StudyOf;

    void play(BanditGame game) {
        this->shared_ = std::make_shared<const BanditGame>(std::move(game));
        this->declare(FinalRegrets{this->shared_.get(), std::vector<double>(this->shared_->players.players.size())});
    }
};

/// Throw InputError if settings contradict each other although each is in its range.
void check_bandit_fields(const BanditOptions& world, const BanditPlayerFields& players);
void check_bandit_world(const BanditOptions& world);

ExperimentInfo bandit_race();
ExperimentInfo bandit_eval();
ExperimentInfo bandit_sweep();

/// A game that stores regret at no more than 101 points from 0 rounds to all of them, and Corollary 2's rate beside it.
BanditGame curve_game(const BanditOptions& world, BanditPlayers players);
/// Cumulative regret, one row per environment. Corollary 2's rate and a straight line,
///     c min{sqrt(J t), Delta^(1/3) t^(2/3) + sqrt(t)}  and  c t,
/// are each fitted with one constant c to the best player that is not an oracle.
PlotSpec eval_regret_plot(const BanditCurves& curves, const BanditGame& game);
/// Counts the environments in the snapshot: "200 environments, 50 in each of 4 streams".
void count_environments(size_t environments, Snapshot& snapshot);
/// Adds to the snapshot the number of environments, the headline with the three least mean regrets ("least regret over
/// 200 environments: transformer 97 ± 4.6, ..."), each player's mean final regret, and all of them (array final_ID).
void describe_streams(const BanditCurves& curves, const BanditGame& game, Snapshot& snapshot);

}  // namespace emergence
