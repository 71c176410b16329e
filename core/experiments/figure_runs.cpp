#include "core/experiments/figure_runs.h"
#include "core/base/version.h"

#include <fmt/format.h>

#include <algorithm>

namespace emergence {
namespace {

// "Emerged: L = 1: 30 of 30; L = 2: 24 of 30. ". Empty if the experiment has no rule of emergence, or if the
// list would be too long to read.
std::string emerged_text(const FigureRuns& runs) {
    constexpr size_t kMostListed = 8;
    if (runs.grid.runs.front().snapshot.emergence_rule.empty() || runs.configs.size() > kMostListed)
        return "";
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
    std::vector<std::string>& notices = runs.result.notices;
    for (size_t i = 0; i < runs.grid.runs.size(); ++i) {
        runs.result.runs.push_back(
            {runs.configs[i].label, runs.grid.runs[i].snapshot, runs.grid.runs[i].history});
        for (const std::string& notice : runs.grid.runs[i].snapshot.notices)
            if (std::find(notices.begin(), notices.end(), notice) == notices.end()) notices.push_back(notice);
    }
    return runs;
}

std::string paper_caption(const std::string& after, const FigureRuns& runs, const std::string& what,
                          const std::string& curves) {
    const Snapshot& first = runs.grid.runs.front().snapshot;
    return fmt::format(
        "After {}. {} All {} seeds ({}..) are pooled, {} {}. {}{}"
        "Curves: {}. Emergence {}.",
        after, what, first.seeds.size(), first.settings.integer("seed"), first.step, first.step_unit,
        emerged_text(runs),
        runs.grid.failures.empty()
            ? ""
            : fmt::format("{} runs failed and are left out. ", runs.grid.failures.size()),
        curves, version());
}

std::string paper_caption(const std::string& after, const Snapshot& snapshot, const std::string& what) {
    const auto failed = std::count_if(snapshot.seeds.begin(), snapshot.seeds.end(),
                                      [](const SeedStatus& seed) { return seed.failed; });
    const Fraction emerged = emerged_fraction(snapshot);
    return fmt::format("After {}. {} All {} seeds ({}..) are pooled{}, {} {}{}. Curves: {}. Emergence {}.",
                       after, what, snapshot.seeds.size(), snapshot.settings.integer("seed"),
                       failed > 0 ? fmt::format(" ({} diverged and are left out)", failed) : "",
                       snapshot.step, snapshot.step_unit,
                       snapshot.emergence_rule.empty()
                           ? ""
                           : fmt::format(", {} of {} emerged", emerged.count, emerged.total),
                       kMeanCurves, version());
}

}  // namespace emergence
