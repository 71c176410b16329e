#pragma once
// Experiment "bench": how far can each judge of algorithms be trusted? One step makes one network whose algorithm is
// known, and asks all judges.

#include <memory>
#include <vector>

#include "core/experiments/bench/scores.h"
#include "core/experiments/study_of.h"

namespace emergence {

/// Every setting of experiment "bench".
struct BenchConfig {
    BankOptions bank;
    int context_length = 30;
    int num_layers = 3;
    double noise = 0.025;
    int64_t num_networks = 60;
    int64_t seed = 0;
    int seeds = 2;
    int log_interval = 6;

    void fields(Fields& f);
    /// The tasks of the judges' prompts.
    BenchPrompts prompts() const;
};

/// The networks of each seed of a run, with their labels and all opinions, from its snapshot.
std::vector<std::vector<JudgedNetwork>> judged_networks(const Snapshot& snapshot);
/// Draws of the bootstrap in pictures that move, and in figures.
inline constexpr int kLiveDraws = 200, kFigureDraws = 2000;

/// Truths x verdicts of each judge, and of the verdicts; bars of scores.
std::vector<NamedMatrix> bench_matrices(const BenchScores& scores, size_t seeds);
std::vector<PlotSpec> bench_plots(const BenchScores& scores);
std::vector<Scalar> bench_scalars(const BenchScores& scores);
/// The confusion matrices beside each other, and the bars.
FigureInfo figure_of_bench();
/// Claims that need no run: networks made by hand that are not TD.
std::vector<NamedMeasure> bench_measures();

/// The registry's entry.
ExperimentInfo bench();

}  // namespace emergence
