// Claims about judges: error rates on networks whose algorithm is known.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tests/claims/bench/scores.h"
#include "tests/claims/measures.h"

namespace emergence {
namespace {

Measurement measured(const Fraction& share, const std::string& detail) {
    return {share.value, fmt::format("{} of {}{}{}", share.count, share.total, detail.empty() ? "" : "; ", detail),
            Range{share.low, share.high}, share.total};
}

// The networks of all worlds.
std::vector<JudgedNetwork> of_all_worlds() {
    std::vector<JudgedNetwork> all;
    for (const JudgedWorld& world : judged_worlds())
        all.insert(all.end(), world.networks.begin(), world.networks.end());
    return all;
}

// A share of all worlds, with those of each.
template <class Counts, class Is>
Measurement by_world(const Counts& counts, const Is& is) {
    std::string detail;
    for (const JudgedWorld& world : judged_worlds())
        detail += fmt::format("{}{} {:.2f}", detail.empty() ? "" : ", ", world.label,
                              share_of(world.networks, counts, is).value);
    return measured(share_of(of_all_worlds(), counts, is), detail);
}

Measurement scored(VerdictScore score) {
    return by_world(counts_as_scalar, [score](const JudgedNetwork& one) { return has_score(one, score); });
}

// Each case is shown.
Measurement other_matrices_called_td() {
    std::string cases;
    for (const JudgedWorld& world : judged_worlds())
        for (const JudgedNetwork& one : world.networks)
            if (has_other_matrices(one) && one.verdict.name == VerdictName::td)
                cases += fmt::format("{}{}: {} (alpha {}, noise {})", cases.empty() ? "" : ", ", world.label,
                                     truth_label(one.network), one.network.alpha, one.network.noise);
    return measured(share_of(of_all_worlds(), has_other_matrices,
                             [](const JudgedNetwork& one) { return one.verdict.name == VerdictName::td; }),
                    cases);
}

Measurement half_bootstrapping_has_its_discount() {
    const auto is_half = [](const JudgedNetwork& one) {
        return counts_as_scalar(one) && one.network.built == std::string("half_bootstrap");
    };
    return by_world(is_half, [](const JudgedNetwork& one) {
        return one.verdict.name == VerdictName::between && covers(one, false);
    });
}

Measurement covered(bool of_c) {
    const auto bare = [of_c](const JudgedNetwork& one) { return has_interval(one, of_c) && one.network.noise == 0; };
    const auto noisy = [of_c](const JudgedNetwork& one) { return has_interval(one, of_c) && one.network.noise > 0; };
    const auto holds = [of_c](const JudgedNetwork& one) { return covers(one, of_c); };
    return measured(share_of(of_all_worlds(), bare, holds),
                    fmt::format("with noise, which moves the network too, {}",
                                fraction_text(share_of(of_all_worlds(), noisy, holds))));
}

Measurement one_layer_called_td() {
    const auto all = [](const JudgedNetwork&) { return true; };
    return measured(share_of(judged_with_one_layer().networks, all,
                             [](const JudgedNetwork& one) { return one.verdict.name == VerdictName::td; }),
                    "");
}

const JudgeScores& scores_named(const std::string& name) {
    return *std::find_if(judge_scores().begin(), judge_scores().end(),
                         [&](const JudgeScores& scores) { return scores.judge->name == name; });
}

Measurement iws_against_no_bootstrapping() {
    const JudgeScores& iws = scores_named("iws");
    return {iws.above_no_bootstrap.value, fmt::format("against all others {:.3f}", iws.above_others),
            Range{iws.above_no_bootstrap.low, iws.above_no_bootstrap.high}, iws.tested};
}

// Networks with scalar steps that are not TD and have the pattern of the weights.
Measurement others_with_the_pattern() {
    const BenchPrompts prompts(known_worlds()[0].bank, KnownOptions().layers);
    const Judge& pattern = bench_judges()[0];
    std::map<std::string, std::pair<int, int>> by_kind;
    int called = 0, all = 0;
    for (const KnownNetwork& network : known_networks({}, 0)) {
        if (network.truth == VerdictName::td) continue;
        const Opinion opinion = pattern.judge(network, prompts);
        const bool has_it = opinion.sure > 0 && opinion.name == VerdictName::td;
        auto& [count, of] = by_kind[truth_label(network)];
        count += has_it, ++of;
        called += has_it, ++all;
    }
    std::string kinds;
    for (const auto& [kind, counts] : by_kind)
        if (counts.first > 0)
            kinds += fmt::format("{}{} {} of {}", kinds.empty() ? "" : ", ", kind, counts.first, counts.second);
    return measured(fraction(called, all), kinds);
}

}  // namespace

std::vector<NamedMeasure> bench_measures() {
    return {{"bench-right", [] { return scored(VerdictScore::right); }},
            {"bench-open", [] { return scored(VerdictScore::open); }},
            {"bench-wrong", [] { return scored(VerdictScore::wrong); }},
            {"bench-matrices", other_matrices_called_td},
            {"bench-half", half_bootstrapping_has_its_discount},
            {"bench-beta", [] { return covered(false); }},
            {"bench-c", [] { return covered(true); }},
            {"bench-one-layer", one_layer_called_td},
            {"bench-pattern", others_with_the_pattern},
            {"bench-iws", iws_against_no_bootstrapping},
            {"bench-probes", [] { return measured(scores_named("probe_errors").false_alarms, ""); }}};
}

}  // namespace emergence
