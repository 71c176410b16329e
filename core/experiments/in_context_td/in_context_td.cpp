#include "core/experiments/in_context_td/in_context_td.h"

#include <fmt/format.h>

#include <algorithm>

#include <cmath>
#include <span>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/experiments/in_context_td/in_context_td_depth.h"
#include "core/experiments/in_context_td/in_context_td_figures.h"
#include "core/experiments/in_context_td/in_context_td_lineup.h"
#include "core/experiments/in_context_td/in_context_td_microscope.h"
#include "core/experiments/in_context_td/in_context_td_start.h"
#include "core/experiments/in_context_td/in_context_td_study.h"
#include "core/experiments/in_context_td/in_context_td_surgery.h"
#include "core/experiments/in_context_td/in_context_td_world.h"
#include "core/models/network_limits.h"

namespace emergence {
namespace {

const char* const kEmergenceRule =
    "A seed counts as emerged (this laboratory's rule) when P[-1,-1] is P's largest entry and, with Q "
    "divided by its "
    "largest entry, the trace of Q's upper-left block is below -d/2 and, for more than one layer, that of "
    "its upper-right "
    "block is above d/4. Sequential layers must all do so, the first without the upper-right block.";

MultiTaskTdOptions training_options(const InContextTdConfig& c) {
    MultiTaskTdOptions options;
    options.tasks = task_options(c);
    options.pool_size = c.task.pool_size;
    options.loss = loss_options_of(c.loss);
    options.update_each_prompt = c.loss.updates == "prompt";
    options.plain_gradient = c.loss.optimizer == "sgd";
    options.num_layers = c.num_layers;
    options.sequential = c.model.sequential;
    options.context_length = c.n;
    options.minibatch_size = c.minibatch_size;
    options.minibatches_per_mrp = c.minibatches_per_mrp;
    options.initial_gain = c.initial_gain;
    options.adam.learning_rate = c.learning_rate;
    options.adam.weight_decay = c.weight_decay;
    return options;
}

double norm_of(const float* values, size_t size) {
    double sum = 0;
    for (size_t i = 0; i < size; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    return std::sqrt(sum);
}

// A seed's tapes of the nonlinear networks, in bytes; all seeds' together.
constexpr double kMostTapeBytes = 2e9;

}  // namespace

// ---- one seed
// ------------------------------------------------------------------------------------------------------

InContextTdSeed::InContextTdSeed(const InContextTdConfig& config, uint64_t seed, int seed_index,
                                 std::shared_ptr<const SeedMeasures> measures)
    : config_(config),
      seed_(seed),
      seed_index_(seed_index),
      shape_(network_shape(config)),
      measures_(std::move(measures)),
      replay_(measures_->replay.get()),
      pool_(make_pool_evaluator(config, seed)),
      line_up_(make_line_up(config, *measures_)),
      training_(train_network(shape_, training_options(config), seed)) {
    if (replay_) {
        const AuthorsRun& run = replay_->run(seed_index);
        set_weights(replay_->weights(seed_index, 0), static_cast<float>(run.alpha[0]), 0);
    } else if (const auto start = start_weights(config, seed_index)) {
        set_weights(start->weights, start->alpha, 0);
    }
    initial_weights_ = training_.weights();
}

InContextTdSeed::~InContextTdSeed() = default;

void InContextTdSeed::set_weights(const std::vector<float>& weights, float alpha, int64_t step) {
    ArrayMap state = training_.save();
    state["weights"].values = weights;
    state["alpha"].values = std::vector<float>{alpha};
    state["progress"].values = std::vector<int64_t>{step, 0, 0};
    training_.load(state);
}

Table InContextTdSeed::matrix(const NamedBlock& block) const {
    Table table(block.rows, block.columns);
    for (size_t i = 0; i < block.size(); ++i)
        table.values[i] = static_cast<double>(training_.weights()[block.offset + i]);
    return table;
}

double InContextTdSeed::initial_norm(const NamedBlock& block) const {
    return norm_of(initial_weights_.data() + block.offset, block.size());
}

ElementWise InContextTdSeed::elements(bool& emerged) const {
    const auto& blocks = training_.blocks();  // all P, then all Q
    const auto stored = static_cast<size_t>(shape_.stored);
    ElementWise mean;
    emerged = has_theory(config_);
    for (size_t l = 0; l < stored; ++l) {
        const ElementWise e = element_wise(matrix(blocks[l]), matrix(blocks[stored + l]));
        // In a last layer of its own only the query's column matters, which has no gamma phi' to bootstrap
        // from: the block is as free as with a single layer, and fades.
        emerged =
            emerged && has_emerged(e, config_.d, stored > 1 && l + 1 == stored ? 1 : config_.num_layers);
        const double sign = may_flip_signs(shape_) ? 1.0 : e.sign;  // as trained
        const auto count = static_cast<double>(stored);
        for (const auto part :
             {&ElementWise::p_corner, &ElementWise::q_trace_upper_left, &ElementWise::q_trace_upper_right})
            mean.*part += sign * e.*part / count;
        for (const auto part : {&ElementWise::p_others, &ElementWise::q_others})
            mean.*part += e.*part / count;
    }
    return mean;
}

void InContextTdSeed::advance(int64_t target_step, std::vector<MetricRow>& rows) {
    if (replay_) return advance_replay(target_step, rows);
    if (last_logged_ < 0) log(rows);
    while (training_.mrps() < target_step && !training_.diverged()) {
        training_.train_one_mrp();
        if (!training_.diverged() && training_.mrps() % config_.log_interval == 0) log(rows);
    }
}

// Between two logged points the weights stay what they were at the first.
void InContextTdSeed::advance_replay(int64_t target_step, std::vector<MetricRow>& rows) {
    const AuthorsRun& run = replay_->run(seed_index_);
    const int64_t before = last_logged_ < 0 ? -1 : training_.mrps();
    for (auto next = std::upper_bound(run.steps.begin(), run.steps.end(), before);
         next != run.steps.end() && *next <= target_step; ++next) {
        const auto point = static_cast<size_t>(next - run.steps.begin());
        set_weights(replay_->weights(seed_index_, point), static_cast<float>(run.alpha[point]), *next);
        log(rows);
    }
    if (training_.mrps() < target_step) set_weights(training_.weights(), training_.alpha(), target_step);
}

void InContextTdSeed::log(std::vector<MetricRow>& rows) {
    const BankScores scores = measures_->evaluator->compare(0, training_.weights(), training_.alpha());
    last_logged_ = training_.mrps();
    // In the order of in_context_td_metrics().
    std::vector<double> values;
    if (!replay_) values.push_back(training_.take_mean_loss());
    values.push_back(static_cast<double>(training_.alpha()));
    if (shape_.model == Model::attention) {
        const ElementWise e = elements(emerged_);
        if (emerged_ && emerged_at_ < 0) emerged_at_ = last_logged_;
        values.insert(values.end(),
                      {e.p_corner, e.p_others, e.q_trace_upper_left, e.q_trace_upper_right, e.q_others});
    }
    if (has_values(config_)) values.push_back(scores.value_difference);
    values.insert(values.end(), {scores.implicit_weight_similarity, scores.sensitivity_similarity});
    if (has_values(config_)) values.insert(values.end(), {scores.msve, scores.msve_batch_td});
    if (pool_) {
        const BankScores pool = pool_->compare(0, training_.weights(), training_.alpha());
        values.insert(values.end(), {pool.msve, pool.msve_batch_td});
    }
    if (has_values(config_)) values.push_back(scores.value_difference / scores.mean_square_value);
    const DecoySimilarities decoys = measures_->decoys->similarities(config_.num_layers, training_.alpha());
    values.insert(values.end(), {decoys.no_bootstrap, decoys.reward_correlation});
    if (replay_) {
        const std::vector<double> logged = replay_->logged_scores(seed_index_, last_logged_);
        values.insert(values.end(), logged.begin(), logged.end());
    }
    if (line_up_) log_line_up(config_, training_.weights(), *line_up_, values);
    rows.push_back({seed_index_, last_logged_, std::move(values)});
}

SeedStatus InContextTdSeed::status() const {
    SeedStatus status{seed_, training_.mrps(), training_.diverged(), "", emerged_, emerged_at_};
    if (training_.diverged())
        status.reason =
            fmt::format("diverged in MRP {}, its loss or weights not finite; the weights before it are kept",
                        training_.mrps() + 1);
    return status;
}

ArrayMap InContextTdSeed::save() const {
    ArrayMap map = training_.save();
    map["log"] = {{3}, std::vector<int64_t>{last_logged_, emerged_at_, emerged_ ? 1 : 0}};
    if (line_up_) map["line_up"] = line_up_->save();
    return map;
}

void InContextTdSeed::load(const ArrayMap& state) {
    const auto found = state.find("log");
    const auto* log =
        found == state.end() ? nullptr : std::get_if<std::vector<int64_t>>(&found->second.values);
    if (!log || log->size() != 3)
        throw InputError("training state: array 'log' with three whole numbers is missing");
    ArrayMap training = state;
    training.erase("log");
    if (line_up_) {
        const auto fits = training.extract("line_up");
        if (fits.empty()) throw InputError("training state: array 'line_up' is missing");
        line_up_->load(fits.mapped());
    }
    training_.load(training);
    last_logged_ = (*log)[0];
    emerged_at_ = (*log)[1];
    emerged_ = (*log)[2] != 0;
}

// ---- all seeds
// -----------------------------------------------------------------------------------------------------

namespace {

// The world and the microscope. `own`: what own_world() has answered.
void look_inside(Snapshot& snapshot, const InContextTdConfig& config, const WorldFile* own,
                 const std::vector<TrainedSeed>& trained) {
    if (!looks_inside(config)) return;
    const TdWorld world = td_world(config, own);
    const TdWorldContext context = td_world_context(config, world);
    if (config.inside.world()) snapshot.scenes.push_back(td_world_scene(config, world, context, trained));
    if (has_microscope(config)) add_microscope(config, world, context, trained, snapshot);
}

// What an evaluation is made with; all may be null but for the settings.
struct Evaluation {
    const NetworkEvaluator* by_length = nullptr;  // null without true values
    const NetworkEvaluator* by_depth = nullptr;
    const CartPoleScene* cart_pole = nullptr;
    const WorldFile* own_world = nullptr;
    const SurgeryBench* surgery = nullptr;
};

// Plots, scalars and scenes, from the snapshot's own weights; no value errors without true values.
void evaluate(Snapshot& snapshot, const InContextTdConfig& config, const Evaluation& with) {
    snapshot.evaluated = true;
    // An evaluation before this one may have left maps that are no weights.
    std::erase_if(snapshot.matrices,
                  [](const NamedMatrix& matrix) { return matrix.initial_norms.values.empty(); });
    snapshot.plots.clear();
    snapshot.scenes.clear();
    snapshot.stepping = {};
    const auto trained = trained_seeds(network_shape(config), snapshot);
    add_line_up_matrices(config, snapshot);
    if (with.cart_pole != nullptr) snapshot.scenes = {with.cart_pole->scene(config, trained)};
    if (with.by_length == nullptr) return;
    snapshot.plots = {value_error_plot(config, *with.by_length, trained)};
    snapshot.scalars = value_error_scalars(config, with.by_length->bank(), snapshot.plots[0]);
    if (with.by_depth != nullptr) add_depth_views(config, *with.by_depth, trained, snapshot);
    if (with.surgery != nullptr) add_surgery_views(config, *with.surgery, trained, snapshot);
    look_inside(snapshot, config, with.own_world, trained);
}

}  // namespace

InContextTdStudy::InContextTdStudy(const Settings& settings)
    : ConfiguredStudy("td", "MRPs", settings),
      measures_(std::make_shared<const SeedMeasures>(seed_measures(config_))),
      by_length_(make_length_evaluator(config_)),
      by_depth_(make_depth_evaluator(config_)),
      cart_pole_(make_cart_pole_scene(config_)),
      own_world_(own_world(config_)),
      surgery_(make_surgery_bench(config_)),
      first_settings_(settings),
      first_by_length_(by_length_),
      first_cart_pole_(cart_pole_) {
    metrics_ = in_context_td_metrics(config_);
    metric_plots_ = in_context_td_plots(config_, measures_->evaluator->bank());
}

std::unique_ptr<Experiment> InContextTdStudy::make_seed(int seed_index) const {
    const auto seed =
        static_cast<uint64_t>(measures_->replay ? measures_->replay->run(seed_index).params.random_seed
                                                : config_.seed + seed_index);
    return std::make_unique<InContextTdSeed>(config_, seed, seed_index, measures_);
}

int64_t InContextTdStudy::target_step() const {
    return measures_->replay ? std::min(config_.num_mrps, measures_->replay->last_step()) : config_.num_mrps;
}

Snapshot InContextTdStudy::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = outline(seeds);
    evaluate(snapshot, config_,
             {by_length_.get(), by_depth_.get(), cart_pole_.get(), own_world_.get(), surgery_.get()});
    return snapshot;
}

Snapshot InContextTdStudy::outline(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = begin_snapshot(seeds);
    snapshot.evaluated = false;
    snapshot.emergence_rule = has_theory(config_) ? kEmergenceRule : "";
    const NetworkShape shape = network_shape(config_);
    std::vector<const InContextTdSeed*> own;
    std::vector<TrainedSeed> trained;
    std::vector<int64_t> numbers;
    for (const Experiment* experiment : seeds) {
        own.push_back(&dynamic_cast<const InContextTdSeed&>(*experiment));
        const MultiTaskTd& training = own.back()->training();
        trained.push_back({training.weights(), training.alpha(), training.diverged()});
        numbers.push_back(static_cast<int64_t>(experiment->status().seed));
    }
    snapshot.matrices = network_matrices(shape, own);
    if (measures_->replay)
        for (NamedMatrix& matrix : snapshot.matrices)
            matrix.alignment_note += "; " + measures_->replay->note();
    if (has_theory(config_)) snapshot.formulas = {in_context_td_formula(shape.layers, shape.stored)};
    snapshot.weights = weight_arrays(shape, trained);
    snapshot.weights["seed"] = {{seeds.size()}, std::move(numbers)};
    std::vector<const LineUp*> fits;
    for (const InContextTdSeed* seed : own) fits.push_back(seed->line_up());
    add_fitted_matrices(config_, fits, snapshot);
    return snapshot;
}

Snapshot InContextTdStudy::inspect(const Snapshot& snapshot, const Inspection& inspection) const {
    Snapshot answer = begin_evaluation(snapshot, inspection);
    const auto config = config_from<InContextTdConfig>(inspection.settings);
    const auto lengths = context_length_grid(config.eval_context_length, config.n);
    const bool same = same_but_for_live_fields(inspection.settings, first_settings_);
    const bool fits =
        same && first_by_length_ && lengths == first_by_length_->bank().options().context_lengths;
    const bool drawn = same && first_cart_pole_ && first_cart_pole_->fits(config);
    const auto evaluator = fits ? first_by_length_ : make_length_evaluator(config);
    const auto cart_pole = drawn ? first_cart_pole_ : make_cart_pole_scene(config);
    evaluate(answer, config,
             {evaluator.get(), make_depth_evaluator(config).get(), cart_pole.get(), own_world(config).get(),
              make_surgery_bench(config).get()});
    return answer;
}

void InContextTdStudy::set_live(const Settings& settings) {
    // First what may fail: a file that is gone leaves everything as it was. It is read anew with every change,
    // as the check of the settings has read it.
    own_world_ = own_world(config_from<InContextTdConfig>(settings));
    const int marked = config_.eval_context_length;
    const bool had_extra = config_.eval_extra_layers > 0, had_surgery = !config_.surgery.empty();
    ConfiguredStudy::set_live(settings);
    if (by_length_ && config_.eval_context_length != marked) by_length_ = make_length_evaluator(config_);
    if (config_.eval_context_length != marked || had_extra != (config_.eval_extra_layers > 0))
        by_depth_ = make_depth_evaluator(config_);
    if (config_.eval_context_length != marked || had_surgery == config_.surgery.empty())
        surgery_ = make_surgery_bench(config_);
    if (cart_pole_ && !cart_pole_->fits(config_)) cart_pole_ = make_cart_pole_scene(config_);
}

// ---- the registry's line
// -------------------------------------------------------------------------------------------

namespace {

void check_tasks(const InContextTdConfig& c) {
    if (c.task.kind == "cart_pole" && c.representable)
        throw InputError(
            "representable: found true, allowed is false for task = cart_pole, which has no exact values");
    if (c.task.kind == "loop" && c.task.loop_min_states > c.num_states)
        throw InputError(fmt::format("loop_min_states: found {}, allowed is at most num_states = {}",
                                     c.task.loop_min_states, c.num_states));
    if (c.task.kind == "loop" && c.task.loop_min_states == 1)
        throw InputError("loop_min_states: found 1, allowed is 0 for always num_states, or at least 2");
    if (c.task.loop_min_threshold > c.task.loop_max_threshold)
        throw InputError(
            fmt::format("loop_min_threshold: found {}, allowed is at most loop_max_threshold = {}",
                        c.task.loop_min_threshold, c.task.loop_max_threshold));
    if (c.loss.updates == "prompt" && (c.loss.loss == "td_lambda" || c.loss.loss == "monte_carlo"))
        throw InputError(
            fmt::format("updates: found prompt, allowed is minibatch for loss = {}, whose returns "
                        "look further than one prompt",
                        c.loss.loss));
}

void check_network(const InContextTdConfig& c) {
    const NetworkShape shape = network_shape(c);
    if (c.eval_extra_layers > 0 && !shares_layers(shape))
        throw InputError(
            fmt::format("eval_extra_layers: found {}, allowed is 0 where each layer has weights of its own",
                        c.eval_extra_layers));
    if (is_linear(shape)) return;
    const double bytes =
        c.seeds *
        network_windows_bytes(shape, PhasedLayout::of(c.n, MultiTaskTd::update_batch(training_options(c))));
    if (bytes > kMostTapeBytes)
        throw InputError(fmt::format(
            "n: found {}, which with num_layers = {}, minibatch_size = {} and seeds = {} takes {:.1f} "
            "GB for a network that is not linear; allowed are {:.0f} GB",
            c.n, c.num_layers, c.minibatch_size, c.seeds, bytes / 1e9, kMostTapeBytes / 1e9));
}

void check_settings(const Settings& settings) {
    const auto c = config_from<InContextTdConfig>(settings);
    if (c.num_layers + c.eval_extra_layers > kMaxLayers)
        throw InputError(
            fmt::format("eval_extra_layers: found {}, with num_layers = {} at most {} is allowed",
                        c.eval_extra_layers, c.num_layers, kMaxLayers - c.num_layers));
    if (c.log_interval > c.num_mrps)
        throw InputError(
            fmt::format("log_interval: found {}, allowed is at most num_mrps = {}, else nothing is logged",
                        c.log_interval, c.num_mrps));
    check_tasks(c);
    check_network(c);
    if (looks_inside(c)) td_world(c, own_world(c).get());
    check_start(c);
    check_surgery(c);
}

}  // namespace

ExperimentInfo in_context_td() {
    ExperimentInfo info;
    info.name = "td";
    info.title = "In-context TD";
    info.summary =
        "A linear transformer is trained to predict the values of random tasks: Boyan chains, loops, "
        "CartPole. Nothing tells it how, "
        "and in its "
        "forward pass it comes to run batch TD learning on its prompt (Wang et al. 2025).";
    info.emergence_rule = kEmergenceRule;
    info.fields = std::make_shared<const FieldTable>(fields_of<InContextTdConfig>());
    info.check = check_settings;
    info.make = [](const Settings& settings) { return std::make_unique<InContextTdStudy>(settings); };
    info.figures = {{"wang-2", "Figure 2: what the transformer learned, and how", "wang-2", figure_wang_2,
                     measure_wang_2}};
    info.grid_figures = in_context_td_grid_figures();
    info.claims = in_context_td_claims();
    return info;
}

}  // namespace emergence
