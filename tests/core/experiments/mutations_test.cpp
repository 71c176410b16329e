// Wrong networks and wrong laws, judged by the claims that should catch them: the table of "Claims with power" in the
// handbook.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/base/rng.h"
#include "core/measures/bandit_measures.h"
#include "tests/support/judged.h"

TEST_SUITE_BEGIN("release");

namespace emergence::growth_mutations_test {
namespace {

using testing::judged;

}  // namespace

TEST_CASE("the claims on growth tell the laws of theory from their neighbours") {
    const std::vector<double> x = {1, 2, 4, 8, 16, 32};
    const auto verdict = [&](const char* claim, double exponent) {
        Stream stream(6, Purpose::testing);
        std::vector<std::vector<double>> rows(100);
        for (auto& row : rows)
            for (const double at : x) row.push_back(std::pow(at, exponent) * (1 + 0.3 * stream.normal()));
        const FittedExponent fitted = fitted_exponent(x, rows);
        return judged(claim, {fitted.value, "", Range{fitted.low, fitted.high}, 100});
    };
    CHECK(verdict("nonstationary-sqrt-j", 0.5) == Verdict::agrees);
    CHECK(verdict("nonstationary-sqrt-j", 1.0 / 3) == Verdict::fails);
    CHECK(verdict("nonstationary-sqrt-j", 1.0) == Verdict::fails);
    CHECK(verdict("nonstationary-third-delta", 1.0 / 3) == Verdict::agrees);
    CHECK(verdict("nonstationary-third-delta", 0.5) == Verdict::fails);
    CHECK(verdict("nonstationary-third-delta", 0.24) == Verdict::known_difference);
    CHECK(verdict("nonstationary-linucb-linear", 1.0) == Verdict::agrees);
    CHECK(verdict("nonstationary-linucb-linear", 0.75) == Verdict::fails);
    CHECK(verdict("softmax-theorem-2-floor", -0.5) == Verdict::agrees);
    CHECK(verdict("softmax-theorem-2-floor", -1.0 / 3) == Verdict::fails);
    CHECK(verdict("softmax-theorem-2-floor", -1.0) == Verdict::fails);
}

}  // namespace emergence::growth_mutations_test

TEST_SUITE_END();
