#include "core/optim/adam.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"

using namespace emergence;

TEST_CASE("two steps of Adam by hand, with weight decay in the gradient") {
    const AdamOptions options{.learning_rate = 0.1, .weight_decay = 0.5};
    Adam<double> adam(1);
    double x = 2.0, g = 1.0;
    adam.step(&x, &g, options);
    // g' = 1 + 0.5 * 2 = 2; m/(1-b1) = 2, v/(1-b2) = 4: a first step is lr * g' / |g'|.
    CHECK(x == doctest::Approx(2.0 - 0.1 * 2 / (2 + 1e-8)).epsilon(1e-13));
    const double before = x;
    g = -3.0;
    adam.step(&x, &g, options);
    const double g2 = -3 + 0.5 * before;
    const double m = (0.9 * 0.2 + 0.1 * g2) / (1 - 0.81), v = (0.999 * 0.004 + 0.001 * g2 * g2) / (1 - 0.999 * 0.999);
    CHECK(x == doctest::Approx(before - 0.1 * m / (std::sqrt(v) + 1e-8)).epsilon(1e-12));
    CHECK(adam.steps == 2);
}

TEST_CASE("decoupled weight decay takes its share of the weights and leaves the gradient alone") {
    const AdamOptions options{.learning_rate = 0.1, .weight_decay = 0.5, .decoupled = true};
    Adam<double> adam(1);
    double x = 2.0;
    const double g = -1e-3;
    adam.step(&x, &g, options);
    CHECK(x == doctest::Approx(2.0 * (1 - 0.1 * 0.5) + 0.1 * 1e-3 / (1e-3 + 1e-8)).epsilon(1e-12));
    CHECK(adam.first_moment[0] == doctest::Approx(0.1 * -1e-3).epsilon(1e-12));
}

namespace {

bool normal_or_zero(const std::vector<float>& values) {
    return std::none_of(values.begin(), values.end(), [](float x) { return std::fpclassify(x) == FP_SUBNORMAL; });
}

}  // namespace

TEST_CASE("without a gradient weights and moments end at zero and are never subnormal for long") {
    AdamOptions options{.weight_decay = 1e-6};
    SUBCASE("decay in the gradient") {}
    SUBCASE("no decay") { options.weight_decay = 0; }
    SUBCASE("decay beside the gradient") { options.decoupled = true; }
    std::vector<float> x = {0.03F, -0.2F, 1e-20F, -3e-39F};
    Adam<float> adam(x.size());
    const std::vector<float> some = {1e-3F, -1e-9F, 1e-20F, 0.0F}, nothing(x.size(), 0.0F);
    for (int step = 0; step < 20; ++step) adam.step(x.data(), some.data(), options);
    for (int step = 0; step < 120000; ++step) adam.step(x.data(), nothing.data(), options);
    CHECK(normal_or_zero(adam.first_moment));
    CHECK(normal_or_zero(adam.second_moment));
    CHECK(adam.first_moment == nothing);
    CHECK(adam.second_moment == nothing);
    if (options.weight_decay > 0 && !options.decoupled) CHECK(x == nothing);
}

TEST_CASE("normal numbers keep the bits of the formula") {
    const AdamOptions options{.weight_decay = 1e-6};
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::vector<float> x(70), expected, g(70), m(70, 0.0F), v(70, 0.0F);  // no whole number of lanes
    for (float& value : x) value = normal(random);
    expected = x;
    Adam<float> adam(x.size());
    for (int t = 1; t <= 200; ++t) {
        for (float& value : g) value = normal(random) * 1e-3F;
        adam.step(x.data(), g.data(), options);
        const auto rate = static_cast<float>(1e-3 / (1 - std::pow(0.9, t)));
        const auto root = static_cast<float>(1 / std::sqrt(1 - std::pow(0.999, t)));
        for (size_t i = 0; i < x.size(); ++i) {
            const float all = g[i] + 1e-6F * expected[i];
            m[i] = 0.9F * m[i] + (1.0F - 0.9F) * all;
            v[i] = 0.999F * v[i] + (1.0F - 0.999F) * all * all;
            expected[i] = expected[i] - rate * m[i] / (std::sqrt(v[i]) * root + 1e-8F);
        }
    }
    CHECK(x == expected);
    CHECK(adam.second_moment == v);
}

TEST_CASE("a state after a huge gradient, whose square is infinite, can be loaded") {
    struct Saved : Archived<Saved> {
        Adam<float> adam{1};
        void state(Archive& archive) { adam.state(archive); }
    };
    Saved saved, loaded;
    float x = 1.0F;
    const float g = 1e30F;
    saved.adam.step(&x, &g, {});
    CHECK(x == 1.0F);
    loaded.load(saved.save());
    CHECK(std::isinf(loaded.adam.second_moment[0]));
    CHECK(loaded.save() == saved.save());
    ArrayMap damaged = saved.save();
    damaged["second_moment"] = {{1}, std::vector<float>{std::nanf("")}};
    CHECK_THROWS_AS(loaded.load(damaged), InputError);
}
