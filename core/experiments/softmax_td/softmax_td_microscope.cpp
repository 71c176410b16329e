// The microscope of experiment "softmax-td": one held-out prompt, layer by layer; and the held-out world.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/statistics.h"
#include "core/experiments/softmax_td/softmax_td_study.h"
#include "core/lab/views/shown_matrix.h"
#include "core/measures/softmax_td_bank.h"
#include "core/models/softmax_td_layer.h"
#include "core/pictures/pen.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

SoftmaxTdTrace trace_of(const SoftmaxTdConfig& c, const SoftmaxTdBank& bank, const ShownSeed& seed) {
    return softmax_td_trace(bank.prompt(c.prompt), {seed.weights, c.temperature, seed.mixing}, c.num_layers,
                            c.tasks.gamma);
}

// One block per visited state, in the order of columns_by_state().
std::vector<Block> state_blocks(const std::vector<int>& states, const std::vector<int>& order) {
    std::vector<Block> blocks;
    for (const int column : order) {
        const std::string label = std::to_string(states[column] + 1);
        if (blocks.empty() || blocks.back().label != label) blocks.push_back({label, 0});
        ++blocks.back().size;
    }
    return blocks;
}

// The columns in the given order; a query column stays last.
Table ordered_columns(const Eigen::MatrixXd& matrix, const std::vector<int>& order) {
    Table table(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
    for (int j = 0; j < table.columns; ++j) {
        const bool query = j == static_cast<int>(order.size());
        const int source = query ? j : order[j];
        for (int i = 0; i < table.rows; ++i) table(i, j) = matrix(i, source);
    }
    return table;
}

Eigen::MatrixXd ordered_rows(const Eigen::MatrixXd& matrix, const std::vector<int>& order) {
    Eigen::MatrixXd result(matrix.rows(), matrix.cols());
    for (size_t i = 0; i < order.size(); ++i) result.row(static_cast<Eigen::Index>(i)) = matrix.row(order[i]);
    return result;
}

SoftmaxTdBankOptions softmax_bank_options(const SoftmaxTdConfig& config, int size, uint64_t seed) {
    return {softmax_training_options(config).tasks, config.context_length, size, seed};
}

}  // namespace

std::vector<float> constructed_softmax_weights(int d, double step, double sharpness) {
    const SoftmaxTdWeights weights = softmax_td_construction(d, step, sharpness);
    std::vector<float> values;
    for (const Eigen::MatrixXd* matrix : {&weights.P, &weights.Q})
        for (Eigen::Index i = 0; i < matrix->rows(); ++i)
            for (Eigen::Index j = 0; j < matrix->cols(); ++j) values.push_back(static_cast<float>((*matrix)(i, j)));
    return values;
}

std::shared_ptr<const SoftmaxTdBank> softmax_bank(const SoftmaxTdConfig& config) {
    // The same world for all runs, so that scores compare.
    return std::make_shared<const SoftmaxTdBank>(
        softmax_bank_options(config, config.bank_size, derive_seed(0, Purpose::held_out)));
}

// Chooses step sizes and sharpness on other chains, and measures them on the bank.
SoftmaxTdReferences softmax_references(const SoftmaxTdConfig& config, const SoftmaxTdBank& bank) {
    constexpr int kChains = 32;
    const SoftmaxTdBank validation(softmax_bank_options(config, kChains, derive_seed(1, Purpose::held_out)));
    const auto workspace = validation.workspace(config.num_layers);
    SoftmaxTdReferences best;
    double least = std::numeric_limits<double>::infinity();
    for (const double step : {0.5, 0.75, 1.0, 1.25, 1.5})
        for (const double sharpness : {0.5, 1.0, 2.0, 4.0, 8.0, 16.0}) {
            const double error =
                validation.msve({constructed_softmax_weights(config.tasks.d, step, sharpness)}, *workspace);
            if (error < least) least = error, best.step = step, best.sharpness = sharpness;
        }
    least = std::numeric_limits<double>::infinity();
    for (const double alpha : {0.25, 0.5, 1.0, 1.5, 2.0, 3.0}) {
        const double error = validation.msve_of_batch_td(config.num_layers, alpha);
        if (error < least) least = error, best.alpha = alpha;
    }
    best.zero = bank.msve_of_zero();
    best.batch_td = bank.msve_of_batch_td(config.num_layers, best.alpha);
    best.softmax_td = bank.msve({constructed_softmax_weights(config.tasks.d, best.step, best.sharpness)}, *workspace);
    return best;
}

std::vector<NamedMatrix> softmax_microscope(const SoftmaxTdConfig& c, const SoftmaxTdBank& bank,
                                            const std::vector<ShownSeed>& seeds) {
    const int layer = smaller(c.layer, c.num_layers);
    ShownMatrix A(
        "A", fmt::format("Kernel A, layer {}, prompt {}", layer, c.prompt),
        "The weight that a column gives to each source of the prompt: rows are sources, columns sum to 1, both "
        "in the order of their states; the query is last. Sharp on the blocks of equal states where the "
        "kernel tells states apart."),
        values("v", fmt::format("Values by layer, prompt {}", c.prompt),
               "The current memory after each layer, from 0; columns in the order of their states, the query last."),
        errors("TD error", fmt::format("TD errors by layer, prompt {}", c.prompt),
               "R + target memory - current memory of each transition before each layer: what weighted softmax TD "
               "would write."),
        written("written", fmt::format("What P writes, prompt {}", c.prompt),
                "P's last row times each source before each layer: the TD error times the step size, where TD has "
                "emerged.");
    A.nonnegative().unit("weight").as_is(
        "rows: sources, columns: who learns from them, both in the order of their states");
    for (ShownMatrix* matrix : {&values, &errors, &written})
        matrix->unit("value").free_aspect().as_is("rows: layers, columns: states");
    std::vector<int> order;
    for (const ShownSeed& seed : seeds) {
        const SoftmaxTdTrace trace = trace_of(c, bank, seed);
        if (order.empty()) {
            order = columns_by_state(trace.states);
            const std::vector<Block> sources = state_blocks(trace.states, order);
            std::vector<Block> all = sources;
            all.push_back({"query", 1});
            A.rows(sources).columns(all);
            values.rows(numbered_blocks(0, c.num_layers)).columns(all);
            errors.rows(numbered_blocks(1, c.num_layers)).columns(sources);
            written.rows(numbered_blocks(1, c.num_layers)).columns(sources);
        }
        A.seed(ordered_columns(ordered_rows(trace.kernels[layer - 1], order), order));
        values.seed(ordered_columns(trace.values, order));
        errors.seed(ordered_columns(trace.td_errors, order));
        written.seed(ordered_columns(trace.written, order));
    }
    return {A, values, errors, written};
}

PlotSpec softmax_values_plot(const SoftmaxTdConfig& c, const SoftmaxTdBank& bank, const std::vector<ShownSeed>& seeds) {
    const SoftmaxTdBank::Prompt prompt = bank.prompt(c.prompt);
    Plot plot("prompt_values", fmt::format("Values of prompt {}'s states, layer by layer", c.prompt));
    plot.x("state");
    plot.y("value");
    Series truth{.name = "true value", .x = {}, .rows = {prompt.values}, .color = 7, .dashed = true};
    for (int s = 0; s < c.tasks.num_states; ++s) truth.x.push_back(s + 1);
    std::vector<Series> layers;
    for (int l = 1; l <= c.num_layers; ++l)
        layers.push_back({.name = fmt::format("layer {}", l),
                          .x = truth.x,
                          .rows = {},
                          .color = ordinal_color(Course::blues, l - 1, c.num_layers)});
    const std::vector<double> missing(truth.x.size(), std::numeric_limits<double>::quiet_NaN());
    for (const ShownSeed& seed : seeds) {
        const SoftmaxTdTrace trace = trace_of(c, bank, seed);
        for (int l = 1; l <= c.num_layers; ++l) {
            std::vector<double> row = missing;
            for (size_t k = 0; k < trace.states.size(); ++k)  // the last visit of a state counts
                row[trace.states[k]] = trace.values(l, static_cast<Eigen::Index>(k));
            layers[l - 1].rows.push_back(std::move(row));
        }
    }
    plot.spec().series = std::move(layers);
    plot.add(std::move(truth));
    plot.note(
        "The current memory of each state's last visit in the prompt after each layer, with the true value "
        "of "
        "the chain beside it. States that the prompt does not visit have no value.");
    return plot;
}

}  // namespace emergence
