#include "core/experiments/in_context_td/construction.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/configured_study.h"
#include "core/experiments/in_context_td/construction_claims.h"
#include "core/experiments/in_context_td/construction_figure.h"
#include "core/experiments/in_context_td/construction_pictures.h"
#include "core/measures/construction_difference.h"
#include "core/measures/construction_errors.h"

namespace emergence {

void ConstructionConfig::fields(Fields& f) {
    f.group("model");
    f.choice(algorithm,
             {{"td", BatchAlgorithm::td},
              {"residual_gradient", BatchAlgorithm::residual_gradient},
              {"td_lambda", BatchAlgorithm::td_lambda},
              {"average_reward_td", BatchAlgorithm::average_reward_td}},
             "algorithm", "algorithm",
             "TD(0) is Theorem 1 of Wang et al. 2025, residual gradient Corollary 2, "
             "TD(\u03bb) Corollary 3, average-reward TD Theorem 3.");
    f(lambda, "lambda", "\u03bb", "Decay of TD(\u03bb)'s trace.")
        .range(0, 1)
        .acts_while("algorithm", {"td_lambda"});
    f(textbook_trace, "textbook_trace", "textbook's trace",
      "TD(\u03bb) with e = \u03b3\u03bb e + \u03c6, as in Sutton and Barto. "
      "Off: the paper's Corollary 3, e = \u03bb e + \u03c6, without \u03b3.")
        .acts_while("algorithm", {"td_lambda"});
    f.choice(preconditioner,
             {{"random", Preconditioner::random},
              {"step size", Preconditioner::step_size},
              {"decaying", Preconditioner::decaying},
              {"whitened", Preconditioner::whitened}},
             "preconditioner", "C_l",
             "What preconditions step l: random for each layer, entries from N(0, 1/4), "
             "since the theorems hold for any; a step size, \u03b1 I; decaying, \u03b1/(l+1) I; "
             "whitened, \u03b1 times the inverse of (1/n) \u2211 \u03c6\u03c6' of the prompt itself, "
             "which for TD(0) with \u03b1 = 1 is fitted value iteration.");
    f(step, "alpha", "step size \u03b1", "In C_l, where it is not random.")
        .log_range(0.001, 10)
        .idle_while("preconditioner", {"random"});
    f.choice(flaw,
             {{"none", Flaw::none},
              {"gamma", Flaw::gamma},
              {"mask", Flaw::mask},
              {"transposed", Flaw::transposed},
              {"plain_td", Flaw::plain_td}},
             "flaw", "flaw",
             "What the transformer has wrong, on purpose: \u03b3 off by one part in a million, the query "
             "counted as context, C_l not transposed, or what makes the algorithm more than TD(0) missing. "
             "A check that cannot see it checks nothing.");
    features_field(f, d, "Features of a state.");
    context_length_field(f, n, 200);
    states_field(f, num_states, "States of each random Boyan chain.", 64);
    gamma_field(f, gamma, "Discount factor; average reward has none.");
    representable_field(f, representable,
                        "Make each chain's true value exactly linear in its features (Algorithm 3); "
                        "else rewards are uniform and the best linear prediction still errs.");
    f.group("evaluation");
    f(tolerance, "tolerance", "tolerance",
      "More layers have stopped helping (ours) when the value error is this near its limit, "
      "as a share of where it started, and stays so.")
        .log_range(0.001, 0.5);
    stop_after_field(f, layers, "num_layers", "layers",
                     "Layers of the transformer, and steps of the algorithm.", 200);
    first_seed_field(f, seed, "Each has a chain, a prompt and matrices of its own.");
    num_seeds_field(f, seeds, "How many prompts. The paper averages 30.");
}

namespace {

/// One prompt. It computes all layers at once and reports them one by one.
class Prompt final : public Experiment {
  public:
    Prompt(const ConstructionConfig& config, int seed_index)
        : options_(config),
          seed_(static_cast<uint64_t>(config.seed + seed_index)),
          seed_index_(seed_index),
          trial_(draw_trial(options_, seed_, 0)) {}

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override {
        if (differences_.absolute.empty()) compute();
        for (; told_ <= target_step; ++told_) {
            const auto l = static_cast<size_t>(told_);
            rows.push_back({seed_index_,
                            told_,
                            {differences_.absolute[l], differences_.relative[l], differences_.transformer[l],
                             differences_.algorithm[l], errors_.transformer[l], errors_.algorithm[l]}});
        }
    }
    int64_t step() const override { return std::max<int64_t>(0, told_ - 1); }
    bool failed() const override { return false; }
    SeedStatus status() const override { return {seed_, step(), false, "", false, -1}; }

    ArrayMap save() const override { return {{"told", {{}, std::vector<int64_t>{told_}}}}; }
    void load(const ArrayMap& state) override {
        const auto found = state.find("told");
        const auto* told =
            found == state.end() ? nullptr : std::get_if<std::vector<int64_t>>(&found->second.values);
        if (state.size() != 1 || told == nullptr || told->size() != 1 || told->front() < 0 ||
            told->front() > options_.layers + 1)
            throw InputError(fmt::format("construction state: needed is one whole number 'told' from 0 to {}",
                                         options_.layers + 1));
        told_ = told->front();
        compute();  // a snapshot may come before the next layer
    }
    void set_live(const Settings&) override {}  // no setting is live

    /// Matrices of the layer applied last, or of the first layer if none was applied.
    ConstructedMatrices matrices() const {
        return {layer_matrices(options_, trial_, static_cast<int>(std::max<int64_t>(0, step() - 1))),
                head_masks(options_)};
    }
    /// Errors of the layers reported so far.
    LayerErrors errors() const {
        LayerErrors errors = errors_;
        for (auto* layers : {&errors.transformer, &errors.algorithm})
            layers->resize(std::min(layers->size(), static_cast<size_t>(told_)));
        return errors;
    }

  private:
    void compute() {
        differences_ = construction_difference(options_, trial_);
        errors_ = construction_errors(options_, trial_);
    }

    ConstructionOptions options_;
    uint64_t seed_;
    int seed_index_;
    ConstructionTrial trial_;
    LayerDifferences differences_;
    LayerErrors errors_;
    int64_t told_ = 0;  // rows reported so far, the prompt's own row included
};

class ConstructionStudy final : public ConfiguredStudy<ConstructionConfig> {
  public:
    explicit ConstructionStudy(const Settings& settings)
        : ConfiguredStudy("construction", "layers", settings) {
        metrics_ = construction_metrics();
        metric_plots_ = construction_plots();
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<Prompt>(config_, seed_index);
    }
    int64_t target_step() const override { return config_.layers; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot = begin_snapshot(seeds);
        std::vector<ConstructedMatrices> matrices;
        std::vector<LayerErrors> errors;
        for (const Experiment* experiment : seeds) {
            matrices.push_back(dynamic_cast<const Prompt&>(*experiment).matrices());
            errors.push_back(dynamic_cast<const Prompt&>(*experiment).errors());
        }
        snapshot.matrices = construction_matrices(config_, matrices);
        snapshot.formulas = construction_formulas(config_);
        snapshot.weights = construction_weights(config_, matrices);
        snapshot.plots = {construction_error_curve(config_, errors)};
        snapshot.scalars = construction_scalars(config_, errors);
        snapshot.headline = snapshot.plots[0].readout;
        return snapshot;
    }
};

}  // namespace

ExperimentInfo construction() {
    ExperimentInfo info;
    info.name = "construction";
    info.title = "Constructed transformers, layer by layer";
    info.summary =
        "Transformers with the weights that are proven to implement TD(0), residual gradient, TD(\u03bb) and "
        "average-reward TD, beside those algorithms as plain loops, layer by layer (Wang et al. 2025, "
        "Theorems 1 and 3, Corollaries 2 and 3, Figure 13); and the error of their values, with the layer "
        "from "
        "which on more layers no longer help. Nothing is trained.";
    info.fields = std::make_shared<const FieldTable>(fields_of<ConstructionConfig>());
    info.check = [](const Settings& settings) {
        const auto c = config_from<ConstructionConfig>(settings);
        if (c.algorithm == BatchAlgorithm::td && c.flaw == Flaw::plain_td)
            throw InputError(
                "flaw: found plain_td, with algorithm = td any other is allowed: TD(0) is plain");
    };
    info.make = [](const Settings& settings) { return std::make_unique<ConstructionStudy>(settings); };
    info.figures = {wang_13()};
    info.claims = construction_claims();
    return info;
}

}  // namespace emergence
