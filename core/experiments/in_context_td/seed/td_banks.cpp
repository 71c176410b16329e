#include "core/experiments/in_context_td/seed/td_seed.h"

#include <algorithm>

#include "core/base/statistics.h"

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

std::unique_ptr<const NetworkEvaluator> make_pool_evaluator(const InContextTdConfig& config,
                                                            const MultiTaskTdOptions& training, uint64_t seed) {
    if (!has_pool(config) || !config.tasks.has_values()) return nullptr;
    BankOptions options = td_bank_options(config, evaluation_size(config), {config.context_length}, training.tasks);
    options.seed = seed;
    options.pool_size = training.pool_size;
    return std::make_unique<const NetworkEvaluator>(network_shape(config),
                                                    std::make_shared<const HeldOutBank>(options));
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

double bounded_error(double error) { return std::isfinite(error) ? smaller(error, kBeyondNumbers) : kBeyondNumbers; }

std::vector<double> bounded_errors(std::vector<double> errors) {
    std::transform(errors.begin(), errors.end(), errors.begin(), bounded_error);
    return errors;
}

std::vector<std::vector<double>> batch_td_errors(const HeldOutBank& bank, int layers, const LearnedSeeds& seeds) {
    return rows_of(seeds, bank.options().context_lengths.size(),
                   [&](const LearnedWeights& seed) { return bounded_errors(bank.msve_by_length(layers, seed.alpha)); });
}

}  // namespace emergence
