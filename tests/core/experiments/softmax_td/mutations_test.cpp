// Wrong networks and wrong laws, judged by the claims that should catch them: the table of "Claims with power" in the
// handbook.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/experiments/softmax_td/softmax_td.h"
#include "tests/support/judged.h"

TEST_SUITE_BEGIN("release");

namespace emergence::softmax_mutations_test {
namespace {

using namespace testing;

}  // namespace

TEST_CASE("the softmax paper's claims catch flat kernels, small steps and untrained networks") {
    SoftmaxTdConfig config;
    config.num_layers = 8;
    config.tasks.d = 16;
    const auto verdicts = [&](double step_size, double sharpness) {
        const std::vector<float> weights = constructed_softmax_weights(config.tasks.d, step_size, sharpness);
        double first = 0, last = 0, zero = 0;
        for (const int n : {5, 120}) {
            config.context_length = n;
            config.bank_size = 60;
            const auto bank = softmax_bank(config);
            for (int i = 0; i < 60; ++i) {
                const SoftmaxTdBank::Prompt prompt = bank->prompt(i);
                const double truth = prompt.values[static_cast<size_t>(prompt.states.back())];
                const SoftmaxTdTrace trace = softmax_td_trace(prompt, {weights}, config.num_layers, config.tasks.gamma);
                (n == 5 ? first : last) += std::pow(trace.values(config.num_layers, n) - truth, 2);
                zero += n == 5 ? 0 : truth * truth;
            }
        }
        return std::pair(judged("softmax-1-falls", {last / first}), judged("softmax-1-low", {last / zero}));
    };
    CHECK(verdicts(1.0, 4.0) == std::pair(Verdict::agrees, Verdict::agrees));
    CHECK(verdicts(0.01, 4.0) == std::pair(Verdict::fails, Verdict::fails));   // hardly a step
    CHECK(verdicts(-1.0, 4.0) == std::pair(Verdict::agrees, Verdict::fails));  // the wrong sign

    const auto untrained = [](const char* figure, const char* seeds) {
        return caught("softmax-td", figure, {{"num_updates", "0"}, {"seeds", seeds}});
    };
    CHECK(untrained("softmax-5", "2").contains("kappa"));
    CHECK(untrained("softmax-6", "2") == Names{"annealing", "relaxed"});
    const Names demo = untrained("softmax-3", "10"), clamp = untrained("softmax-clamp", "2");
    CHECK(demo.contains("demo"));
    CHECK(demo.contains("flip"));
    CHECK(clamp.contains("sharp"));
    CHECK(clamp.contains("update"));
    CHECK(judged("softmax-3-v-later", {0.0}) == Verdict::fails);   // V and A that rise together
    CHECK(judged("softmax-clamp-flat", {0.8}) == Verdict::fails);  // P that learns whatever the kernel
}

TEST_CASE("the claims on special cases and lemmas catch the wrong algorithms of their controls") {
    for (const auto& [claim, control] : std::vector<std::pair<std::string, std::string>>{
             {"linear-td", "linear-td-not-centred"},           // the weights' sum differs from state to state
             {"linear-td-limit", "linear-td-limit-constant"},  // TD without the features
             {"tabular-td", "tabular-td-blurred"},             // states learn from others
             {"theorem-2-layers", "theorem-2-layers-half"},    // half the step
             {"theorem-2-bound", "theorem-2-bound-floor"},     // no floor
             {"theorem-2-contraction", "theorem-2-contraction-twice"},
             {"lemma-5", "lemma-5-short"},        // contexts that have not seen the chain
             {"lemma-9", "lemma-9-temperature"},  // scores that are too sharp
             {"lemma-10", "lemma-10-flat"},       // no margin
             {"lemma-4", "lemma-4-gap"},          // states counted as independent
             {"lemma-6", "lemma-6-weight"},       // the current value's weight off
             {"lemma-7", "lemma-7-weight"},
             {"lemma-8", "lemma-8-temperature"},
             {"equation-33-layers", "equation-33-short"}}) {
        CAPTURE(claim);
        CHECK(judged_as("softmax-" + claim, "softmax-" + claim) == Verdict::agrees);
        CHECK(judged_as("softmax-" + claim, "softmax-" + control) == Verdict::fails);
    }
}

}  // namespace emergence::softmax_mutations_test

TEST_SUITE_END();
