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
