#include "core/experiments/softmax_td/softmax_td.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/mean_and_norm.h"
#include "core/experiments/softmax_td/softmax_td_claims.h"
#include "core/experiments/softmax_td/softmax_td_figures.h"
#include "core/experiments/softmax_td/softmax_td_study.h"
#include "core/training/state_arrays.h"

namespace emergence {
namespace {

const char* const kSoftmaxEmergenceRule =
    "A seed counts as emerged (this laboratory's rule) when all four lamps are lit, V-emergence is at least "
    "0.7 and A-emergence is at least 0.7, with the weights as they are.";

}  // namespace

SoftmaxTdTrainingOptions softmax_training_options(const SoftmaxTdConfig& c) {
    SoftmaxTdTrainingOptions options = c;
    if (c.mixing_updates == 0) options.final_mixing = c.mixing;
    if (!c.flip) options.flip_at = 0;
    return options;
}

// ---- one seed

SoftmaxTdSeed::SoftmaxTdSeed(const SoftmaxTdConfig& config, int seed_index,
                             std::shared_ptr<const SoftmaxTdBank> bank)
    : TrainedSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, config.log_interval,
                  [&](uint64_t seed) { return SoftmaxTdTraining(softmax_training_options(config), seed); }),
      temperature_(config.temperature),
      bank_(std::move(bank)),
      workspace_(bank_->workspace(config.num_layers)) {
    keep(trace_);
    keep("best_kappa", best_kappa_);
}

// In the order of softmax_td_metrics().
std::vector<double> SoftmaxTdSeed::measure() {
    SoftmaxTdTraining& training = own_training();
    training.consider_checkpoint();
    const SoftmaxEmergence e = training.emergence();
    const SoftmaxTdView view{training.weights(), temperature_, training.mixing()};
    const KernelDiagonality kernel = bank_->diagonality(view);
    trace_.add({kernel.kappa, e.v_emergence, e.a_emergence});
    if (training.best_update() == last_logged()) best_kappa_ = kernel.kappa;
    judge(e.all_lamps() && e.v_emergence >= kSoftmaxEmerged && e.a_emergence >= kSoftmaxEmerged);
    return {training.take_mean_loss(),
            e.v_emergence,
            e.a_emergence,
            e.reward,
            e.bootstrap,
            e.current,
            e.others,
            e.q_mean,
            e.q_others,
            kernel.kappa,
            kernel.kappa_state,
            kernel.ceiling,
            kernel.margin,
            kernel.holds,
            bank_->msve(view, *workspace_)};
}

std::string SoftmaxTdSeed::why_diverged() const {
    return fmt::format("diverged in update {}, its loss or weights not finite", step() + 1);
}

// ---- all seeds

namespace {

// P or Q for a file, present or of the best checkpoint: seeds x 1 x D x D.
Array stacked_weights(const std::vector<const SoftmaxTdSeed*>& seeds, bool best, size_t half) {
    const auto D = static_cast<size_t>(seeds.front()->training().rows());
    std::vector<float> values;
    for (const SoftmaxTdSeed* seed : seeds) {
        const auto& weights = best ? seed->training().best_weights() : seed->training().weights();
        const auto first = weights.begin() + static_cast<std::ptrdiff_t>(half * D * D);
        values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(D * D));
    }
    return {{seeds.size(), 1, D, D}, std::move(values)};
}

template <class T, class Value>
Array one_a_seed(const std::vector<const SoftmaxTdSeed*>& seeds, const Value& value) {
    std::vector<T> values;
    for (const SoftmaxTdSeed* seed : seeds) values.push_back(static_cast<T>(value(*seed)));
    return array_of(values);
}

void add_weights(Snapshot& snapshot, const std::vector<const SoftmaxTdSeed*>& seeds) {
    ArrayMap& weights = snapshot.weights;
    weights["P"] = stacked_weights(seeds, false, 0);
    weights["Q"] = stacked_weights(seeds, false, 1);
    weights["best_P"] = stacked_weights(seeds, true, 0);
    weights["best_Q"] = stacked_weights(seeds, true, 1);
    const auto D = static_cast<size_t>(seeds.front()->training().rows());
    for (const size_t half : {size_t{0}, size_t{1}})
        weights[half == 0 ? "initial_norm_P" : "initial_norm_Q"] =
            one_a_seed<double>(seeds, [half, D](const SoftmaxTdSeed& seed) {
                return norm_of(seed.training().initial_weights().data() + half * D * D, D * D);
            });
    weights["best_update"] =
        one_a_seed<int64_t>(seeds, [](const SoftmaxTdSeed& seed) { return seed.training().best_update(); });
    weights["flipped"] =
        one_a_seed<int64_t>(seeds, [](const SoftmaxTdSeed& seed) { return seed.training().flipped(); });
    weights["mixing"] =
        one_a_seed<double>(seeds, [](const SoftmaxTdSeed& seed) { return seed.training().mixing(); });
    weights["seed"] =
        one_a_seed<int64_t>(seeds, [](const SoftmaxTdSeed& seed) { return seed.status().seed; });
}

}  // namespace

SoftmaxTdStudy::SoftmaxTdStudy(const Settings& settings)
    : ConfiguredStudy("softmax-td", "updates", settings), bank_(softmax_bank(config_)) {
    metrics_ = softmax_td_metrics();
    metric_plots_ = softmax_td_plots(config_, softmax_references(config_, *bank_));
}

std::unique_ptr<Experiment> SoftmaxTdStudy::make_seed(int seed_index) const {
    return std::make_unique<SoftmaxTdSeed>(config_, seed_index, bank_);
}

Snapshot SoftmaxTdStudy::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = begin_snapshot(seeds);
    snapshot.emergence_rule = kSoftmaxEmergenceRule;
    std::vector<const SoftmaxTdSeed*> own;
    for (const Experiment* experiment : seeds)
        own.push_back(&dynamic_cast<const SoftmaxTdSeed&>(*experiment));
    add_weights(snapshot, own);
    snapshot.plots = {emergence_against_kappa(own)};
    show_softmax_snapshot(snapshot, config_, *bank_);
    return snapshot;
}

Snapshot SoftmaxTdStudy::inspect(const Snapshot& snapshot, const Inspection& inspection) const {
    Snapshot answer = begin_evaluation(snapshot, inspection);
    show_softmax_snapshot(answer, config_from<SoftmaxTdConfig>(inspection.settings), *bank_);
    return answer;
}

// ---- the registry's entry

namespace {

void check_softmax_td_settings(const Settings& settings) {
    const auto c = config_from<SoftmaxTdConfig>(settings);
    if (c.log_interval > c.num_updates)
        throw InputError(
            fmt::format("log_interval: found {}, allowed is at most num_updates = {}, else nothing is logged",
                        c.log_interval, c.num_updates));
}

}  // namespace

ExperimentInfo softmax_td() {
    ExperimentInfo info;
    info.name = "softmax-td";
    info.title = "Softmax in-context TD";
    info.summary =
        "A transformer with softmax attention is trained to predict the values of random Boyan chains. In "
        "its "
        "forward pass it comes to run weighted softmax TD: P learns reward + bootstrap - current value, Q a "
        "kernel that compares states with themselves (Beyond Linear Attention: Softmax Transformers "
        "Implement "
        "In-Context Reinforcement Learning).";
    info.emergence_rule = kSoftmaxEmergenceRule;
    info.fields = std::make_shared<const FieldTable>(fields_of<SoftmaxTdConfig>());
    info.check = check_softmax_td_settings;
    info.make = [](const Settings& settings) { return std::make_unique<SoftmaxTdStudy>(settings); };
    info.figures = softmax_td_figures();
    info.claims = softmax_td_claims();
    return info;
}

}  // namespace emergence
