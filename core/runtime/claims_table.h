#pragma once
// The README's table: what the papers' figures claim, what was measured, and whether both agree.

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "core/io/claim_results.h"
#include "core/runtime/study.h"

namespace emergence {

/// Every claim that a figure measures and `results` hold, in the order of the tables of claims, as a Markdown
/// table with one row a claim; below it one line a known difference.
std::string claims_table(const std::vector<ExperimentInfo>& experiments,
                         const std::vector<ClaimResults>& results);

/// How long it all took, from its making on.
class Stopwatch {
  public:
    Stopwatch();
    double seconds() const;
    double cpu_seconds() const;  // of all of the process's threads

  private:
    std::chrono::steady_clock::time_point start_;
    std::clock_t cpu_start_;
};

/// What was measured, to go into a file: `config` are the seeds and the settings that are not the defaults.
ClaimResults claim_results(const std::string& figure, const Settings& settings, const Stopwatch& watch,
                           int threads, const std::vector<MeasuredClaim>& measured);

}  // namespace emergence
