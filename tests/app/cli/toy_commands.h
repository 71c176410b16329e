#pragma once
// The command line with a toy experiment that has figures and claims.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/lab/runs/study_grid.h"
#include "tests/app/cli/told.h"
#include "tests/support/toy_study.h"

namespace emergence::cli {

// Two runs side by side; `probe` below zero makes a seed throw.
inline MadeFigure draw_two_sizes(const ExperimentInfo& info, const Settings& preset,
                                 const GridOptions& options) {
    Settings large = preset;
    large.set("size", int64_t{5});
    if (preset.number("probe") < 0) large.set("throw_seed", int64_t{0});
    const StudyGrid grid = run_studies(info, {{"small", preset}, {"large", large}}, options);
    MadeFigure made{{}, {{"toy-grid-loss", {0.5, "two runs"}}}, grid.failures, grid.stopped};
    PlotSpec plot;
    for (const FinishedRun& run : grid.runs)
        plot.series.push_back({"loss", run.history.steps(), {run.history.column("loss", 1)}, 0, false});
    made.figure.cells.push_back({plot, 0, 0, 1, 1});
    made.figure.column_weights = made.figure.row_weights = {1.0};
    return made;
}

// The toy with a figure that can be drawn, one that cannot, and claims of which one fails.
inline ExperimentInfo toy_with_figures() {
    ExperimentInfo info = testing::toy_info();
    const auto draw = [](const Snapshot& snapshot, const MetricHistory& history) {
        FigureSpec figure;
        figure.name = "toy-1";
        figure.caption = fmt::format("step {}", snapshot.step);
        PlotSpec plot;
        plot.series.push_back({"loss", history.steps(), {history.column("loss", 0)}, 0, false});
        figure.cells.push_back({plot, 0, 0, 1, 1});
        figure.column_weights = figure.row_weights = {1.0};
        return MadeFigure{figure};
    };
    const auto refuse = [](const Snapshot&, const MetricHistory&) -> MadeFigure {
        throw InputError("no such data");
    };
    info.figures = {{"toy-1", "The loss", "toy", {}, draw},
                    {"toy-2", "Nothing", "toy", {}, refuse},
                    {"toy-grid", "Two sizes", "toy", draw_two_sizes}};
    const auto gives = [](double value) { return [value] { return Measurement{value, "by hand"}; }; };
    info.claims = {
        {.name = "sound", .statement = "One is one", .agrees = at_most(1e-9), .measure = gives(0)},
        {.name = "sound-control", .agrees = at_least(0.5), .measure = gives(1)},
        {.name = "odd",
         .agrees = at_most(1),
         .known_difference = "Here it is two",
         .known = {1.5, 2.5},
         .measure = gives(2)},
        {.name = "broken", .statement = "One is two", .agrees = at_most(1e-9), .measure = gives(1)},
        {.name = "thrown",
         .agrees = at_most(1),
         .measure = []() -> Measurement { throw InputError("no such number"); }},
        {.name = "toy-grid-loss",
         .statement = "The loss is small",
         .agrees = at_most(1),
         .figure = "toy-grid"}};
    return info;
}

inline Told run_toy(const std::vector<std::string>& arguments, const std::filesystem::path& assets = {},
                    const std::atomic<bool>* stop = nullptr) {
    return tell(arguments, {toy_with_figures()}, assets, stop);
}

// A refusal: exit code 2, nothing on standard output, one line.
inline std::string command_refusal(const Told& outcome) {
    CHECK(outcome.code == kBadInput);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
    CHECK(outcome.err.starts_with("emergence-cli: "));
    return outcome.err.substr(15, outcome.err.size() - 16);
}

}  // namespace emergence::cli
