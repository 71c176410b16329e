#include "tests/claims/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace emergence {
namespace {

constexpr uint32_t kSets = 2;
// Judges are asked about so many networks of the default world, every other of which tests.
constexpr size_t kAsked = 240;
constexpr int kDraws = 1000;

struct Asked {
    const KnownNetwork* network;
    std::vector<Opinion> opinions;
};

VerdictName said_at(const Opinion& opinion, double threshold) {
    return opinion.sure >= threshold ? opinion.name : VerdictName::none;
}

// The mean over the truths, or over TD and all others, of the share with the right name.
double mean_right(const std::vector<const Asked*>& networks, size_t judge, double threshold, bool only_td) {
    std::array<double, kVerdictNames> right{}, all{};
    for (const Asked* one : networks) {
        const VerdictName truth = one->network->truth, said = said_at(one->opinions[judge], threshold);
        const bool is_td = truth == VerdictName::td;
        const size_t group = only_td ? size_t{is_td} : static_cast<size_t>(truth);
        ++all[group];
        right[group] += only_td ? is_td == (said == VerdictName::td) : said == truth;
    }
    double sum = 0, groups = 0;
    for (size_t k = 0; k < all.size(); ++k)
        if (all[k] > 0) sum += right[k] / all[k], ++groups;
    return sum / groups;
}

// The best one on the half that calibrates, between two numbers that occur there.
double calibrated(const std::vector<const Asked*>& networks, size_t judge) {
    std::set<double> numbers;
    for (const Asked* one : networks) numbers.insert(one->opinions[judge].sure);
    double best = *numbers.begin(), most = -1, below = best;
    for (const double number : numbers) {
        const double threshold = (below + number) / 2,
                     right = mean_right(networks, judge, threshold, bench_judges()[judge].only_td);
        if (right > most) most = right, best = threshold;
        below = number;
    }
    return best;
}

double auc(const std::vector<const Asked*>& networks, const Places& places, size_t judge, bool no_bootstrap_only) {
    std::vector<double> td, others;
    for (const size_t i : places) {
        const VerdictName truth = networks[i]->network->truth;
        const double rank = networks[i]->opinions[judge].td;
        if (truth == VerdictName::td)
            td.push_back(rank);
        else if (!no_bootstrap_only || truth == VerdictName::no_bootstrap)
            others.push_back(rank);
    }
    std::sort(others.begin(), others.end());
    double before = 0;
    for (const double rank : td) {
        const auto [first, last] = std::equal_range(others.begin(), others.end(), rank);
        before += static_cast<double>(first - others.begin()) + static_cast<double>(last - first) / 2;
    }
    return before / (static_cast<double>(td.size()) * static_cast<double>(others.size()));
}

JudgeScores scores_of(size_t judge, const std::vector<const Asked*>& calibrate, const std::vector<const Asked*>& test) {
    const Judge& asked = bench_judges()[judge];
    const double threshold = calibrated(calibrate, judge);
    JudgeScores scores{&asked, std::numeric_limits<double>::quiet_NaN(), 0, {}, 0, {}, static_cast<int>(test.size())};
    if (!asked.only_td) scores.named_right = mean_right(test, judge, threshold, false);
    scores.balanced = mean_right(test, judge, threshold, true);
    Places places(test.size());
    for (size_t i = 0; i < places.size(); ++i) places[i] = i;
    const BootstrapInterval interval =
        bootstrap_interval(test.size(), kDraws, [&](const Places& drawn) { return auc(test, drawn, judge, true); });
    scores.above_no_bootstrap = {auc(test, places, judge, true), interval.low, interval.high};
    scores.above_others = auc(test, places, judge, false);
    int alarms = 0, planted = 0;
    for (const Asked* one : test)
        if (one->network->disguise == Disguise::planted)
            ++planted, alarms += said_at(one->opinions[judge], threshold) == VerdictName::td;
    scores.false_alarms = fraction(alarms, planted);
    return scores;
}

// Tasks on which judges compare networks with algorithms.
struct KnownWorld {
    const char* label;
    BankOptions bank;
};

// Every feature has a part of its own and one that all share: a correlation of 0.7.
TaskOptions with_correlated_features(const TaskOptions& options) {
    TaskOptions correlated = options;
    correlated.own = [options](uint64_t seed, uint32_t index, Mrp& mrp) {
        draw_mrp(options, seed, index, mrp);
        Stream stream(seed, Purpose::testing, index);
        for (Index s = 0; s < mrp.features.cols(); ++s) {
            const double common = stream.uniform(-1, 1);
            for (Index k = 0; k < mrp.features.rows(); ++k)
                mrp.features(k, s) = std::sqrt(0.3) * mrp.features(k, s) + std::sqrt(0.7) * common;
        }
    };
    return correlated;
}

std::vector<KnownWorld> known_worlds() {
    const BankOptions usual = known_bank();
    BankOptions representable = usual, more_states = usual, short_contexts = usual, correlated = usual,
                long_contexts = usual;
    representable.tasks.representable = true;
    more_states.tasks.representable = true;
    more_states.tasks.num_states = 20;
    short_contexts.context_lengths = {10};
    correlated.tasks = with_correlated_features(usual.tasks);
    long_contexts.context_lengths = {100};
    long_contexts.tasks.gamma = 0.8;
    return {{"Boyan chains, n = 30", usual},
            {"representable values", representable},
            {"representable values, 20 states", more_states},
            {"n = 10", short_contexts},
            {"correlated features", correlated},
            {"n = 100, gamma 0.8", long_contexts}};
}

// `sets` of known networks in a world.
JudgedWorld judged_in(const KnownWorld& world, const KnownOptions& options, uint32_t sets) {
    const VerdictPrompts prompts(HeldOutBank(world.bank), 0, PlaceAxis::gradient);
    const std::vector<Landmark> landmarks = landmarks_of(PlaceAxis::gradient, 0);
    JudgedWorld judged{world.label, {}};
    for (uint32_t set = 0; set < sets; ++set)
        for (KnownNetwork& network : known_networks(options, set)) {
            NetworkVerdict said = verdict(network.view(), prompts, landmarks);
            const VerdictScore score = score_of(network, said, landmarks);
            const bool wrecked = network.changed_by_noise(prompts.judge) > kWrecked;
            judged.networks.push_back({std::move(network), std::move(said), score, wrecked});
        }
    return judged;
}

}  // namespace

VerdictScore score_of(const KnownNetwork& network, const NetworkVerdict& verdict,
                      const std::vector<Landmark>& landmarks) {
    const std::string of = name_of(network.of);
    if (verdict.name == VerdictName::ambiguous) {
        const bool among = std::any_of(verdict.ties.begin(), verdict.ties.end(),
                                       [&](int tie) { return of == landmarks[static_cast<size_t>(tie)].name; });
        return among || network.truth == VerdictName::between ? VerdictScore::open : VerdictScore::wrong;
    }
    if (verdict.name == network.truth &&
        (verdict.name != VerdictName::wrong_sign || of == landmarks[static_cast<size_t>(verdict.of)].name))
        return VerdictScore::right;
    return verdict.name == VerdictName::between || verdict.name == VerdictName::none ? VerdictScore::missed
                                                                                     : VerdictScore::wrong;
}

const std::vector<JudgedWorld>& judged_worlds() {
    static const std::vector<JudgedWorld> all = [] {
        std::vector<JudgedWorld> judged;
        for (const KnownWorld& world : known_worlds()) judged.push_back(judged_in(world, {}, kSets));
        return judged;
    }();
    return all;
}

const std::vector<JudgedWorld>& judged_sizes() {
    static const std::vector<JudgedWorld> all = [] {
        std::vector<JudgedWorld> judged;
        for (const auto& [layers, d] : {std::pair{2, 4}, {4, 4}, {5, 4}, {3, 3}, {3, 6}, {3, 8}}) {
            judged.push_back(judged_in({"", known_bank(d)}, {.d = d, .layers = layers}, 1));
            judged.back().label = fmt::format("L = {}, d = {}", layers, d);
        }
        return judged;
    }();
    return all;
}

const JudgedWorld& judged_with_one_layer() {
    static const JudgedWorld world = judged_in(known_worlds().front(), {.layers = 1}, 1);
    return world;
}

const std::vector<JudgeScores>& judge_scores() {
    static const std::vector<JudgeScores> all = [] {
        const BenchPrompts prompts(known_bank(), KnownOptions().layers);
        const std::vector<KnownNetwork> networks = known_networks({.seed = 1}, 0);
        std::vector<Asked> asked;
        for (const KnownNetwork& network : networks) {
            if (asked.size() == kAsked || network.changed_by_noise(prompts.verdict.judge) > kWrecked) continue;
            asked.push_back({&network, {}});
            for (const Judge& judge : bench_judges()) asked.back().opinions.push_back(judge.judge(network, prompts));
        }
        std::vector<const Asked*> halves[2];
        for (size_t i = 0; i < asked.size(); ++i) halves[i % 2].push_back(&asked[i]);
        std::vector<JudgeScores> scores;
        for (size_t judge = 0; judge < bench_judges().size(); ++judge)
            scores.push_back(scores_of(judge, halves[0], halves[1]));
        return scores;
    }();
    return all;
}

}  // namespace emergence
