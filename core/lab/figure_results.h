#pragma once
// The measured claims of a figure's runs, and the time that the runs took.

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "core/lab/claim_results.h"
#include "core/lab/study.h"

namespace emergence {

/// Measures the time since its construction.
class Stopwatch {
  public:
    Stopwatch();
    double seconds() const;
    /// Of all threads of the process, and what was added.
    double cpu_seconds() const;
    /// Of jobs that other processes or earlier starts have computed.
    void add_cpu_seconds(double seconds) { added_ += seconds; }

  private:
    std::chrono::steady_clock::time_point start_;
    std::clock_t cpu_start_;
    double added_ = 0.0;
};

/// "num_layers = 3, seed = 0, seeds = 30": the seeds and the settings that differ from the defaults.
std::string named_settings(const Settings& settings);

/// The panels of a figure's runs: the label of each, and the settings in which it differs from the figure's.
/// "L = 1: num_layers = 1".
std::vector<std::string> panel_settings(const std::vector<FinishedRun>& runs, const Settings& settings);

/// The measured claims for a file. Its `config` is named_settings(); its times are rounded to tenths of a second.
ClaimResults claim_results(const std::string& figure, const Settings& settings, const Stopwatch& watch,
                           int threads, const std::vector<MeasuredClaim>& measured);

}  // namespace emergence
