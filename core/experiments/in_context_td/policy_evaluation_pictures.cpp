#include "core/experiments/in_context_td/policy_evaluation.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/base/statistics.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/measured.h"
#include "core/lab/views/shown_matrix.h"
#include "core/models/constructions.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

// Figure 1 by the authors' published code on 20,000 tasks: MSVE and its standard error at n = 1, 3, .., 39.
struct ReferenceError {
    int n;
    double mean, standard_error;
};
constexpr std::array<ReferenceError, 20> kReference = {{
    {1, 1.53406, 0.01489},  {3, 0.94225, 0.00836},  {5, 0.64508, 0.00562},  {7, 0.51156, 0.00410},
    {9, 0.44346, 0.00359},  {11, 0.39815, 0.00313}, {13, 0.36799, 0.00274}, {15, 0.34823, 0.00253},
    {17, 0.33431, 0.00246}, {19, 0.32317, 0.00231}, {21, 0.31367, 0.00227}, {23, 0.30745, 0.00223},
    {25, 0.29844, 0.00208}, {27, 0.29484, 0.00211}, {29, 0.28988, 0.00207}, {31, 0.28484, 0.00199},
    {33, 0.28177, 0.00198}, {35, 0.27908, 0.00194}, {37, 0.27668, 0.00193}, {39, 0.27356, 0.00187},
}};

// Mean, standard error and median over all tasks of all seeds, at each context length.
void add_statistics(const std::string& name, const std::vector<std::vector<std::vector<double>>>& errors,
                    size_t lengths, ArrayMap& map) {
    std::vector<double> mean, standard_error, median;
    for (size_t n = 0; n < lengths; ++n) {
        std::vector<std::vector<double>> all;
        for (const auto& seed : errors)
            for (const double x : seed[n]) all.push_back({x});
        const Summary summary = summarise(all, 0);
        mean.push_back(summary.mean);
        standard_error.push_back(summary.standard_error);
        median.push_back(summary.median);
    }
    map[name + "_mean"] = {{lengths}, std::move(mean)};
    map[name + "_standard_error"] = {{lengths}, std::move(standard_error)};
    map[name + "_median"] = {{lengths}, std::move(median)};
}

// The largest distance from the reference, in combined standard errors.
Measurement distance_from_reference(const ArrayMap& statistics, const std::string& name) {
    const auto n = as_doubles(statistics.at("context_length"));
    const auto mean = as_doubles(statistics.at(name + "_mean"));
    const auto error = as_doubles(statistics.at(name + "_standard_error"));
    double worst = 0.0;
    int worst_n = 0, compared = 0;
    for (size_t i = 0; i < n.size(); ++i)
        for (const ReferenceError& reference : kReference) {
            if (static_cast<double>(reference.n) != n[i]) continue;
            ++compared;
            const double distance = std::abs(mean[i] - reference.mean) / std::hypot(error[i], reference.standard_error);
            if (std::isnan(distance) || distance > worst) {
                worst = distance;
                worst_n = reference.n;
            }
        }
    if (compared == 0) worst = std::numeric_limits<double>::quiet_NaN();
    return {worst, fmt::format("at n = {}; {} context lengths", worst_n, compared)};
}

Series reference_series() {
    Series series{"authors' code, 20,000 tasks", {}, {{}}, 3, true};
    for (const ReferenceError& reference : kReference) {
        series.x.push_back(reference.n);
        series.rows[0].push_back(reference.mean);
    }
    return series;
}

}  // namespace

Metrics<EvaluationMeasured> policy_evaluation_metrics() {
    using M = EvaluationMeasured;
    return {{"msve_shortest", "n = 1", "Mean square value error over the tasks so far, at the shortest context.",
             &M::shortest},
            {"msve_longest", "longest context", "The same at the longest context.", &M::longest},
            {"msve_batch_td", "batch TD, longest context", "Batch TD's, with as many steps as there are layers.",
             &M::batch_td},
            {"msve_zero", "predict zero", "The error of predicting 0 everywhere.", &M::zero}};
}

std::vector<MetricPlot> policy_evaluation_plots() {
    HistoryPlot plot("running_error", "Value error, mean over the tasks so far");
    plot.y("MSVE").from(0.0);
    plot.line("msve_shortest").label("transformer, n = 1").color(1);
    plot.line("msve_longest").label("transformer, longest context");
    plot.line("msve_batch_td").color(2).dashed();
    plot.line("msve_zero").color(7).dashed();
    plot.note("Each line settles as tasks are added: single tasks differ widely.");
    return {plot};
}

std::vector<NamedMatrix> policy_evaluation_matrices(const PolicyEvaluationConfig& config, int seeds) {
    const auto layer = td_construction(config.alpha * Eigen::MatrixXd::Identity(config.tasks.d, config.tasks.d));
    const auto pure = td_construction(Eigen::MatrixXd::Identity(config.tasks.d, config.tasks.d));
    const auto make = [&](const char* name, const char* help, const Eigen::MatrixXd& values,
                          const Eigen::MatrixXd& target) {
        ShownMatrix matrix(name, fmt::format("{} as constructed", name[0]), help);  // all layers share it
        matrix.square(prompt_blocks(config.tasks.d));
        for (int k = 0; k < seeds; ++k) matrix.seed(table_of(values), table_of(values));
        matrix.target(table_of(target), "theory: Eq. (7), Wang et al. 2025");
        return matrix.note_alignment("constructed: the same in every seed");
    };
    return {make("P0", "What a layer writes: to the last row only.", layer.P, pure.P),
            make("Q0", "What a layer compares: \u03c6 against the query's \u03b3\u03c6' - \u03c6.", layer.Q, pure.Q)};
}

PlotSpec evaluation_plot(const EvaluationErrors& errors) {
    const std::vector<double> x(errors.lengths.begin(), errors.lengths.end());
    std::vector<std::vector<double>> transformer, batch_td, zero;
    for (size_t k = 0; k < errors.zero.size(); ++k) {
        transformer.emplace_back();
        batch_td.emplace_back();
        for (size_t n = 0; n < x.size(); ++n) {
            transformer.back().push_back(mean_of(errors.transformer[k][n]));
            batch_td.back().push_back(mean_of(errors.batch_td[k][n]));
        }
        zero.emplace_back(x.size(), mean_of(errors.zero[k]));
    }
    Plot plot("msve_by_context_length", "Value error against context length");
    plot.x("context length n").from(0.0);
    plot.y("MSVE").from(0.0);
    plot.line("constructed transformer", x, std::move(transformer));
    plot.line("batch TD", x, std::move(batch_td)).color(1).dashed();
    plot.line("predict zero", x, std::move(zero)).color(7).dashed();
    plot.note(
        "Mean square value error over the tasks so far, each task's error weighted by its stationary distribution. The "
        "transformer's weights are Theorem 1's, the same for all tasks.");
    return plot;
}

ArrayMap evaluation_statistics(const EvaluationErrors& errors) {
    ArrayMap map;
    const size_t lengths = errors.lengths.size();
    map["context_length"] = {{lengths}, std::vector<int64_t>(errors.lengths.begin(), errors.lengths.end())};
    add_statistics("transformer", errors.transformer, lengths, map);
    add_statistics("batch_td", errors.batch_td, lengths, map);
    int64_t tasks = 0;
    for (const auto& seed : errors.zero) tasks += static_cast<int64_t>(seed.size());
    map["tasks"] = {{}, std::vector<int64_t>{tasks}};
    return map;
}

std::vector<Scalar> evaluation_scalars(const EvaluationErrors& errors) {
    std::vector<double> shortest, longest, zero;
    for (size_t k = 0; k < errors.zero.size(); ++k) {
        shortest.insert(shortest.end(), errors.transformer[k].front().begin(), errors.transformer[k].front().end());
        longest.insert(longest.end(), errors.transformer[k].back().begin(), errors.transformer[k].back().end());
        zero.insert(zero.end(), errors.zero[k].begin(), errors.zero[k].end());
    }
    return {
        {"msve_shortest", "MSVE at n = 1", mean_of(shortest), "", "With one transition in the context."},
        {"msve_longest", fmt::format("at n = {}", errors.lengths.back()), mean_of(longest), "",
         "With the longest context.", false, fmt::format("value error {{}} (MSVE at n = {})", errors.lengths.back())},
        {"msve_zero", "predict zero", mean_of(zero), "", "The error of predicting 0 everywhere."}};
}

namespace {

void draw_wang_1(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    const auto config = config_from<PolicyEvaluationConfig>(snapshot.settings);
    PlotSpec plot = snapshot.plots.at(0);
    plot.title = fmt::format("{} layers, step size {}", config.num_layers, config.alpha);
    plot.series.push_back(reference_series());
    draft.add(std::move(plot));
    draft.caption = fmt::format(
        "After Figure 1 of Wang et al. 2025: the transformer of Theorem 1, L = {}, alpha = {}, and batch TD, on {} "
        "random {} tasks, d = {}, m from {} to {}, gamma = {}. Lines: mean over {} streams of {} tasks; bands: "
        "standard error over streams.",
        config.num_layers, config.alpha, static_cast<int64_t>(snapshot.seeds.size()) * snapshot.step,
        snapshot.settings.text("task"), config.tasks.d, config.tasks.min_states, config.tasks.num_states,
        config.tasks.gamma, snapshot.seeds.size(), snapshot.step);
    const ArrayMap& statistics = snapshot.weights;
    draft.measure("wang-1-transformer", distance_from_reference(statistics, "transformer"));
    draft.measure("wang-1-batch-td", distance_from_reference(statistics, "batch_td"));
}

}  // namespace

FigureInfo wang_1() {
    return figure_of({.name = "wang-1",
                      .title = "Figure 1: the value error falls as the context grows",
                      .page = {"A transformer capable of in-context policy evaluation", {1}, {1}, 7, 4.6},
                      .runs = {{}},
                      .measures = {"wang-1-transformer", "wang-1-batch-td"},
                      .draw = draw_wang_1,
                      .of_any_run = true});
}

}  // namespace emergence
