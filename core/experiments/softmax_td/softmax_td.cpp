#include "core/experiments/softmax_td/softmax_td.h"

#include <fmt/format.h>

#include <limits>
#include <span>

#include "core/experiments/common_fields.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"
#include "core/models/softmax_td_layer.h"

namespace emergence {

namespace {

constexpr StudyNames kSoftmaxTdStudy = {
    "softmax-td", "updates", "num_updates",
    "A network counts as emerged (our rule) when all four lamps are lit and V-emergence and A-emergence are both at "
    "least 0.7, with the current weights."};

// A seed counts as emerged if both scores are at least this and all four lamps are lit (ours).
constexpr double kSoftmaxEmerged = 0.7;

std::vector<Lack> lacks_to_emerge(const SoftmaxEmergence& e) {
    for (const SoftmaxLamp& lamp : kSoftmaxLamps)
        if (!(e.*lamp.lit)()) return {{fmt::format("{} is not lit", lamp.label)}};
    for (const auto& [name, value] : {std::pair("V-emergence", e.v_emergence), std::pair("A-emergence", e.a_emergence)})
        if (!(value >= kSoftmaxEmerged)) return {{name, value, kSoftmaxEmerged}};
    return {};
}

}  // namespace

SoftmaxTdTrainingOptions softmax_training_options(const SoftmaxTdConfig& c) {
    SoftmaxTdTrainingOptions options = c;
    if (c.mixing_updates == 0) options.final_mixing = c.mixing;
    if (!c.flip) options.flip_at = 0;
    return options;
}

// ---- the held-out world

std::vector<float> constructed_softmax_weights(int d, double step, double sharpness) {
    const SoftmaxTdWeights weights = softmax_td_construction(d, step, sharpness);
    std::vector<float> values = floats_of(weights.P);
    const std::vector<float> Q = floats_of(weights.Q);
    values.insert(values.end(), Q.begin(), Q.end());
    return values;
}

std::shared_ptr<const SoftmaxTdBank> softmax_bank(const SoftmaxTdConfig& config, uint64_t world) {
    return std::make_shared<const SoftmaxTdBank>(SoftmaxTdBankOptions{softmax_training_options(config).tasks,
                                                                      config.context_length, config.bank_size,
                                                                      derive_seed(world, Purpose::held_out)});
}

namespace {

// The classical algorithms' errors on `bank`, their step sizes and sharpness chosen on other chains.
SoftmaxTdReferences softmax_references(const SoftmaxTdConfig& config, const SoftmaxTdBank& bank) {
    SoftmaxTdConfig other = config;
    other.bank_size = 32;
    const auto validation = softmax_bank(other, 1);
    SoftmaxTdReferences best;
    double least = std::numeric_limits<double>::infinity();
    for (const double step : {0.5, 0.75, 1.0, 1.25, 1.5})
        for (const double sharpness : {0.5, 1.0, 2.0, 4.0, 8.0, 16.0}) {
            const double error =
                validation->msve({constructed_softmax_weights(config.tasks.d, step, sharpness)}, config.num_layers);
            if (error < least) least = error, best.step = step, best.sharpness = sharpness;
        }
    least = std::numeric_limits<double>::infinity();
    for (const double alpha : {0.25, 0.5, 1.0, 1.5, 2.0, 3.0}) {
        const double error = validation->msve_of_batch_td(config.num_layers, alpha);
        if (error < least) least = error, best.alpha = alpha;
    }
    best.zero = bank.msve_of_zero();
    best.batch_td = bank.msve_of_batch_td(config.num_layers, best.alpha);
    best.softmax_td =
        bank.msve({constructed_softmax_weights(config.tasks.d, best.step, best.sharpness)}, config.num_layers);
    return best;
}

}  // namespace

// ---- one seed

SoftmaxTdSeed::SoftmaxTdSeed(const SoftmaxTdConfig& config, int seed_index, std::shared_ptr<const SoftmaxTdBank> bank)
    : TrainedSeed(config.seed, seed_index, config.log_interval, "update",
                  [&](uint64_t seed) { return SoftmaxTdTraining(softmax_training_options(config), seed); }),
      temperature_(config.temperature),
      layers_(config.num_layers),
      bank_(std::move(bank)) {}

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
    measured.msve = bank_->msve(view, layers_);
    const SoftmaxEmergence& e = measured.emergence;
    trace_.add({measured.kernel.kappa, e.v_emergence, e.a_emergence});
    if (training.best().update == last_logged()) best_kappa_ = measured.kernel.kappa;
    const std::vector<Lack> lacks = lacks_to_emerge(e);
    judge(lacks.empty(), lacks);
    return measured;
}

// ---- all seeds

namespace {

void add_weights(Snapshot& snapshot, const std::vector<const SoftmaxTdSeed*>& seeds) {
    ArrayMap& weights = snapshot.weights;
    const auto D = static_cast<size_t>(seeds.front()->training().rows());
    for (const size_t half : {size_t{0}, size_t{1}}) {
        const std::string name = half == 0 ? "P" : "Q";
        const auto part = [&](const std::vector<float>& all) { return std::span(all).subspan(half * D * D, D * D); };
        weights[name] = stacked(seeds, {1, D, D}, [&](const auto* seed) { return part(seed->training().weights()); });
        weights["best_" + name] =
            stacked(seeds, {1, D, D}, [&](const auto* seed) { return part(seed->training().best().weights); });
        std::vector<Table> initial(seeds.size());
        for (size_t k = 0; k < seeds.size(); ++k) {
            const auto values = part(seeds[k]->training().initial_weights());
            initial[k].values.assign(values.begin(), values.end());
        }
        weights["initial_products_" + name] = {{seeds.size(), seeds.size()}, products_of(initial).values};
    }
    weights["best_update"] =
        one_a_seed<int64_t>(seeds, [](const auto* seed) { return seed->training().best().update; });
    weights["flipped"] = one_a_seed<int64_t>(seeds, [](const auto* seed) { return seed->training().flipped(); });
    weights["mixing"] = one_a_seed<double>(seeds, [](const auto* seed) { return seed->training().mixing(); });
    weights["seed"] = seed_numbers(seeds);
}

class SoftmaxTdStudy final : public StudyOf<SoftmaxTdConfig, SoftmaxTdSeed, SoftmaxTdBank> {
  public:
    explicit SoftmaxTdStudy(const Settings& settings) : StudyOf(kSoftmaxTdStudy, settings) {
        shared_ = softmax_bank(config_);
        const SoftmaxTdReferences references = softmax_references(config_, *shared_);
        declare(SoftmaxTdMeasured{.references = &references, .bank_size = config_.bank_size});
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        add_weights(snapshot, seeds);
        snapshot.plots = {emergence_against_kappa(seeds)};
    }
    void evaluate(const SoftmaxTdConfig& config, Snapshot& snapshot) const override {
        show_softmax_snapshot(snapshot, config, *shared_);
    }
};

}  // namespace

// ---- the registry's entry

ExperimentInfo softmax_td() {
    return experiment_of<SoftmaxTdStudy>(
        kSoftmaxTdStudy, "Softmax in-context TD",
        "A transformer with softmax attention learns to predict the values of random Boyan chains. In its forward "
        "pass it learns to run weighted softmax TD: P learns reward + bootstrap - current value, and Q learns a "
        "kernel that matches states with themselves (Beyond Linear Attention: Softmax Transformers Implement "
        "In-Context Reinforcement Learning).",
        softmax_td_figures());
}

void SoftmaxTdConfig::fields(Fields& f) {
    model_fields(f);
    training_fields(f);
    train_for_field(f, num_updates, "num_updates", "updates", "The run stops after this many Adam steps.");
    first_seed_field(f, seed, "Each network draws its own weights and its own stream of tasks.");
    num_seeds_field(f, seeds, "How many networks are trained.");
    f.group("evaluation");
    live(f, show, "show", "show",
         "final: the current weights. best: each network's logged point with the largest V times A.")
        .choices({"final", "best"});
    live(f, prompt, "prompt", "prompt", "Which held-out prompt the microscope shows: its kernel, values and TD errors.")
        .range(0, 63);
    live(f, layer, "layer", "layer", "The layer whose kernel A is shown, from 1; at most L.").range(1, 8);
    bank_size_field(f, bank_size, "MRPs", "Value errors and \u03ba are measured on these chains, with 16 prompts each.",
                    8, 4000);
    log_interval_field(f, log_interval, "updates");
}

void SoftmaxTdConfig::model_fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L",
      "How often the one trained attention layer is applied. Weighted softmax TD takes as many steps.")
        .range(1, 8);
    f(temperature, "temperature", "temperature T",
      "Divides the scores before the softmax. A lower temperature makes a sharper kernel.")
        .log_range(0.05, 10);
    f.choice(mask_scores, {{"full", true}, {"relaxed", false}}, "masks", "masks",
             "full: only P's last two rows are trained, and Q's block of scalars stays 0 (Eqs. 106 and 108). "
             "relaxed: only P's mask, as in Figure 6.");
    f(mixing, "mixing", "mixing \u03be",
      "Makes the kernel (1 - \u03be) softmax + \u03be I in the context's columns (Eq. 104). The main result has 0.")
        .range(0, 0.95);
    advanced(f, mixing_updates, "mixing_updates", "\u03be annealed over",
             "Updates over which \u03be moves linearly to its last value. 0: \u03be stays constant.")
        .unit("updates")
        .range(0, 1e6);
    advanced(f, final_mixing, "mixing_end", "\u03be in the end", "The final \u03be, if it is annealed.")
        .range(0, 0.95)
        .idle_while("mixing_updates", {"0"});
    context_length_field(f, context_length, 128);
    features_field(f, tasks.d, "Features of a state. Z, P and Q have d+3 rows.");
    states_field(f, tasks.num_states, "States of each random Boyan chain.", 32);
    gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted, and of the temporal shift.");
    true_weights_field(f, tasks.normal_true_weights);
}

void SoftmaxTdConfig::training_fields(Fields& f) {
    learning_rate_field(f, adam.learning_rate, "Adam's step size.");
    f.group("training");
    advanced(f, final_rate_share, "rate_end", "falls to",
             "The learning rate falls linearly to this share of itself. 1: it stays constant.")
        .log_range(0.001, 1);
    advanced(f, rate_updates, "rate_updates", "falls over",
             "Updates over which the learning rate falls; then it stays.")
        .unit("updates")
        .log_range(1, 1e6)
        .idle_while("rate_end", {"1"});
    weight_decay_field(f, adam.weight_decay);
    initial_gain_field(f, initial_gain, "d+3");
    minibatch_field(f, minibatch_size, 512);
    minibatches_per_mrp_field(f, minibatches_per_mrp);
    f(flip, "flip", "flip wrong signs",
      "Near zero half of the networks have both signs wrong. On (ours): if the trace of Q's feature block is "
      "negative, P and Q flip their signs once.")
        .acts_while("clamp", {"nothing"});
    advanced(f, flip_at, "flip_at", "flip at", "The signs are checked after this update.")
        .unit("updates")
        .log_range(1, 1e6)
        .acts_while("clamp", {"nothing"})
        .acts_while("flip", {"true"});
    f.choice(clamp, {{"nothing", Clamp::none}, {"Q", Clamp::Q}, {"P", Clamp::P}}, "clamp", "clamp",
             "Q: holds Q at sharpness times diag(I, 0), which fixes \u03ba, and trains only P. P: holds P at step "
             "times [0, 1, 1, -1] and trains only Q. Ours: tests what Figure 3b of “Beyond Linear Attention” "
             "suggests.");
    f(clamp_sharpness, "clamp_sharpness", "sharpness of Q", "The diagonal of the held Q.")
        .range(0, 64)
        .acts_while("clamp", {"Q"});
    advanced(f, clamp_step, "clamp_step", "step of P", "The step size of the held P.")
        .log_range(0.01, 4)
        .acts_while("clamp", {"P"});
}

}  // namespace emergence
