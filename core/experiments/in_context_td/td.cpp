#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/experiments/identify.h"
#include "core/experiments/in_context_td/pictures/own_world.h"
#include "core/experiments/in_context_td/pictures/surgery.h"
#include "core/experiments/in_context_td/pictures/td_pictures.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/in_context_td/settings/worlds.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/stacked.h"
#include "core/experiments/study_of.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/models/network_windows.h"

namespace emergence {
namespace {

constexpr StudyNames kTdStudy = {"td", "MRPs", "num_mrps", kTdEmergenceRule};

std::string emergence_rule_of(const InContextTdConfig& config) {
    if (!has_target(config)) return "";
    if (config.model == "two_heads")
        return "A network counts as emerged (our rule) after ten logged steps in a row with three properties. The "
               "reward head's P reads rewards, and the memory head's P memory, more than any other row. With each "
               "head's Q divided by its largest entry, the trace of its upper-left block is below -d/2 and that of "
               "its upper-right block above d/4. Every other block of these rows and of Q stays below 0.3 of the "
               "largest entry. With one layer only the first head counts, without the upper-right block.";
    if (config.loss.kind != LossKind::residual_gradient) return kTdEmergenceRule;
    return std::string(kTdEmergenceRule) +
           " With the residual-gradient loss, the trace of Q's lower-left block must also be above d/4 and, for more "
           "than one layer, that of its middle block below -d/4 (Corollary 2).";
}

// Makes plots, scalars and scenes from a snapshot's weights. Evaluators and scenes are kept as long as the settings
// that they depend on stay the same.
class Evaluations {
  public:
    // own: the result of own_world().
    void evaluate(Snapshot& snapshot, const InContextTdConfig& config, const WorldFile* own) {
        snapshot.evaluated = true;
        // Remove the maps of an earlier evaluation, which are not weights, and the copies that it operated on.
        std::erase_if(snapshot.matrices, [](const NamedMatrix& one) { return one.initial_products.values.empty(); });
        std::erase_if(snapshot.weights, [](const auto& array) { return array.first.starts_with("operated "); });
        snapshot.plots.clear();
        snapshot.scenes.clear();
        snapshot.stepping = {};
        const auto trained = trained_seeds(network_shape(config), snapshot);
        if (config.tasks.kind == TaskKind::cart_pole)
            snapshot.scenes = {*cart_pole_.get(key(snapshot, "watched_task"),
                                               [&] { return std::make_shared<const Scene>(cart_pole_scene(config)); })};
        add_value_errors(snapshot, config, trained);
        if (looks_inside(config)) {
            const TdWorld world = td_world(config, own);
            add_td_world(config, world, trained, snapshot);
            if (has_microscope(config)) add_microscope(config, world, trained, snapshot);
        }
        // The recurrent network has no prompt matrix; it reads one transition after the other.
        if (config.model == "attention") snapshot.scenes.push_back(prompt_scene(config));
    }

  private:
    template <class T>
    using Kept = Memo<std::vector<FieldValue>, T>;

    // The values of all settings that are not live, and of one live setting.
    static std::vector<FieldValue> key(const Snapshot& snapshot, const char* live) {
        std::vector<FieldValue> values;
        for (const FieldInfo& field : snapshot.settings.fields())
            if (field.applies != Applies::live || field.name == live)
                values.push_back(snapshot.settings.value(field.name));
        return values;
    }
    void add_value_errors(Snapshot& snapshot, const InContextTdConfig& config, const LearnedSeeds& trained) {
        const auto length = key(snapshot, "eval_context_length");
        const auto by_length = by_length_.get(length, [&] { return make_length_evaluator(config); });
        if (!by_length) return;
        snapshot.plots = {value_error_plot(config, *by_length, trained)};
        snapshot.scalars = value_error_scalars(config, by_length->bank(), snapshot.plots[0]);
        if (config.surgery.empty()) return;
        if (const auto bench = surgery_.get(length, [&] { return make_surgery_bench(config); }))
            add_surgery_views(config, *bench, trained, snapshot);
    }

    Kept<NetworkEvaluator> by_length_;
    Kept<Scene> cart_pole_;
    Kept<SurgeryBench> surgery_;
};

// "TD", "average-reward TD", "TD(0.9)". If the mask is learned, the median of its lambda follows, which tells whether
// there is a trace.
std::string own_algorithm(const InContextTdConfig& config, const LearnedSeeds& seeds) {
    if (losses_in_turn(config).size() > 1) return "their loss's algorithm";
    const auto own = own_verdict(config);
    if (!own) return "";
    if (*own == VerdictName::td) return "TD";
    if (*own == VerdictName::residual_gradient) return "residual gradient";
    if (*own == VerdictName::average_reward) return "average-reward TD";
    if (!config.learn_mask_lambda) return fmt::format("TD({:.3g})", config.mask_lambda);
    std::vector<double> lambdas;
    for (const LearnedWeights& seed : seeds) lambdas.push_back(static_cast<double>(seed.weights.back()));
    const double lambda = summarise(lambdas, true).median;
    constexpr double kHardly = 0.25;
    return fmt::format("TD(\u03bb), {} trace: the mask's \u03bb is {:.2f}",
                       std::abs(lambda) > kHardly ? "a" : "hardly a", std::abs(lambda) < 0.005 ? 0.0 : lambda);
}

class InContextTdStudy final : public StudyOf<InContextTdConfig, InContextTdSeed, SeedMeasures> {
  public:
    explicit InContextTdStudy(const Settings& settings, OwnTd own = {})
        : StudyOf(kTdStudy, settings), own_(std::move(own)), own_world_(own_world(config_)) {
        bring_own(config_);
        shared_ = std::make_shared<const SeedMeasures>(seed_measures(config_));
        declare(TdMeasured{.config = &config_});
        metric_plots_ = in_context_td_plots(config_, &shared_->evaluator->bank());
    }
    static void check(const InContextTdConfig& config) { check_td(config); }

    Snapshot describe(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot = outline(seeds);
        evaluations_->evaluate(snapshot, config_, own_world_.get());
        return snapshot;
    }
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override {
        Snapshot answer = begin_evaluation(snapshot, inspection);
        auto config = config_from<InContextTdConfig>(inspection.settings);
        bring_own(config);
        evaluations_->evaluate(answer, config, own_world(config).get());
        return answer;
    }
    void set_live(const Settings& settings) override {
        // The file is read first, so that nothing changes if it is gone. Every change of settings reads it again.
        own_world_ = own_world(config_from<InContextTdConfig>(settings));
        StudyOf::set_live(settings);
        bring_own(config_);
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        snapshot.emergence_rule = emergence_rule_of(config_);
        snapshot.algorithm = own_algorithm(config_, weights_of(seeds));
        show_network(config_, seeds, snapshot);
        snapshot.weights["seed"] = seed_numbers(seeds);
    }
    bool evaluates_on_request() const override { return true; }

  private:
    void bring_own(InContextTdConfig& config) const {
        config.loss.own = own_.loss;
        config.tasks.own = own_.world;
    }

    OwnTd own_;
    /// The own MRP of the world view; null for held-out tasks.
    std::shared_ptr<const WorldFile> own_world_;
    const std::unique_ptr<Evaluations> evaluations_ = std::make_unique<Evaluations>();
};

}  // namespace

ExperimentInfo td_with(const OwnTd& own) {
    ExperimentInfo info = in_context_td();
    info.make = [own](const Settings& settings) { return std::make_unique<InContextTdStudy>(settings, own); };
    return info;
}

ExperimentInfo in_context_td() {
    return experiment_of<InContextTdStudy>(
        kTdStudy, "In-context TD",
        "A linear transformer learns to predict the values of random tasks: Boyan chains, loops, CartPole. Nothing "
        "tells it how, yet it learns to run batch TD on its prompt, in its forward pass (Wang et al. 2025).",
        in_context_td_figures());
}

// ---- Checks that settings of experiment "td" agree with each other

namespace {

void check_tasks(const InContextTdConfig& c) {
    const TaskOptions& t = c.tasks;
    for (const bool held_out : {false, true})
        if (t.kind == TaskKind::files) read_worlds(c, held_out);
    if (t.kind == TaskKind::cart_pole && t.representable)
        throw InputError("representable: task = cart_pole has no exact values. Set representable to false.");
    if (t.kind == TaskKind::loop && t.min_states > t.num_states)
        throw InputError("loop_min_states: {} is more than num_states = {}. Lower it.", t.min_states, t.num_states);
    if (t.kind == TaskKind::loop && t.min_states == 1)
        throw InputError("loop_min_states: a loop has at least 2 states. Set 2 or more, or 0 to use num_states.");
    if (t.min_threshold > t.max_threshold)
        throw InputError("loop_min_threshold: {} is more than loop_max_threshold = {}. Lower it.", t.min_threshold,
                         t.max_threshold);
    if (c.exact_contexts && (!has_theory(c) || has_masks(c) || !t.has_values() || averages_rewards(c)))
        throw InputError(
            "prompt: exact contexts are for linear attention with the mask of TD, finite MRPs and discounted losses. Set "
            "prompt = samples.");
    if (c.update_each_prompt && (c.loss.kind == LossKind::td_lambda || c.loss.kind == LossKind::monte_carlo))
        throw InputError("updates: the returns of loss = {} reach beyond one prompt. Set updates to minibatch.",
                         loss_names()[static_cast<size_t>(c.loss.kind)]);
}

void check_losses(const InContextTdConfig& c) {
    InContextTdConfig one = c;
    one.more_losses = "";
    for (const LossKind kind : losses_in_turn(c)) {
        one.loss.kind = kind;
        if (kind == LossKind::average_reward && !c.more_losses.empty())
            throw InputError(
                "more_losses: average_reward predicts other values than the other losses do. Train it in a separate "
                "run.");
        check_tasks(one);
    }
}

// Refuses what masks of traces and two heads do not support.
void check_masks(const InContextTdConfig& c) {
    if (!has_masks(c)) return;
    const bool heads = c.model == "two_heads";
    const std::string network = heads ? "model = two_heads" : "mask = td_lambda";
    if (heads && c.sequential)
        throw InputError("sequential: all layers of model = two_heads share their weights. Set it to false.");
    for (const auto& [field, used] :
         {std::pair{"surgery", heads && !c.surgery.empty()}, {"more_losses", !c.more_losses.empty()}})
        if (used) throw InputError("{}: does not work with {}. Leave it empty.", field, network);
}

void check_network(const InContextTdConfig& c) {
    check_masks(c);
    const NetworkShape shape = network_shape(c);
    if (is_linear(shape)) return;
    const double bytes =
        c.seeds * network_windows_bytes(
                      shape, PhasedLayout::of(c.context_length,
                                              MultiTaskTd::update_batch(training_options(c, training_worlds(c)))));
    if (bytes > kMostRunBytes)
        throw InputError(
            "n: a network that is not linear takes {:.1f} GB with n = {}, num_layers = {}, minibatch_size = {} and "
            "seeds = {}, more than {:.2f} GB. Lower one of them.",
            bytes / 1e9, c.context_length, c.num_layers, c.minibatch_size, c.seeds, kMostRunBytes / 1e9);
}

}  // namespace

void check_td(const InContextTdConfig& c) {
    check_losses(c);
    check_network(c);
    if (looks_inside(c)) td_world(c, own_world(c).get());
    check_start(c);
    check_surgery(c);
}

namespace {

IdentifiedNumber with_interval(const FittedNumber& number, double factor = 1) {
    constexpr double kAny = std::numeric_limits<double>::infinity();
    if (!number.is_known()) return {number.value, -kAny, kAny};
    return {factor * number.value, factor * (number.value - number.half), factor * (number.value + number.half)};
}

}  // namespace

IdentifiedNetwork identified_as(const NetworkVerdict& found, const std::vector<Landmark>& landmarks, PlaceAxis axis,
                                double gamma) {
    IdentifiedNetwork network;
    network.fit = found;
    network.verdict = name_of(found.name);
    network.label = label_of(found, landmarks);
    network.sentence = sentence_of(found, landmarks, axis, gamma);
    if (found.of >= 0) network.of = landmarks[static_cast<size_t>(found.of)].name;
    network.beta = with_interval(found.beta);
    network.c = with_interval(found.c);
    network.discount = with_interval(found.beta, gamma);
    network.second = axis == PlaceAxis::gradient ? "c" : axis == PlaceAxis::trace ? "lambda" : "rho";
    for (size_t m = 0; m < found.leaves.size(); ++m)
        network.leaves.push_back(
            {landmarks[m].name, landmarks[m].label, found.leaves[m].value, found.leaves[m].low, found.leaves[m].high});
    for (const int tie : found.ties) network.ties.push_back(landmarks[static_cast<size_t>(tie)].name);
    return network;
}

// The star of each loss, in the order in which seeds take turns.
static std::vector<std::optional<IdentifiedStar>> stars_of(const InContextTdConfig& config, ThreadPool& pool) {
    const std::vector<LossKind> losses = losses_in_turn(config);
    std::vector<std::optional<IdentifiedStar>> stars(losses.size());
    pool.for_each(static_cast<int>(losses.size()), [&](int i) {
        const auto options = star_options(config, losses[i]);
        if (!options) return;
        const Star star = star_of(*options);
        if (!star.found) return;
        stars[i] = {loss_names()[static_cast<size_t>(losses[i])],
                    with_interval(star.beta),
                    with_interval(star.c),
                    star.alphas,
                    config.sequential || star.reachable(),
                    sentence_of(star, losses[i], config)};
    });
    return stars;
}

std::vector<IdentifiedNetwork> identify(const Snapshot& snapshot, int threads, const OwnTd& own) {
    if (snapshot.experiment != "td")
        throw InputError(
            "identify reads networks of experiment td, but this one is of {}. Name a run or weights of td. In Python "
            "emergence.identify takes any function of prompts",
            snapshot.experiment);
    auto config = config_from<InContextTdConfig>(snapshot.settings);
    config.tasks.own = own.world;
    if (!has_theory(config))
        throw InputError(
            "identify reads linear networks: model = \"attention\" with activation = \"identity\", or two_heads. In Python "
            "emergence.identify takes any function of prompts: lambda prompts: emergence.forward(P, Q, prompts, "
            "activation=...)");
    const NetworkShape shape = network_shape(config);
    const auto prompts = verdict_prompts(config);
    LearnedSeeds seeds = trained_seeds(shape, snapshot);
    const size_t learned = seeds.size();
    if (const auto surgery = make_surgery_bench(config)) {
        const std::vector<Operation> operations = parse_operations(config.surgery, shape.stored);
        for (size_t i = 0; i < learned; ++i) {
            seeds.push_back(seeds[i]);
            seeds.back().weights = operate(shape, seeds[i].weights, operations, config.loss.kind);
        }
    }
    std::vector<IdentifiedNetwork> networks(seeds.size());
    ThreadPool pool(threads);
    config.loss.own = own.loss;
    const auto stars = stars_of(config, pool);
    pool.for_each(static_cast<int>(seeds.size()), [&](int i) {
        const std::vector<Landmark> landmarks = landmarks_of(config, seeds[i].weights);
        networks[i] = identified_as(verdict(view_of(shape, seeds[i].weights), *prompts, landmarks), landmarks,
                                    place_axis(config), prompt_gamma(config));
        const size_t place = static_cast<size_t>(i) % learned;
        networks[i].star = stars[place % stars.size()];
        networks[i].seed = static_cast<int64_t>(snapshot.seeds[place].seed);
        networks[i].operated = static_cast<size_t>(i) >= learned;
    });
    return networks;
}

}  // namespace emergence
