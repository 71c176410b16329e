#include "core/training/multi_task_td.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

using namespace emergence;

namespace {
MultiTaskTd trained(const MultiTaskTdOptions& options, uint64_t seed, int mrps) {
    MultiTaskTd training(options, seed);
    for (int i = 0; i < mrps; ++i) training.train_one_mrp();
    return training;
}
}  // namespace

TEST_CASE("the same options and seed give the same bits, another seed others") {
    const MultiTaskTd a = trained({}, 3, 20), b = trained({}, 3, 20), c = trained({}, 4, 20);
    CHECK(a.weights() == b.weights());
    CHECK(a.alpha() == b.alpha());
    CHECK(a.weights() != c.weights());
}

TEST_CASE("initial weights are Xavier normal with gain 0.1 and do not depend on depth or context") {
    MultiTaskTdOptions deep;
    deep.num_layers = 5;
    deep.context_length = 77;
    CHECK(MultiTaskTd({}, 1).weights() == MultiTaskTd(deep, 1).weights());
    double sum = 0;
    for (uint64_t seed = 0; seed < 50; ++seed) {
        const MultiTaskTd training({}, seed);
        for (const float x : training.Q()) sum += static_cast<double>(x) * static_cast<double>(x);
    }
    // 4050 draws: the variance 0.01 / 9 within four standard errors.
    CHECK(sum / 4050 == doctest::Approx(0.01 / 9).epsilon(4 * std::sqrt(2.0 / 4050)));
}

TEST_CASE("resumed equals uninterrupted, to the bit") {
    for (const bool sequential : {false, true}) {
        MultiTaskTdOptions options;
        options.sequential = sequential;
        MultiTaskTd straight = trained(options, 5, 33);
        const ArrayMap saved = trained(options, 5, 14).save();
        MultiTaskTd resumed(options, 5);
        resumed.load(saved);
        CHECK(resumed.mrps() == 14);
        for (int i = 14; i < 33; ++i) resumed.train_one_mrp();
        CHECK(resumed.save() == straight.save());
        CHECK(resumed.take_mean_loss() == straight.take_mean_loss());
    }
}

TEST_CASE("a state that does not fit is refused and changes nothing") {
    MultiTaskTd training = trained({}, 1, 3);
    const ArrayMap before = training.save();
    ArrayMap missing = before;
    missing.erase("weights");
    CHECK_THROWS_WITH_AS(training.load(missing), "training state: array 'weights' is missing", InputError);
    MultiTaskTdOptions wide;
    wide.tasks.d = 5;
    CHECK_THROWS_AS(training.load(MultiTaskTd(wide, 1).save()), InputError);
    ArrayMap wrong_type = before;
    wrong_type["weights"] = {{162}, std::vector<double>(162)};
    CHECK_THROWS_AS(training.load(wrong_type), InputError);
    CHECK(training.save() == before);
}

TEST_CASE("divergence keeps the last good state and stops") {
    MultiTaskTdOptions options;
    options.adam.learning_rate = 0.1;
    options.initial_gain = 3;
    options.num_layers = 12;
    MultiTaskTd training(options, 0);
    int steps = 0;
    while (!training.diverged() && steps++ < 500) training.train_one_mrp();
    REQUIRE(training.diverged());
    const auto weights = training.weights();
    CHECK(std::all_of(weights.begin(), weights.end(), [](float x) { return std::isfinite(x); }));
    const int64_t mrps = training.mrps();
    training.train_one_mrp();
    CHECK(training.mrps() == mrps);
    CHECK(training.weights() == weights);
}

TEST_CASE("a depth change keeps the data: losses of untrained networks see the same prompts") {
    // With weights this small a network predicts nearly zero, so the loss is the mean squared reward of the
    // same states.
    MultiTaskTdOptions options;
    options.initial_gain = 1e-3;
    MultiTaskTd shallow(options, 9);
    options.num_layers = 7;
    MultiTaskTd deep(options, 9);
    CHECK(shallow.take_mean_loss() == doctest::Approx(deep.take_mean_loss()).epsilon(1e-4));
}
