#include "core/experiments/softmax_td/softmax_td.h"

#include <fmt/format.h>

#include <vector>

#include "core/experiments/figure_recipe.h"
#include "core/measures/softmax_td_difference.h"
#include "tests/claims/measures.h"

namespace emergence {
namespace {

constexpr int kSoftmaxTrials = 30;
constexpr uint64_t kSoftmaxSeed = 1;
// Theorem 1 with one kernel.
NamedMeasure theorem_1(const char* name, ScoreKernel kernel) {
    return {name, [options = SoftmaxDifferenceOptions{.kernel = kernel}]() -> Measurement {
                return {largest_softmax_difference(options, kSoftmaxSeed, kSoftmaxTrials),
                        fmt::format("d = {}, n = {}, {} layers, {} trials", options.d, options.n, options.layers,
                                    kSoftmaxTrials)};
            }};
}

NamedMeasure softmax_control(const char* name, SoftmaxFlaw flaw) {
    return {name, [options = SoftmaxDifferenceOptions{.flaw = flaw}]() -> Measurement {
                return {least_softmax_difference(options, kSoftmaxSeed, kSoftmaxTrials)};
            }};
}

constexpr uint32_t kUpdateChains = 24;
constexpr uint64_t kUpdateSeed = 3;

// The norm of the expected update at the end of a way over that at its beginning: means over the chains with a positive
// margin, which bound the norm over all tasks from above.
struct ShareOfUpdate {
    ExpectedUpdateOptions options;
    Measurement operator()() const {
        std::vector<std::vector<double>> chains;  // first and last
        for (uint32_t chain = 0; chain < kUpdateChains; ++chain)
            if (const auto norms = norm_of_expected_update(options, kUpdateSeed, chain))
                chains.push_back({norms->operator()(0, 0), norms->reshaped().tail(1).value()});
        return bootstrapped(
            chains.size(),
            [&](const Places& places) {
                return summary_at(chains, places, 1).mean / summary_at(chains, places, 0).mean;
            },
            fmt::format("{:.2g} and {:.2g}, {} of {} chains", summarise(chains, 0).mean, summarise(chains, 1).mean,
                        chains.size(), kUpdateChains));
    }
};

}  // namespace

std::vector<NamedMeasure> softmax_construction_measures() {
    std::vector<NamedMeasure> measures = {
        theorem_1("softmax-theorem-1", ScoreKernel::softmax),
        theorem_1("softmax-theorem-1-relu", ScoreKernel::relu),
        theorem_1("softmax-theorem-1-elu", ScoreKernel::elu),
        theorem_1("softmax-theorem-1-rbf", ScoreKernel::rbf),
        softmax_control("softmax-theorem-1-gamma", SoftmaxFlaw::gamma),
        softmax_control("softmax-theorem-1-mask", SoftmaxFlaw::mask),
        softmax_control("softmax-theorem-1-shift", SoftmaxFlaw::shift),
        {"softmax-theorem-3", ShareOfUpdate{}},
        {"softmax-theorem-3-depth", ShareOfUpdate{{.lengths = {1000000}, .layers = {5, 200}}}},
        {"softmax-theorem-3-flat", ShareOfUpdate{{.sharpness = 0.0}}},
        {"softmax-theorem-3-weight", ShareOfUpdate{{.current_value = -1.1}}}};
    for (NamedMeasure& measure : softmax_special_measures()) measures.push_back(std::move(measure));
    return measures;
}

}  // namespace emergence
