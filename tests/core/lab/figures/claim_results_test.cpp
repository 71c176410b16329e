#include "core/lab/figures/claim_results.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/support/scratch.h"

using namespace emergence;
using emergence::testing::Scratch;
using emergence::testing::spit;

namespace {

ClaimResults sample_results(const std::string& figure) {
    return {figure,
            "0.1.0",
            "seeds = 30, true_weights = \"normal\"",
            21.5,
            42.0,
            2,
            {{"a-1", {1.54, "1.54 \u00b1 0.16; it's 'quoted'"}}, {"b", {-1e-300, "", Range{-1.0, 2.5}, 30}}},
            "1f2d162ab3",
            "2026-11-23",
            {"L = 1: num_layers = 1", "L = 2: num_layers = 2, task = \"loop\""}};
}

}  // namespace

TEST_CASE("what was measured reads back the same") {
    const Scratch scratch;
    spit(scratch / "wang-4.toml", claim_results_to_toml(sample_results("wang-4")));
    CHECK(read_claim_results(scratch / "wang-4.toml") == sample_results("wang-4"));
    spit(scratch / "wang-2.toml", claim_results_to_toml(sample_results("wang-2")));
    spit(scratch / "notes.txt", "no results");
    ClaimResults old = sample_results("wang-2");
    old.commit.clear();  // as 0.1.0 wrote them
    old.date.clear();
    old.panels.clear();
    CHECK(parse_claim_results(claim_results_to_toml(old), "old.toml") == old);
    const auto all = read_all_claim_results(scratch.path());
    REQUIRE(all.size() == 2);
    CHECK(all[0].figure == "wang-2");
    CHECK(read_all_claim_results(scratch / "nowhere").empty());
}

TEST_CASE("a file that is not as it should be is refused with its name") {
    const Scratch scratch;
    const std::string whole = claim_results_to_toml(sample_results("wang-4"));
    for (const char* key : {"figure", "version", "config", "seconds", "cpu_seconds", "threads"}) {
        std::string text = whole;
        text[text.find(key)] = 'x';
        spit(scratch / "bad.toml", text);
        CAPTURE(key);
        CHECK_THROWS_WITH_AS(read_claim_results(scratch / "bad.toml"), doctest::Contains("bad.toml: "), InputError);
    }
    for (const char* interval : {"[1.0]", "[2.0, 1.0]", "3"}) {
        std::string text = whole;
        text.replace(text.find("[-1"), text.find("\nn =") - text.find("[-1"), interval);
        CAPTURE(interval);
        CHECK_THROWS_WITH_AS(parse_claim_results(text, "bad.toml"), doctest::Contains("interval"), InputError);
    }
    for (const char* panels : {"panels = 3", "panels = [3]"}) {
        std::string text = whole;
        const size_t begin = text.find("panels = "), end = text.find("]\n", begin);
        text.replace(begin, end + 1 - begin, panels);
        CAPTURE(panels);
        CHECK_THROWS_WITH_AS(parse_claim_results(text, "bad.toml"), doctest::Contains("panels"), InputError);
    }
    spit(scratch / "bad.toml", "figure = ");
    CHECK_THROWS_WITH_AS(read_claim_results(scratch / "bad.toml"), doctest::Contains("bad.toml:1:"), InputError);
}
