#include "app/export/figure_data.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/files/array_files.h"
#include "core/files/csv.h"
#include "core/settings/embedded_settings.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

constexpr double kThird = 1.0 / 3.0;

FigureSpec small_figure() {
    PlotSpec plot;
    plot.id = "loss";
    plot.series = {{"TD, \"loss\"", {0, 0.1}, {{kThird, kMissing}, {-1e-300, 2}}, 0, false},
                   {"best", {0, 0.1}, {{5, 5}}, 0, true}};
    plot.lines = {{"level", 2.5, false}, {"n = 30", 30, true}};
    HeatmapSpec heatmap;
    heatmap.id = "P0";
    heatmap.values = Table(1, 2, kThird);
    heatmap.values(0, 1) = -kThird;
    FigureSpec spec;
    spec.cells = {{heatmap, 0, 0}, {plot, 0, 1}};
    spec.seeds = {41, 42};
    spec.config = "experiment = \"φ\"\n";
    return spec;
}

TEST_CASE("the table has a line a number, with every column where it means something") {
    CHECK(figure_csv(small_figure()) ==
          "panel,kind,series,run,seed,x,row,column,value\n"
          "P0,matrix,,,,,0,0,0.3333333333333333\n"
          "P0,matrix,,,,,0,1,-0.3333333333333333\n"
          "loss,curve,\"TD, \"\"loss\"\"\",0,41,0,,,0.3333333333333333\n"
          "loss,curve,\"TD, \"\"loss\"\"\",0,41,0.1,,,nan\n"
          "loss,curve,\"TD, \"\"loss\"\"\",1,42,0,,,-1e-300\n"
          "loss,curve,\"TD, \"\"loss\"\"\",1,42,0.1,,,2\n"
          "loss,curve,best,0,,0,,,5\n"
          "loss,curve,best,0,,0.1,,,5\n"
          "loss,line,level,,,,,,2.5\n"
          "loss,line,n = 30,,,30,,,\n");
}

TEST_CASE("a coordinate that is not known is nan, and points have their intervals, shares and words") {
    FigureSpec spec;
    PlotSpec plot;
    plot.id = "map";
    Series points{"seeds", {0.75}, {{0.5}}};
    points.points = true;
    points.seeds = {7};
    points.details.half_x = {std::numeric_limits<double>::infinity()};
    points.details.half_y = {0.1};
    points.details.ring = {0.2};
    points.details.words = {"no named algorithm"};
    plot.series = {points};
    spec.cells = {{plot, 0, 0}};
    CHECK(figure_csv(spec) ==
          "panel,kind,series,run,seed,x,row,column,value\n"
          "map,curve,seeds,0,7,nan,,,0.5\n"
          "map,x half,seeds,0,7,nan,,,inf\n"
          "map,y half,seeds,0,7,nan,,,0.1\n"
          "map,share,seeds,0,7,nan,,,0.2\n"
          "map,words,no named algorithm,0,7,nan,,,\n");
    CHECK(std::isnan(std::get<std::vector<double>>(figure_arrays(spec).at("map/seeds/x").values)[0]));
}

TEST_CASE("points and columns that are seeds name them") {
    FigureSpec spec;
    HeatmapSpec map;
    map.id = "shares";
    map.values = Table(1, 2, 0.5);
    map.seeds = {7, 3};
    PlotSpec plot;
    plot.id = "ratio";
    Series points{"emerged", {0.1, 0.2}, {{1, 2}}};
    points.points = true;
    points.seeds = {7, 3};
    plot.series = {points};
    spec.cells = {{map, 0, 0}, {plot, 0, 1}};
    spec.seeds = {0};  // as many as the scatter has rows
    CHECK(figure_csv(spec) ==
          "panel,kind,series,run,seed,x,row,column,value\n"
          "shares,matrix,,,7,,0,0,0.5\n"
          "shares,matrix,,,3,,0,1,0.5\n"
          "ratio,curve,emerged,0,7,0.1,,,1\n"
          "ratio,curve,emerged,0,3,0.2,,,2\n");
    const ArrayMap arrays = figure_arrays(spec);
    CHECK(as_doubles(arrays.at("shares/seeds")) == std::vector<double>{7, 3});
    CHECK(as_doubles(arrays.at("ratio/emerged/seeds")) == std::vector<double>{7, 3});
}

TEST_CASE("the arrays hold the same numbers, and the settings") {
    const ArrayMap arrays = parse_npz(npz_bytes(figure_arrays(small_figure())), "memory");
    CHECK(arrays.at("P0") == Array{{1, 2}, std::vector<double>{kThird, -kThird}});
    const Array& loss = arrays.at("loss/TD, \"loss\"");
    CHECK(loss.shape == std::vector<size_t>{2, 2});
    const std::vector<double> values = as_doubles(loss);
    CHECK(values[0] == kThird);
    CHECK(std::isnan(values[1]));
    CHECK(values[2] == -1e-300);
    CHECK(arrays.at("loss/TD, \"loss\"/x") == Array{{2}, std::vector<double>{0, 0.1}});
    CHECK(as_doubles(arrays.at("seeds")) == std::vector<double>{41, 42});
    CHECK(as_doubles(arrays.at(kSettingsKey)).size() == small_figure().config.size());
}

}  // namespace

TEST_CASE("whatever panels and curves are called, the table and the arrays call them so") {
    FigureSpec spec;
    spec.seeds = {0};
    spec.config = "x";
    PlotSpec plot;
    for (const char* id : {"seeds", kSettingsKey, "a..b", "c/"}) {
        plot.id = id;
        plot.series.clear();
        for (const char* name : {"a", "a/x", "x", "x/seeds", "b/x", "b", "a..b", "", "/"})
            plot.series.push_back({name, {0}, {{1}}, 0, false});
        spec.cells.push_back({plot, static_cast<int>(spec.cells.size()), 0});
    }
    const std::string csv = figure_csv(spec);
    const ArrayMap arrays = parse_npz(npz_bytes(figure_arrays(spec)), "memory");
    size_t curves = 0;
    for (const auto& [name, array] : arrays) {
        if (!arrays.contains(name + "/x")) continue;
        ++curves;
        size_t named = 0;  // the panel's name may have a / too
        for (size_t cut = name.find('/'); cut != std::string::npos; cut = name.find('/', cut + 1))
            named += testing::holds(csv, "\n" + name.substr(0, cut) + ",curve," + name.substr(cut + 1) + ",");
        CHECK_MESSAGE(named == 1, name);
    }
    CHECK(curves == 4 * plot.series.size());
}

}  // namespace emergence
