#include "core/experiments/softmax_td/softmax_td.h"

#include <fmt/format.h>

#include <span>

#include "core/experiments/softmax_td/softmax_td_figures.h"
#include "core/experiments/softmax_td/softmax_td_study.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"

namespace emergence {
namespace {

constexpr StudyNames kSoftmaxTdStudy = {
    "softmax-td", "updates", "num_updates",
    "A seed counts as emerged (this laboratory's rule) when all four lamps are lit, V-emergence is at least 0.7 and "
    "A-emergence is at least 0.7, with the weights as they are."};

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
                  softmax_td_metrics(),
                  [&](uint64_t seed) { return SoftmaxTdTraining(softmax_training_options(config), seed); }),
      temperature_(config.temperature),
      bank_(std::move(bank)),
      workspace_(bank_->workspace(config.num_layers)) {}

void SoftmaxTdSeed::state(Archive& archive) {
    TrainedSeed::state(archive);
    trace_.state(archive);
    archive("best_kappa", best_kappa_);
}

SoftmaxTdMeasured SoftmaxTdSeed::measure() {
    SoftmaxTdTraining& training = own_training();
    training.consider_checkpoint();
    const SoftmaxTdView view{training.weights(), temperature_, training.mixing()};
    SoftmaxTdMeasured measured;
    measured.emergence = training.emergence();
    measured.kernel = bank_->diagonality(view);
    measured.loss = training.take_mean_loss();
    measured.msve = bank_->msve(view, *workspace_);
    const SoftmaxEmergence& e = measured.emergence;
    trace_.add({measured.kernel.kappa, e.v_emergence, e.a_emergence});
    if (training.best_update() == last_logged()) best_kappa_ = measured.kernel.kappa;
    judge(e.all_lamps() && e.v_emergence >= kSoftmaxEmerged && e.a_emergence >= kSoftmaxEmerged);
    return measured;
}

std::string SoftmaxTdSeed::why_diverged() const {
    return fmt::format("diverged in update {}, its loss or weights not finite", step() + 1);
}

// ---- all seeds

namespace {

// P or Q for a file, present or of the best checkpoint: seeds x 1 x D x D.
Array stacked_weights(const std::vector<const SoftmaxTdSeed*>& seeds, bool best, size_t half) {
    const auto D = static_cast<size_t>(seeds.front()->training().rows());
    return stacked(seeds, {1, D, D}, [&](const SoftmaxTdSeed* seed) {
        const auto& weights = best ? seed->training().best_weights() : seed->training().weights();
        return std::span(weights).subspan(half * D * D, D * D);
    });
}

// seeds x seeds, see NamedMatrix::initial_products.
Array initial_products(const std::vector<const SoftmaxTdSeed*>& seeds, size_t half) {
    const auto size =
        static_cast<size_t>(seeds.front()->training().rows() * seeds.front()->training().rows());
    std::vector<Table> initial;
    for (const SoftmaxTdSeed* seed : seeds) {
        const auto first =
            seed->training().initial_weights().begin() + static_cast<std::ptrdiff_t>(half * size);
        Table& table = initial.emplace_back();
        table.values.assign(first, first + static_cast<std::ptrdiff_t>(size));
    }
    return {{seeds.size(), seeds.size()}, products_of(initial).values};
}

void add_weights(Snapshot& snapshot, const std::vector<const SoftmaxTdSeed*>& seeds) {
    ArrayMap& weights = snapshot.weights;
    weights["P"] = stacked_weights(seeds, false, 0);
    weights["Q"] = stacked_weights(seeds, false, 1);
    weights["best_P"] = stacked_weights(seeds, true, 0);
    weights["best_Q"] = stacked_weights(seeds, true, 1);
    for (const size_t half : {size_t{0}, size_t{1}})
        weights[half == 0 ? "initial_products_P" : "initial_products_Q"] = initial_products(seeds, half);
    weights["best_update"] =
        one_a_seed<int64_t>(seeds, [](const SoftmaxTdSeed* seed) { return seed->training().best_update(); });
    weights["flipped"] =
        one_a_seed<int64_t>(seeds, [](const SoftmaxTdSeed* seed) { return seed->training().flipped(); });
    weights["mixing"] =
        one_a_seed<double>(seeds, [](const SoftmaxTdSeed* seed) { return seed->training().mixing(); });
    weights["seed"] = seed_numbers(seeds);
}

}  // namespace

SoftmaxTdStudy::SoftmaxTdStudy(const Settings& settings) : StudyOf(kSoftmaxTdStudy, settings) {
    shared_ = softmax_bank(config_);
    metrics_ = softmax_td_metrics().table();
    metric_plots_ = softmax_td_plots(config_, softmax_references(config_, *shared_));
}

void SoftmaxTdStudy::show(const Seeds& seeds, Snapshot& snapshot) const {
    add_weights(snapshot, seeds);
    snapshot.plots = {emergence_against_kappa(seeds)};
}

void SoftmaxTdStudy::evaluate(const SoftmaxTdConfig& config, Snapshot& snapshot) const {
    show_softmax_snapshot(snapshot, config, *shared_);
}

// ---- the registry's entry

ExperimentInfo softmax_td() {
    return experiment_of<SoftmaxTdStudy>(
        kSoftmaxTdStudy, "Softmax in-context TD",
        "A transformer with softmax attention is trained to predict the values of random Boyan chains. In its forward "
        "pass it comes to run weighted softmax TD: P learns reward + bootstrap - current value, Q a kernel that "
        "compares states with themselves (Beyond Linear Attention: Softmax Transformers Implement In-Context "
        "Reinforcement Learning).",
        softmax_td_figures());
}

}  // namespace emergence
