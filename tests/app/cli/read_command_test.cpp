// read from the outside: folders and quantities in, numbers out.
#include <doctest/doctest.h>

#include "app/cli/commands.h"
#include "tests/app/cli/told.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::cli {
namespace {

using testing::Scratch;

Told tell_read(const std::vector<std::string>& arguments) { return tell(arguments, {testing::toy_info()}); }

bool told_part(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("numbers of saved runs are read by quantities") {
    const Scratch scratch;
    const std::string a = (scratch / "a").string(), b = (scratch / "b").string();
    REQUIRE(tell_read({"run", "toy", "--set", "seed=5", "--set", "diverge_seed=1", "--out", a}).code == kDiverged);
    REQUIRE(tell_read({"run", "toy", "--set", "seed=5", "--out", b}).code == kDone);
    const Told seeds = tell_read({"read", a, "--quantity", "metric loss"});
    CHECK(seeds.code == kDone);
    CHECK(told_part(seeds.out, "metric loss\n  seed 5: 0."));
    CHECK(told_part(seeds.out, "  seed 6: – (failed)\n  seed 7: "));
    const Told mean =
        tell_read({"read", a, "--quantity", "mean(metric loss)", "--quantity", "count(failed)", "--json"});
    CHECK(told_part(mean.out, "\"quantity\":\"mean(metric loss)\",\"value\":0."));
    CHECK(told_part(mean.out, "\"n\":3,\"failed\":1,\"low\":"));
    CHECK(told_part(mean.out, "{\"quantity\":\"count(failed)\",\"value\":1.0,\"n\":4"));
    const Told pair = tell_read({"read", a, b, "--quantity", "run b: mean(metric loss) / run a: mean(metric loss)"});
    CHECK(told_part(pair.out, "mean(metric loss): 1 (1 to 1, n = 3)"));
    CHECK(told_part(tell_read({"read", a}).out, "metric loss"));
    CHECK(told_part(tell_read({"read"}).out, "metric NAME [first | last | at STEP | at 20 % | at greatest NAME ...]"));
    const Told wrong = tell_read({"read", a, "--quantity", "mean(metric lose)"});
    CHECK(wrong.code == kBadInput);
    CHECK(told_part(wrong.err, "\"mean(metric lose)\": column 6: unknown metric 'lose', there are: loss"));
    CHECK(told_part(tell_read({"read", "--quantity", "step"}).err, "no run is named"));
}

}  // namespace emergence::cli
