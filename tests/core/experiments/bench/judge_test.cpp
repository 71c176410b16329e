#include "core/experiments/bench/judge.h"

#include <doctest/doctest.h>

namespace emergence {
namespace {

const BenchPrompts& prompts() {
    static const BenchPrompts made = [] {
        BankOptions options;
        options.context_lengths = {30};
        return BenchPrompts(options, 3);
    }();
    return made;
}

Opinion opinion(const char* judge, Built built, Disguise disguise = Disguise::bare) {
    const BenchNetwork network = build_network({.built = built, .disguise = disguise}, 4, 3, *prompts().fit, 3, 0);
    for (const NamedJudge& one : bench_judges())
        if (std::string(one.name) == judge) return one.judge(network, prompts());
    FAIL("no such judge");
    return {};
}

TEST_CASE("judges that name algorithms name undisguised ones") {
    for (const char* judge : {"line_up", "map", "interchange"})
        for (const Built built : {Built::td, Built::residual_gradient, Built::no_bootstrap, Built::reward_step}) {
            CAPTURE(judge);
            CAPTURE(name_of(built));
            const Opinion said = opinion(judge, built);
            CHECK(said.name == truth_of(built));
            CHECK(said.sure > -1e-4);
        }
    CHECK(bench_judges()[kMapJudge].name == std::string("map"));
}

TEST_CASE("IWS hardly sees whether a network bootstraps") {
    CHECK(opinion("iws", Built::td).sure > 0.999);
    CHECK(opinion("iws", Built::no_bootstrap).sure > 0.95);
}

TEST_CASE("the pattern of the weights sees no function") {
    CHECK(opinion("pattern", Built::td).sure == 1);
    CHECK(opinion("pattern", Built::td_matrices).sure == 0);
    CHECK(opinion("pattern", Built::cluttered_Q).sure == 1);
}

TEST_CASE("a probe reads planted TD errors better than none") {
    const double without = opinion("probe_errors", Built::no_bootstrap).sure,
                 planted = opinion("probe_errors", Built::no_bootstrap, Disguise::planted).sure;
    CHECK(planted > without + 0.05);
}

}  // namespace
}  // namespace emergence
