// Pictures of experiment "softmax-construction".
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/experiments/figure_file.h"
#include "core/experiments/softmax_td/softmax_construction.h"
#include "core/experiments/softmax_td/softmax_td.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"
#include "core/measures/softmax_td_difference.h"
#include "core/models/softmax_td_layer.h"
#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

using Records = std::vector<const ConstructionRecord*>;

// The rows of all seeds, one per chain.
std::vector<std::vector<double>> all_rows(const Records& records, ConstructionRecord::Rows ConstructionRecord::*which) {
    std::vector<std::vector<double>> all;
    for (const ConstructionRecord* record : records)
        all.insert(all.end(), (record->*which).begin(), (record->*which).end());
    return all;
}

std::vector<double> layers_of(const std::vector<std::vector<double>>& rows) {
    std::vector<double> layers;
    for (size_t l = 0; !rows.empty() && l < rows[0].size(); ++l) layers.push_back(static_cast<double>(l));
    return layers;
}

void name_rows_chains(PlotSpec& plot) {
    plot.row_word = "chain";
    for (size_t i = 0; i < plot.series[0].rows.size(); ++i) plot.seeds.push_back(i + 1);
}

// A matrix that is the same in every seed.
ShownMatrix constant(const char* name, const char* title, const char* help, const Eigen::MatrixXd& values,
                     const std::vector<Block>& blocks, size_t seeds) {
    ShownMatrix matrix(name, title, help);
    return matrix.square(blocks).everywhere(table_of(values), seeds).as_is();
}

std::vector<NamedMatrix> constructed_weights(const SoftmaxConstructionConfig& c, size_t seeds) {
    const int d = c.tasks.d, D = d + 3;
    const std::vector<Block> rows = {{"x", d}, {"R", 1}, {"v\u2032", 1}, {"v", 1}};
    const SoftmaxTdWeights weights = softmax_td_construction(d, c.step_size, c.sharpness);
    Eigen::MatrixXd clear = Eigen::MatrixXd::Identity(D, D), route = Eigen::MatrixXd::Zero(D, D);
    clear(D - 2, D - 2) = 0;
    route(D - 2, D - 1) = c.tasks.gamma;
    // Each unit has its colour scale: on a common one a sharp Q would leave the others pale.
    return {constant("P", "P, constructed",
                     "Eq. (15): the last row writes reward + target memory - current memory, times the step size.",
                     weights.P, rows, seeds)
                .unit("step size"),
            constant("Q", "Q, constructed", "Eq. (15): scores are inner products of features.", weights.Q, rows, seeds)
                .unit("sharpness"),
            constant("clear", "I - e e', clears", "Eq. (23): the target memory is cleared after a layer.", clear, rows,
                     seeds),
            constant("route", "gamma e e', routes",
                     "Eq. (23): gamma times the current memory goes into the target memory.", route, rows, seeds),
            constant("shift", "S, to the left",
                     "Eq. (16): of the column to the right, where the next state is the current one.",
                     left_shift(c.context_length), {{"context", c.context_length}, {"query", 1}}, seeds)};
}

NamedMatrix transitions(const Mrp& mrp, size_t seeds) {
    return constant("transition", "Transition probabilities",
                    "Where a state leads: the two behind it, and from the last one anywhere.", mrp.transition,
                    numbered_blocks(1, mrp.num_states()), seeds)
        .nonnegative()
        .unit("probability")
        .note_alignment("rows: states, columns: next states");
}

}  // namespace

PlotSpec construction_error_plot(const std::vector<const ConstructionRecord*>& records) {
    Plot plot("error_by_context_length", "Value error against context length");
    plot.x("n").from(0.0);
    plot.y("squared error of the query's value").logarithmic();
    const std::vector<double> lengths(std::begin(kConstructionLengths), std::end(kConstructionLengths));
    plot.line("transformer", lengths, all_rows(records, &ConstructionRecord::transformer));
    plot.line("predict zero", lengths, all_rows(records, &ConstructionRecord::zero)).color(7).dashed();
    name_rows_chains(plot.spec());
    plot.note(
        "As Figure 1: a row is a chain, the same at every length. The best linear prediction errs by 0. With "
        "contexts too short to show the chain's states the iteration goes astray.");
    return plot;
}

PlotSpec construction_difference_plot(const std::vector<const ConstructionRecord*>& records) {
    Plot plot("difference", "Transformer against weighted softmax TD");
    plot.x("layer").from(0.0).whole();
    plot.y("relative difference").logarithmic();
    for (size_t k = 0; k < std::size(kConstructionKernels); ++k) {
        std::vector<std::vector<double>> rows;
        for (const ConstructionRecord* record : records)
            rows.insert(rows.end(), record->differences[k].begin(), record->differences[k].end());
        const std::vector<double> layers = layers_of(rows);
        plot.line(kConstructionKernels[k].label, layers, std::move(rows)).color(static_cast<int>(k));
    }
    name_rows_chains(plot.spec());
    plot.note(
        "As Figure 7, in double precision: the larger of the differences to the algorithm and between both "
        "forms of the layer, over all columns, by the largest value reached. ReLU, ELU and RBF kernels are "
        "divided by n (ours). Where all agree to the last bit there is no point.");
    return plot;
}

PlotSpec chain_plot(const Mrp& mrp, double gamma) {
    Plot plot("states", "Stationary distribution, reward and value");
    plot.x("state").whole();
    plot.note("Of the chain that is looked at, state by state; values are the exact ones.");
    const Eigen::VectorXd v = true_value(mrp, gamma), distribution = stationary_distribution(mrp);
    int color = 0;
    for (const auto& [name, values] :
         {std::pair{"stationary probability", &distribution}, {"reward", &mrp.reward}, {"true value", &v}}) {
        Series series{.name = name, .x = {}, .rows = {{values->begin(), values->end()}}, .color = color++};
        for (int s = 0; s < mrp.num_states(); ++s) series.x.push_back(s + 1);
        plot.add(std::move(series));
    }
    return plot;
}

void show_construction(Snapshot& snapshot, const SoftmaxConstructionConfig& config, const SoftmaxTdBank& bank) {
    const size_t seeds = snapshot.seeds.size();
    const std::vector<ShownSeed> shown(
        seeds, ShownSeed{constructed_softmax_weights(config.tasks.d, config.step_size, config.sharpness), 0.0});
    Mrp mrp;
    draw_mrp(bank.options().tasks, bank.options().seed, static_cast<uint32_t>(config.prompt % bank.options().size),
             mrp);
    if (config.show == "weights")
        snapshot.matrices = constructed_weights(config, seeds);
    else if (config.show == "chain")
        snapshot.matrices = {transitions(mrp, seeds)};
    else
        snapshot.matrices = softmax_microscope(config, bank, shown);
    PlotSpec values = softmax_values_plot(config, bank, {shown.front()});
    name_rows_chains(values);
    PlotSpec chain = chain_plot(mrp, config.tasks.gamma);
    chain.title = fmt::format("The chain of prompt {}", config.prompt);
    name_rows_chains(chain);
    snapshot.plots.resize(2);  // keep the two plots of all chains
    snapshot.plots.push_back(std::move(values));
    snapshot.plots.push_back(std::move(chain));
}

// ---- Figures 1, 4 and 7 of the softmax paper: constructions and tasks, nothing trained

namespace {

// ---- Figure 1

// Squared errors at one context length, one per chain, and the largest difference of algorithm and
// transformer.
struct Errors {
    std::vector<double> transformer, algorithm, zero;
    double largest_difference = 0;
};

Errors errors_at(const SoftmaxConstructionConfig& c, int n, double sharpness, JobHandle& handle) {
    SoftmaxTdConfig config = c;
    config.context_length = n;
    const auto chains = static_cast<int>(c.num_chains);
    config.bank_size = chains;
    const auto bank = softmax_bank(config);
    Errors errors;
    for (int i = 0; i < chains; ++i) {
        const ConstructionErrors one = construction_errors(*bank, i, c, sharpness);
        errors.transformer.push_back(one.transformer);
        errors.algorithm.push_back(one.algorithm);
        errors.zero.push_back(one.zero);
        errors.largest_difference = largest_of({errors.largest_difference, one.difference});
        handle.reached(static_cast<double>(i + 1) / chains);
    }
    return errors;
}

// A row for each chain.
std::vector<std::vector<double>> error_rows(std::span<const Errors> by_length, std::vector<double> Errors::*which) {
    std::vector<std::vector<double>> rows((by_length.front().*which).size());
    for (const Errors& errors : by_length)
        for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back((errors.*which)[i]);
    return rows;
}

void draw_softmax_1(Draft& draft) {
    const auto c = config_from<SoftmaxConstructionConfig>(draft.settings);
    std::vector<GridJob<Errors>> jobs;
    for (const double sharpness : {c.sharpness, 1.0})
        for (const int n : kConstructionLengths)
            jobs.push_back({fmt::format("sharpness {}, n = {}", sharpness, n),
                            [c, n, sharpness](JobHandle& handle) { return errors_at(c, n, sharpness, handle); }});
    const auto results = draft.results_of(jobs);
    if (!results) return;
    const auto sharp = std::span(*results).first(std::size(kConstructionLengths)),
               plain = std::span(*results).last(std::size(kConstructionLengths));
    const std::vector<double> lengths(std::begin(kConstructionLengths), std::end(kConstructionLengths));
    Plot plot("error_by_context_length", "Value error against context length");
    plot.x("n").from(0.0);
    plot.y("squared error of the query's value").logarithmic();
    plot.line(fmt::format("transformer, Q = {} I", readout(c.sharpness)), lengths,
              error_rows(sharp, &Errors::transformer));
    plot.line("weighted softmax TD", lengths, error_rows(sharp, &Errors::algorithm)).color(1).dashed();
    plot.line("transformer, Q = I", lengths, error_rows(plain, &Errors::transformer)).color(2);
    plot.line("predict zero", lengths, error_rows(sharp, &Errors::zero)).color(7).dashed();
    double largest = 0.0;
    for (const Errors& one : sharp) largest = larger(largest, one.largest_difference);
    draft.measure("softmax-1-same", largest);
    draft.add(std::move(plot));
    draft.caption = fmt::format(
        "After Figure 1 of the softmax paper: Theorem 1's weights with step size {}, L = {}, on {} random Boyan chains "
        "of {} states, d = {}, gamma = {}, representable values. Lines: mean over chains, bands: standard error. The "
        "best linear prediction errs by 0. With contexts too short for a chain's states the iteration goes astray.",
        readout(c.step_size), c.num_layers, c.num_chains, c.tasks.num_states, c.tasks.d, c.tasks.gamma);
}

// ---- Figure 4

void draw_softmax_4(Draft& draft) {
    const auto c = config_from<SoftmaxConstructionConfig>(draft.settings);
    Mrp mrp;
    draw_mrp(softmax_training_options(c).tasks, static_cast<uint64_t>(c.seed), 0, mrp);
    HeatmapSpec transition = plain_heatmap("transition", "Transition probabilities", table_of(mrp.transition));
    transition.row_blocks = transition.column_blocks = {{"state", c.tasks.num_states}};
    transition.magnitudes = true;
    draft.add(std::move(transition));
    draft.add(chain_plot(mrp, c.tasks.gamma));
    draft.caption = fmt::format(
        "After Figure 4 of the softmax paper: the first task of seed {}, {} states, d = {}, gamma = {}, "
        "representable values.",
        c.seed, c.tasks.num_states, c.tasks.d, c.tasks.gamma);
}

// ---- Figure 7

using Trials = std::vector<SoftmaxDifferences>;

std::vector<GridJob<Trials>> kernel_jobs(const SoftmaxConstructionConfig& c) {
    std::vector<GridJob<Trials>> jobs;
    for (const NamedKernel& kernel : kConstructionKernels) {
        const SoftmaxDifferenceOptions trial{.kernel = kernel.kernel,
                                             .d = c.tasks.d,
                                             .n = c.context_length,
                                             .num_states = c.tasks.num_states,
                                             .gamma = c.tasks.gamma};
        jobs.push_back(
            {kernel.label, [trial, seed = static_cast<uint64_t>(c.seed), count = c.num_chains](JobHandle& handle) {
                 Trials trials;
                 for (int64_t k = 0; k < count; ++k) {
                     trials.push_back(softmax_td_difference(trial, seed, static_cast<uint32_t>(k)));
                     handle.reached(static_cast<double>(k + 1) / static_cast<double>(count));
                 }
                 return trials;
             }});
    }
    return jobs;
}

void draw_softmax_7(Draft& draft) {
    const auto c = config_from<SoftmaxConstructionConfig>(draft.settings);
    const auto results = draft.results_of(kernel_jobs(c));
    if (!results) return;
    for (size_t i = 0; i < std::size(kConstructionKernels); ++i) {
        Plot plot(fmt::format("difference_{}", i), kConstructionKernels[i].label);
        plot.x("layers");
        plot.y("relative difference").logarithmic();
        std::vector<std::vector<double>> single, forms;
        for (const SoftmaxDifferences& trial : (*results)[i]) {
            single.push_back(trial.to_algorithm);
            forms.push_back(trial.between_forms);
        }
        const std::vector<double> layers = layers_of(single);
        plot.line("to the algorithm", layers, std::move(single));
        plot.line("between both forms", layers, std::move(forms)).color(1);
        draft.add(std::move(plot));
    }
    draft.caption = fmt::format(
        "After Figure 7 of the softmax paper: d = {}, n = {}, m = {}, gamma = {}, {} trials, double precision. "
        "Largest difference over all columns, over the largest value reached: of one head with temporal shift to the "
        "algorithm, and of both forms of the layer. ReLU, ELU and RBF kernels are divided by n (ours). Lines: mean "
        "over trials. Where both agree to the last bit there is no point.",
        c.tasks.d, c.context_length, c.tasks.num_states, c.tasks.gamma, c.num_chains);
}

}  // namespace

std::vector<FigureInfo> softmax_construction_figures() {
    return {
        figure_of({.name = "softmax-1",
                   .title = "Figure 1: a constructed softmax transformer by context length",
                   .page = {"A constructed softmax transformer, its weights fixed", {1}, {1}, 6.5, 4.5},
                   .start = {{"num_chains", 300}, {"seeds", 1}},
                   .uses = {"num_layers", "sharpness", "step_size", "d", "num_states", "gamma", "seed", "num_chains"},
                   .measures = {"softmax-1-same"},
                   .draw = draw_softmax_1}),
        figure_of(shipped_recipe("softmax-2")),
        figure_of({.name = "softmax-4",
                   .title = "Figure 4: a random Boyan chain",
                   .page = {"One random Boyan chain", {1, 1.3}, {1}, 9, 4.2},
                   .start = {{"num_chains", 1}, {"seeds", 1}},
                   .uses = {"d", "num_states", "gamma", "seed"},
                   .draw = draw_softmax_4}),
        figure_of(
            {.name = "softmax-7",
             .title = "Figure 7: the construction against its algorithm",
             .page = {"Constructed transformer and weighted softmax TD, layer by layer", {1, 1, 1, 1}, {1}, 14, 3.8},
             .uses = {"d", "n", "num_states", "gamma", "seed", "num_chains"},
             .draw = draw_softmax_7})};
}

}  // namespace emergence
