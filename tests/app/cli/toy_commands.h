#pragma once
// The command line with a toy experiment that has figures and claims.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/lab/figures/figures.h"
#include "core/lab/runs/run.h"
#include "tests/app/cli/told.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::cli {

// Two runs side by side; `probe` below zero makes a seed throw.
inline MadeFigure draw_two_sizes(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    Settings large = preset;
    large.set("size", int64_t{5});
    if (preset.number("probe") < 0) large.set("throw_seed", int64_t{0});
    const StudyGrid grid = run_studies(info, {{"small", preset}, {"large", large}}, options);
    MadeFigure made{{}, {{"loss", {0.5, "two runs"}}}, grid.failures, grid.stopped};
    PlotSpec plot;
    for (const FinishedRun& run : grid.runs)
        plot.series.push_back({"loss", run.history.steps(), {run.history.column("loss", 1)}, 0, false});
    made.figure.cells.push_back({plot, 0, 0, 1, 1});
    made.figure.column_weights = made.figure.row_weights = {1.0};
    return made;
}

// The toy with a figure that can be drawn, one that cannot, and measurements.
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
    const auto refuse = [](const Snapshot&, const MetricHistory&) -> MadeFigure { throw InputError("no such data"); };
    info.figures = {{"toy-1", "The loss", "toy", {}, draw},
                    {"toy-2", "Nothing", "toy", {}, refuse},
                    {"toy-grid", "Two sizes", "toy", draw_two_sizes}};
    const auto gives = [](double value) { return [value] { return Measurement{value, "by hand"}; }; };
    info.figures.back().measures = {"loss"};
    info.measures = {{"nothing", gives(0)},
                     {"one", gives(1)},
                     {"two", gives(2)},
                     {"thrown", []() -> Measurement { throw InputError("no such number"); }}};
    return info;
}

// The claims of the toy, of which one fails, as a folder of assets that may have more.
inline void write_toy_claims(const std::filesystem::path& assets) {
    const auto claim = [](const char* name, const char* statement, const char* rest) {
        return fmt::format(
            "\n[claims.{}]\nstatement = \"{}\"\nsource = \"ours: finding\"\nquantity = \"a number\"\n{}\n", name,
            statement, rest);
    };
    std::filesystem::create_directories(assets / "figures");
    testing::spit(assets / "figures/toy.toml",
                  "experiment = \"toy\"\n" + claim("sound", "One is one", "at_most = 1e-9\nfunction = \"nothing\"") +
                      claim("sound-control", "Nothing is less", "at_least = 0.5\nfunction = \"one\"") +
                      claim("odd", "One is less than two",
                            "at_most = 1\nfunction = \"two\"\nknown_difference = \"Here it is two\"\n"
                            "known = [1.5, 2.5]") +
                      claim("broken", "One is two", "at_most = 1e-9\nfunction = \"one\"") +
                      claim("thrown", "Nothing throws", "at_most = 1\nfunction = \"thrown\""));
    testing::spit(assets / "figures/toy-grid.toml",
                  "experiment = \"toy\"\nfigure = \"toy-grid\"\n" +
                      claim("toy-grid-loss", "The loss is small", "at_most = 1\nfunction = \"loss\""));
}

inline Told run_toy(const std::vector<std::string>& arguments, std::filesystem::path assets = {},
                    const std::atomic<bool>* stop = nullptr) {
    const testing::Scratch scratch;
    if (assets.empty()) assets = scratch.path();
    write_toy_claims(assets);
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
