#pragma once
// The bandit experiments (Chen, Ito and Imaizumi 2025). What they share: the settings of environments and players, the
// players themselves, streams of environments and regret curves. Of experiments "bandit-train", in which a causal
// transformer learns to play by imitating an oracle (Section 5), and "bandit-inside", which looks into a trained one:
// networks as files and as players.

#include <filesystem>

#include "core/algorithms/bandit_policy.h"
#include "core/base/statistics.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/study_of.h"
#include "core/lab/snapshot.h"
#include "core/measures/bandit_measures.h"
#include "core/models/causal_transformer.h"
#include "core/settings/toml.h"
#include "core/training/bandit_imitation.h"

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
    std::string id;     // in metrics and files: "linucb"
    std::string name;   // in sentences: "LinUCB"
    std::string label;  // in legends, with its badge: "LinUCB (tuned)"
    std::string badge;  // a sentence that says what the player knows beforehand; "" if nothing
    int color = 0;      // index into the categorical palette: a colour and a mark that no other player has
    bool dashed = false;
    uint32_t stream = 0;  // stream of its randomness, see policy_stream()
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
    std::vector<std::string> absent;        // one sentence for each chosen player that cannot play, with the reason
    std::optional<TrainedAmounts> trained;  // in the units of amount_of()
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

/// The setting that holds a kind's amount of non-stationarity: b, N, J or the angle.
struct BanditAmount {
    std::string field;  // "frequency"
    std::string label;  // of an axis
    double value = 0.0;
    std::string text;  // "b = 0.018", "2 windows", "J = 8", "angle 5 rad"
};
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
    std::vector<int> at;  // the numbers of rounds after which regret is stored; empty: all rounds of each environment
    /// Further numbers of an environment, as many as there are points, which are stored beside the regrets.
    std::function<std::vector<double>(const BanditTrajectory&)> beside;
    std::string final_title = "Final regret so far";  // the title of the plot of final regrets

    size_t num_points() const { return worlds.size() * larger<size_t>(at.size(), 1); }
};

/// What streams have stored: a row for each environment with a number for each point.
struct BanditCurves {
    using Rows = std::vector<std::vector<double>>;
    std::vector<Rows> columns;  // the regret of each player, then what is stored beside it

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

/// Curves of all streams, ordered by environment first, so that rows keep their place as more arrive. Counts the
/// environments in the snapshot: "200 environments, 50 in each of 4 streams".
BanditCurves curves_of(const std::vector<const BanditStream*>& streams, Snapshot& snapshot);

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

// Networks: their training, their files, and what one sees inside.

/// One seed's network as a snapshot holds it.
struct TrainedBandit {
    std::vector<float> weights;  // flat
    double temperature = 1.0;
};

/// The attention shown, and the keys of the randomness with which the network plays, see policy_stream().
struct BanditView {
    CausalTransformerShape shape;
    int layer = 1, head = 1;  // counted from 1; the last one if the network has fewer
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
    BanditOptions test;  // the environments of the test
    int epochs = 0;      // how often each trajectory of a finite data set is seen; 0: until `steps` updates are done
    int bank_size = 64;
    int log_interval = 500;
    int64_t seed = 0;
    int seeds = 1;

    void fields(Fields& f);
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
    std::array<double, 3> validation = {};         // at each of kTemperatures
    size_t best = 0;                               // the index of the least
    double test = 0;                               // at that temperature
    const BanditReferences* references = nullptr;  // the plots draw these regrets as levels; null in rows

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

/// Legend label of a network that was trained on this kind of environment and this amount of non-stationarity.
inline constexpr const char* kSawFamily = "transformer (saw this family in training)";

/// A network read from a file, with the settings that trained it.
struct BanditNetwork {
    std::string name;          // "cosine", or the file it was read from
    BanditTrainConfig config;  // settings of the training run
    TrainedBandit trained;     // the file's seed with the least regret on the validation stream
    int64_t seed = 0;          // its number

    /// A sentence that says why the network cannot play environments of these sizes; "" if it can.
    std::string misfit(int d, int arms, int rounds) const;
    /// The range of that kind's amount in its training, in the units of amount_of(); none if it did not see the kind.
    std::optional<TrainedAmounts> amounts(BanditKind kind) const;
    std::unique_ptr<BanditPolicy> make_policy() const {
        return std::make_unique<TransformerPolicy>(config.shape, trained.weights, trained.temperature);
    }
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

ExperimentInfo bandit_race();
ExperimentInfo bandit_eval();
ExperimentInfo bandit_sweep();
ExperimentInfo bandit_train();
ExperimentInfo bandit_inside();

}  // namespace emergence
