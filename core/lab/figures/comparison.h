#pragma once
// Finished runs compared score by score, over the seeds that they share. Their labels are the names of their folders.

#include "core/lab/sweeps/sweep.h"

namespace emergence {

/// The scores of each seed: "emerged" if the experiment has a rule, the last value of each metric, and, for each block
/// of each matrix, its Frobenius norm: "norm P0 value,phi". Nothing depends on the scale of P against Q where the
/// network does not: there it is the block's share of the matrix's own norm, "norm share P0 value,phi", with the
/// product of both norms, and metrics of scale are left out. `also`: another quantity of a seed, the first of them
/// then. NaN for a failed seed. Throws InputError if `also` is no name of a score and no such quantity.
CellScores scores_of_seeds(const FinishedRun& run, const std::string& also = "");

/// One score of two runs.
struct ScoreDifference {
    std::string score;
    /// Pairs of seeds with a finite score in both runs; if no seed is in both, `paired` is false and n_a and n_b count
    /// the seeds of each.
    bool paired = true;
    int n_a = 0, n_b = 0;
    /// Seeds of either run that do not count, in words: "run a: seed 3 failed, seed 4 has no value; run b has no seed
    /// 5".
    std::string dropped = {};
    /// Means over these seeds. difference = mean_b - mean_a.
    double mean_a = 0.0, mean_b = 0.0, difference = 0.0;
    /// Percentile bootstrap interval of 95 % of the difference; of shares Newcombe's. NaN of a single pair or seed.
    double low = 0.0, high = 0.0;
    /// Two-sided permutation test of no difference: signs of the pairs' differences are flipped, or the runs' seeds
    /// mixed. All flips if there are at most 2^kExactPairs of them.
    double p = 1.0;
};

inline constexpr int kBootstrapSamples = 10'000;
inline constexpr int kExactPairs = 16;

/// Compares b with a by every score that both have, in the order of a's. Random draws have a fixed seed: the same runs
/// give the same numbers. Scores without at least one finite pair, or one finite seed in each run, are left out.
/// `also`: see scores_of_seeds().
std::vector<ScoreDifference> differences_of(const FinishedRun& a, const FinishedRun& b, const std::string& also = "");

/// Why that list is empty, as the end of a sentence: no score in common, or a run whose networks all failed.
std::string why_not_compared(const FinishedRun& a, const FinishedRun& b);

/// The same for two samples, of one score; of a share they are 0 or 1.
ScoreDifference difference_of(const std::string& score, const std::vector<double>& a, const std::vector<double>& b,
                              bool paired, bool share = false);

/// The settings in which the runs differ: "n: 30, 60"; one line each. Runs of other experiments say so alone.
std::vector<std::string> differing_settings(const std::vector<FinishedRun>& runs);

/// A CSV file with a line for each score and pair of runs:
///
///     run_a,run_b,score,paired,n_a,n_b,mean_a,mean_b,difference,low,high,p,dropped
struct PairOfRuns {
    std::string a, b;
    std::vector<ScoreDifference> differences;
};
std::string comparison_csv(const std::vector<PairOfRuns>& pairs);

/// One figure: the score over training in every run if it is a metric, and its last values seed by seed against those
/// of the first run. Throws InputError, naming the metrics, unless the score is one of them or a quantity of a seed.
FigureSpec comparison_figure(const std::vector<FinishedRun>& runs, const std::string& score);

// Pairs the seeds of two moments, to subtract one moment from the other.

struct SeedPairing {
    /// Indices into the seeds of the first moment.
    std::vector<size_t> here;
    /// Indices into the seeds of the other moment; if `paired`, the same seeds in the same order.
    std::vector<size_t> there;
    bool paired = true;
};

/// The seeds of `chosen` (indices into `here`) that `there` has too, by their numbers. If it has none of them, `paired`
/// is false and the means are to be compared: all of `chosen`, and all seeds of `there` that have not failed (all, if
/// all have).
SeedPairing pair_seeds(const Snapshot& here, const std::vector<size_t>& chosen, const Snapshot& there);

}  // namespace emergence
