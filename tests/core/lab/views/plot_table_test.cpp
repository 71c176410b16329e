#include "core/lab/views/plot_table.h"

#include <doctest/doctest.h>

namespace emergence {

TEST_CASE("a plot's table has what is drawn: centres, bands, seeds, no hidden series") {
    PlotSpec plot;
    plot.x.label = "steps";
    plot.series = {{"a, b", {0, 1}, {{1, 2}, {3, 2}}}, {"c", {1, 2}, {{5, 6}}}};
    CHECK(plot_csv(plot, shapes_of(plot)) ==
          "steps,\"a, b\",\"a, b low\",\"a, b high\",c\n0,2,1,3,nan\n1,2,2,2,5\n2,nan,nan,nan,6\n");
    plot.spread = Spread::every_seed;
    plot.series[1].hidden = true;
    CHECK(plot_csv(plot, shapes_of(plot)) == "steps,\"a, b\",\"a, b row 0\",\"a, b row 1\"\n0,2,1,3\n1,2,2,2\n");
    CHECK(plot_csv({}, {}) == "x\n");
}

}  // namespace emergence
