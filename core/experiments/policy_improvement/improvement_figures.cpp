#include "core/experiments/policy_improvement/improvement_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/line_fit.h"
#include "core/experiments/figure_runs.h"
#include "core/experiments/policy_improvement/policy_improvement.h"

namespace emergence {
namespace {

constexpr const char* kAlgorithms[] = {"sarsa", "actor-critic"};
constexpr const char* kTitles[] = {"SARSA", "actor-critic"};

// The preset's settings for actor-critic, except alpha and d, whose defaults are its own.
Settings for_actor_critic(const ExperimentInfo& info, const Settings& preset) {
    Settings settings(info.fields);
    for (const FieldInfo& field : preset.fields())
        if (settings.has(field.name) && field.name != "d" && field.name != "alpha")
            settings.set(field.name, preset.value(field.name));
    return settings;
}

// Runs the same configurations of both algorithms, SARSA's first.
FigureRuns run_both(const ExperimentInfo& info, const Settings& preset, const GridOptions& options,
                    bool with_constant_rate) {
    const auto configs = [&](const Settings& settings, const std::string& title) {
        std::vector<GridConfig> list = {{title, settings}};
        if (with_constant_rate)
            list.push_back(config_with(title + ", constant rate", settings, {{"rate_decay", 1.0}}));
        return list;
    };
    FigureRuns runs = run_all(info, configs(preset, kTitles[0]), options);
    if (runs.grid.stopped) return runs;
    const ExperimentInfo other = actor_critic();
    FigureRuns more = run_all(other, configs(for_actor_critic(other, preset), kTitles[1]), options);
    runs.result.stopped = runs.grid.stopped = more.grid.stopped;
    if (more.grid.stopped) return runs;
    const auto append = [](auto& to, auto& from) {
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    append(runs.configs, more.configs);
    append(runs.grid.runs, more.grid.runs);
    append(runs.grid.failures, more.grid.failures);
    append(runs.result.runs, more.result.runs);
    append(runs.result.failures, more.result.failures);
    return runs;
}

std::string settings_text(const Settings& preset) {
    return fmt::format("{} MDPs of {} windows of {} transitions, an update of Adam each.",
                       preset.integer("num_mdps"), preset.integer("frames"), preset.integer("n"));
}

void lay_out(FigureSpec& figure, const char* name, const char* title, std::vector<double> columns,
             std::vector<double> rows, double width, double height) {
    figure.name = name;
    figure.title = title;
    figure.column_weights = std::move(columns);
    figure.row_weights = std::move(rows);
    figure.width_inches = width;
    figure.height_inches = height;
}

GridFigure policy_figure_2(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    FigureRuns runs = run_both(info, preset, options, false);
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    lay_out(figure, "policy-2", "What the transformer learns is SARSA, is actor-critic", {1, 1, 1, 1}, {1, 1},
            16, 11.5);
    figure.caption = paper_caption("Figure 2 of Liang and Lai", runs,
                                   settings_text(preset) +
                                       " Signs aligned by the nearest c, mean over seeds, each matrix "
                                       "divided by its largest entry; hatched: cannot move.");
    for (int row = 0; row < 2; ++row) {
        const FinishedRun& run = runs.grid.runs[static_cast<size_t>(row)];
        int column = 0;
        for (const char* name : {"P", "V"})
            for (const auto mode : {MatrixView::Mode::scaled, MatrixView::Mode::theory}) {
                HeatmapSpec heatmap = heatmap_of_run(run, name, mode);
                heatmap.id = fmt::format("{}_{}", kAlgorithms[row], heatmap.id);
                heatmap.title = fmt::format("{}: {}", kTitles[row], heatmap.title);
                figure.cells.push_back({std::move(heatmap), row, column++});
            }
        const Summary distance = final_summary(run, "manifold_distance");
        runs.result.measured.push_back(
            {fmt::format("policy-2-{}", kAlgorithms[row]),
             {distance.mean, fmt::format("c {}", mean_text(final_summary(run, "scale")))}});
    }
    return runs.result;
}

const Series& series_of(const PlotSpec& plot, size_t index) { return plot.series[index]; }

// Measures the closed loop, whose series are oracle, random, teacher, transformer.
std::vector<MeasuredClaim> loop_measures(const PlotSpec& plot, const std::string& algorithm) {
    const Series &teacher = series_of(plot, 2), &own = series_of(plot, 3);
    const size_t last = own.x.size() - 1;
    std::vector<std::vector<double>> difference;
    for (size_t i = 0; i < own.rows.size(); ++i)
        difference.push_back({own.rows[i][last] - teacher.rows[i][last]});
    const Summary paired = summarise(difference, 0), of_teacher = summarise(teacher.rows, last);
    const double band = of_teacher.upper_quartile - of_teacher.lower_quartile;
    const double oracle = summarise(series_of(plot, 0).rows, 0).mean;
    const double random = summarise(series_of(plot, 1).rows, 0).mean;
    const double share = (summarise(own.rows, last).mean - random) / (oracle - random);
    return {{fmt::format("policy-3-{}", algorithm),
             {std::abs(paired.mean) / band, fmt::format("difference {:.4f} \u00b1 {:.4f}, band {:.3f}",
                                                        paired.mean, paired.standard_error, band)}},
            {fmt::format("policy-3-{}-gain", algorithm),
             {share, fmt::format("after {:.0f} updates; random {:.3f}, oracle {:.3f}", own.x[last], random,
                                 oracle)}}};
}

GridFigure policy_figure_3(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    FigureRuns runs = run_both(info, preset, options, false);
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    lay_out(figure, "policy-3", "Policies improve in context, as under the teacher", {1, 1}, {1.4, 1}, 12, 8);
    figure.caption = paper_caption(
        "Figure 3 of Liang and Lai", runs,
        settings_text(preset) +
            fmt::format(" Closed loop of the first seed in {} unseen MDPs: median and 25 to 75 % band over "
                        "MDPs, means in the read-outs (the paper draws means).",
                        preset.integer("loop_mdps")));
    for (int column = 0; column < 2; ++column) {
        const FinishedRun& run = runs.grid.runs[static_cast<size_t>(column)];
        PlotSpec returns = plot_of_run(run, "closed_loop", kTitles[column]);
        PlotSpec difference = plot_of_run(run, "closed_loop_difference", "Transformer minus teacher");
        for (auto& claim : loop_measures(returns, kAlgorithms[column]))
            runs.result.measured.push_back(std::move(claim));
        for (PlotSpec* plot : {&returns, &difference})
            plot->id = fmt::format("{}_{}", kAlgorithms[column], plot->id);
        figure.cells.push_back({std::move(returns), 0, column});
        figure.cells.push_back({std::move(difference), 1, column});
    }
    return runs.result;
}

// A run's plot with the control's transformer line added.
PlotSpec with_control(const FinishedRun& run, const FinishedRun& control, const std::string& id,
                      const std::string& title) {
    PlotSpec plot = plot_of_run(run, id, title);
    plot.series[0].name = "rate decays";
    Series other = plot_of_run(control, id, title).series[0];
    other.name = "constant rate";
    other.color = 3;
    plot.series.insert(plot.series.begin() + 1, std::move(other));
    return plot;
}

// Correlation of log loss with MDPs, mean over seeds that logged losses.
double log_correlation(const FinishedRun& run) {
    std::vector<std::vector<double>> rows;
    for (int k = 0; k < run.history.num_seeds(); ++k) {
        std::vector<double> log_loss;
        for (const double loss : run.history.column("loss", k)) log_loss.push_back(std::log(loss));
        rows.push_back({fit_line(run.history.steps(), log_loss).correlation});
    }
    return summarise(rows, 0).mean;
}

double first_loss(const FinishedRun& run) {
    double sum = 0;
    for (int k = 0; k < run.history.num_seeds(); ++k) sum += run.history.column("loss", k).at(1);
    return sum / run.history.num_seeds();
}

GridFigure policy_figure_4(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    FigureRuns runs = run_both(info, preset, options, true);
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    lay_out(figure, "policy-4", "How the loss falls, and what of that is the learning rate's", {1, 1}, {1, 1},
            12, 8);
    figure.caption = paper_caption("Figure 4 of Liang and Lai", runs,
                                   settings_text(preset) +
                                       " Below: against the sum of learning rates (ours), "
                                       "with a control whose rate stays constant.");
    for (int column = 0; column < 2; ++column) {
        const auto first = static_cast<size_t>(2 * column);
        const FinishedRun &run = runs.grid.runs[first], &control = runs.grid.runs[first + 1];
        int row = 0;
        for (const char* id : {"loss", "loss_by_rate"}) {
            PlotSpec plot = with_control(run, control, id, kTitles[column]);
            plot.id = fmt::format("{}_{}", kAlgorithms[column], id);
            figure.cells.push_back({std::move(plot), row++, column});
        }
        const double last = final_summary(run, "loss").mean, constant = final_summary(control, "loss").mean;
        const std::string name = fmt::format("policy-4-{}", kAlgorithms[column]);
        runs.result.measured.push_back(
            {name, {last / first_loss(run), fmt::format("from {:.2g} to {:.2g}", first_loss(run), last)}});
        runs.result.measured.push_back({name + "-exponential", {log_correlation(run), ""}});
        runs.result.measured.push_back(
            {name + "-constant", {constant / last, fmt::format("{:.2g} and {:.2g}", constant, last)}});
    }
    return runs.result;
}

}  // namespace

std::vector<GridFigureInfo> improvement_figures() {
    return {{"policy-2", "Figure 2: P and V after training, both algorithms", "policy-2", policy_figure_2},
            {"policy-3", "Figure 3: returns in closed loop, both algorithms", "policy-3", policy_figure_3},
            {"policy-4", "Figure 4: the loss while training, both algorithms", "policy-4", policy_figure_4},
            {"policy-gap", "What keeps policies from the oracle", "policy-gap", figure_improvement_gap}};
}

}  // namespace emergence
