#pragma once
// How far each judge can be trusted: thresholds from one half of the networks, scores on the other.

#include <array>
#include <cstddef>
#include <vector>

#include "core/base/statistics.h"
#include "core/base/types.h"
#include "core/experiments/bench/judge.h"

namespace emergence {

inline constexpr int kMapVerdicts = 6;

/// A network with its label, and what all judges think of it.
struct JudgedNetwork {
    Built built = Built::td;
    Disguise disguise = Disguise::bare;
    double alpha = 0;
    std::vector<Opinion> opinions;

    MapVerdict truth() const { return truth_of(built); }
    /// The name that the map would give it with other regions, whatever it leaves unexplained.
    MapVerdict named_with(const MapRegions& regions) const;
};
/// As one row of numbers, to be saved, and back.
std::vector<double> numbers_of(const JudgedNetwork& network);
JudgedNetwork network_of_numbers(const std::vector<double>& numbers);
size_t numbers_in_network();
/// Whether a row has numbers that numbers_of() can give.
bool are_numbers_of_network(const std::vector<double>& numbers);

/// Makes and judges network number `number`. Truths take turns; kind, disguise and step size are drawn.
JudgedNetwork judged_network(const BenchPrompts& prompts, int d, int layers, double noise, uint64_t seed,
                             uint32_t number);
/// The network itself, and how it was made.
BenchNetwork bench_network(const BenchPrompts& prompts, int d, int layers, double noise, uint64_t seed, uint32_t number,
                           Recipe& made);

/// A number with its 95 % interval, and the networks behind it.
struct Score {
    double value = 0, low = 0, high = 0;
    int64_t n = 0;
};

/// Whether network number `number` of a seed tests; the others calibrate. Truths take turns, so both halves have all.
inline bool tests(size_t number) { return number / kMapVerdicts % 2 == 1; }

/// The scores of a set of networks, see tests().
class BenchScores {
  public:
    /// draws: of the bootstrap over networks; 0: no intervals.
    BenchScores(const std::vector<const std::vector<JudgedNetwork>*>& streams, int draws);

    /// Networks of the half that tests.
    size_t size() const { return test_.size(); }
    const JudgedNetwork& network(size_t i) const { return *test_[i]; }
    MapVerdict verdict(size_t judge, const JudgedNetwork& network) const;

    /// From where to where a threshold calibrates alike, and between them the one that is used.
    struct Threshold {
        double low = 0, high = 0, value = 0;
    };
    const Threshold& threshold(size_t judge) const { return thresholds_[judge]; }
    /// The balanced accuracy that another threshold loses on the half that calibrates.
    double cost_of(size_t judge, double threshold) const {
        return calibration_right(judge, thresholds_[judge].value) - calibration_right(judge, threshold);
    }
    /// The sizes of one of the map's regions with which most of the half that calibrates is named right, the other sizes
    /// being identify's, and how many more that are than with identify's own.
    struct RegionSizes {
        double low = 0, high = 0;
        int cost = 0;
    };
    RegionSizes best_sizes(double MapRegions::*size) const;
    /// Of the networks that test and run TD, or that do not: those that identify, with its own limits, calls TD.
    Fraction identified_as_td(bool run_td) const;

    /// Truths x verdicts: shares of the truth's networks, or (inverted) of the verdict's; NaN without any.
    Table confusion(size_t judge, bool inverted) const;
    /// The mean of the share of TD that is called TD, and of the others that are not.
    Score balanced(size_t judge) const;
    /// The mean over the truths of the share that gets the right name; `disguised`: of those alone.
    Score named_right(size_t judge, bool disguised = false) const;
    /// The area under the ROC curve: how often a network that runs TD ranks before one that does not, or that only does
    /// not bootstrap.
    Score auc(size_t judge, bool no_bootstrap_only = false) const;
    /// Of networks that use no TD error, but in which one is planted, those that are called TD.
    Fraction false_alarms(size_t judge) const;
    /// Of all that do not run TD.
    Fraction all_false_alarms(size_t judge) const;

  private:
    template <class Statistic>
    Score scored(const Statistic& statistic) const;
    Threshold calibrated(size_t judge) const;
    /// What a threshold gets right on the half that calibrates.
    double calibration_right(size_t judge, double threshold) const;
    int calibration_count(const MapRegions& regions) const;

    std::vector<const JudgedNetwork*> calibration_, test_;
    std::vector<Threshold> thresholds_;
    int draws_;
};

/// A judge's verdict at a threshold.
MapVerdict verdict_at(const Opinion& opinion, double threshold);

}  // namespace emergence
