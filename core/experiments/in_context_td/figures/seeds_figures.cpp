// Our figures about what a seed decides: its initial weights or its tasks, and how many features it has.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/figure_file.h"
#include "core/experiments/in_context_td/basins/basins.h"
#include "core/experiments/in_context_td/figures/td_figures.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/stacked.h"

namespace emergence {
namespace {

// ---- weights and tasks crossed

// The seeds of the tasks are so far behind those of the weights.
constexpr uint64_t kTasksBehind = 1000;

// +1 emerged, -1 in the second basin, 0 neither.
double ending_of(const InContextTdConfig& config, const HeldOutBank& bank, uint64_t weights, uint64_t tasks) {
    const MultiTaskTdOptions options = training_options(config, training_worlds(config));
    MultiTaskTd training(options, tasks);
    ArrayMap state = training.save();
    state["weights"].values = linear_attention_network(options, weights).initial_weights;
    training.load(state);
    while (training.mrps() < config.num_mrps && !training.diverged()) training.train_one_mrp();
    const std::vector<float>& learned = training.weights();
    const ElementWise elements =
        element_wise(matrix_in(learned, training.blocks()[0]), matrix_in(learned, training.blocks()[1]));
    const BankScores scores = bank.compare(0, view_of(options.shape(), learned), training.alpha());
    const Basin basin = basin_of(has_emerged(elements, config.tasks.d, config.num_layers), elements.p_corner,
                                 scores.implicit_weight_similarity);
    return basin == Basin::emerged ? 1.0 : basin == Basin::second ? -1.0 : 0.0;
}

// Share of the variance of "emerged" that the means of the rows explain, less what chance explains on average.
double share_of_rows(const Eigen::MatrixXd& emerged) {
    const double mean = emerged.mean(), total = (emerged.array() - mean).square().sum();
    const double rows = (emerged.rowwise().mean().array() - mean).square().sum() * static_cast<double>(emerged.cols());
    const double chance = static_cast<double>(emerged.rows() - 1) / static_cast<double>(emerged.size() - 1);
    return total == 0 ? 0.0 : rows / total - chance;
}

// A statistic of the grid with the 95 % interval of a jackknife that leaves out a draw of weights or a stream of tasks at
// a time (Student's, with one degree of freedom less than draws). A bootstrap would repeat rows, which then agree.
Measurement jackknifed(const Eigen::MatrixXd& emerged, double (*statistic)(const Eigen::MatrixXd&),
                       const std::string& detail) {
    if (emerged.rows() < 2) return {kMissing, detail, {}, emerged.rows()};
    const auto variance = [&](const Eigen::MatrixXd& grid, bool columns) {
        const Eigen::Index n = grid.rows();
        Eigen::VectorXd without(n);
        for (Eigen::Index left = 0; left < n; ++left) {
            Eigen::MatrixXd rest(n - 1, grid.cols());
            rest << grid.topRows(left), grid.bottomRows(n - 1 - left);
            without[left] = statistic(columns ? Eigen::MatrixXd(rest.transpose()) : rest);
        }
        return (without.array() - without.mean()).square().sum() * static_cast<double>(n - 1) / static_cast<double>(n);
    };
    const double value = statistic(emerged),
                 error = std::sqrt(variance(emerged, false) + variance(emerged.transpose(), true));
    return {value, detail, interval_of_mean(value, error, emerged.rows()), emerged.rows()};
}

double share_of_tasks(const Eigen::MatrixXd& emerged) { return share_of_rows(emerged.transpose()); }
double excess_of_weights(const Eigen::MatrixXd& emerged) { return share_of_rows(emerged) - share_of_tasks(emerged); }

void draw_crossed(Draft& draft) {
    const auto config = std::make_shared<const InContextTdConfig>(config_from<InContextTdConfig>(draft.settings));
    const auto bank = make_bank(*config, 200, {config->context_length});
    const int crossed = config->seeds;
    const auto first = static_cast<uint64_t>(config->seed);
    std::vector<GridJob<double>> jobs;
    for (int w = 0; w < crossed; ++w)
        for (int t = 0; t < crossed; ++t)
            jobs.push_back({fmt::format("weights {}, tasks {}", w, t), [=](JobHandle& handle) {
                                const double ending = ending_of(*config, *bank, first + static_cast<uint64_t>(w),
                                                                first + kTasksBehind + static_cast<uint64_t>(t));
                                handle.reached(1.0);
                                return ending;
                            }});
    const auto endings = draft.results_of(jobs);
    if (!endings) return;
    HeatmapSpec map;
    map.id = "crossed_seeds";
    map.title = "Where training ends";
    map.values = Table(crossed, crossed, 0.0);
    map.values.values = *endings;
    map.raw = map.values;
    map.row_blocks = {{"weights", crossed}};
    map.column_blocks = {{"tasks", crossed}};
    map.limit = map.largest = 1.0;
    map.unit = "outcome";
    map.note = "red, +1: emerged; blue, -1: second basin; white: neither";
    draft.add(std::move(map));
    Eigen::MatrixXd emerged(crossed, crossed);
    for (int i = 0; i < crossed * crossed; ++i)
        emerged(i / crossed, i % crossed) = (*endings)[static_cast<size_t>(i)] > 0 ? 1.0 : 0.0;
    const auto count = static_cast<int>(emerged.sum());
    const std::string shares =
        fmt::format("weights {:.2f}, tasks {:.2f} of the variance", share_of_rows(emerged), share_of_tasks(emerged));
    draft.measure("crossed-seeds-emerged", fraction(count, crossed * crossed));
    draft.measure("crossed-seeds-weights", jackknifed(emerged, excess_of_weights, shares));
    draft.measure("crossed-seeds-tasks", jackknifed(emerged, share_of_tasks, shares));
    draft.caption = fmt::format(
        "Ours, with the settings of Figure 2 of Wang et al. 2025: {} draws of the initial weights, seeds from {}, each "
        "trained on each of {} streams of tasks, seeds from {}, {} MRPs. Emerged by the rule of experiment td, which reads "
        "the last weights alone here: nothing is logged in between.",
        crossed, first, crossed, first + kTasksBehind, config->num_mrps);
}

// ---- numbers of features

constexpr int kFeatures[] = {2, 3, 4, 6, 8, 12, 16};

// Seeds of their own: no two runs share one.
std::vector<GridConfig> feature_runs(const ExperimentInfo&, const Settings& settings) {
    std::vector<GridConfig> runs;
    const int64_t apart = std::max<int64_t>(100, settings.integer("seeds"));
    for (const int d : kFeatures)
        runs.push_back(config_with(fmt::format("d = {}", d), settings,
                                   {{"d", d}, {"seed", settings.integer("seed") + apart * (d - kFeatures[0])}}));
    return runs;
}

}  // namespace

FigureInfo figure_of_crossed_seeds() {
    return figure_of({.name = "crossed-seeds",
                      .title = "Weights and tasks crossed: 400 trainings",
                      .page = {"Does a seed's end lie in its weights or in its tasks?", {1}, {1}, 6, 5.6},
                      .start = {{"seeds", 20}, {"log_interval", 1}},  // nothing is logged
                      .uses = {"num_layers", "num_mrps", "seed", "seeds", "n", "d", "num_states", "gamma",
                               "representable", "learning_rate", "weight_decay", "initial_gain"},
                      .measures = {"crossed-seeds-emerged", "crossed-seeds-weights", "crossed-seeds-tasks"},
                      .draw = draw_crossed});
}

FigureInfo figure_of_features() { return figure_of(shipped_recipe("features", {.plan = feature_runs})); }

}  // namespace emergence
