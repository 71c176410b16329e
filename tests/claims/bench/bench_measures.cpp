// Claims about judges, error rates on networks whose algorithm is known; and the handbook's page about them:
// `emergence-verify bench-page > assets/handbook/lab/bench.md`.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tests/claims/bench/bench.h"
#include "tests/claims/measures.h"

namespace emergence {
namespace {

// Of the networks that `counts` those that `is`.
template <class Counts, class Is>
Fraction share_of(const std::vector<JudgedNetwork>& networks, const Counts& counts, const Is& is) {
    int count = 0, all = 0;
    for (const JudgedNetwork& one : networks)
        if (counts(one)) ++all, count += is(one);
    return fraction(count, all);
}
// Networks with scalar steps or random entries, which noise did not wreck.
bool counts_as_scalar(const JudgedNetwork& one) { return !one.network.matrices && !one.wrecked; }

// Networks with matrices that run another algorithm than TD.
bool has_other_matrices(const JudgedNetwork& one) {
    return one.network.matrices && one.network.truth != VerdictName::td;
}

bool has_score(const JudgedNetwork& one, VerdictScore score) { return one.score == score; }

bool is_called_td(const JudgedNetwork& one) { return one.verdict.name == VerdictName::td; }

// Whether a verdict's interval of beta (or c) holds the number that the network was built with; known: whether it has
// one.
bool has_interval(const JudgedNetwork& one, bool of_c) {
    const bool placed =
        counts_as_scalar(one) && std::isfinite(one.network.beta) && one.network.of != VerdictName::reward_correlation;
    return placed && (of_c ? one.verdict.c : one.verdict.beta).is_known();
}

bool covers(const JudgedNetwork& one, bool of_c) {
    return !(of_c ? one.verdict.c.excludes(one.network.c) : one.verdict.beta.excludes(one.network.beta));
}

// "TD", "TD, wrong sign": truth and verdict in tables.
std::string truth_label(const KnownNetwork& network) {
    std::string label = network.built;
    std::replace(label.begin(), label.end(), '_', ' ');
    if (label == "td") label = "TD";
    if (label == "no bootstrap") label += "ping";
    if (network.truth == VerdictName::wrong_sign) label += ", wrong sign";
    return network.matrices ? label + ", matrices" : label;
}

std::string verdict_label(const NetworkVerdict& verdict) {
    return label_of(verdict, landmarks_of(PlaceAxis::gradient, 0));
}

Measurement measured(const Fraction& share, const std::string& detail) {
    return measurement_of(share,
                          fmt::format("{} of {}{}{}", share.count, share.total, detail.empty() ? "" : "; ", detail));
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
            if (has_other_matrices(one) && is_called_td(one))
                cases += fmt::format("{}{}: {} (alpha {}, noise {})", cases.empty() ? "" : ", ", world.label,
                                     truth_label(one.network), one.network.alpha, one.network.noise);
    return measured(share_of(of_all_worlds(), has_other_matrices, is_called_td), cases);
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
    return measured(share_of(judged_with_one_layer().networks, all, is_called_td), "");
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
    const BenchPrompts prompts(known_bank(), KnownOptions().layers);
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

namespace {

constexpr const char* kBeginning = R"(# The bench: how far to trust each judge

This page is about error rates of the judges that say which algorithm a network runs, measured on networks whose
algorithm is known. The page is written by a program, tables included:

```sh
cmake --build build --target emergence-verify
build/app/emergence-verify bench-page > assets/handbook/lab/bench.md
build/app/emergence-cli verify bench
```

## The networks

{} networks for each world, built to run their algorithm (`core/measures/known_networks.h`): seven places
(beta, c) with four step sizes, one reward step, steps of the wrong sign, matrices C = alpha O diag(2 .. 0.2) O' with
random axes O, random entries. P and Q are rescaled by 1, -0.3 or 7. Some have random entries or TD errors where no
value reads them. Two in three have noise of 2 or 4 % of the largest entry on every entry. Where noise changes more than
10 % of the values the label no longer holds: those networks are left out below.

Each verdict is one of four: *right*; *open*, if it is ambiguous and the truth is among what it names; *missed*, if it
is between or none and the network has a name; *wrong*.
)";

constexpr const char* kEnd = R"(
## A judge of your own

`emergence.bench(judge)` in Python puts a function of yours before the same networks: see
[your own](../your-own.md#a-judge).

**Limits**: Boyan chains, step sizes and noise chosen by us. The verdict's thresholds were set on other networks of the
same kinds. Trained networks have no label: the bench only says how far a verdict about them can be trusted.
)";

// Between the marks of tables that a program writes: its rows may be as long as they are.
std::string marked(const std::string& table) { return "<!-- generated: bench -->\n" + table + "<!-- end -->\n"; }

std::string share_text(const Fraction& share) {
    return fmt::format("{:.3f} ({:.3f} to {:.3f})", share.value, share.low, share.high);
}

std::string row_of_scores(const JudgedWorld& world) {
    std::string row = fmt::format("| {} ", world.label);
    for (const VerdictScore score :
         {VerdictScore::right, VerdictScore::open, VerdictScore::missed, VerdictScore::wrong})
        row += fmt::format("| {} ", share_text(share_of(world.networks, counts_as_scalar,
                                                        [score](const auto& one) { return has_score(one, score); })));
    const auto with_matrices = [](const JudgedNetwork& one) { return one.network.matrices; };
    const auto right =
        share_of(world.networks, with_matrices, [](const auto& one) { return has_score(one, VerdictScore::right); });
    const auto td = share_of(world.networks, has_other_matrices, is_called_td);
    return row + fmt::format("| {} of {} | {} of {} |\n", right.count, right.total, td.count, td.total);
}

std::string table_of_scores(const std::vector<JudgedWorld>& worlds) {
    std::string table =
        "| world | right | open | missed | wrong | with matrices: right | not TD, called TD |\n"
        "|---|---|---|---|---|---|---|\n";
    for (const JudgedWorld& world : worlds) table += row_of_scores(world);
    return marked(table);
}

// Truths x verdicts.
std::string confusion(const JudgedWorld& world) {
    std::vector<std::string> truths, verdicts;
    std::map<std::pair<std::string, std::string>, int> counts;
    const auto noted = [](std::vector<std::string>& list, const std::string& label) {
        if (std::find(list.begin(), list.end(), label) == list.end()) list.push_back(label);
    };
    for (const JudgedNetwork& one : world.networks) {
        if (one.wrecked) continue;
        noted(truths, truth_label(one.network));
        noted(verdicts, verdict_label(one.verdict));
        ++counts[{truth_label(one.network), verdict_label(one.verdict)}];
    }
    std::sort(truths.begin(), truths.end());
    std::sort(verdicts.begin(), verdicts.end());
    std::string table = "| truth |", line = "|---|";
    for (const std::string& said : verdicts) table += fmt::format(" {} |", said), line += "---|";
    table += "\n" + line + "\n";
    for (const std::string& truth : truths) {
        table += fmt::format("| {} |", truth);
        for (const std::string& said : verdicts) {
            const int count = counts[{truth, said}];
            table += count == 0 ? " |" : fmt::format(" {} |", count);
        }
        table += "\n";
    }
    return marked(table);
}

std::string table_of_judges() {
    std::string table =
        "| judge | TD or not: balanced accuracy | named right | TD above no bootstrapping, AUC | planted, called TD |\n"
        "|---|---|---|---|---|\n";
    for (const JudgeScores& scores : judge_scores())
        table += fmt::format("| {} | {:.2f} | {} | {:.2f} ({:.2f} to {:.2f}) | {} of {} |\n", scores.judge->label,
                             scores.balanced, scores.judge->only_td ? "" : fmt::format("{:.2f}", scores.named_right),
                             scores.above_no_bootstrap.value, scores.above_no_bootstrap.low,
                             scores.above_no_bootstrap.high, scores.false_alarms.count, scores.false_alarms.total);
    return table;
}

}  // namespace

std::string bench_page() {
    const std::vector<JudgedWorld>& worlds = judged_worlds();
    std::string page = fmt::format(fmt::runtime(kBeginning), worlds.front().networks.size());
    page +=
        "\n## The verdict, world by world\n\nShares of networks with scalar steps, with Wilson's 95 % intervals.\n\n";
    page += table_of_scores(worlds);
    page += "\nOther depths and sizes, in the first world:\n\n" + table_of_scores(judged_sizes());
    page +=
        "\nMatrices of more than 100 entries in all layers are not fitted, since a fit takes seconds: with d = 6 and 8 most\n"
        "networks with matrices have no name. With one layer beta has no effect, so no network is called TD. `verify bench`\n"
        "names each network with matrices that is called TD though it is not, and counts how often the intervals of beta and\n"
        "c hold what was built.\n";
    page += "\n## Which is mistaken for which\n";
    for (const JudgedWorld& world : worlds) page += fmt::format("\n{}:\n\n{}", world.label, confusion(world));
    page += fmt::format(
        "\n## Judges beside each other\n\nIn the first world, {} networks; as many others set each judge's threshold. IWS "
        "and probes know no other name than TD.\nIWS is the mean cosine of the network's weight vectors and batch TD's; "
        "probes are linear maps from each layer's Z,\nless what they find in random networks; interchange puts one "
        "prompt's errors into another's between two layers.\n\n",
        judge_scores().front().tested);
    return page + table_of_judges() + kEnd;
}

}  // namespace emergence
