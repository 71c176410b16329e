// Pictures of experiment "softmax-construction".
#include <fmt/format.h>

#include <utility>

#include "core/experiments/softmax_td/softmax_construction.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"
#include "core/models/softmax_td_layer.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// The rows of all seeds, one per chain.
std::vector<std::vector<double>> all_rows(
    const std::vector<const ConstructionRecord*>& records,
    const std::vector<std::vector<double>>& (*rows_of)(const ConstructionRecord&)) {
    std::vector<std::vector<double>> all;
    for (const ConstructionRecord* record : records)
        all.insert(all.end(), rows_of(*record).begin(), rows_of(*record).end());
    return all;
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
    using Record = ConstructionRecord;
    plot.add({.name = "transformer",
              .x = lengths,
              .rows = all_rows(
                  records, [](const Record& r) -> const auto& { return r.transformer; }),
              .color = 0});
    plot.add({.name = "predict zero",
              .x = lengths,
              .rows = all_rows(
                  records, [](const Record& r) -> const auto& { return r.zero; }),
              .color = 7,
              .dashed = true});
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
    int color = 0;
    for (const char* name : {"softmax", "ReLU", "ELU", "RBF"}) {
        Series series{.name = name, .x = {}, .rows = {}, .color = color};
        for (const ConstructionRecord* record : records)
            for (const auto& row : record->differences[color]) series.rows.push_back(row);
        for (size_t l = 0; !series.rows.empty() && l < series.rows[0].size(); ++l)
            series.x.push_back(static_cast<double>(l));
        plot.add(std::move(series));
        ++color;
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

}  // namespace emergence
