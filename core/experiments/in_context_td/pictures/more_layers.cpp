#include "core/experiments/in_context_td/pictures/more_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/statistics.h"
#include "core/experiments/in_context_td/pictures/td_plots.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/lab/views/shown_matrix.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr int kDepthMrps = 64, kMostRows = 12;
// Larger values have the same colour, "far worse than predicting zero".
constexpr double kMostExcess = 1.0;

// Numbers of layers from 1 to the largest, at most kMostRows of them evenly, and the trained number.
std::vector<int> depths_of(const InContextTdConfig& config) {
    const int trained = config.num_layers, all = trained + config.eval_extra_layers;
    std::vector<int> depths;
    for (int i = 0; i < smaller(all, kMostRows); ++i)
        depths.push_back(1 + static_cast<int>(std::lround(i * (all - 1.0) / larger(1, smaller(all, kMostRows) - 1))));
    depths.push_back(trained);
    return ascending(std::move(depths));
}

// MSVE by number of layers (rows) and by the bank's context lengths (columns).
Table errors_of(const NetworkEvaluator& evaluator, const std::vector<int>& depths, const LearnedWeights& seed) {
    Table errors = evaluator.msve_by_depth_and_length(depths, seed.weights);
    errors.values = bounded_errors(std::move(errors.values));
    return errors;
}

NamedMatrix depth_map(const std::vector<int>& depths, const std::vector<int>& lengths, double zero,
                      const std::vector<Table>& errors) {
    ShownMatrix map("layers x n", "MSVE over predict-zero's, less 1 (at most 1)",
                    fmt::format("Rows: layers, columns: context length n. Below 0 the network's value error is smaller "
                                "than that of predicting 0 everywhere, at 1 it is twice as large or more; {} held-out "
                                "MRPs.",
                                kDepthMrps));
    map.rows(named_blocks(depths)).columns(named_blocks(lengths)).free_aspect();
    map.as_is("rows: layers, columns: context length");
    for (Table table : errors) {
        for (double& error : table.values) error = smaller(error / zero - 1.0, kMostExcess);
        map.seed(std::move(table));
    }
    return map;
}

}  // namespace

double bounded_error(double error) { return std::isfinite(error) ? smaller(error, kBeyondNumbers) : kBeyondNumbers; }

std::vector<double> bounded_errors(std::vector<double> errors) {
    std::transform(errors.begin(), errors.end(), errors.begin(), bounded_error);
    return errors;
}

std::shared_ptr<const NetworkEvaluator> make_depth_evaluator(const InContextTdConfig& config) {
    if (config.eval_extra_layers == 0 || !has_values(config)) return nullptr;
    const int n = config.context_length;
    return std::make_shared<const NetworkEvaluator>(
        network_shape(config),
        make_bank(config, kDepthMrps, ascending({1, 2, 5, 10, 20, n, n * 4 / 3, config.eval_context_length})));
}

void add_depth_views(const InContextTdConfig& config, const NetworkEvaluator& evaluator,
                     const std::vector<LearnedWeights>& seeds, Snapshot& snapshot) {
    const HeldOutBank& bank = evaluator.bank();
    const auto& lengths = bank.options().context_lengths;
    const size_t marked = marked_place(config, bank);
    const std::vector<int> depths = depths_of(config);
    const double missing = std::numeric_limits<double>::quiet_NaN();
    Plot plot("msve_by_layers", "Value error against layers");
    plot.x("layers").from(1.0).to(static_cast<double>(depths.back())).whole();
    plot.y(fmt::format("MSVE at n = {}, {} held-out MRPs", config.eval_context_length, kDepthMrps))
        .cut(kErrorCut * bank.msve_of_zero());
    const std::vector<double> x(depths.begin(), depths.end());
    Series network{network_name(config), x, {}, 0}, batch_td{batch_td_name(config, seeds), x, {}, 1, true};
    std::vector<Table> errors;
    for (const LearnedWeights& seed : seeds) {
        Table table(static_cast<int>(depths.size()), static_cast<int>(lengths.size()));
        std::fill(table.values.begin(), table.values.end(), missing);
        std::vector<double> of_network(x.size(), missing), of_batch_td(x.size(), missing);
        if (!seed.failed) {
            table = errors_of(evaluator, depths, seed);
            for (size_t i = 0; i < depths.size(); ++i) {
                of_network[i] = table(static_cast<int>(i), static_cast<int>(marked));
                of_batch_td[i] = bounded_error(mean_of(bank.errors(marked, depths[i], seed.alpha)));
            }
        }
        errors.push_back(std::move(table));
        network.rows.push_back(std::move(of_network));
        batch_td.rows.push_back(std::move(of_batch_td));
    }
    plot.add(std::move(network));
    plot.add(std::move(batch_td));
    plot.spec().lines = {
        {"best linear", bank.msve_of_best_linear(), false},
        {"predict zero", bank.msve_of_zero(), false},
        {fmt::format("trained with {}", config.num_layers), static_cast<double>(config.num_layers), true}};
    plot.note(
        "The trained layer applied more or fewer times than it was trained, and as many steps of batch TD. "
        "The "
        "axis ends at 1.25 times predict-zero; one seed that diverges rules the mean: look at every seed, or "
        "at medians.");
    snapshot.plots.push_back(std::move(plot));
    snapshot.matrices.push_back(depth_map(depths, lengths, bank.msve_of_zero(), errors));
}

}  // namespace emergence
