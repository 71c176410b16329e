#include "core/experiments/in_context_td_figure_runs.h"

#include <fmt/format.h>

#include <algorithm>

namespace emergence {
namespace {

// "Emerged: L = 1: 30 of 30; L = 2: 24 of 30. ", or nothing where no rule says what that would be.
std::string emerged_text(const FigureRuns& runs) {
    if (runs.grid.runs.front().snapshot.emergence_rule.empty()) return "";
    std::string text;
    for (size_t i = 0; i < runs.configs.size(); ++i) {
        const Fraction emerged = emerged_fraction(runs.grid.runs[i].snapshot);
        text += fmt::format("{}{}: {} of {}", i == 0 ? "Emerged: " : "; ", runs.configs[i].label,
                            emerged.count, emerged.total);
    }
    return text + ". ";
}

}  // namespace

GridConfig config_with(std::string label, Settings settings,
                       const std::vector<std::pair<const char*, FieldValue>>& changes) {
    for (const auto& [name, value] : changes) settings.set(name, value);
    return {std::move(label), std::move(settings)};
}

Summary final_summary(const FinishedRun& run, const std::string& metric) {
    return summarise(final_values(run.snapshot, run.history, metric), 0);
}

FigureRuns run_all(const ExperimentInfo& info, std::vector<GridConfig> configs, const GridOptions& options) {
    FigureRuns runs{std::move(configs), {}, {}};
    runs.grid = run_studies(info, runs.configs, options);
    runs.result.failures = runs.grid.failures;
    runs.result.stopped = runs.grid.stopped;
    return runs;
}

std::string paper_caption(const char* after, const FigureRuns& runs, const char* what) {
    const Snapshot& first = runs.grid.runs.front().snapshot;
    return fmt::format(
        "After {} of Wang et al. 2025. {} All {} seeds ({}..) are pooled, {} {}. {}{}"
        "Curves: mean and standard error over seeds. Emergence {}.",
        after, what, first.seeds.size(), first.settings.integer("seed"), first.step, first.step_unit,
        emerged_text(runs),
        runs.grid.failures.empty()
            ? ""
            : fmt::format("{} runs failed and are left out. ", runs.grid.failures.size()),
        EMERGENCE_VERSION);
}

std::string paper_caption(const char* after, const Snapshot& snapshot, const char* what) {
    const auto failed = std::count_if(snapshot.seeds.begin(), snapshot.seeds.end(),
                                      [](const SeedStatus& seed) { return seed.failed; });
    const Fraction emerged = emerged_fraction(snapshot);
    return fmt::format(
        "After {} of Wang et al. 2025. {} All {} seeds ({}..) are pooled{}, {} {}{}. Curves: "
        "mean and standard error over seeds. Emergence {}.",
        after, what, snapshot.seeds.size(), snapshot.settings.integer("seed"),
        failed > 0 ? fmt::format(" ({} diverged and are left out)", failed) : "", snapshot.step,
        snapshot.step_unit,
        snapshot.emergence_rule.empty() ? ""
                                        : fmt::format(", {} of {} emerged", emerged.count, emerged.total),
        EMERGENCE_VERSION);
}

// VD is heavy-tailed: a seed that nearly diverges outweighs all others in a mean.
GridFigure similarity_figure(FigureRuns runs, const char* name, const char* number, const char* title,
                             int columns) {
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = name;
    figure.title = title;
    figure.caption =
        paper_caption(number, runs, "Against batch TD whose step size is trained too, on the held-out bank.");
    const int count = static_cast<int>(runs.configs.size()), rows = (count + columns - 1) / columns;
    figure.column_weights.assign(static_cast<size_t>(columns), 1.0);
    figure.row_weights.assign(static_cast<size_t>(rows), 1.0);
    figure.width_inches = 4.6 * columns;
    figure.height_inches = 3.4 * rows + 0.4;
    double least_iws = 1.0, least_ss = 1.0, most_vd = 0.0;
    std::string each, vd_means;
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<size_t>(i);
        const FinishedRun& run = runs.grid.runs[at];
        PlotSpec plot = plot_of_run(run, "similarity", runs.configs[at].label);
        plot.id += fmt::format("_{}", i);
        figure.cells.push_back({std::move(plot), i / columns, i % columns});
        const Summary iws = final_summary(run, "implicit_weight_similarity");
        least_iws = std::min(least_iws, iws.mean);
        least_ss = std::min(least_ss, final_summary(run, "sensitivity_similarity").mean);
        const Summary vd = final_summary(run, "value_difference");
        most_vd = std::max(most_vd, vd.median);
        vd_means += fmt::format("{}{} {:.3g}", i == 0 ? "means " : ", ", runs.configs[at].label, vd.mean);
        each += fmt::format("{}{} {:.3f}", i == 0 ? "" : ", ", runs.configs[at].label, iws.mean);
    }
    const std::string prefix = name;
    runs.result.measured = {{prefix + "-iws", {least_iws, each}},
                            {prefix + "-ss", {least_ss, ""}},
                            {prefix + "-vd", {most_vd, vd_means}}};
    return runs.result;
}

}  // namespace emergence
