#include "core/experiments/in_context_td/one_layer_flow.h"

#include <fmt/format.h>

#include <cmath>

#include "core/experiments/in_context_td/td_line_up.h"
#include "core/experiments/table_of.h"
#include "core/lab/history_plot.h"

namespace emergence {
namespace {

using Eigen::Vector2d;

constexpr StudyNames kFlowStudy = {"one-layer-flow", "MRPs", "num_mrps"};
constexpr int kArrows = 19;  // arrows per side
constexpr double kZoomed = 0.12;

double share_outside(const TdMeasured& measured) {
    const auto& blocks = measured.seed->training().blocks();
    return share_outside_invariant_set(
        {matrix_of(measured.seed->matrix(blocks[0])), matrix_of(measured.seed->matrix(blocks[1]))});
}

Metrics<TdMeasured> one_layer_metrics(const OneLayerFlowConfig& config) {
    Metrics<TdMeasured> metrics = in_context_td_metrics(config);
    metrics.add({"outside_set", "outside the set",
                 "The part of P and Q outside the set of Theorem 2, as a share of their norm.",
                 share_outside});
    return metrics;
}

MetricPlot outside_plot() {
    HistoryPlot plot("outside_set", "Outside the set of Theorem 2");
    plot.line("outside_set");
    plot.y("share of the norm").from(0.0).to(1.0);
    plot.note(
        "The part of P and Q outside {P zero but for its corner; Q's left blocks c I and c' I}, as a share of their "
        "norm. Small random weights begin outside; what arrives at rest has come near the set. Look at every seed: a "
        "mean mixes both basins.");
    return plot;
}

// The flow over prompts like training's: windows anywhere along a trajectory.
InvariantFlow flow_of(const OneLayerFlowConfig& config) {
    InvariantSetOptions options;
    options.tasks = task_options(config);
    options.n = config.context_length;
    options.samples = config.arrow_mrps;
    options.latest_start = config.minibatch_size - 1;
    return invariant_flow(options, derive_seed(static_cast<uint64_t>(config.seed), Purpose::held_out));
}

// A line from tail to tip and back along both sides of its head; a gap after it.
void add_arrow(const Vector2d& tail, const Vector2d& along, Series& series) {
    const Vector2d tip = tail + along, across(-along.y(), along.x());
    for (const Vector2d& at : {tail, tip, Vector2d(tip - 0.32 * along + 0.2 * across), tip,
                               Vector2d(tip - 0.32 * along - 0.2 * across), Vector2d(kMissing, kMissing)}) {
        series.x.push_back(at.x());
        series.rows[0].push_back(at.y());
    }
}

// Sets the limits of the picture, zero and the point of rest with as much room again around them, and its arrows.
void draw_arrows(const OneLayerFlowConfig& config, const InvariantFlow& flow, PlotSpec& picture) {
    const Vector2d rest = flow.rest(), middle = config.zoom ? Vector2d::Zero() : Vector2d(0.5 * rest),
                   half = Vector2d::Constant((config.zoom ? kZoomed : 0.9) * rest.cwiseAbs().maxCoeff()),
                   low = middle - half, high = middle + half, apart = (high - low) / kArrows;
    std::tie(picture.x.minimum, picture.x.maximum) = std::pair(low.x(), high.x());
    std::tie(picture.y.minimum, picture.y.maximum) = std::pair(low.y(), high.y());
    std::vector<std::pair<Vector2d, Vector2d>> all;
    double largest = 0.0;
    for (int i = 0; i < kArrows; ++i)
        for (int j = 0; j < kArrows; ++j) {
            const Vector2d at = low + apart.cwiseProduct(Vector2d(i + 0.5, j + 0.5));
            all.emplace_back(at, flow.direction(at, config.balance));
            largest = std::max(largest, all.back().second.norm());
        }
    Series& arrows = picture.series.front();
    arrows.x.clear();
    arrows.rows = {{}};
    for (const auto& [at, direction] : all) {
        if (direction.norm() == 0.0) continue;
        const Vector2d along =
            apart.minCoeff() * std::cbrt(direction.norm() / largest) * direction.normalized();
        add_arrow(at - 0.5 * along, along, arrows);
    }
}

class OneLayerFlowStudy final : public StudyOf<OneLayerFlowConfig, OneLayerFlowSeed, SeedMeasures> {
  public:
    explicit OneLayerFlowStudy(const Settings& settings)
        : StudyOf(kFlowStudy, settings), flow_(flow_of(config_)) {
        shared_ = std::make_shared<const SeedMeasures>(seed_measures(config_));
        metrics_ = one_layer_metrics(config_).table();
        metric_plots_ = {outside_plot()};  // only one, so that the picture has room
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const NetworkShape shape = network_shape(config_);
        const std::vector<const InContextTdSeed*> trainings(seeds.begin(), seeds.end());
        snapshot.emergence_rule = in_context_td().emergence_rule;
        snapshot.matrices = network_matrices(shape, trainings);
        snapshot.formulas = {in_context_td_formula(config_.num_layers)};
        snapshot.weights = weight_arrays(shape, weights_of(trainings));
        snapshot.plots = {picture(seeds)};
        const Vector2d rest = flow_.rest();
        snapshot.scalars = {
            {"rest_a", "rest at a", rest.x(), "",
             "Where the expected TD error asks for no change: P's corner times the mean of Q's "
             "upper-left diagonal. Minus the best step size."},
            {"rest_b", "b", rest.y(), "", "P's corner times the mean of Q's lower-left diagonal there."}};
    }
    void evaluate(const OneLayerFlowConfig& config, Snapshot& snapshot) const override {
        draw_arrows(config, flow_, snapshot.plots[0]);
    }

  private:
    PlotSpec picture(const Seeds& seeds) const;

    const InvariantFlow flow_;
};

PlotSpec OneLayerFlowStudy::picture(const Seeds& seeds) const {
    const Vector2d rest = flow_.rest();
    Plot plot("flow", "Expected updates, and trainings");
    plot.leads().no_markers();
    plot.x("a = P[-1,-1] tr Q[:d,:d] / d");
    plot.y("b = P[-1,-1] tr Q[d:2d,:d] / d");
    plot.path("expected update", {}, {}).color(7);  // evaluate() draws them
    const char* name = "trainings, every seed";
    for (const OneLayerFlowSeed* seed : seeds) {
        std::vector<double> a, b;
        for (const std::vector<double>& at : seed->path().rows()) a.push_back(at[0]), b.push_back(at[1]);
        if (a.empty()) continue;
        plot.path(std::exchange(name, ""), a, b);
        plot.points("", {a.back()}, {b.back()});
    }
    plot.points("rest", {rest.x()}, {rest.y()}).color(1);
    plot.points("zero", {0.0}, {0.0}).color(3);
    plot.readout(fmt::format("rest at a = {:.3g}, b = {:.3g}", rest.x(), rest.y()));
    plot.note(
        "Arrows: the expected update (10) on the set of Theorem 2, exact but for the MRPs it is averaged over; length "
        "grows with the cube root of its size. The coordinates (ours) stay as they are when P is multiplied by a "
        "number and Q divided by it: on the set the value is -(a f1 + b f2) with f1 the context's mean of R phi' and "
        "f2 that of R gamma phi', times the query. Paths: trainings from random weights, off the set, seen in the "
        "same coordinates; with Adam they need not follow the arrows.");
    return plot;
}

}  // namespace

Eigen::Vector2d flow_coordinates(const Table& P, const Table& Q) {
    const int rows = P.rows, d = (rows - 1) / 2;
    Vector2d traces = Vector2d::Zero();
    for (int i = 0; i < d; ++i) traces += Vector2d(Q(i, i), Q(d + i, i));
    return P(rows - 1, rows - 1) / d * traces;
}

OneLayerFlowSeed::OneLayerFlowSeed(const OneLayerFlowConfig& config, int seed_index,
                                   std::shared_ptr<const SeedMeasures> measures)
    : InContextTdSeed(config, seed_index, std::move(measures), one_layer_metrics(config)) {}

TdMeasured OneLayerFlowSeed::measure() {
    const auto& blocks = training().blocks();
    const Vector2d at = flow_coordinates(matrix(blocks[0]), matrix(blocks[1]));
    path_.add({at.x(), at.y()});
    return InContextTdSeed::measure();
}

void OneLayerFlowSeed::state(Archive& archive) {
    InContextTdSeed::state(archive);
    path_.state(archive);
    bool logged = last_logged() >= 0;
    archive("logged", logged);
}

ExperimentInfo one_layer_flow() {
    return experiment_of<OneLayerFlowStudy>(
        kFlowStudy, "One layer: flow of the expected update",
        "The expected update of one layer on the set of Theorem 2, as arrows in two coordinates that do not depend on "
        "the scale of P and Q, with real trainings from random weights drawn on it as paths (Wang et al. 2025, Theorem "
        "2 and Corollary 1).",
        in_context_td().emergence_rule);
}

}  // namespace emergence
