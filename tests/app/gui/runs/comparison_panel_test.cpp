#include "app/gui/runs/comparison_panel.h"

#include <doctest/doctest.h>

#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("Shift + B lists the differences between A and B, those of compare") {
    BenchOfPanels bench({"size=3"}, {1600, 1000}, true);
    bench.click("compare");
    bench.frames(6);
    bench.act(Action::differences);
    const ComparisonPanel& panel = bench.workbench.comparison();
    REQUIRE(panel.is_open());
    bench.wait([&] { return panel.shown() != nullptr; });
    CHECK(panel.shown()->a == "run A");
    CHECK(panel.shown()->b == "run B");
    const Snapshot& a = *bench.session->snapshot();
    const std::vector<ScoreDifference> same =
        differences_of({"run A", a, bench.session->history()},
                       {"run B", *bench.session->other()->shown(), bench.session->other()->history()});
    REQUIRE(panel.shown()->differences.size() == same.size());
    CHECK(same.front().paired);
    CHECK(bench.drawn("comparison row 0"));
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(panel.is_open());
}
