#include "core/experiments/figure_file.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "tests/support/quantity_run.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

const std::string kDepthFile = R"(experiment = "td"
title = "Depth"
caption = "d = {d}, {emerged}."

[settings]
num_mrps = 20

[[runs]]
label = "L = 1"
settings = {num_layers = 1}

[[runs]]
label = "L = 2"
settings = {num_layers = 2}

[[cells]]
matrix = "Q0"
title = "Q0, {run}"

[[cells]]
plot = "similarity"
run = "L = 2"
)";

std::vector<FileFault> figure_faults(const std::string& text) {
    std::vector<FileFault> faults;
    parse_figure(text, "depth.toml", faults);
    return faults;
}

// The text with `from` replaced.
std::string depth_with(const std::string& from, const std::string& to) {
    std::string text = kDepthFile;
    REQUIRE(testing::holds(text, from));
    return text.replace(text.find(from), from.size(), to);
}

// What a figure file without faults draws of these runs.
Draft drawn_draft(const std::string& text, const std::vector<FinishedRun>& runs) {
    std::vector<FileFault> faults;
    const FigureFile file = parse_figure(text, "depth.toml", faults);
    REQUIRE(faults.empty());
    Draft draft(nullptr, runs[0].snapshot.settings, {});
    draft.page = file.recipe.page;
    draft.caption = file.recipe.caption;
    draft.made.runs = runs;
    file.recipe.draw(draft);
    return draft;
}
const PlotSpec& plot_in_draft(const Draft& draft, size_t cell = 0) {
    return std::get<PlotSpec>(draft.made.figure.cells.at(cell).content);
}

FinishedRun labelled_run(const std::string& label, const std::vector<uint64_t>& seeds,
                         const std::vector<std::vector<double>>& losses) {
    FinishedRun run = testing::quantity_run(seeds, losses);
    run.label = label;
    return run;
}

// Throws what its drawing throws of runs that have not begun.
void rehearse_small(const FigureFile& file) {
    Settings settings(find_experiment("td").fields);
    settings.set("bank_size", int64_t{16});
    rehearse(file.recipe, find_experiment("td"), settings);
}

}  // namespace

TEST_CASE("a figure file gives runs, cells and a page that has room for them") {
    std::vector<FileFault> faults;
    const FigureFile file = parse_figure(kDepthFile, "some/depth.toml", faults);
    CHECK(faults.empty());
    CHECK(file.recipe.name == "depth");
    CHECK(file.experiment == "td");
    CHECK(file.recipe.runs.size() == 2);
    CHECK(file.recipe.runs[1].changes[0].name == "num_layers");
    CHECK(file.settings.entries[0].line == 6);
    CHECK(file.cells[1].run == "L = 2");
    CHECK(file.recipe.page.columns.size() == 3);  // Q0 twice, and a plot
    CHECK(file.recipe.page.rows.size() == 1);
    CHECK_NOTHROW(rehearse_small(file));
}

TEST_CASE("what is wrong in a figure file is told with its line") {
    const std::pair<std::string, FileFault> kWrong[] = {
        {depth_with("title = \"Depth\"", "titel = \"Depth\""), {2, "unknown key 'titel'"}},
        {depth_with("run = \"L = 2\"", "run = \"L = 3\""), {22, "unknown run 'L = 3'"}},
        {depth_with("matrix = \"Q0\"", "matrix = \"Q0\"\nplot = \"loss\""), {16, "cells: each needs one of"}},
        {depth_with("label = \"L = 2\"", "label = \"L = 1\""), {12, "runs: two have the label 'L = 1'"}},
        {depth_with("matrix = \"Q0\"", "matrix = \"Q0\"\nmode = \"mean\""), {18, "unknown mode 'mean'"}},
        {depth_with("matrix = \"Q0\"", "matrix = \"Q0\"\nrow = 999"), {18, "row: a whole number from 0 to 63"}},
        {depth_with("title = \"Depth\"", "figure = \"../x\""), {2, "figure: a name of letters"}},
        {depth_with("title = \"Depth\"", "figure = \"metrics\""), {2, "figure: 'metrics' is reserved for another"}},
        {depth_with("settings = {num_layers = 1}", "settings = {num_layers = [1]}"), {10, "num_layers: a number"}},
        {depth_with("settings = {num_layers = 1}", "folder = \"out/td\""), {8, "runs: some have a folder"}},
        {depth_with("matrix = \"Q0\"", "curves = [\"metric msve\"]\nover = \"field d\""),
         {17, "curves: 'metric msve': is one number per network"}},
        {depth_with("matrix = \"Q0\"", "curves = [\"share(emerged)\"]"), {16, "over: is missing"}},
        {"experiment = \"td\"\n", {0, "cells: are missing"}},
        {"experiment = \n", {1, ""}}};
    for (const auto& [text, expected] : kWrong) {
        CAPTURE(expected.reason);
        const std::vector<FileFault> faults = figure_faults(text);
        REQUIRE_FALSE(faults.empty());
        CHECK(faults[0].line == expected.line);
        CHECK_MESSAGE(testing::holds(faults[0].reason, expected.reason), faults[0].reason);
    }
    std::string many = "experiment = \"td\"\n";
    for (size_t i = 0; i <= kMostFigureCells; ++i) many += "[[cells]]\nplot = \"loss\"\n";
    CHECK(figure_faults(many)[0].reason.starts_with("cells: has 257, more than 256"));
}

TEST_CASE("a cell of curves has a point for each run: values of seeds, or one number") {
    const std::string text =
        "caption = \"{mean(metric loss):.1f}\"\n[[runs]]\nlabel = \"a\"\n[[runs]]\nlabel = \"b\"\n[[cells]]\n"
        "curves = [\"share(metric loss > 1.5)\", \"median(metric twice)\", \"mean(metric loss) / step\"]\n"
        "over = \"scalar probe\"\nlabels = [\"high\"]\ncolors = [4]\nlog = [\"y\"]\ny_range = [0, 9]";
    const FinishedRun a = labelled_run("a", {0, 1}, {{9, 1}, {9, 2}});
    FinishedRun b = labelled_run("b", {0, 1}, {{9, 3}, {9, 6}});
    b.snapshot.scalars[0].value = 8.0;
    b.snapshot.seeds[1].failed = true;
    const Draft draft = drawn_draft(text, {a, b});
    CHECK(draft.page.columns.size() == 1);
    CHECK(draft.caption == "1.5");
    REQUIRE(draft.made.figure.cells.size() == 1);
    const PlotSpec& plot = plot_in_draft(draft);
    CHECK(plot.y.scale == Scale::logarithmic);
    CHECK(plot.series[0].name == "high");
    CHECK(plot.series[0].color == 4);
    CHECK(plot.series[0].share);
    CHECK(plot.series[0].x == std::vector<double>{7, 8});
    CHECK(plot.series[0].rows[0] == std::vector<double>{0, 1});
    CHECK(plot.series[0].rows[1][0] == 1);
    CHECK(std::isnan(plot.series[0].rows[1][1]));
    CHECK(plot.series[1].name == "median(metric twice)");
    CHECK(plot.series[1].rows[1][0] == 4);
    CHECK(plot.series[2].rows == std::vector<std::vector<double>>{{0.15, 0.3}});
    // Two parts of one: their seeds are pooled.
    const Draft pooled = drawn_draft(text, {a, labelled_run("b", {5, 6}, {{9, 1}, {9, 2}})});
    CHECK(plot_in_draft(pooled).series[0].x == std::vector<double>{7});
    CHECK(plot_in_draft(pooled).series[0].rows == std::vector<std::vector<double>>{{0}, {1}, {0}, {1}});
    // The same networks twice are as many as once.
    const Draft twice = drawn_draft(text, {a, labelled_run("b", {0, 1}, {{9, 1}, {9, 2}})});
    CHECK(plot_in_draft(twice).series[0].rows == std::vector<std::vector<double>>{{0}, {1}});
}

TEST_CASE("a curve takes the runs whose labels begin as the cell says") {
    FinishedRun later = labelled_run("b, later", {0, 1}, {{9, 3}, {9, 6}});
    later.snapshot.scalars[0].value = 8.0;
    const Draft draft = drawn_draft(
        "[[cells]]\ncurves = [\"mean(metric loss)\", \"mean(metric twice)\"]\nruns = [\"a\", \"b\"]\n"
        "dashed = [\"mean(metric twice)\"]\nover = \"scalar probe\"\n",
        {labelled_run("a", {0, 1}, {{9, 1}, {9, 2}}), later});
    const PlotSpec& plot = plot_in_draft(draft);
    CHECK(plot.series[0].x == std::vector<double>{7});
    CHECK(plot.series[0].rows == std::vector<std::vector<double>>{{1}, {2}});
    CHECK_FALSE(plot.series[0].dashed);
    CHECK(plot.series[1].x == std::vector<double>{8});
    CHECK(plot.series[1].rows == std::vector<std::vector<double>>{{6}, {12}});
    CHECK(plot.series[1].dashed);
}

TEST_CASE("values outside of a range that the file gives are counted in the caption") {
    const std::string text =
        "caption = \"Losses.\"\n[[cells]]\ncurves = [\"greatest(metric loss)\", \"least(metric loss)\"]\n"
        "over = \"scalar probe\"\ny_range = [-2, 4.4]\n";
    CHECK(drawn_draft(text, {labelled_run("", {0, 1}, {{4.43}, {1}})}).caption ==
          "Losses. 1 of 2 values lie outside of y from -2 to 4.4.");
}

TEST_CASE("a prediction stands beside the median of a scatter's known points") {
    FinishedRun run = labelled_run("a", {0, 1, 2}, {{1}, {1}, {1}});
    Series points{.name = "networks", .x = {1, 2, 9}, .rows = {{0.5, 0.1, 0.3}}, .points = true, .seeds = {0, 1, 2}};
    points.details.half_x = {0, 0, std::numeric_limits<double>::infinity()};
    PlotSpec map;
    map.id = "map";
    map.series = {points, {.name = "way", .x = {8}, .rows = {{8}}, .seeds = {0}, .trail = true}};
    run.snapshot.plots = {map};
    const Draft draft = drawn_draft(
        "[[runs]]\nlabel = \"a\"\n[[cells]]\nplot = \"map\"\nx_range = [0, 2]\n"
        "predicted = { a = [0.5, 1.5, -1, 0] }\n",
        {run});
    const PlotSpec& plot = plot_in_draft(draft);
    CHECK(plot.x.maximum == 2.0);
    REQUIRE(plot.series.size() == 4);
    CHECK(plot.series[2].x == std::vector<double>{1.5});
    CHECK(plot.series[2].rows == std::vector<std::vector<double>>{{0.3}});
    CHECK(plot.series[3].x == std::vector<double>{1});
    CHECK(plot.series[3].rows == std::vector<std::vector<double>>{{-0.5}});
    CHECK(plot.series[3].details.half_y == std::vector<double>{0.5});
}

TEST_CASE("every list of a figure file may be empty, and no cell covers another") {
    const std::string cell = "[[cells]]\n", curves = cell + "curves = [\"share(emerged)\"]\nover = \"step\"\n";
    const std::pair<std::string, std::string> kWrong[] = {
        {cell + "curves = []\nover = \"step\"\n", "curves: the list is empty"},
        {cell + "metrics = []\n", "metrics: the list is empty"},
        {curves + "y_range = []\n", "y_range: two numbers are needed"},
        {curves + "y_range = [1, 0]\n", "y_range: two numbers"},
        {curves + "y_range = [2, 2]\n", "y_range: two numbers"},
        {curves + "y_range = 3\n", "y_range: two numbers"},
        {curves + "y_range = [\"0\", 1]\n", "y_range: two numbers"},
        {curves + "y_range = [nan, 1]\n", "nan is no number"},
        {curves + "y_range = [0, inf]\n", "y_range: two numbers"},
        {curves + "y_range = [-inf, 1]\n", "y_range: two numbers"},
        {"[[runs]]\nlabel = \"a\"\n" + cell + "plot = \"map\"\npredicted = { b = [0, 1, 0, 1] }\n",
         "predicted: unknown run 'b'"},
        {"[[runs]]\nlabel = \"a\"\n" + cell + "plot = \"map\"\npredicted = { a = [0, 1, 1, 0] }\n",
         "predicted: two ranges are needed"},
        {cell + "matrix = \"P0\"\nx_range = [0, 1]\n", "x_range: a matrix has no axes"},
        {cell + "plot = \"loss\"\nlog = [\"y\"]\n", "log: only a cell with curves can have it"},
        {curves + "log = [\"z\"]\n", "unknown axis 'z'"},
        {curves + "colors = [0.5]\n", "colors: a list of whole numbers"},
        {curves + "[page]\ncolumns = []\n", "columns: needs at most 64 numbers"},
        {curves + "[page]\nsize = []\n", "size: needs at most 2 numbers"},
        {"cells = []\n", "cells: tables are needed"},
        {"runs = []\n" + curves, "runs: tables are needed"},
        {curves + "row = 0\ncolumn = 0\n" + curves + "row = 0\ncolumn = 0\n", "has the cell of line 1 already"},
        {curves + "row = 0\ncolumn = 0\nrows = 2\n" + curves + "row = 1\ncolumn = 0\n", "row 1, column 0 has the cell"},
        {curves + curves + "row = 0\ncolumn = 0\n", "row 0, column 0 has the cell of line 1"},
        {curves + "columns = 3\n[page]\ncolumns = [1, 1]\n", "column 2 is outside of the page"},
        {"[[runs]]\nlabel = \"a\"\n[[runs]]\nlabel = \"b\"\n" + cell + "plot = \"loss\"\nrow = 0\ncolumn = 0\n",
         "of another run"}};
    for (const auto& [text, expected] : kWrong) {
        CAPTURE(text);
        const std::vector<FileFault> faults = figure_faults(text);
        REQUIRE_FALSE(faults.empty());
        CHECK_MESSAGE(testing::holds(faults[0].reason, expected), faults[0].reason);
    }
    const std::string fine[] = {curves + "labels = []\ncolors = []\nlog = []\n",
                                cell + "plot = \"loss\"\nseries = []\nwithout = []\n",
                                cell + "metrics = [\"loss\"]\ndashed = []\n"};
    for (const std::string& text : fine) {
        CAPTURE(text);
        CHECK(figure_faults(text).empty());
    }
}

TEST_CASE("settings stand in a file's order, also far along a line") {
    std::vector<FileFault> faults;
    const std::string far(1500, ' ');
    const FigureFile file = parse_figure("[[runs]]\nsettings = {gamma = 0.5," + far +
                                             "d = 2}\n[[runs]]\nlabel = \"b\"\n"
                                             "settings.n = 3\nsettings.d = 4\n[[cells]]\nplot = \"loss\"\n",
                                         "depth.toml", faults);
    REQUIRE(file.recipe.runs.size() == 2);
    CHECK(file.recipe.runs[0].changes[0].name == "gamma");
    CHECK(file.recipe.runs[1].changes[0].name == "n");
}

TEST_CASE("a cell of metrics, which has no title, takes the label of its run") {
    const Draft draft =
        drawn_draft("[[runs]]\nlabel = \"a\"\n[[runs]]\nlabel = \"b\"\n[[cells]]\nmetrics = [\"loss\"]",
                    {labelled_run("a", {0, 1}, {{9, 1}, {9, 2}}), labelled_run("b", {0, 1}, {{9, 1}, {9, 2}})});
    CHECK(plot_in_draft(draft, 0).title == "a");
    CHECK(plot_in_draft(draft, 1).title == "b");
}

TEST_CASE("a name that no run has is told before anything trains") {
    const auto message = [](const std::string& text) {
        std::vector<FileFault> faults;
        const FigureFile file = parse_figure(text, "depth.toml", faults);
        CHECK(faults.empty());
        return testing::message_of<InputError>([&] { rehearse_small(file); });
    };
    CHECK(message(depth_with("plot = \"similarity\"", "plot = \"similarities\""))
              .starts_with("depth.toml:20: unknown plot 'similarities'"));
    CHECK(message(depth_with("matrix = \"Q0\"", "matrix = \"Q7\"")).starts_with("depth.toml:16: unknown matrix 'Q7'"));
    CHECK(message(depth_with("{d}", "{dd}")).starts_with("depth.toml:3: caption: unknown word 'dd'"));
    CHECK(testing::holds(message(depth_with("{emerged}", "{mean(metric mvse):.2f}")), "unknown metric 'mvse'"));
    CHECK(message(depth_with("{emerged}", "{mean(metric msve}")).starts_with("depth.toml:3: "));
    const std::string curves =
        depth_with("matrix = \"Q0\"", "curves = [\"share(emerged)\"]\nover = \"field num_layers\"");
    CHECK(message(curves).empty());
    const std::string wrong =
        curves.substr(0, curves.find("emerged)")) + "metric mvse > 1" + curves.substr(curves.find("emerged)") + 7);
    CHECK(message(wrong).starts_with("depth.toml:16: \"share(metric mvse > 1)\": column 7: unknown metric 'mvse'"));
}

}  // namespace emergence
