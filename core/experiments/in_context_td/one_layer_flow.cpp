
#include <fmt/format.h>

#include <utility>

#include "core/experiments/common_fields.h"
#include "core/experiments/in_context_td/pictures/td_pictures.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/stacked.h"
#include "core/experiments/study_of.h"
#include "core/lab/views/run_views.h"
#include "core/measures/invariant_set.h"
#include "core/pictures/plot.h"
#include "core/training/training_log.h"

namespace emergence {
namespace {

using Eigen::Vector2d;

constexpr StudyNames kFlowStudy = {"one-layer-flow", "MRPs", "num_mrps", kTdEmergenceRule};
constexpr int kArrows = 19;  // per side

// Offers a few settings of experiment "td"; the others keep their defaults.
struct OneLayerFlowConfig : InContextTdConfig {
    OneLayerFlowConfig() {
        num_layers = 1;
        num_mrps = 2000;
        bank_size = 200;
    }
    double balance = 0.0;
    int arrow_mrps = 20000;
    bool zoom = false;

    void fields(Fields& f) {
        f.group("picture");
        f(balance, "balance", "balance",
          "\u03b7\u00b2 - d(c\u00b2 + c'\u00b2) of the weights for which arrows are drawn. The expected update keeps "
          "it; Adam does not.")
            .range(-10, 10)
            .live();
        f(zoom, "zoom", "zoom to the start", "Show only the neighbourhood of zero, where training begins.").live();
        f(arrow_mrps, "arrow_mrps", "MRPs of the arrows", "The arrows average over this many random MRPs.")
            .log_range(100, 100000);
        initial_gain_field(f, initial_gain, "2d+1");
        features_field(f, tasks.d, "Features of a state.");
        context_length_field(f, context_length, 240);
        states_field(f, tasks.num_states, "States of each random Boyan chain.", 64);
        gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted.");
        optimizer_field(f);
        learning_rate_field(f, adam.learning_rate,
                            "The optimizer's step size. sgd needs about a hundred times Adam's.");
        train_for_field(f, num_mrps, "num_mrps", "MRPs",
                        "The run stops when every network has trained on this many MRPs.");
        first_seed_field(f, seed, "Each network draws its own weights and its own stream of tasks.");
        num_seeds_field(f, seeds, "How many networks are trained.");
        bank_size_field(f, bank_size, "MRPs", "Similarities are measured on them.", 16, 20000);
        log_interval_field(f, log_interval, "MRPs");
    }
};

WeightUpdate one_layer_weights(const InContextTdSeed& seed) {
    const auto& blocks = seed.training().blocks();
    return {matrix_of(seed.matrix(blocks[0])), matrix_of(seed.matrix(blocks[1]))};
}

void say_outside(double share, Row& row) {
    HistoryPlot& plot = row.plot("outside_set", "Outside the set of Theorem 2");
    plot.y("share of the norm").from(0.0).to(1.0);
    plot.note(
        "The share of P's and Q's norm outside the set {P zero except its bottom-right entry; Q's left blocks c I and "
        "c' I}. Look at each network: a mean mixes both basins.");
    row("outside_set", "outside the set", "The part of P and Q outside the set of Theorem 2, as a share of their norm.",
        share)
        .line(plot);
}

// A network of experiment "td" that also records its path in the plane.
class OneLayerFlowSeed final : public InContextTdSeed {
  public:
    using InContextTdSeed::InContextTdSeed;

    void state(Archive& archive) override {
        InContextTdSeed::state(archive);
        path_.state(archive);
        bool logged = last_logged() >= 0;
        archive("logged", logged);
    }
    /// Rows (a, b), see flow_coordinates(), one per logged step.
    const ThinnedTrace& path() const { return path_; }

  protected:
    TdMeasured measure() override {
        const Vector2d at = flow_coordinates(one_layer_weights(*this));
        path_.add({at.x(), at.y()});
        return InContextTdSeed::measure();
    }
    void say(const TdMeasured& measured, Row& row) const override {
        measured.say(row);
        say_outside(share_outside_invariant_set(one_layer_weights(*this)), row);
    }

  private:
    ThinnedTrace path_{2};
};

// The expected update over prompts like those of training, which are windows anywhere along a trajectory.
InvariantFlow flow_of(const OneLayerFlowConfig& config) {
    InvariantSetOptions options;
    options.tasks = task_options(config);
    options.n = config.context_length;
    options.samples = config.arrow_mrps;
    options.latest_start = config.minibatch_size - 1;
    return invariant_flow(options, derive_seed(static_cast<uint64_t>(config.seed), Purpose::held_out));
}

class OneLayerFlowStudy final : public StudyOf<OneLayerFlowConfig, OneLayerFlowSeed, SeedMeasures> {
  public:
    explicit OneLayerFlowStudy(const Settings& settings)
        : StudyOf(kFlowStudy, settings), flow_(flow_of(config_)), rest_(flow_.rest()) {
        shared_ = std::make_shared<const SeedMeasures>(seed_measures(config_));
        Row row;
        TdMeasured{.config = &config_}.say(row);
        say_outside(kMissing, row);
        declare(row);  // one plot only, so that the picture has room
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        show_network(config_, {seeds.begin(), seeds.end()}, snapshot);
        Plot plot("flow", "Expected updates, and trainings");
        plot.leads().no_markers();
        plot.x("a: P's corner times Q's upper-left diagonal, mean");
        plot.y("b: P's corner times Q's lower-left diagonal, mean");
        plot.path("expected update", {}, {}).color(7);  // evaluate() draws them
        const char* name = "trainings, every seed";
        for (const OneLayerFlowSeed* seed : seeds) {
            std::vector<double> a = seed->path().column(0), b = seed->path().column(1);
            if (a.empty()) continue;
            plot.path(std::exchange(name, ""), a, b);
            plot.points("", {a.back()}, {b.back()});
        }
        plot.points("rest", {rest_.x()}, {rest_.y()}).color(1);
        plot.points("zero", {0.0}, {0.0}).color(3);
        plot.readout(fmt::format("rest at a = {:.3g}, b = {:.3g}", rest_.x(), rest_.y()));
        plot.note(
            "Arrows: the expected update (10) on the set of Theorem 2, mean over MRPs. The coordinates (ours) ignore the "
            "scale of P against Q: on the set the value is -(a f1 + b f2), f1 the context's mean of R phi' times the "
            "query, f2 that of R gamma phi'. Paths: networks trained from random weights; with Adam they need not "
            "follow the arrows.");
        snapshot.plots = {plot};
        snapshot.scalars = {
            {"rest_a", "rest at a", rest_.x(), "",
             "Where the expected update is zero: P's corner times the mean of Q's upper-left diagonal."},
            {"rest_b", "b", rest_.y(), "", "P's corner times the mean of Q's lower-left diagonal at the same point."}};
    }
    // Draws the arrows in the neighbourhood of zero, or around zero and the point of rest with a wide margin.
    void evaluate(const OneLayerFlowConfig& config, Snapshot& snapshot) const override {
        const Vector2d middle = config.zoom ? Vector2d::Zero() : Vector2d(0.5 * rest_),
                       half = Vector2d::Constant((config.zoom ? 0.12 : 0.9) *
                                                 rest_.cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
        const Vector2d low = middle - half, high = middle + half;
        show_arrows(snapshot.plots[0], {low.x(), low.y()}, {high.x(), high.y()}, kArrows, [&](Point at) {
            const Vector2d arrow = flow_.direction(Vector2d(at.x, at.y), config.balance);
            return Point{arrow.x(), arrow.y()};
        });
    }

  private:
    const InvariantFlow flow_;
    const Vector2d rest_;
};

}  // namespace

ExperimentInfo one_layer_flow() {
    return experiment_of<OneLayerFlowStudy>(
        kFlowStudy, "One layer: flow of the expected update",
        "Arrows show where the expected update drives one layer on the set of Theorem 2, in two coordinates that "
        "ignore the scale of P and Q. Paths show networks trained from random weights (Wang et al. 2025, Theorem 2 "
        "and Corollary 1).");
}

}  // namespace emergence
