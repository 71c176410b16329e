#include "core/lab/sweep.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_sweep.h"

namespace emergence {
namespace {

using testing::message_of;

Sweep parsed(const std::string& text) { return parse_sweep(text, "s.toml", find_experiment); }

const std::string kSmallSweep =
    testing::small_sweep("field = \"n\"\nfrom = 5\nto = 20\ncount = 3\nscale = \"log\"\n");

}  // namespace

TEST_CASE("cells come coarse first, each once") {
    const auto order = cells_coarse_first(5, 3);
    CHECK(order.size() == 15);
    CHECK(order[0] == SweepCell{0, 0});
    CHECK(order[1] == SweepCell{4, 0});  // of every fourth
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::unique(sorted.begin(), sorted.end()) == sorted.end());
    CHECK(cells_coarse_first(1, 1).size() == 1);
}

TEST_CASE("a sweep is read with its axes") {
    const Sweep sweep = parsed(kSmallSweep);
    CHECK(sweep.columns() == 2);
    CHECK(sweep.rows() == 3);
    CHECK(sweep.y->values == std::vector<FieldValue>{int64_t{5}, int64_t{10}, int64_t{20}});
    CHECK(sweep.y->logarithmic);
    const Settings settings = settings_of(sweep, {1, 2});
    CHECK(settings.integer("num_layers") == 2);
    CHECK(settings.integer("n") == 20);
    CHECK(settings.integer("seeds") == 2);
}

TEST_CASE("what is no sweep is refused by place") {
    const auto refusal = [](const std::string& text) {
        return message_of<InputError>([&] { parsed(text); });
    };
    const std::string start = "experiment = \"regression\"\n";
    CHECK(refusal("x = [").find("s.toml:1:") == 0);
    CHECK(refusal("experiment = \"nothing\"\n").find("unknown experiment") != std::string::npos);
    CHECK(refusal(start).find("a table [x] is needed") != std::string::npos);
    CHECK(refusal(start + "colour = 1\n").find("'colour' is unknown here") != std::string::npos);
    CHECK(refusal(start + "[x]\nfield = \"num_layers\"\nvalues = [1, 99]\n").find("num_layers") !=
          std::string::npos);
    CHECK(refusal(start + "[x]\nfield = \"num_layers\"\nvalues = [2, 2]\n").find("2 is there twice") !=
          std::string::npos);
    CHECK(refusal(start + "[x]\nfield = \"seeds\"\nvalues = [2]\n").find("is no axis") != std::string::npos);
    CHECK(refusal(start + "[x]\nfield = \"n\"\nfrom = 0\nto = 5\ncount = 3\nscale = \"log\"\n")
              .find("above 0") != std::string::npos);
    CHECK(refusal(start + "[x]\nfield = \"n\"\nfrom = 5\nto = 6\ncount = 1\n").find("from 2 to") !=
          std::string::npos);
    CHECK(refusal(kSmallSweep + "[z]\n").find("'z' is unknown here") != std::string::npos);
    // The place is the value's, the field's name's, the setting's.
    CHECK(
        refusal(start + "[x]\nfield = \"num_layers\"\nvalues = [1, 99]\n").find("s.toml:4:14: num_layers") ==
        0);
    CHECK(refusal(start + "[x]\nfield = \"num_layer\"\n").find("s.toml:3:9: ") == 0);
    CHECK(refusal(start + "[settings]\nn = -1\n[x]\nfield = \"n\"\n").find("s.toml:3:5: n") == 0);
}

TEST_CASE("with one axis there is no column of another") {
    Sweep sweep = parsed(kSmallSweep);
    sweep.y.reset();
    SweepScores scores;
    scores[{1, 0}] = {1.0, 3.0};
    const std::string csv = sweep_csv(sweep, scores);
    CHECK(csv.find("column,row," + sweep.x.field + ",seed," + sweep.score + "\n") == 0);
    CHECK(scores_in(sweep, csv, "cells.csv") == scores);
}

TEST_CASE("a sweep does not depend on the threads nor on where it was interrupted, and can be extended") {
    const Sweep sweep = parsed(kSmallSweep);
    int kept = 0;
    const auto count = [&kept](const SweepScores&) { ++kept; };
    const SweepResult whole = run_sweep(sweep, {}, {.threads = 1}, count);
    CHECK(kept == 6);
    CHECK(whole.failures.empty());
    CHECK(whole.scores.size() == 6);
    CHECK(run_sweep(sweep, {}, {.threads = 2}, count).scores == whole.scores);
    // Half of it from a file, the rest computed.
    const std::string csv = sweep_csv(sweep, whole.scores);
    SweepScores half = scores_in(sweep, csv, "cells.csv");
    CHECK(half == whole.scores);
    half.erase({0, 1});
    half.erase({1, 2});
    kept = 0;
    CHECK(run_sweep(sweep, half, {.threads = 1}, count).scores == whole.scores);
    CHECK(kept == 2);
    // Two processes share the cells and need nothing of each other.
    SweepScores shared = run_sweep(sweep, {}, {.threads = 1}, count, {0, 2}).scores;
    const SweepScores second = run_sweep(sweep, {}, {.threads = 1}, count, {1, 2}).scores;
    CHECK(shared.size() == 3);
    CHECK(second.size() == 3);
    for (const auto& [cell, scores] : second) CHECK(shared.insert({cell, scores}).second);
    CHECK(shared == whole.scores);
    // A longer axis finds its old places; with more seeds the former ones are shown until the cell is whole.
    Sweep longer = sweep;
    longer.x.values.insert(longer.x.values.begin(), int64_t{3});
    CHECK(scores_in(longer, csv, "cells.csv").count({1, 0}) == 1);
    CHECK(scores_in(longer, csv, "cells.csv").count({0, 0}) == 0);
    CHECK(lines_outside(longer, csv, "cells.csv") == 0);
    Sweep narrower = sweep;
    narrower.x.values.pop_back();
    const size_t lines_of_a_column = static_cast<size_t>(sweep.rows() * sweep.seeds);
    CHECK(lines_outside(narrower, csv, "cells.csv") == lines_of_a_column);
    Sweep surer = sweep;
    surer.seeds = 3;
    const SweepScores former = scores_in(surer, csv, "cells.csv");
    CHECK(former == whole.scores);
    CHECK(count_whole(surer, former) == 0);
    CHECK(count_whole(sweep, former) == 6);
    std::vector<size_t> known;  // cells, after each that was computed
    const auto note = [&](const SweepScores& scores) { known.push_back(scores.size()); };
    const SweepResult all = run_sweep(surer, former, {.threads = 1}, note);
    CHECK(known == std::vector<size_t>(6, 6));
    CHECK(count_whole(surer, all.scores) == 6);
    for (const auto& [cell, scores] : whole.scores)
        CHECK(CellScores(all.scores.at(cell).begin(), all.scores.at(cell).begin() + 2) == scores);
    SweepScores merged = former;
    merge(merged, all.scores);
    CHECK(merged == all.scores);
    merge(merged, former);
    CHECK(merged == all.scores);
    CHECK(message_of<InputError>([&] {
              scores_in(sweep, "a,b\n1,2\n", "cells.csv");
          }).find("cells.csv: found the columns a, b") == 0);
}

TEST_CASE("the picture is of what is known") {
    const Sweep sweep = parsed(kSmallSweep);
    SweepScores scores;
    scores[{1, 2}] = {1.0, 3.0};
    const FigureSpec figure = sweep_figure(sweep, scores);
    const auto& map = std::get<HeatmapSpec>(figure.cells[0].content);
    CHECK(map.values(2, 1) == 2.0);
    CHECK(std::isnan(map.values(0, 0)));
    CHECK(figure.caption.find("1 of 6 cells") != std::string::npos);
    CHECK(map.unit == "loss");
    CHECK(score_label(sweep) != "loss");  // as curves and read-outs call it
    CHECK(std::get<HeatmapSpec>(sweep_figure(sweep, scores, "L").cells[0].content).unit == "L");
}

TEST_CASE("a curve over whole numbers has whole ticks, and cells with fewer seeds their own") {
    Sweep sweep = parsed(kSmallSweep);
    sweep.y.reset();
    const FigureSpec figure = sweep_figure(sweep, {{{0, 0}, {1.0, 2.0}}, {{1, 0}, {3.0}}}, "error");
    const auto& plot = std::get<PlotSpec>(figure.cells[0].content);
    CHECK(plot.x.whole);
    CHECK(plot.y.label == "error");
    CHECK(plot.series[0].rows[0] == std::vector<double>{1.0, 3.0});
    CHECK(plot.series[0].rows[1][0] == 2.0);
    CHECK(std::isnan(plot.series[0].rows[1][1]));
}

TEST_CASE("a score that is none is refused, naming those there are") {
    Sweep sweep = parsed(kSmallSweep);
    sweep.score = "beauty";
    const SweepResult result = run_sweep(sweep, {}, {.threads = 1}, [](const SweepScores&) {});
    REQUIRE(result.failures.size() == 6);
    CHECK(result.failures[0].reason.find("score: found 'beauty', there are: emerged, loss") == 0);
    CHECK(message_of<InputError>([&] { check_score(sweep); }) == result.failures[0].reason);
}

TEST_CASE("the sweeps that ship can be read") {
    int read = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(testing::source_dir() / "assets" / "sweeps")) {
        if (entry.is_directory()) continue;
        const std::string text = testing::slurp(entry.path());
        CHECK_NOTHROW(parse_sweep(text, entry.path().string(), find_experiment));
        ++read;
    }
    CHECK(read >= 3);
}

}  // namespace emergence
