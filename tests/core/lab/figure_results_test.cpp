#include "core/lab/figure_results.h"

#include <doctest/doctest.h>

#include "core/base/version.h"
#include "tests/support/toy_study.h"

using namespace emergence;

TEST_CASE("results carry version, changed settings and time") {
    const Stopwatch watch;
    const ClaimResults results =
        claim_results("f", testing::toy_settings({"size=5"}), watch, 2, {{"f-1", {0.25, "as seen"}}});
    CHECK(results.version == version());
    CHECK(results.config == "size = 5, seed = 0");
    CHECK(results.date.size() == 10);
    CHECK(results.seconds >= 0.0);
    CHECK(results.claims.at("f-1") == Measurement{0.25, "as seen"});
}

TEST_CASE("panels name the settings in which their runs differ from the figure's") {
    const Settings figure = testing::toy_settings({"size=5"});
    std::vector<FinishedRun> runs(3);
    runs[0].label = "large";
    runs[0].snapshot.settings = testing::toy_settings({"size=9"});
    runs[1].snapshot.settings = figure;  // nothing to name
    runs[2].snapshot.settings = testing::toy_settings({"size=7", "probe=2"});
    CHECK(panel_settings(runs, figure) == std::vector<std::string>{"large: size = 9", "probe = 2, size = 7"});
}
