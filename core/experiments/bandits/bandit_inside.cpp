#include "core/experiments/bandits/bandit_train.h"

#include <fmt/format.h>

#include <system_error>

#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/experiments/stacked.h"
#include "core/files/folders.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr int kBin = 10;  // rounds that agreement is averaged over
constexpr size_t kMostHeads = 8;

// The algorithms whose choices are compared with the network's, on the network's own history.
constexpr std::array<BanditAlgorithm, 5> kCompared = {BanditAlgorithm::linucb, BanditAlgorithm::thompson,
                                                      BanditAlgorithm::sliding_window, BanditAlgorithm::discounted,
                                                      BanditAlgorithm::uniform};

// Means over bins of kBin rounds; an incomplete last bin is dropped.
std::vector<double> binned(const std::vector<double>& values) {
    std::vector<double> means;
    for (size_t first = 0; first + kBin <= values.size(); first += kBin) {
        double sum = 0;
        for (size_t i = first; i < first + kBin; ++i) sum += values[i];
        means.push_back(sum / kBin);
    }
    return means;
}

// One seed's network in the environment shown.
struct LookInside {
    NetworkPlay play;
    Table attention;
    std::vector<std::vector<double>> by_distance;  // one row per head, layer by layer
    std::vector<std::vector<double>> agreements;   // one row per algorithm of kCompared
};

LookInside look_at(const BanditView& c, const BanditTrajectory& world, const TrainedBandit& trained) {
    const CausalTransformerShape& shape = c.shape;
    TransformerPolicy policy(shape, trained.weights, trained.temperature);
    Stream random = policy_stream(c.seed, c.index, kFirstOtherPolicyStream);
    LookInside look{play_network(policy, world, random), {}, {}, {}};
    const auto network = make_causal_transformer<float>(shape);
    network->set_weights(trained.weights.data());
    std::vector<float> logits(world.rounds() * shape.arms);
    network->logits(look.play.history(), logits.data());
    look.attention =
        attention_map(*network, smaller(c.layer, shape.layers) - 1, smaller(c.head, shape.heads) - 1, world.rounds());
    for (int l = 0; l < shape.layers; ++l)
        for (int m = 0; m < shape.heads && look.by_distance.size() < kMostHeads; ++m)
            look.by_distance.push_back(attention_by_distance(attention_map(*network, l, m, world.rounds())));
    for (const BanditAlgorithm algorithm : kCompared) {
        Stream own = policy_stream(c.seed, c.index, info_of(algorithm).stream);
        look.agreements.push_back(agreement_with(algorithm, world, look.play, own));
    }
    return look;
}

ShownMatrix by_round(const char* name, std::string title, const char* row_word, const char* help, const Table& size) {
    ShownMatrix matrix(name, std::move(title), help);
    matrix.words(row_word, "round").rows({{"", size.rows}}).columns({{"", size.columns}});
    return matrix.as_is();
}

std::vector<NamedMatrix> matrices_of(const BanditView& c, const BanditTrajectory& world,
                                     const std::vector<LookInside>& looks) {
    const Table means = table_of(world.means);
    const int layer = smaller(c.layer, c.shape.layers), head = smaller(c.head, c.shape.heads);
    ShownMatrix probabilities =
                    by_round("probabilities", "What the network would do", "arm",
                             "Its probability for each arm, at temperature 1. Marked: the best arm.", means),
                attention = by_round(
                    "attention",
                    fmt::format("Attention, layer {}/{}, head {}/{}", layer, c.shape.layers, head, c.shape.heads),
                    "round", "Row i: how much round i attends to each round j up to itself.", looks.front().attention),
                rewards =
                    by_round("rewards", "Expected rewards", "arm",
                             "The expected reward of each arm in each round. Marked: the network's choice.", means);
    for (const LookInside& look : looks) probabilities.seed(look.play.probabilities), attention.seed(look.attention);
    rewards.everywhere(means, looks.size());
    probabilities.nonnegative().unit("probability").free_aspect();
    probabilities.marks({arm_marks("best arm", law_color(), world.best_arm, world.rounds())});
    attention.nonnegative().unit("attention");
    rewards.unit("reward").free_aspect();
    rewards.marks({arm_marks("network's choice", kBanditNetworkColor, looks.front().play.arms, world.rounds())});
    return {probabilities, attention, rewards};
}

PlotSpec attention_distance_plot(const BanditView& c, const std::vector<LookInside>& looks) {
    Plot plot("how-far-back", "How far back it looks");
    plot.x("distance").unit("rounds");
    plot.y("mean attention").from(0.0);
    plot.no_markers().note("Mean attention of a round to the one this many rounds earlier. At most eight heads.");
    const std::vector<double> x = numbered_points(looks[0].by_distance[0].size());
    for (size_t h = 0; h < looks[0].by_distance.size(); ++h) {
        const int layer = static_cast<int>(h) / c.shape.heads + 1, head = static_cast<int>(h) % c.shape.heads + 1;
        std::vector<std::vector<double>> rows;
        for (const LookInside& look : looks) rows.push_back(look.by_distance[h]);
        plot.line(fmt::format("layer {}, head {}", layer, head), x, std::move(rows)).color(static_cast<int>(h));
    }
    return plot;
}

PlotSpec agreement_plot(const std::vector<LookInside>& looks) {
    Plot plot("agreement", "Which algorithm chooses the same arm?");
    plot.x("round");
    plot.y("share of rounds").from(0.0).to(1.0);
    plot.no_markers().sparse_markers();
    std::vector<double> x = numbered_points(binned(looks[0].agreements[0]).size(), 0.5);
    for (double& round : x) round *= kBin;
    for (size_t a = 0; a < kCompared.size(); ++a) {
        std::vector<std::vector<double>> rows;
        for (const LookInside& look : looks) rows.push_back(binned(look.agreements[a]));
        plot.line(info_of(kCompared[a]).label, x, std::move(rows)).color(color_of(kCompared[a]));
    }
    return plot.note(
        "Each algorithm sees what the network played and earned. How often does it then choose the network's most "
        "probable arm, over ten rounds?");
}

}  // namespace

BanditInsidePictures look_inside(const BanditView& view, const BanditTrajectory& world,
                                 const std::vector<TrainedBandit>& seeds) {
    std::vector<LookInside> looks;
    looks.reserve(seeds.size());
    for (const TrainedBandit& seed : seeds) looks.push_back(look_at(view, world, seed));
    return {matrices_of(view, world, looks), {attention_distance_plot(view, looks), agreement_plot(looks)}};
}

namespace {

// Every setting of experiment "bandit-inside".
struct BanditInsideConfig : BanditWorldFields, BanditPlayerFields, BanditStreamFields, BanditLookFields {
    BanditInsideConfig() {
        num_environments = 100;
        seeds = 1;
    }
    std::string network = "cosine";
    std::string network_file;
    std::string temperature = "chosen";

    void fields(Fields& f) {
        f.group("network");
        f(network, "network", "weights",
          "A shipped network, or one in a file. Presets bandit-cosine, -low and -mixture train them again.")
            .choices({"cosine", "low", "mixture", "memorise", "file"});
        f(network_file, "network_file", "file",
          "The weights.npz of a bandit-train run. Of several networks the one with the best validation plays.")
            .path()
            .acts_while("network", {"file"});
        f(temperature, "temperature", "temperature",
          "The network draws its arm from softmax(logits / temperature). Chosen: the temperature with the best "
          "validation during training. 0: the most probable arm.")
            .choices({"chosen", "1", "0.5", "0"});
        BanditLookFields::fields(f);
        kind_fields(f);
        play_fields(f);
        classical_fields(f);
        constants_fields(f);
        BanditStreamFields::fields(f);
    }
};

namespace fs = std::filesystem;

BanditNetwork chosen_network(const BanditInsideConfig& c) {
    if (c.network == "file" && c.network_file.empty())
        throw InputError("network_file: network = file needs a file. Name the weights.npz of a bandit-train run.");
    BanditNetwork network =
        c.network == "file" ? read_bandit_network(c.network_file) : shipped_bandit_network(c.network);
    if (const auto chosen = parsed<double>(c.temperature)) network.trained.temperature = *chosen;
    return network;
}

// The weights fix d and A.
BanditOptions world_of(BanditOptions world, const BanditNetwork& network) {
    world.d = network.shape.d;
    world.arms = network.shape.arms;
    return world;
}

constexpr StudyNames kBanditInsideStudy = {"bandit-inside", "environments", "num_environments"};

class InsideStudy final : public StreamStudy<BanditInsideConfig> {
  public:
    explicit InsideStudy(const Settings& settings)
        : StreamStudy(kBanditInsideStudy, settings),
          network_(std::make_shared<const BanditNetwork>(chosen_network(config_))) {
        const BanditOptions world = world_of(config_, *network_);
        BanditPlayers players = classical_players(world, config_);
        add_network(network_, world, players);
        play(curve_game(world, std::move(players)));
    }
    static void check(const BanditInsideConfig& c) {
        const BanditNetwork network = chosen_network(c);
        if (c.rounds > network.shape.rounds)
            throw InputError("rounds: weights '{}' have positions for {} rounds, not for {}. Lower it.", network.name,
                             network.shape.rounds, c.rounds);
        check_bandit_world(c);
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const BanditCurves curves = curves_of(seeds);
        snapshot.plots = {eval_regret_plot(curves, *shared_)};
        describe_streams(curves, *shared_, snapshot);
        snapshot.scalars.push_back({"temperature", "temperature", network_->trained.temperature, "",
                                    "The temperature at which it plays; 0 is the most probable arm."});
        snapshot.scalars.push_back({"parameters", "parameters", static_cast<double>(network_->shape.num_weights()), "",
                                    "Weights of the network."});
        describe_players(shared_->worlds.front(), shared_->players, true, snapshot);
    }
    // Adds pictures of one environment of the first stream; they do not depend on the chosen stream.
    void evaluate(const BanditInsideConfig& config, Snapshot& snapshot) const override {
        const BanditView view{network_->shape, config.shown_layer, config.shown_head,
                              static_cast<uint64_t>(config.seed), static_cast<uint32_t>(config.shown_environment)};
        const auto pictures = pictures_.get(view, [&] {
            BanditTrajectory world;
            draw_bandit(shared_->worlds.front(), view.seed, view.index, world);
            return std::make_shared<const BanditInsidePictures>(look_inside(view, world, {network_->trained}));
        });
        snapshot.matrices = pictures->matrices;
        for (NamedMatrix& matrix : snapshot.matrices)
            matrix.seeds.resize(larger<size_t>(1, snapshot.seeds.size()), matrix.seeds.front());
        snapshot.matrices.front().alignment_note = fmt::format(
            "environment {}, weights '{}' from the file, not trained here", config.shown_environment, network_->name);
        snapshot.plots.resize(1);  // only the regret plot stays
        snapshot.plots.insert(snapshot.plots.end(), pictures->plots.begin(), pictures->plots.end());
    }

  private:
    std::shared_ptr<const BanditNetwork> network_;
    // The pictures depend on the view alone, so they are not drawn again while environments are added.
    mutable Memo<BanditView, BanditInsidePictures> pictures_;
};

// Name of the shipped network in this file; "" if it is not a shipped one.
std::string shipped_name(const fs::path& file) {
    std::error_code ignored;
    for (const std::string& name : shipped_bandit_networks())
        if (fs::equivalent(file, bandit_weights_path(name), ignored)) return name;
    return "";
}

}  // namespace

SettingsFile bandit_inside_settings(const fs::path& weights) {
    const BanditNetwork network = read_bandit_network(weights);
    const std::string name = shipped_name(weights);
    SettingsFile file;
    file.source = weights.string();
    file.experiment = "bandit-inside";
    file.title = "Inside " + weights.stem().string();
    const auto set = [&file](const char* field, FieldValue value) {
        file.entries.push_back({field, std::move(value)});
    };
    set("network", name.empty() ? std::string("file") : name);
    if (name.empty()) set("network_file", fs::absolute(weights).lexically_normal().string());
    const BanditOptions& test = network.config.test;
    set("kind", bandit_kind_names()[static_cast<size_t>(test.kind)]);
    if (test.kind == BanditKind::cosine) set("frequency", test.frequency);
    if (test.kind == BanditKind::abrupt) set("segments", static_cast<int64_t>(test.segments));
    if (test.kind == BanditKind::drift) set("angle", test.angle);
    set("rounds", static_cast<int64_t>(test.rounds));
    set("noise", test.noise);
    return file;
}

ExperimentInfo bandit_inside() {
    return experiment_of<InsideStudy>(
        kBanditInsideStudy, "Inside a trained player",
        "A network already trained to play bandits: where it looks, what it would do, which algorithm it resembles, "
        "and its regret beside theirs (Chen, Ito and Imaizumi 2025). Nothing is trained.");
}

}  // namespace emergence
