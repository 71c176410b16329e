#include "core/experiments/in_context_td/td.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/experiments/in_context_td/construction/own_construction.h"
#include "core/experiments/in_context_td/figures/td_figures.h"
#include "core/experiments/in_context_td/pictures/microscope.h"
#include "core/experiments/in_context_td/pictures/more_layers.h"
#include "core/experiments/in_context_td/pictures/prompt_scene.h"
#include "core/experiments/in_context_td/seed/start_weights.h"
#include "core/experiments/in_context_td/seed/td_line_up.h"
#include "core/experiments/in_context_td/surgery/surgery.h"
#include "core/experiments/in_context_td/td_study.h"
#include "core/experiments/in_context_td/world/own_world.h"

namespace emergence {
namespace {

constexpr StudyNames kTdStudy = {"td", "MRPs", "num_mrps", kTdEmergenceRule};

std::string emergence_rule_of(const InContextTdConfig& config) {
    if (!has_target(config)) return "";
    if (!config.construction.empty())
        return fmt::format(
            "Ours, with a construction of the user's own: in every layer the cosines of P and of Q, taken as vectors, "
            "with the construction's matrices are above {}, with the same sign.",
            kOwnCosine);
    if (config.loss.kind != LossKind::residual_gradient) return kTdEmergenceRule;
    return std::string(kTdEmergenceRule) +
           " With the loss residual_gradient the trace of Q's lower-left block must be above d/4 too and, for more than "
           "one layer, that of its middle block below -d/4 (Corollary 2).";
}

// Adds the world and the microscope; `own` is own_world()'s answer.
void look_inside(Snapshot& snapshot, const InContextTdConfig& config, const WorldFile* own,
                 const std::vector<LearnedWeights>& trained) {
    if (!looks_inside(config)) return;
    const TdWorld world = td_world(config, own);
    const TdWorldContext context = td_world_context(config, world);
    if (config.inside.world()) snapshot.scenes.push_back(td_world_scene(config, world, context, trained));
    if (own != nullptr) {
        const auto errors = td_world_scalars(config, world, td_world_values(config, world, context, trained));
        snapshot.scalars.insert(snapshot.scalars.begin(), errors.begin(), errors.end());
    }
    if (has_microscope(config)) add_microscope(config, world, context, trained, snapshot);
}

// The parts of an evaluation; each may be null.
struct Evaluation {
    const NetworkEvaluator* by_length = nullptr;  // null without true values
    const NetworkEvaluator* by_depth = nullptr;
    const CartPoleScene* cart_pole = nullptr;
    const WorldFile* own_world = nullptr;
    const SurgeryBench* surgery = nullptr;
};

// What needs true values.
void add_value_error_views(Snapshot& snapshot, const InContextTdConfig& config, const Evaluation& with,
                           const std::vector<LearnedWeights>& trained) {
    snapshot.plots = {value_error_plot(config, *with.by_length, trained)};
    snapshot.scalars = value_error_scalars(config, with.by_length->bank(), snapshot.plots[0]);
    if (with.by_depth != nullptr) add_depth_views(config, *with.by_depth, trained, snapshot);
    if (with.surgery != nullptr) add_surgery_views(config, *with.surgery, trained, snapshot);
    look_inside(snapshot, config, with.own_world, trained);
}

// Makes plots, scalars and scenes from the snapshot's weights; value errors need true values.
void evaluate_td(Snapshot& snapshot, const InContextTdConfig& config, const Evaluation& with) {
    snapshot.evaluated = true;
    // Remove the maps of an earlier evaluation: they are not weights.
    std::erase_if(snapshot.matrices,
                  [](const NamedMatrix& matrix) { return matrix.initial_products.values.empty(); });
    snapshot.plots.clear();
    snapshot.scenes.clear();
    snapshot.stepping = {};
    const auto trained = trained_seeds(network_shape(config), snapshot);
    add_line_up_matrices(config, snapshot);
    if (with.cart_pole != nullptr) snapshot.scenes = {with.cart_pole->scene(config, trained)};
    if (with.by_length != nullptr) add_value_error_views(snapshot, config, with, trained);
    add_line_up_scalars(snapshot);
    // The recurrent network takes one transition after the other.
    if (config.model == "attention") snapshot.scenes.push_back(prompt_scene(config));
}

}  // namespace

InContextTdStudy::InContextTdStudy(const Settings& settings)
    : StudyOf(kTdStudy, settings),
      by_length_(make_length_evaluator(config_)),
      by_depth_(make_depth_evaluator(config_)),
      cart_pole_(make_cart_pole_scene(config_)),
      own_world_(own_world(config_)),
      surgery_(make_surgery_bench(config_)),
      first_settings_(settings),
      first_by_length_(by_length_),
      first_cart_pole_(cart_pole_) {
    shared_ = std::make_shared<const SeedMeasures>(seed_measures(config_));
    metrics_ = in_context_td_metrics(config_).table();
    metric_plots_ = in_context_td_plots(config_, shared_->evaluator->bank());
}

int64_t InContextTdStudy::target_step() const {
    return shared_->replay ? std::min(config_.num_mrps, shared_->replay->last_step()) : config_.num_mrps;
}

Snapshot InContextTdStudy::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = outline(seeds);
    evaluate_td(snapshot, config_,
                {by_length_.get(), by_depth_.get(), cart_pole_.get(), own_world_.get(), surgery_.get()});
    return snapshot;
}

void InContextTdStudy::show(const Seeds& seeds, Snapshot& snapshot) const {
    snapshot.emergence_rule = emergence_rule_of(config_);
    show_network(config_, seeds, snapshot);
    if (shared_->replay)
        for (NamedMatrix& matrix : snapshot.matrices) matrix.alignment_note += "; " + shared_->replay->note();
    std::vector<int64_t> numbers;
    std::vector<const LineUp*> fits;
    for (const InContextTdSeed* seed : seeds) {
        numbers.push_back(static_cast<int64_t>(seed->status().seed));
        fits.push_back(seed->line_up());
    }
    snapshot.weights["seed"] = {{seeds.size()}, std::move(numbers)};
    add_fitted_matrices(config_, fits, snapshot);
}

Snapshot InContextTdStudy::inspect(const Snapshot& snapshot, const Inspection& inspection) const {
    Snapshot answer = begin_evaluation(snapshot, inspection);
    const auto config = config_from<InContextTdConfig>(inspection.settings);
    const auto lengths = context_length_grid(config.eval_context_length, config.context_length);
    const bool same = same_but_for_live_fields(inspection.settings, first_settings_);
    const bool fits =
        same && first_by_length_ && lengths == first_by_length_->bank().options().context_lengths;
    const bool drawn = same && first_cart_pole_ && first_cart_pole_->fits(config);
    const auto evaluator = fits ? first_by_length_ : make_length_evaluator(config);
    const auto cart_pole = drawn ? first_cart_pole_ : make_cart_pole_scene(config);
    evaluate_td(answer, config,
                {evaluator.get(), make_depth_evaluator(config).get(), cart_pole.get(),
                 own_world(config).get(), make_surgery_bench(config).get()});
    return answer;
}

void InContextTdStudy::set_live(const Settings& settings) {
    // Read the file first: if it is gone, nothing changes. Every change reads it again, as the check of the
    // settings does.
    own_world_ = own_world(config_from<InContextTdConfig>(settings));
    const int marked = config_.eval_context_length;
    const bool had_extra = config_.eval_extra_layers > 0, had_surgery = !config_.surgery.empty();
    StudyOf::set_live(settings);
    if (by_length_ && config_.eval_context_length != marked) by_length_ = make_length_evaluator(config_);
    if (config_.eval_context_length != marked || had_extra != (config_.eval_extra_layers > 0))
        by_depth_ = make_depth_evaluator(config_);
    if (config_.eval_context_length != marked || had_surgery == config_.surgery.empty())
        surgery_ = make_surgery_bench(config_);
    if (cart_pole_ && !cart_pole_->fits(config_)) cart_pole_ = make_cart_pole_scene(config_);
}

ExperimentInfo in_context_td() {
    return experiment_of<InContextTdStudy>(
        kTdStudy, "In-context TD",
        "A linear transformer is trained to predict the values of random tasks: Boyan chains, loops, CartPole. "
        "Nothing tells it how, and in its forward pass it comes to run batch TD learning on its prompt (Wang et al. "
        "2025).",
        in_context_td_figures(), in_context_td_measures());
}

}  // namespace emergence
