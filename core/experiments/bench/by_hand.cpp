// Networks made by hand that are not TD: what the pattern of the weights and the function make of them.
#include <fmt/format.h>

#include "core/experiments/bench/bench.h"

namespace emergence {
namespace {

// All kinds that are not TD, three step sizes, bare and with noise: how many `judge` calls TD.
Measurement called_td(const std::function<bool(const BenchNetwork&, const BenchPrompts&)>& judge) {
    const BenchConfig config;
    const BenchPrompts prompts = config.prompts();
    int called = 0, all = 0;
    std::string kinds;
    for (int k = 0; k < kBuilt; ++k) {
        const auto built = static_cast<Built>(k);
        if (truth_of(built) == MapVerdict::td) continue;
        int of_kind = 0;
        for (const double alpha : {0.1, 0.5, 1.5})
            for (const Disguise disguise : {Disguise::bare, Disguise::noise}) {
                const BenchNetwork network =
                    build_network({built, disguise, alpha, config.noise}, config.bank.tasks.d, config.num_layers,
                                  *prompts.fit, 1000, static_cast<uint32_t>(all++));
                of_kind += judge(network, prompts);
            }
        called += of_kind;
        if (of_kind > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", label_of(built), of_kind);
    }
    const Fraction share = fraction(called, all);
    return {static_cast<double>(called), fmt::format("of {}, {}: {}", all, fraction_text(share), kinds), std::nullopt,
            all};
}

}  // namespace

std::vector<NamedMeasure> bench_measures() {
    return {{"by-hand-pattern",
             [] {
                 return called_td([](const BenchNetwork& network, const BenchPrompts& prompts) {
                     return bench_judges()[0].judge(network, prompts).sure > 0;
                 });
             }},
            {"by-hand-function", [] {
                 return called_td([](const BenchNetwork& network, const BenchPrompts& prompts) {
                     return bench_reading(network, prompts).verdict == MapVerdict::td;
                 });
             }}};
}

}  // namespace emergence
