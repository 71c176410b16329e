#include "core/experiments/in_context_td/seed/td_seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace emergence {
namespace {

BankOptions td_bank_options(const InContextTdConfig& config, int size, std::vector<int> lengths, TaskOptions tasks) {
    BankOptions options{std::move(tasks), size, std::move(lengths), 0};
    options.average_reward = averages_rewards(config);
    options.keeps_states = has_masks(config);
    return options;
}

// Context lengths 1 .. 40, or a thinning grid if 5/4 of the larger of both lengths is more than 40. Contains `marked`.
std::vector<int> context_length_grid(int marked, int trained) {
    std::vector<int> lengths;
    const int longest = larger(marked, trained);
    const int end = larger(40, longest + longest / 4);
    for (int n = 1; n <= end; n += end <= 40 ? 1 : larger(1, n / 12)) lengths.push_back(n);
    lengths.insert(lengths.end(), {marked, end});
    return ascending(std::move(lengths));
}

// An evaluator on a seed's pool, with new trajectories; null without a pool or true values. `training`:
// training_options().
std::unique_ptr<const NetworkEvaluator> make_pool_evaluator(const InContextTdConfig& config,
                                                            const MultiTaskTdOptions& training, uint64_t seed) {
    if (!has_pool(config) || !config.tasks.has_values()) return nullptr;
    BankOptions options = td_bank_options(config, evaluation_size(config), {config.context_length}, training.tasks);
    options.seed = seed;
    options.pool_size = training.pool_size;
    return std::make_unique<const NetworkEvaluator>(network_shape(config),
                                                    std::make_shared<const HeldOutBank>(options));
}
constexpr int kDecoyContexts = 512;

InContextTdConfig with_loss_of(InContextTdConfig config, int seed_index) {
    const std::vector<LossKind> losses = losses_in_turn(config);
    config.loss.kind = losses[static_cast<size_t>(seed_index) % losses.size()];
    return config;
}

// Says how strongly each head reads its row, and the traces of its Q.
void say_heads(const std::array<ElementWise, 2>& heads, Row& row) {
    for (const size_t head : {size_t{0}, size_t{1}}) {
        const std::string name = head == 0 ? "reward" : "memory", Q = "q" + std::to_string(head + 1);
        const auto say = [&](const std::string& metric, const std::string& label, const std::string& help,
                             double value) { row(metric, label, help, value).of_scale(); };
        say("p_" + name, name + " head reads " + name,
            "How much the " + name + " head reads of the " + name + " row, sign aligned.", heads[head].p_corner);
        say(Q + "_trace_upper_left", "Q" + Q.substr(1) + "'s upper-left diagonal",
            "Sum of this diagonal, sign aligned: in theory the current value, -\u03c6.",
            heads[head].q_trace_upper_left);
        say(Q + "_trace_upper_right", "Q" + Q.substr(1) + "'s upper-right diagonal",
            "Sum of this diagonal, sign aligned: in theory bootstrapping, +\u03c6'.", heads[head].q_trace_upper_right);
    }
}

void say_elements(const InContextTdConfig& config, const ElementWise& entries, Row& row) {
    if (config.model != "attention") return;
    const std::string aligned = may_flip_signs(network_shape(config)) ? ", sign aligned" : "";
    const size_t first = row.table.size();
    row("p_corner", "P's corner", "P's bottom-right entry" + aligned + "; with sequential layers, their mean.",
        entries.p_corner);
    row("p_others", "P's other entries, mean size", "Mean absolute value of P's other entries.", entries.p_others);
    row("q_trace_upper_left", "Q's upper-left diagonal",
        "Sum of the diagonal of Q's upper-left block" + aligned + ": in theory the current value, -\u03c6.",
        entries.q_trace_upper_left);
    row("q_trace_upper_right", "Q's upper-right diagonal",
        "Sum of the diagonal of Q's upper-right block" + aligned + ": in theory bootstrapping, +\u03b3\u03c6'.",
        entries.q_trace_upper_right);
    row("q_others", "Q's other entries, mean size", "Mean absolute value of Q's entries outside both traces.",
        entries.q_others);
    for (size_t i = first; i < row.table.size(); ++i) row.table[i].of_scale = has_theory(config);
}

void say_value_errors(const TdMeasured& m, Row& row) {
    row("msve", "MSVE", "Mean squared value error on held-out MRPs, E sum_s d(s) (v_TF(s) - v(s))^2, d stationary.",
        m.scores.msve);
    row("msve_batch_td", "MSVE of batch TD", "The same error of batch TD with its \u03b1.", m.scores.msve_batch_td);
    if (has_pool(*m.config)) {
        row("msve_pool", "MSVE on the pool", "Mean squared value error on the training pool, with new trajectories.",
            m.pool.msve);
        row("msve_pool_batch_td", "MSVE of batch TD on the pool", "The same error of batch TD with its \u03b1.",
            m.pool.msve_batch_td);
    }
    row("unexplained", "unexplained share",
        "VD over the network's mean squared value, E sum_s d(s) v_TF(s)^2 (ours): what batch TD does not explain.",
        m.scores.value_difference / m.scores.mean_square_value);
}

}  // namespace

std::vector<int> ascending(std::vector<int> numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

size_t marked_place(const InContextTdConfig& config, const HeldOutBank& bank) {
    const auto& lengths = bank.options().context_lengths;
    return static_cast<size_t>(std::find(lengths.begin(), lengths.end(), config.eval_context_length) - lengths.begin());
}

bool averages_rewards(const InContextTdConfig& config) { return config.loss.kind == LossKind::average_reward; }

TaskOptions task_options(const InContextTdConfig& config) {
    TaskOptions options = config.tasks;
    // Differential values have no discount; gamma = 1 makes the representable reward right for them.
    if (averages_rewards(config)) options.gamma = 1.0;
    return options;
}

TaskOptions held_out_tasks(const InContextTdConfig& config) {
    TaskOptions options = task_options(config);
    if (options.kind == TaskKind::files) options.worlds = read_worlds(config, true);
    return options;
}

Worlds training_worlds(const InContextTdConfig& config) {
    return config.tasks.kind == TaskKind::files ? read_worlds(config, false) : nullptr;
}

MultiTaskTdOptions training_options(const InContextTdConfig& config, Worlds worlds) {
    MultiTaskTdOptions options = config;
    options.tasks = task_options(config);
    if (worlds) options.pool_size = static_cast<int>(worlds->size());
    options.tasks.worlds = std::move(worlds);
    return options;
}

bool has_pool(const InContextTdConfig& config) { return config.pool_size > 0 || config.tasks.kind == TaskKind::files; }

int evaluation_size(const InContextTdConfig& config) {
    return is_linear(network_shape(config)) ? config.bank_size : larger(16, config.bank_size / 10);
}

std::shared_ptr<const NetworkEvaluator> make_length_evaluator(const InContextTdConfig& config) {
    if (!config.tasks.has_values()) return nullptr;
    const std::vector<int> lengths = context_length_grid(config.eval_context_length, config.context_length);
    if (is_linear(network_shape(config))) return make_evaluator(config, 300, lengths);
    // Here every state of every task is a prompt at each length, so fewer tasks and lengths must do to keep up with
    // training.
    std::vector<int> thinned;
    for (const int n : lengths)
        if (thinned.empty() || n >= thinned.back() + larger(1, thinned.back() * 2 / 5) ||
            n == config.eval_context_length || n == lengths.back())
            thinned.push_back(n);
    return make_evaluator(config, 64, std::move(thinned));
}

std::shared_ptr<const HeldOutBank> make_bank(const InContextTdConfig& config, int size, std::vector<int> lengths,
                                             uint64_t world) {
    BankOptions options = td_bank_options(config, size, std::move(lengths), held_out_tasks(config));
    options.seed = derive_seed(world, Purpose::held_out);  // the same for all runs, so that scores compare
    return std::make_shared<const HeldOutBank>(options);
}

std::shared_ptr<const NetworkEvaluator> make_evaluator(const InContextTdConfig& config, int size,
                                                       std::vector<int> lengths, uint64_t world) {
    return std::make_shared<const NetworkEvaluator>(network_shape(config),
                                                    make_bank(config, size, std::move(lengths), world));
}

double bounded_error(double error) {
    constexpr double kBeyondNumbers = 1e30;
    return std::isfinite(error) ? smaller(error, kBeyondNumbers) : kBeyondNumbers;
}

std::vector<double> bounded_errors(std::vector<double> errors) {
    std::transform(errors.begin(), errors.end(), errors.begin(), bounded_error);
    return errors;
}

std::vector<std::vector<double>> batch_td_errors(const HeldOutBank& bank, int layers, const LearnedSeeds& seeds) {
    return rows_of(seeds, bank.options().context_lengths.size(),
                   [&](const LearnedWeights& seed) { return bounded_errors(bank.msve_by_length(layers, seed.alpha)); });
}

InContextTdSeed::InContextTdSeed(const InContextTdConfig& config, int seed_index,
                                 std::shared_ptr<const SeedMeasures> measures)
    : TrainedSeed(config.seed, seed_index, config.log_interval, "MRP",
                  [&](uint64_t own) {
                      const InContextTdConfig mine = with_loss_of(config, seed_index);
                      return train_network(network_shape(mine), training_options(mine, measures->worlds), own);
                  }),
      config_(with_loss_of(config, seed_index)),
      shape_(network_shape(config_)),
      measures_(std::move(measures)),
      pool_(make_pool_evaluator(config_, training_options(config_, measures_->worlds), seed())) {
    if (const auto start = start_weights(config_, seed_index)) {
        const bool has_alpha = std::isfinite(start->alpha);
        const float alpha = has_alpha ? start->alpha : measures_->evaluator->nearest_alpha(0, start->weights);
        ArrayMap state = own_training().save();
        state["weights"].values = start->weights;
        state["alpha"].values = std::vector<float>{alpha};
        state["progress"].values = std::vector<int64_t>{0, 0, 0};
        own_training().load(state);
    }
    initial_weights_ = training().weights();
}

void InContextTdSeed::state(Archive& archive) {
    TrainedSeed::state(archive);
    for (const char* former : {"map", "line_up"})  // earlier versions saved these fits
        if (archive.has(former)) {
            Array unused;
            archive(former, unused);
        }
    if (!measures_->prompts) return;
    if (archive.loads()) held_ = 0, computed_since_ = -1;  // earlier versions saved none
    if (!archive.loads() || archive.has("computes")) archive("computes", held_);
    if (!archive.loads() || archive.has("computes_since")) archive("computes_since", computed_since_);
    archive.require(held_ >= 0, "computes", "is negative");
}

Table InContextTdSeed::matrix(const NamedBlock& block) const { return matrix_in(training().weights(), block); }

ElementWise InContextTdSeed::elements(std::vector<Lack>& lacks) const {
    const auto& blocks = training().blocks();  // all P, then all Q
    const auto stored = static_cast<size_t>(shape_.stored);
    ElementWise mean;
    for (size_t l = 0; l < stored; ++l) {
        const ElementWise e = element_wise(matrix(blocks[l]), matrix(blocks[stored + l]));
        // With sequential layers only the query's column of the last layer matters. It has no gamma phi' to
        // bootstrap from, so the upper-right block is free, as with a single layer, and fades.
        const int layers = stored > 1 && l + 1 == stored ? 1 : config_.num_layers;
        if (lacks.empty()) {
            lacks = lacks_to_emerge(e, config_.tasks.d, layers, config_.loss.kind == LossKind::residual_gradient);
            if (stored > 1)
                for (Lack& lack : lacks) lack.what = fmt::format("layer {}: {}", l, lack.what);
        }
        const double sign = may_flip_signs(shape_) ? 1.0 : e.sign;  // as trained
        const auto count = static_cast<double>(stored);
        for (const auto part :
             {&ElementWise::p_corner, &ElementWise::q_trace_upper_left, &ElementWise::q_trace_upper_right})
            mean.*part += sign * e.*part / count;
        for (const auto part : {&ElementWise::p_others, &ElementWise::q_others}) mean.*part += e.*part / count;
    }
    return mean;
}

void InContextTdSeed::measure_elements(TdMeasured& measured) {
    if (shape_.model == Model::rnn) return;
    std::vector<Lack> lacks;
    if (!has_target(config_)) lacks = {{"theory has no matrices for this algorithm"}};
    if (shape_.model == Model::two_heads) {
        const auto& blocks = training().blocks();
        measured.heads = {head_elements(matrix(blocks[0]), matrix(blocks[1]), true),
                          head_elements(matrix(blocks[2]), matrix(blocks[shape_.shares_Q ? 1 : 3]), false)};
        if (lacks.empty())
            lacks = lacks_to_emerge_heads(measured.heads[0], measured.heads[1], config_.tasks.d, config_.num_layers);
    } else {
        measured.elements = elements(lacks);
    }
    judge(lacks.empty(), lacks);
    measured.pattern = has_lasted() ? 1 : 0;
}

void InContextTdSeed::measure_verdict(TdMeasured& measured) {
    if (!measures_->prompts) return;
    measured.verdict = present_verdict();
    if (shape_.learns_lambda) measured.mask_lambda = static_cast<double>(training().weights().back());
    const auto own = own_verdict(config_);
    if (!own) return;
    const bool computes = measured.verdict.name == *own;
    held_ = computes ? held_ + 1 : 0;
    if (held_ >= lasting_steps() && computed_since_ < 0) computed_since_ = step() - (held_ - 1) * config_.log_interval;
    measured.computes_own = computes ? 1 : 0;
    measured.function = held_ >= lasting_steps() ? 1 : 0;
}

NetworkVerdict InContextTdSeed::present_verdict() const {
    const std::vector<float>& weights = training().weights();
    return verdict(view_of(shape_, weights), *measures_->prompts, landmarks_of(config_, weights));
}

// Weights that are not trained cannot change, so one logged step is enough.
int64_t InContextTdSeed::lasting_steps() const { return stands_still(config_) ? 1 : kLastingSteps; }

SeedStatus InContextTdSeed::status() const {
    SeedStatus status = TrainedSeed::status();
    if (!measures_->prompts || last_logged() < 0) return status;
    // Without a measurement since the last load or step the verdict is computed again.
    const bool is_measured = latest_.config != nullptr && last_logged() == step();
    const NetworkVerdict verdict = is_measured ? latest_.verdict : present_verdict();
    const std::vector<Landmark> landmarks = landmarks_of(config_, training().weights());
    status.judged = {name_of(verdict.name), label_of(verdict, landmarks),
                     sentence_of(verdict, landmarks, place_axis(config_), prompt_gamma(config_))};
    if (const auto own = own_verdict(config_)) status.judged->own = verdict.name == *own;
    status.judged->since = computed_since_;
    if (computed_since_ < 0 && held_ >= lasting_steps())  // a file of an earlier version does not have it
        status.judged->since = last_logged() - (held_ - 1) * config_.log_interval;
    return status;
}

TdMeasured InContextTdSeed::measure() {
    MultiTaskTd& training = own_training();
    const std::vector<float>& weights = training.weights();
    const float alpha = training.alpha();
    TdMeasured measured;
    measured.config = &config_;
    measured.scores = measures_->evaluator->compare(0, weights, alpha);
    measured.loss = training.take_mean_loss();
    measured.alpha = static_cast<double>(alpha);
    measure_elements(measured);
    if (pool_) measured.pool = pool_->compare(0, weights, alpha);
    measured.decoys = decoy_similarities(measures_->evaluator->bank(), kDecoyContexts, config_.num_layers, alpha);
    measure_verdict(measured);
    return latest_ = measured;
}

// ---- the metrics

void TdMeasured::say(Row& row) const {
    row("loss", config->loss.kind == LossKind::td ? "TD loss" : "loss",
        "The network's mean loss over the updates since the last point; for TD the squared TD error.", loss);
    row("alpha", "\u03b1",
        config->weights.empty() ? "Batch TD's step size, trained beside the network on the same prompts and loss."
                                : fmt::format("Batch TD's step size: {}.", batch_td_alpha(*config)),
        alpha);
    if (config->model == "two_heads") say_heads(heads, row);
    say_elements(*config, elements, row);
    if (config->tasks.has_values())
        row("value_difference", "VD",
            "Mean squared difference between the values of the network and of batch TD on held-out MRPs, E sum_s d(s) "
            "(v_TF(s) - v_TD(s))^2. Appendix D.1.2, Wang et al. 2025.",
            scores.value_difference);
    row("implicit_weight_similarity", "IWS",
        "Cosine between the implicit weights of the network and those of batch TD, E w_TF'w_TD / (|w_TF| |w_TD|). "
        "Appendix D.1.2, Wang et al. 2025.",
        scores.implicit_weight_similarity);
    row("sensitivity_similarity", "SS",
        "Cosine between the two values' gradients by the query, averaged over d(s). It equals IWS for linear "
        "attention. Appendix D.1.2, Wang et al. 2025.",
        scores.sensitivity_similarity);
    if (config->tasks.has_values()) say_value_errors(*this, row);
    row("decoy_no_bootstrap", "decoy: no bootstrapping",
        "IWS of batch TD with \u03b3\u03c6' deleted from its prompt. It is not TD, yet it scores as high.",
        decoys.no_bootstrap);
    row("decoy_reward_correlation", "decoy: one reward step",
        "IWS of \u03a3R\u03c6: one step from zero, without bootstrapping.", decoys.reward_correlation);
    if (has_theory(*config)) say_verdict(*this, row);
}

}  // namespace emergence
