#include "core/lab/figures/figure_results.h"

#include <doctest/doctest.h>

#include "core/base/version.h"
#include "core/settings/toml.h"
#include "tests/support/toy_study.h"

using namespace emergence;

TEST_CASE("results carry version, changed settings and time") {
    const Stopwatch watch;
    const ClaimResults results =
        claim_results("f", {{"", testing::toy_settings({"size=5"})}}, watch, 2, {{"f-1", {0.25, "as seen"}}});
    CHECK(results.version == version());
    CHECK(results.config == "size = 5, seed = 0");
    CHECK(results.seconds >= 0.0);
    CHECK(results.claims.at("f-1") == Measurement{0.25, "as seen"});
}

TEST_CASE("panels name the settings in which their runs differ from the figure's") {
    const Settings figure = testing::toy_settings({"size=5"});
    const std::vector<GridConfig> runs = {{"large", testing::toy_settings({"size=9"}), {"size"}},
                                          {"plain", figure},  // nothing to name
                                          {"", testing::toy_settings({"size=7", "probe=2"}), {"size", "probe"}}};
    CHECK(settings_of(runs) == figure);
    CHECK(panel_settings(runs) == std::vector<std::string>{"large: size = 9", "probe = 2, size = 7"});
    // What every run chooses itself is the first one's.
    CHECK(settings_of({runs[0], runs[2]}) == testing::toy_settings({"size=9"}));
    const std::string config = figure_config("toy", "f", runs);
    CHECK(config.find("runs = [\"large: size = 9\", \"probe = 2, size = 7\"]\n") != std::string::npos);
    CHECK(parse_settings(config, "config.toml").figure == "f");
}

TEST_CASE("a caption names the seeds that were trained, whatever was asked") {
    const auto seed = [](uint64_t number) {
        SeedStatus status;
        status.seed = number;
        return status;
    };
    MadeFigure made;
    made.runs.resize(2);
    for (size_t i = 0; i < 2; ++i) {
        made.runs[i].label = i == 0 ? "a" : "b";
        made.runs[i].snapshot.settings = testing::toy_settings({"num_seeds=8"});
        made.runs[i].snapshot.seeds = {seed(5), seed(7)};
    }
    CHECK(made_text(made).ends_with(" Seeds 5, 7 in each of 2 runs."));
    made.runs[1].snapshot.seeds = {seed(6)};
    CHECK(made_text(made).ends_with(" 3 seeds in 2 runs."));
    made.runs.pop_back();
    CHECK(made_text(made).ends_with(" Seeds 5, 7."));
}
