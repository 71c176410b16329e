#include "core/experiments/in_context_td/construction.h"
#include "core/experiments/in_context_td/td.h"

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/study_of.h"
#include "core/measures/construction_errors.h"

namespace emergence {

void ConstructionConfig::fields(Fields& f) {
    f.group("model");
    f.choice(algorithm, words_of<BatchAlgorithm>({"td", "residual_gradient", "td_lambda", "average_reward_td"}),
             "algorithm", "algorithm",
             "TD(0) is Theorem 1 of Wang et al. 2025, residual gradient Corollary 2, "
             "TD(\u03bb) Corollary 3, average-reward TD Theorem 3.")
        .called({{"td", "TD"}, {"td_lambda", "TD(\u03bb)"}, {"average_reward_td", "average-reward TD"}});
    f(lambda, "lambda", "\u03bb", "Decay of TD(\u03bb)'s trace.").range(0, 1).acts_while("algorithm", {"td_lambda"});
    f(textbook_trace, "textbook_trace", "textbook's trace",
      "On: Sutton and Barto's trace, e = \u03b3\u03bb e + \u03c6. Off: Corollary 3's, e = \u03bb e + \u03c6.")
        .acts_while("algorithm", {"td_lambda"});
    f.choice(
        preconditioner, words_of<Preconditioner>({"random", "step size", "decaying", "whitened"}), "preconditioner",
        "C_l",
        "random: entries from N(0, 1/4). step size: \u03b1 I. decaying: \u03b1/(l+1) I. whitened: \u03b1 times the "
        "inverse of (1/n) \u2211 \u03c6\u03c6'.");
    f(step, "alpha", "step size \u03b1", "Scales C_l, unless C_l is random.")
        .log_range(0.001, 10)
        .idle_while("preconditioner", {"random"});
    f.choice(flaw, words_of<Flaw>({"none", "gamma", "mask", "transposed", "plain_td"}), "flaw", "flaw",
             "A deliberate error, which the check must find. gamma: \u03b3 off by 1e-6. mask: the query counts as "
             "context. transposed: C_l untransposed. plain_td: the parts beyond TD(0) are missing.")
        .called({{"plain_td", "plain TD"}});
    features_field(f, d, "Features of a state.");
    context_length_field(f, n, 200);
    states_field(f, num_states, "States of each random Boyan chain.", 64);
    gamma_field(f, gamma, "Discount factor. Average-reward TD has none.");
    representable_field(f, representable,
                        "On: each chain's true value is exactly linear in its features (Algorithm 3). Off: rewards "
                        "are uniform, so even the best linear prediction errs.");
    f.group("evaluation");
    f(tolerance, "tolerance", "tolerance",
      "Further layers stop helping (our rule) once the value error stays this near its limit, as a share of its start.")
        .log_range(0.001, 0.5);
    stop_after_field(f, layers, "num_layers", "layers", "Layers of the transformer, and steps of the algorithm.", 200);
    first_seed_field(f, seed, "Each seed draws its own chain, prompt and matrices.");
    num_seeds_field(f, seeds, "How many prompts. Wang et al. 2025 average 30.");
}

namespace {

constexpr StudyNames kConstructionStudy = {"construction", "layers", "num_layers"};

// What a prompt measures after each layer: how far the transformer is from the algorithm, the values of both, and their
// MSVE.
struct ConstructionMeasured {
    double absolute = 0, relative = 0, transformer = 0, algorithm = 0, msve = 0, msve_algorithm = 0;

    void say(Row& row) const {
        HistoryPlot& absolutes = row.plot("absolute_difference", "Transformer and algorithm: difference");
        HistoryPlot& relatives = row.plot("relative_difference", "The same, relative");
        HistoryPlot& values = row.plot("values", "Predicted values");
        absolutes.y("difference").logarithmic();
        relatives.y("relative difference").logarithmic();
        values.y("value of the query");
        for (HistoryPlot* plot : {&absolutes, &relatives})
            plot->note("|y + <\u03c6, w>|, and relative to |\u03c6| |w|, in double precision: only rounding remains.");
        values.note("Where the construction is right, both lines coincide.");
        row("absolute_difference", "absolute", "|y_l + <\u03c6, w_l>|: the transformer's distance from the algorithm.",
            absolute)
            .line(absolutes);
        row("relative_difference", "relative", "The same distance, divided by |\u03c6| |w_l|.", relative)
            .line(relatives, 2);
        row("transformer", "transformer", "The value that the transformer predicts after this layer, -y_l.",
            transformer)
            .line(values);
        row("algorithm", "algorithm", "The algorithm's value after the same number of steps, <\u03c6, w_l>.", algorithm)
            .line(values, 1)
            .dashed();
        row("msve", "transformer",
            "The transformer's mean squared value error after this layer; for average reward up to a constant.", msve);
        row("msve_algorithm", "algorithm", "The algorithm's error after the same number of steps.", msve_algorithm);
    }
};

// One prompt. It computes all layers at its first row and reports them one by one.
class ConstructionSeed final : public RetracedSeed<ConstructionMeasured> {
  public:
    ConstructionSeed(const ConstructionConfig& config, int seed_index)
        : RetracedSeed(config.seed, seed_index, config.layers, "told", 0),
          options_(config),
          trial_(draw_trial(options_, seed(), 0)) {}

    /// Matrices of the layer applied last, or of the first layer if none was applied.
    LayerMatrices matrices() const {
        return layer_matrices(options_, trial_, static_cast<int>(larger<int64_t>(0, step() - 1)));
    }
    /// Errors of the layers reported so far.
    LayerErrors errors() const {
        LayerErrors errors = errors_;
        for (auto* layers : {&errors.transformer, &errors.algorithm})
            layers->resize(smaller(layers->size(), static_cast<size_t>(last_logged() + 1)));
        return errors;
    }

  protected:
    void take_step() override { ++step_; }
    void restart() override { compute(); }  // a snapshot may be taken before the next layer
    ConstructionMeasured measure() override {
        if (errors_.transformer.empty()) compute();
        const auto l = static_cast<size_t>(step());
        return {differences_.absolute[l],  differences_.relative[l], differences_.transformer[l],
                differences_.algorithm[l], errors_.transformer[l],   errors_.algorithm[l]};
    }

  private:
    void compute() {
        differences_ = construction_difference(options_, trial_);
        errors_ = construction_errors(options_, trial_);
    }

    ConstructionOptions options_;
    ConstructionTrial trial_;
    LayerDifferences differences_;
    LayerErrors errors_;
};

class ConstructionStudy final : public StudyOf<ConstructionConfig, ConstructionSeed> {
  public:
    explicit ConstructionStudy(const Settings& settings) : StudyOf(kConstructionStudy, settings) {
        declare(ConstructionMeasured());
    }
    static void check(const ConstructionConfig& c) {
        if (c.algorithm == BatchAlgorithm::td && c.flaw == Flaw::plain_td)
            throw InputError("flaw: plain_td changes nothing while algorithm = td. Choose another flaw or algorithm.");
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        std::vector<LayerMatrices> matrices;
        std::vector<LayerErrors> errors;
        for (const ConstructionSeed* seed : seeds) {
            matrices.push_back(seed->matrices());
            errors.push_back(seed->errors());
        }
        add_construction_matrices(config_, matrices, snapshot);
        snapshot.formulas = construction_formulas(config_);
        snapshot.plots = {construction_error_curve(config_, errors)};
        snapshot.scalars = construction_scalars(config_, errors);
        snapshot.headline = snapshot.plots[0].readout;
    }
};

}  // namespace

ExperimentInfo construction() {
    return experiment_of<ConstructionStudy>(
        kConstructionStudy, "Constructed transformers, layer by layer",
        "Four transformers whose weights provably run TD(0), residual gradient, TD(\u03bb) and average-reward TD, "
        "compared layer by layer with plain loops of these algorithms, and their value errors (Wang et al. 2025, "
        "Theorems 1 and 3, Corollaries 2 and 3, Figure 13). Nothing is trained.",
        {shipped_figure("wang-13")});
}

}  // namespace emergence
