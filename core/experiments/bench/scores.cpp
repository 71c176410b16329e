#include "core/experiments/bench/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace emergence {
namespace {

constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();

size_t place_of_verdict(MapVerdict verdict) { return static_cast<size_t>(verdict); }

// The mean, over the truths that occur, of the share with the right verdict; with only_td over TD and all others.
double mean_right(const std::vector<const JudgedNetwork*>& networks, const Places& places, bool only_td,
                  const std::function<MapVerdict(const JudgedNetwork&)>& verdict) {
    std::array<double, kMapVerdicts> right{}, all{};
    for (const size_t i : places) {
        const JudgedNetwork& network = *networks[i];
        const MapVerdict truth = network.truth(), said = verdict(network);
        const bool is_td = truth == MapVerdict::td;
        const size_t group = only_td ? size_t{is_td} : place_of_verdict(truth);
        ++all[group];
        right[group] += only_td ? is_td == (said == MapVerdict::td) : said == truth;
    }
    double sum = 0, groups = 0;
    for (size_t k = 0; k < kMapVerdicts; ++k)
        if (all[k] > 0) sum += right[k] / all[k], ++groups;
    return groups > 0 ? sum / groups : kNoScore;
}

Places every_place(size_t count) {
    Places places(count);
    for (size_t i = 0; i < count; ++i) places[i] = i;
    return places;
}

}  // namespace

MapVerdict verdict_at(const Opinion& opinion, double threshold) {
    return opinion.sure >= threshold ? opinion.name : opinion.otherwise;
}

BenchScores::BenchScores(const std::vector<const std::vector<JudgedNetwork>*>& streams, int draws) : draws_(draws) {
    for (const auto* stream : streams)
        for (size_t i = 0; i < stream->size(); ++i) (tests(i) ? test_ : calibration_).push_back(&(*stream)[i]);
    for (size_t judge = 0; judge < bench_judges().size(); ++judge) thresholds_.push_back(calibrated(judge));
}

// Thresholds lie between the numbers that occur.
BenchScores::Threshold BenchScores::calibrated(size_t judge) const {
    std::vector<double> numbers;
    for (const JudgedNetwork* network : calibration_) numbers.push_back(network->opinions[judge].sure);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (numbers.size() < 2) return {};
    Threshold best;
    double most = -1;
    bool open = false;  // whether the plateau may go on
    for (size_t i = 1; i < numbers.size(); ++i) {
        const double threshold = (numbers[i - 1] + numbers[i]) / 2;
        const double right = calibration_right(judge, threshold);
        if (right > most) {
            most = right;
            best = {numbers[i - 1], numbers[i], 0};
            open = true;
        } else if (right == most && open) {
            best.high = numbers[i];
        } else {
            open = false;
        }
    }
    best.value = (best.low + best.high) / 2;
    return best;
}

double BenchScores::calibration_right(size_t judge, double threshold) const {
    return mean_right(calibration_, every_place(calibration_.size()), bench_judges()[judge].only_td,
                      [&](const JudgedNetwork& network) { return verdict_at(network.opinions[judge], threshold); });
}

// With identify's limit of the unexplained share.
int BenchScores::calibration_count(const MapRegions& regions) const {
    return static_cast<int>(std::count_if(calibration_.begin(), calibration_.end(), [&](const JudgedNetwork* network) {
        Opinion opinion = network->opinions[kMapJudge];
        opinion.name = network->named_with(regions);
        return verdict_at(opinion, -kMapExplained) == network->truth();
    }));
}

BenchScores::RegionSizes BenchScores::best_sizes(double MapRegions::*size) const {
    constexpr int kSizes = 50, kPerUnit = 50;
    RegionSizes best;
    int most = -1;
    for (int i = 1; i <= kSizes; ++i) {
        MapRegions regions;
        regions.*size = static_cast<double>(i) / kPerUnit;
        const int right = calibration_count(regions);
        if (right > most) best.low = regions.*size;
        if (right >= most) best.high = regions.*size;
        most = std::max(most, right);
    }
    best.cost = most - calibration_count(kMapRegions);
    return best;
}

Fraction BenchScores::identified_as_td(bool run_td) const {
    int called = 0, all = 0;
    for (const JudgedNetwork* network : test_) {
        if ((network->truth() == MapVerdict::td) != run_td) continue;
        ++all;
        called += verdict_at(network->opinions[kMapJudge], -kMapExplained) == MapVerdict::td;
    }
    return fraction(called, all);
}

MapVerdict BenchScores::verdict(size_t judge, const JudgedNetwork& network) const {
    return verdict_at(network.opinions[judge], thresholds_[judge].value);
}

Table BenchScores::confusion(size_t judge, bool inverted) const {
    Table counts(kMapVerdicts, kMapVerdicts);
    for (const JudgedNetwork* network : test_)
        ++counts(static_cast<int>(network->truth()), static_cast<int>(verdict(judge, *network)));
    Table shares = counts;
    for (int i = 0; i < kMapVerdicts; ++i)
        for (int j = 0; j < kMapVerdicts; ++j) {
            double sum = 0;
            for (int k = 0; k < kMapVerdicts; ++k) sum += inverted ? counts(k, j) : counts(i, k);
            shares(i, j) = sum > 0 ? counts(i, j) / sum : kNoScore;
        }
    return shares;
}

template <class Statistic>
Score BenchScores::scored(const Statistic& statistic) const {
    Score score{kNoScore, kNoScore, kNoScore, static_cast<int64_t>(test_.size())};
    if (test_.empty()) return score;
    score.value = statistic(every_place(test_.size()));
    if (draws_ == 0) return score;
    const BootstrapInterval interval = bootstrap_interval(test_.size(), draws_, statistic);
    score.low = interval.low;
    score.high = interval.high;
    return score;
}

Score BenchScores::balanced(size_t judge) const {
    return scored([&](const Places& places) {
        return mean_right(test_, places, true, [&](const JudgedNetwork& network) { return verdict(judge, network); });
    });
}

Score BenchScores::named_right(size_t judge, bool disguised) const {
    return scored([&](const Places& places) {
        Places some;
        for (const size_t i : places)
            if (!disguised || test_[i]->disguise != Disguise::bare) some.push_back(i);
        return mean_right(test_, some, false, [&](const JudgedNetwork& network) { return verdict(judge, network); });
    });
}

Score BenchScores::auc(size_t judge, bool no_bootstrap_only) const {
    return scored([&](const Places& places) {
        std::vector<double> td, others;
        for (const size_t i : places) {
            const MapVerdict truth = test_[i]->truth();
            const double rank = test_[i]->opinions[judge].td;
            if (truth == MapVerdict::td)
                td.push_back(rank);
            else if (!no_bootstrap_only || truth == MapVerdict::no_bootstrap)
                others.push_back(rank);
        }
        std::sort(others.begin(), others.end());
        double before = 0;
        for (const double rank : td) {
            const auto [first, last] = std::equal_range(others.begin(), others.end(), rank);
            before += static_cast<double>(first - others.begin()) + static_cast<double>(last - first) / 2;
        }
        return before / (static_cast<double>(td.size()) * static_cast<double>(others.size()));
    });
}

Fraction BenchScores::false_alarms(size_t judge) const {
    int called = 0, all = 0;
    for (const JudgedNetwork* network : test_)
        if (network->disguise == Disguise::planted) ++all, called += verdict(judge, *network) == MapVerdict::td;
    return fraction(called, all);
}

Fraction BenchScores::all_false_alarms(size_t judge) const {
    int called = 0, all = 0;
    for (const JudgedNetwork* network : test_)
        if (network->truth() != MapVerdict::td) ++all, called += verdict(judge, *network) == MapVerdict::td;
    return fraction(called, all);
}

}  // namespace emergence
