#include "core/lab/sweeps/sweep.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/pictures/axis.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_sweep.h"

namespace emergence {
namespace {

using testing::message_of;

Sweep parsed(const std::string& text) { return parse_sweep(text, "s.toml", find_experiment); }

const std::string kLayerSweep = testing::small_sweep("field = \"n\"\nvalues = \"5:20:3:log\"\n");

}  // namespace

TEST_CASE("cells come coarse first, each once") {
    const auto cells_of = [](const std::vector<size_t>& sizes) {
        Sweep sweep;
        for (const size_t size : sizes) sweep.axes.push_back({"n", std::vector<FieldValue>(size)});
        return cells_coarse_first(sweep);
    };
    const auto order = cells_of({5, 3});
    CHECK(order.size() == 15);
    CHECK(order[0] == SweepCell{0, 0});
    CHECK(order[1] == SweepCell{4, 0});  // of every fourth
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::unique(sorted.begin(), sorted.end()) == sorted.end());
    CHECK(cells_of({1, 1}).size() == 1);
    CHECK(cells_of({3, 1, 2, 2}).size() == 12);
}

TEST_CASE("what is no sweep is refused by place") {
    const std::string start = "experiment = \"regression\"\n", x = start + "[x]\nfield = ";
    const std::pair<std::string, const char*> kRefused[] = {
        {"x = [", "s.toml:1:"},
        {"experiment = \"nothing\"\n", "unknown experiment"},
        {start, "a table [x] is needed"},
        {start + "colour = 1\n", "unknown key 'colour'"},
        {x + "\"num_layers\"\nvalues = [2, 2]\n", "2 occurs twice"},
        {x + "\"seeds\"\nvalues = [2]\n", "cannot be an axis"},
        {"experiment = \"td\"\n[x]\nfield = \"weights\"\nvalues = [\"w.npz\"]\n",
         "s.toml:3:9: field: 'weights' names a file"},
        {x + "\"n\"\nvalues = \"0:5:3:log\"\n", "s.toml:4:10: n: a logarithmic range needs ends above 0"},
        {x + "\"n\"\nvalues = \"5:6:1\"\n", "a range has 2 to 200 values"},
        {x + "\"n\"\nfrom = 5\nto = 20\n", "'values' is missing, or 'count'"},
        {x + "\"n\"\nfrom = 5\nvalues = [5]\n", "unknown key 'from'"},
        {x + "\"n\"\n", "'values' is missing, or 'from'"},
        {x + "\"num_layers\"\nvalue = [1]\n", "id you mean 'values'?"},
        {x + "\"condition\"\nvalues = \"1:100:200\"\n[y]\nfield = \"initial_scale\"\n"
             "values = \"0.01:1:200\"\n[[axis]]\nfield = \"n\"\nvalues = [5, 6, 7]\n",
         "120000 cells are more than the limit of 100000"},
        {start + "seeds = 200\n[x]\nfield = \"condition\"\nvalues = \"1:100:200\"\n[y]\n"
                 "field = \"n\"\nvalues = \"1:100:100\"\n",
         "11000 cells of 200 seeds are more than the limit of 1000000 seeds"},
        {kLayerSweep + "[z]\n", "unknown key 'z'"},
        // The place is the value's, the field's name's, the setting's.
        {x + "\"num_layers\"\nvalues = [1, 99]\n", "s.toml:4:14: num_layers"},
        {x + "\"num_layer\"\n", "s.toml:3:9: "},
        {start + "[settings]\nn = -1\n[x]\nfield = \"n\"\n", "s.toml:3:5: n"}};
    for (const auto& [text, reason] : kRefused) {
        CAPTURE(reason);
        CHECK(testing::holds(message_of<InputError>([&, &sweep = text] { parsed(sweep); }), reason));
    }
}

TEST_CASE("cells are written with values that a person reads, and read back in any order of the axes") {
    Sweep sweep = parsed(kLayerSweep +
                         "[[axis]]\nfield = \"optimizer\"\nvalues = [\"lbfgs\", \"adam\"]\n"
                         "shown = \"adam\"\n");
    REQUIRE(sweep.axes.size() == 3);
    CHECK(sweep.cells() == 12);
    CHECK(sweep.axes[2].shown == 1);
    CHECK(shown_cell(sweep, 1, 2) == SweepCell{1, 2, 1});
    SweepScores scores;
    scores[{1, 2, 0}] = {{{"loss", 0.5}, {"extra", 2.0}}, {{"loss", 1.5}}};
    const std::string csv = sweep_csv(sweep, scores);
    CHECK(csv == "num_layers,n,optimizer,seed,loss,extra\n2,20,lbfgs,0,0.5,2\n2,20,lbfgs,1,1.5,\n");
    CHECK(scores_in(sweep, csv, "cells.csv") == scores);
    std::rotate(sweep.axes.begin(), sweep.axes.begin() + 2, sweep.axes.end());
    CHECK(scores_in(sweep, csv, "cells.csv").begin()->first == SweepCell{0, 1, 2});
    const std::string text = sweep_to_toml(sweep);
    CHECK(sweep_to_toml(parsed(text)) == text);
    CHECK(message_of<InputError>([&] {
              scores_in(sweep, "n,seed,loss\n5,0,x\n", "c");
          }).find("c: its columns are n, seed, loss instead of optimizer, num_layers, n, seed") == 0);
    CHECK(message_of<InputError>([&] { scores_in(sweep, "num_layers,n,optimizer,seed,loss\n1,5,adam,0,x\n", "c"); }) ==
          "c:2: column 'loss': 'x' is not a number");
}

TEST_CASE("a range is read as version 0.2.0 wrote it") {
    const std::string y = "field = \"n\"\nfrom = 5\nto = 20\ncount = 3\nscale = \"log\"\n";
    CHECK(sweep_to_toml(parsed(testing::small_sweep(y))) == sweep_to_toml(parsed(kLayerSweep)));
}

TEST_CASE("an axis is typed as a list or as a range") {
    const FieldInfo whole{.name = "n", .minimum = 1, .maximum = 100, .default_value = int64_t{5}};
    const FieldInfo real{.name = "r", .minimum = 0, .maximum = 10, .logarithmic = true, .default_value = 1.0};
    const auto values = [](const FieldInfo& field, const char* text) { return parse_axis(field, text).values; };
    CHECK(values(whole, "1, 2,3") == std::vector<FieldValue>{int64_t{1}, int64_t{2}, int64_t{3}});
    CHECK(values(whole, "5:80:5:log").back() == FieldValue(int64_t{80}));
    CHECK(values(real, "0:1:3:linear") == std::vector<FieldValue>{0.0, 0.5, 1.0});
    CHECK(values(real, "1:4:3") == std::vector<FieldValue>{1.0, 2.0, 4.0});  // as its slider
    const auto refusal = [&](const FieldInfo& field, const char* text) {
        return message_of<InputError>([&] { parse_axis(field, text); });
    };
    CHECK(testing::holds(refusal(whole, "1,,2"), "empty value"));
    CHECK(testing::holds(refusal(whole, "1,1"), "1 occurs twice"));
    CHECK(testing::holds(refusal(whole, "1:2"), "is not a range"));
    CHECK(testing::holds(refusal(whole, "1:2:3:often"), "is not a range"));
    CHECK(refusal(whole, "1:200:3").find("n: ") == 0);
    CHECK(testing::holds(refusal(real, "0:1:3"), "above 0"));
    CHECK(testing::holds(refusal(real, "1:x:3"), "'x' is not a number"));
}

TEST_CASE("a sweep does not depend on the threads nor on where it was interrupted, and can be extended") {
    const Sweep sweep = parsed(kLayerSweep);
    int saved = 0;
    const auto count = [&saved](const SweepCell&, const CellScores&) { ++saved; };
    const SweepResult whole = run_sweep(sweep, {}, {.threads = 1}, count);
    CHECK(saved == 6);
    CHECK(whole.failures.empty());
    CHECK(whole.scores.size() == 6);
    const std::string csv = sweep_csv(sweep, whole.scores);
    const auto csv_of = [&](const SweepResult& result) { return sweep_csv(sweep, result.scores); };
    CHECK(csv_of(run_sweep(sweep, {}, {.threads = 2}, count)) == csv);
    // Half of it from a file, the rest computed.
    SweepScores half = scores_in(sweep, csv, "cells.csv");
    CHECK(sweep_csv(sweep, half) == csv);
    half.erase(SweepCell{0, 1});
    half.erase(SweepCell{1, 2});
    saved = 0;
    CHECK(csv_of(run_sweep(sweep, half, {.threads = 1}, count)) == csv);
    CHECK(saved == 2);
    // A longer axis finds its old places; with more seeds the former ones are shown until the cell is whole.
    Sweep longer = sweep;
    longer.axes[0].values.insert(longer.axes[0].values.begin(), int64_t{3});
    CHECK(scores_in(longer, csv, "cells.csv").count({1, 0}) == 1);
    CHECK(scores_in(longer, csv, "cells.csv").count({0, 0}) == 0);
    const auto lines_outside = [](const Sweep& of, const std::string& lines) {
        size_t outside = 0;
        scores_in(of, lines, "cells.csv", &outside);
        return outside;
    };
    CHECK(lines_outside(longer, csv) == 0);
    const size_t first = csv.find('\n'), second = csv.find('\n', first + 1);
    CHECK(lines_outside(sweep, csv.substr(0, first) + csv.substr(second)) == 1);  // seed 1 of a cell without seed 0
    Sweep narrower = sweep;
    narrower.axes[0].values.pop_back();
    const size_t lines_of_a_column = static_cast<size_t>(sweep.rows() * sweep.seeds);
    CHECK(lines_outside(narrower, csv) == lines_of_a_column);
    Sweep surer = sweep;
    surer.seeds = 3;
    const SweepScores former = scores_in(surer, csv, "cells.csv");
    CHECK(sweep_csv(sweep, former) == csv);
    CHECK(count_whole(surer, former) == 0);
    CHECK(count_whole(sweep, former) == 6);
    const SweepResult all = run_sweep(surer, former, {.threads = 1}, count);
    CHECK(count_whole(surer, all.scores) == 6);
    SweepScores first_two = all.scores;
    for (auto& [cell, scores] : first_two) scores.pop_back();
    CHECK(sweep_csv(sweep, first_two) == csv);
    SweepScores merged = former;
    merge(merged, all.scores);
    CHECK(sweep_csv(surer, merged) == sweep_csv(surer, all.scores));
    merge(merged, former);
    CHECK(sweep_csv(surer, merged) == sweep_csv(surer, all.scores));
    CHECK(message_of<InputError>([&] {
              scores_in(sweep, "a,b\n1,2\n", "cells.csv");
          }).find("cells.csv: its columns are a, b") == 0);
}

TEST_CASE("a cell may have any number of seeds") {
    Sweep sweep = parsed(kLayerSweep);
    sweep.seeds = 200;  // each is over in an instant
    sweep.axes.resize(1);
    sweep.axes[0].values.resize(1);
    const SweepResult result = run_sweep(sweep, {}, {.threads = 1});
    REQUIRE(result.failures.empty());
    CHECK(count_whole(sweep, result.scores) == 1);
}

TEST_CASE("the picture is of what is known") {
    const Sweep sweep = parsed(kLayerSweep);
    SweepScores scores;
    scores[{1, 2}] = {{{"loss", 1.0}}, {{"loss", 3.0}}};
    const FigureSpec figure = sweep_figure(sweep, scores, score_of(sweep, {}));
    const auto& map = std::get<HeatmapSpec>(figure.cells[0].content);
    CHECK(map.values(2, 1) == 2.0);
    CHECK(std::isnan(map.values(0, 0)));
    CHECK(testing::holds(figure.caption, "1 of 6 cells"));
    CHECK(map.unit == "loss");
    CHECK(score_of(sweep).label != "loss");  // as curves and read-outs call it
    CHECK(std::get<HeatmapSpec>(sweep_figure(sweep, scores, {"loss", "L", ""}).cells[0].content).unit == "L");
}

TEST_CASE("shares have Wilson's interval, in maps and in curves: eight of eight are no certainty") {
    Sweep sweep = parsed(kLayerSweep);
    sweep.score = kEmergedScore;
    sweep.seeds = 8;
    SweepScores scores;
    scores[{1, 2}] = CellScores(8, {{kEmergedScore, 1.0}});
    const ScoreInfo score = score_of(sweep);
    CHECK(score.share);
    const FigureSpec figure = sweep_figure(sweep, scores, score);
    REQUIRE(figure.cells.size() == 3);
    const auto value = [&](size_t cell) { return std::get<HeatmapSpec>(figure.cells[cell].content).values(2, 1); };
    CHECK(value(0) == 1.0);
    CHECK(value(1) == doctest::Approx(0.6756).epsilon(1e-3));
    CHECK(value(2) == 1.0);
    CHECK(testing::holds(figure.caption, "Wilson"));
    sweep.axes.pop_back();
    const FigureSpec curve = sweep_figure(sweep, {{{1}, scores.at({1, 2})}}, score);
    const auto& plot = std::get<PlotSpec>(curve.cells[0].content);
    for (const Spread spread : {Spread::standard_error, Spread::deviation, Spread::median}) {
        PlotSpec shown = plot;
        shown.spread = spread;
        CHECK(shape_of(shown.series[0], shown).band_low[0] == doctest::Approx(0.6756).epsilon(1e-3));
        CHECK(shape_of(shown.series[0], shown).band_high[0] == 1.0);
    }
}

TEST_CASE("a curve over whole numbers has whole ticks, and cells with fewer seeds their own") {
    Sweep sweep = parsed(kLayerSweep);
    sweep.axes.pop_back();
    SweepScores scores;
    scores[{0}] = {{{"loss", 1.0}}, {{"loss", 2.0}}};
    scores[{1}] = {{{"loss", 3.0}}};
    const FigureSpec figure = sweep_figure(sweep, scores, {"loss", "error", ""});
    const auto& plot = std::get<PlotSpec>(figure.cells[0].content);
    CHECK(plot.x.whole);
    CHECK(plot.y.label == "error");
    CHECK(plot.series[0].rows[0] == std::vector<double>{1.0, 3.0});
    CHECK(plot.series[0].rows[1][0] == 2.0);
    CHECK(std::isnan(plot.series[0].rows[1][1]));
}

TEST_CASE("a score may be any quantity of a seed, beside those that have a name") {
    Sweep sweep = parsed(kLayerSweep);
    const SweepResult named = run_sweep(sweep, {}, {.threads = 1});
    sweep.score = "metric loss / metric loss first";
    CHECK_NOTHROW(check_score(sweep));
    CHECK(parse_sweep(sweep_to_toml(sweep), "s.toml", find_experiment).score == sweep.score);
    // Cells without it are computed again.
    CHECK(count_whole(sweep, named.scores) == 0);
    const SweepResult result = run_sweep(sweep, named.scores, {.threads = 1});
    REQUIRE(result.failures.empty());
    CHECK(count_whole(sweep, result.scores) == 6);
    const CellScores& cell = result.scores.at({1, 1});
    CHECK(values_of(cell, "loss") == values_of(named.scores.at({1, 1}), "loss"));
    for (const double ratio : values_of(cell, sweep.score)) CHECK(ratio > 0.0);
    CHECK(values_of(scores_in(sweep, sweep_csv(sweep, result.scores), "cells.csv").at({1, 1}), sweep.score) ==
          values_of(cell, sweep.score));
    // Another quantity joins the one before.
    Sweep other = sweep;
    other.score = "norm A0";
    SweepScores all = result.scores;
    merge(all, run_sweep(other, all, {.threads = 1}).scores);
    CHECK(count_whole(other, all) == 6);
    CHECK(count_whole(sweep, all) == 6);
    sweep.score = "failed";
    CHECK(score_of(sweep).share);
    CHECK_NOTHROW(check_score(sweep));
}

TEST_CASE("a score that is no quantity of a seed is refused with its column") {
    Sweep sweep = parsed(kLayerSweep);
    const auto reason = [&](const char* score) {
        sweep.score = score;
        return message_of<InputError>([&] { check_score(sweep); });
    };
    CHECK(reason("metric lose / 2").find("score: \"metric lose / 2\": column 1: unknown metric 'lose'") == 0);
    CHECK(
        testing::holds(reason("mean(metric loss)"), "is one number per run, but a score needs one number per network"));
    CHECK(testing::holds(reason("metric loss /"), "column 14: "));
    CHECK(reason("beauty").find("score: 'beauty' is unknown. Scores: emerged, loss") == 0);
    CHECK(run_sweep(sweep, {}, {.threads = 1}).failures.size() == 6);
    std::string file = kLayerSweep;
    file.replace(file.find("\"loss\""), 6, "\"mean(metric loss)\"");
    CHECK(message_of<InputError>([&] {
              (void)parse_sweep(file, "s.toml", find_experiment);
          }).find("s.toml:3:9: score: \"mean(metric loss)\": is one number per run") == 0);
}

TEST_CASE("a cell in which networks failed has no mean, is marked, and is counted in caption and table") {
    Sweep sweep = parsed(kLayerSweep);
    sweep.seeds = 3;
    const SeedScores good = {{kFailedScore, 0.0}, {"loss", 2.0}}, bad = {{kFailedScore, 1.0}, {"loss", kMissing}};
    SweepScores scores;
    scores[{0, 0}] = {good, good, good};
    scores[{1, 0}] = {bad, {{kFailedScore, 0.0}, {"loss", 0.001}}, bad};  // its survivor is the best of all
    scores[{0, 1}] = {{{"loss", 1.0}}, bad, {{"loss", 1.0}}};
    CHECK(count_failed(scores.at({1, 0}), "loss") == 2);
    CHECK(count_failed(scores.at({0, 1}), "loss") == 1);
    CHECK(count_failed(scores.at({1, 0}), kFailedScore) == 0);  // of which all have the score
    const FigureSpec figure = sweep_figure(sweep, scores, {"loss", "loss", ""});
    for (const FigureCell& cell : figure.cells) {
        const auto& map = std::get<HeatmapSpec>(cell.content);
        CHECK_FALSE(std::isnan(map.values(0, 0)));
        CHECK(std::isnan(map.values(0, 1)));
        CHECK(std::isnan(map.values(1, 0)));
        REQUIRE(map.marks.size() == 1);
        CHECK(map.marks[0].cells == std::vector<CellMarks::Cell>{{0, 1}, {1, 0}});
    }
    CHECK(testing::holds(figure.caption, "3 networks per cell"));
    CHECK(testing::holds(figure.caption,
                         "Networks failed in 2 cells, which are marked and have no mean: 2 of 3 at num_layers 2, n 5; "
                         "1 of 3 at num_layers 1, n 10."));
    CHECK(failed_text(sweep, scores) == "3 of 9 networks failed, in 2 of 3 cells");
    CHECK(testing::holds(sweep_csv(sweep, scores), "failed"));
    CHECK(scores_in(sweep, sweep_csv(sweep, {{{1, 0}, scores.at({1, 0})}}), "cells.csv").at({1, 0}).size() == 3);
    sweep.axes.pop_back();
    const FigureSpec curve =
        sweep_figure(sweep, {{{0}, scores.at({0, 0})}, {{1}, scores.at({1, 0})}}, {"loss", "loss", ""});
    const auto& plot = std::get<PlotSpec>(curve.cells[0].content);
    for (const auto& row : plot.series[0].rows) CHECK(std::isnan(row[1]));
    REQUIRE(plot.lines.size() == 1);
    CHECK(plot.lines[0].label == "2 of 3 failed");
    CHECK(plot.lines[0].value == 2.0);
}

TEST_CASE("numbers of an axis ascend, however they were written, and are told apart") {
    const Sweep written = parsed(testing::small_sweep("field = \"n\"\nvalues = [20, 5, 10]\n"));
    CHECK(written.y()->values == std::vector<FieldValue>{int64_t{5}, int64_t{10}, int64_t{20}});
    const ExperimentInfo& td = find_experiment("td");
    Settings settings(td.fields);
    CHECK(parse_axis(settings.info("gamma"), "0.9,0.1,-0,0.5").values == std::vector<FieldValue>{0.0, 0.1, 0.5, 0.9});
    CHECK(parse_axis(settings.info("gamma"), "0.9:0.1:3").values.front() == FieldValue(0.1));
    CHECK_THROWS_AS(parse_axis(settings.info("gamma"), "0,-0"), InputError);
    CHECK_THROWS_AS(parse_axis(settings.info("gamma"), "0.1,nan"), InputError);
    CHECK_THROWS_AS(parse_axis(settings.info("gamma"), "0.1:nan:3"), InputError);
    // Words keep their order.
    CHECK(parse_axis(settings.info("loss"), "td,residual_gradient").values.front() == FieldValue(std::string("td")));
    const Sweep fine = parsed(testing::small_sweep("field = \"learning_rate\"\nvalues = [0.01231, 0.0123, 0.05]\n"));
    SweepScores none;
    const FigureSpec figure = sweep_figure(fine, none, {"loss", "loss", ""});
    const auto& map = std::get<HeatmapSpec>(figure.cells[0].content);
    CHECK(map.row_blocks == std::vector<Block>{{"0.0123", 1}, {"0.01231", 1}, {"0.05", 1}});
}

}  // namespace emergence
