#pragma once
// What a figure's runs measured and how long they took.

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "core/io/claim_results.h"
#include "core/runtime/study.h"

namespace emergence {

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
