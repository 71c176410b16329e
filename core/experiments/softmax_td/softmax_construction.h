#pragma once
// Experiment "softmax-construction": the softmax transformer with the weights of Theorem 1 of the softmax
// paper, on one random Boyan chain after another. Nothing is trained. One step is one chain, one seed is a
// stream of chains.

#include <array>

#include "core/experiments/softmax_td/softmax_td.h"
#include "core/measures/softmax_td_difference.h"
#include "core/settings/fields.h"

namespace emergence {

/// Every setting of experiment "softmax-construction": a few of "softmax-td", and the constants of the construction.
struct SoftmaxConstructionConfig : SoftmaxTdConfig {
    SoftmaxConstructionConfig() {
        num_layers = 8;
        context_length = 40;
        tasks.d = 16;
        tasks.num_states = 10;
        tasks.gamma = 0.9;
        seeds = 4;
        show = "prompt";
        log_interval = 1;  // not a setting: every chain is logged
    }
    double sharpness = 4.0;
    double step_size = 1.0;
    int64_t num_chains = 75;

    void fields(Fields& f);
};

/// Context lengths at which errors are measured, as in Figure 1.
inline constexpr int kConstructionLengths[] = {5, 10, 15, 20, 30, 40, 60, 80, 120};

/// The kernels for which transformer and algorithm are compared.
struct NamedKernel {
    const char* label;
    ScoreKernel kernel;
};
inline constexpr NamedKernel kConstructionKernels[] = {{"softmax", ScoreKernel::softmax},
                                                       {"ReLU", ScoreKernel::relu},
                                                       {"ELU", ScoreKernel::elu},
                                                       {"RBF", ScoreKernel::rbf}};

/// Squared errors of the query's value in prompt `index`, and the transformer's difference from weighted
/// softmax TD: relative, or absolute if the value is below 1.
struct ConstructionErrors {
    double transformer = 0, algorithm = 0, zero = 0, difference = 0;
};
ConstructionErrors construction_errors(const SoftmaxTdBank& bank, int index, const SoftmaxConstructionConfig& config,
                                       double sharpness);

/// The measurements so far, one row per chain: errors at each length, and for each kernel (softmax, ReLU,
/// ELU, RBF) after each layer the larger of the differences to the algorithm and between both forms of the
/// layer.
struct ConstructionRecord {
    using Rows = std::vector<std::vector<double>>;
    Rows transformer, zero;
    std::array<Rows, std::size(kConstructionKernels)> differences;
};

/// Squared error against context length, one row per chain.
PlotSpec construction_error_plot(const std::vector<const ConstructionRecord*>& records);

/// Difference of transformer and algorithm against layers, one curve per kernel.
PlotSpec construction_difference_plot(const std::vector<const ConstructionRecord*>& records);

/// Adds the matrices and the plots that the live settings select, after the first two plots.
void show_construction(Snapshot& snapshot, const SoftmaxConstructionConfig& config, const SoftmaxTdBank& bank);

/// Reward, true value and stationary distribution of a chain by state.
PlotSpec chain_plot(const Mrp& mrp, double gamma);

/// Its figures.
std::vector<FigureInfo> softmax_construction_figures();

}  // namespace emergence
