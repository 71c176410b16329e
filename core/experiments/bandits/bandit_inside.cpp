#include "core/experiments/bandits/bandit_inside.h"

#include <mutex>
#include <system_error>

#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/experiments/bandits/bandit_network.h"
#include "core/files/folders.h"

namespace emergence {

void BanditInsideConfig::fields(Fields& f) {
    f.group("network");
    f(network, "network", "weights",
      "One of the networks that ship, or those in a file. Their optimiser's state is not saved, so that their "
      "training cannot be resumed; the presets bandit-cosine, -low and -mixture train them again.")
        .choices({"cosine", "low", "mixture", "memorise", "file"});
    f(network_file, "network_file", "file",
      "A weights.npz that a run of bandit-train left; of several seeds the best by validation.")
        .path()
        .acts_while("network", {"file"});
    f(temperature, "temperature", "temperature",
      "It draws its arm from softmax(logits / temperature). "
      "Chosen: by the validation stream of its training. 0: the most probable arm.")
        .choices({"chosen", "1", "0.5", "0"});
    BanditLookFields::fields(f);
    kind_fields(f);
    play_fields(f);
    classical_fields(f);
    constants_fields(f);
    BanditStreamFields::fields(f);
}

namespace {

namespace fs = std::filesystem;

BanditNetwork chosen_network(const BanditInsideConfig& c) {
    if (c.network == "file" && c.network_file.empty())
        throw InputError("network_file: network = file needs a file. Name a weights.npz that bandit-train left.");
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

class InsideStudy final : public StudyOf<BanditInsideConfig, EvalStream, EvalGame> {
  public:
    explicit InsideStudy(const Settings& settings)
        : StudyOf(kBanditInsideStudy, settings),
          network_(std::make_shared<const BanditNetwork>(chosen_network(config_))) {
        EvalGame game{world_of(config_, *network_), {}};
        game.players = classical_players(game.world, config_);
        add_network(network_, game.world, game.players);
        metrics_ = final_regret_metrics(game.players.players).table();
        metric_plots_ = eval_metric_plots(game.players);
        shared_ = std::make_shared<const EvalGame>(std::move(game));
    }
    static void check(const BanditInsideConfig& c) {
        const BanditNetwork network = chosen_network(c);
        if (c.rounds > network.shape.rounds)
            throw InputError(fmt::format("rounds: weights '{}' have positions for {} rounds, not for {}. Lower it.",
                                         network.name, network.shape.rounds, c.rounds));
        check_bandit_world(c);
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override;
    void evaluate(const BanditInsideConfig& config, Snapshot& snapshot) const override;

  private:
    BanditInsidePictures pictures_of(const BanditView& view) const;

    std::shared_ptr<const BanditNetwork> network_;
    // The pictures of the last view: they do not change while environments are added.
    mutable std::mutex mutex_;
    mutable std::optional<std::pair<BanditView, BanditInsidePictures>> last_;
};

bool same_view(const BanditView& a, const BanditView& b) {
    return a.layer == b.layer && a.head == b.head && a.seed == b.seed && a.index == b.index;
}

BanditInsidePictures InsideStudy::pictures_of(const BanditView& view) const {
    const std::scoped_lock lock(mutex_);
    if (!last_ || !same_view(last_->first, view)) {
        BanditTrajectory world;
        draw_bandit(shared_->world, view.seed, view.index, world);
        last_.emplace(view, look_inside(view, world, {network_->trained}));
    }
    return last_->second;
}

// Adds pictures of one environment of the first stream; they do not depend on the chosen stream.
void InsideStudy::evaluate(const BanditInsideConfig& config, Snapshot& snapshot) const {
    BanditInsidePictures pictures =
        pictures_of({network_->shape, config.shown_layer, config.shown_head, static_cast<uint64_t>(config.seed),
                     static_cast<uint32_t>(config.shown_environment)});
    for (NamedMatrix& matrix : pictures.matrices)
        matrix.seeds.resize(larger<size_t>(1, snapshot.seeds.size()), matrix.seeds.front());
    pictures.matrices.front().alignment_note = fmt::format(
        "environment {}, weights '{}' as they were read, not trained here", config.shown_environment, network_->name);
    snapshot.matrices = std::move(pictures.matrices);
    snapshot.plots.resize(1);  // only the regret plot stays
    for (PlotSpec& plot : pictures.plots) snapshot.plots.push_back(std::move(plot));
}

void InsideStudy::show(const Seeds& seeds, Snapshot& snapshot) const {
    const BanditPlayers& players = shared_->players;
    const BanditCurves curves = curves_of(seeds, *shared_);
    snapshot.plots = {eval_regret_plot(curves, players)};
    snapshot.scalars = eval_scalars(curves, players);
    snapshot.scalars.push_back({"temperature", "temperature", network_->trained.temperature, "",
                                "At which it plays; 0 is the most probable arm."});
    snapshot.scalars.push_back({"parameters", "parameters", static_cast<double>(network_->shape.num_weights()), "",
                                "Weights of the network."});
    describe_streams(curves, players, snapshot);
    describe_players(shared_->world, players, true, snapshot);
}

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
        "A network that has been trained to play bandits, as it ships or from a file: where it looks, what it would "
        "do, which algorithm it is near, its regret beside theirs (Chen, Ito and Imaizumi 2025). Nothing is trained.");
}

}  // namespace emergence
