#include "core/optim/adam.h"

#include <doctest/doctest.h>

#include <cmath>

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
    const double m = (0.9 * 0.2 + 0.1 * g2) / (1 - 0.81),
                 v = (0.999 * 0.004 + 0.001 * g2 * g2) / (1 - 0.999 * 0.999);
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
