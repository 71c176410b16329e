#include "core/experiments/in_context_td/one_layer_flow.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/experiments/in_context_td/td_line_up.h"
#include "core/training/state_arrays.h"

namespace emergence {
namespace {

// The flow over prompts like training's: windows anywhere along a trajectory.
InvariantFlow flow_of(const OneLayerFlowConfig& config) {
    InvariantSetOptions options;
    options.tasks = task_options(config);
    options.n = config.context_length;
    options.samples = config.arrow_mrps;
    options.latest_start = config.minibatch_size - 1;
    return invariant_flow(options, derive_seed(static_cast<uint64_t>(config.seed), Purpose::held_out));
}

MetricPlot outside_plot() {
    MetricPlot plot;
    plot.id = "outside_set";
    plot.title = "Outside the set of Theorem 2";
    plot.lines = {{"outside_set", "", 0, false}};
    plot.y.label = "share of the norm";
    plot.y.minimum = 0.0;
    plot.y.maximum = 1.0;
    plot.note =
        "The part of P and Q outside {P zero but for its corner; Q's left blocks c I and c' I}, as a share "
        "of "
        "their norm. Small random weights begin outside; what arrives at rest has come near the set. Look at "
        "every seed: a mean mixes both basins.";
    return plot;
}

Eigen::MatrixXd eigen_of(const Table& table) {
    Eigen::MatrixXd matrix(table.rows, table.columns);
    for (int i = 0; i < table.rows; ++i)
        for (int j = 0; j < table.columns; ++j) matrix(i, j) = table(i, j);
    return matrix;
}

class OneLayerFlowStudy final : public ConfiguredStudy<OneLayerFlowConfig> {
  public:
    explicit OneLayerFlowStudy(const Settings& settings)
        : ConfiguredStudy("one-layer-flow", "MRPs", settings), flow_(flow_of(config_)) {
        evaluator_ = std::make_shared<const NetworkEvaluator>(
            network_shape(config_), make_bank(config_, evaluation_size(config_), {config_.context_length}));
        metrics_ = in_context_td_metrics(config_);
        metrics_.push_back({"outside_set", "outside the set",
                            "The part of P and Q outside the set of Theorem 2, as a share of their norm."});
        metric_plots_ = {outside_plot()};  // only one, so that the picture has room
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<OneLayerFlowSeed>(config_, evaluator_, seed_index);
    }
    int64_t target_step() const override { return config_.num_mrps; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;
    // Redraws the picture for its live settings, also at earlier moments of the run.
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override {
        Snapshot answer = begin_evaluation(snapshot, inspection);
        redraw_arrows(config_from<OneLayerFlowConfig>(inspection.settings), flow_, answer.plots[0]);
        return answer;
    }

  private:
    const InvariantFlow flow_;
    std::shared_ptr<const NetworkEvaluator> evaluator_;
};

Snapshot OneLayerFlowStudy::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = begin_snapshot(seeds);
    const NetworkShape shape = network_shape(config_);
    std::vector<const OneLayerFlowSeed*> own;
    std::vector<const InContextTdSeed*> trainings;
    std::vector<LearnedWeights> trained;
    for (const Experiment* seed : seeds) {
        own.push_back(&dynamic_cast<const OneLayerFlowSeed&>(*seed));
        trainings.push_back(&own.back()->training());
        const MultiTaskTd& training = trainings.back()->training();
        trained.push_back({training.weights(), training.alpha(), training.diverged()});
    }
    snapshot.emergence_rule = in_context_td().emergence_rule;
    snapshot.matrices = network_matrices(shape, trainings);
    snapshot.formulas = {in_context_td_formula(config_.num_layers)};
    snapshot.weights = weight_arrays(shape, trained);
    snapshot.plots = {flow_picture(config_, flow_, own)};
    const Eigen::Vector2d rest = flow_.rest();
    snapshot.scalars = {
        {"rest_a", "rest at a", rest.x(), "",
         "Where the expected TD error asks for no change: P's corner times the mean of Q's "
         "upper-left diagonal. Minus the best step size."},
        {"rest_b", "b", rest.y(), "", "P's corner times the mean of Q's lower-left diagonal there."}};
    return snapshot;
}

}  // namespace

Eigen::Vector2d flow_coordinates(const Table& P, const Table& Q) {
    const int rows = P.rows, d = (rows - 1) / 2;
    Eigen::Vector2d traces = Eigen::Vector2d::Zero();
    for (int i = 0; i < d; ++i) traces += Eigen::Vector2d(Q(i, i), Q(d + i, i));
    return P(rows - 1, rows - 1) / d * traces;
}

// ---- one seed

OneLayerFlowSeed::OneLayerFlowSeed(const OneLayerFlowConfig& config,
                                   std::shared_ptr<const NetworkEvaluator> evaluator, int seed_index)
    : training_(config, static_cast<uint64_t>(config.seed + seed_index), seed_index,
                measures_with(std::move(evaluator))),
      log_interval_(config.log_interval) {}

void OneLayerFlowSeed::advance(int64_t target_step, std::vector<MetricRow>& rows) {
    while ((!logged_ || step() < target_step) && !failed()) {
        const int64_t next =
            logged_ ? std::min(target_step, (step() / log_interval_ + 1) * log_interval_) : 0;
        training_.advance(next, rows);
        if (failed()) return;
        logged_ = true;
        if (next % log_interval_ != 0) continue;
        const auto& blocks = training_.training().blocks();
        const Table P = training_.matrix(blocks[0]), Q = training_.matrix(blocks[1]);
        rows.back().values.push_back(share_outside_invariant_set({eigen_of(P), eigen_of(Q)}));
        const Eigen::Vector2d at = flow_coordinates(P, Q);
        path_.add({at.x(), at.y()});
    }
}

ArrayMap OneLayerFlowSeed::save() const {
    ArrayMap state = training_.save();
    path_.save(state);
    state["logged"] = array_of(std::vector<int64_t>{logged_ ? 1 : 0});
    return state;
}

void OneLayerFlowSeed::load(const ArrayMap& state) {
    std::vector<int64_t> logged(1);
    read_array(state, "logged", logged);
    ArrayMap rest = state;
    rest.erase("logged");
    ThinnedTrace path(2);
    path.take(rest);
    training_.load(rest);
    path_ = std::move(path);
    logged_ = logged[0] != 0;
}

// ---- the registry's entry

ExperimentInfo one_layer_flow() {
    ExperimentInfo info;
    info.name = "one-layer-flow";
    info.title = "One layer: flow of the expected update";
    info.summary =
        "The expected update of one layer on the set of Theorem 2, as arrows in two coordinates that do not "
        "depend on the scale of P and Q, with real trainings from random weights drawn on it as paths (Wang "
        "et al. 2025, Theorem 2 and Corollary 1).";
    info.emergence_rule = in_context_td().emergence_rule;
    info.fields = std::make_shared<const FieldTable>(fields_of<OneLayerFlowConfig>());
    info.check = [](const Settings& settings) {
        const auto c = config_from<OneLayerFlowConfig>(settings);
        if (c.log_interval > c.num_mrps)
            throw InputError("log_interval: allowed is at most num_mrps, else nothing is logged");
    };
    info.make = [](const Settings& settings) { return std::make_unique<OneLayerFlowStudy>(settings); };
    return info;
}

}  // namespace emergence
