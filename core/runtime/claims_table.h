#pragma once
// The README's table: what the papers' figures claim, what was measured, and whether both agree.

#include <string>
#include <vector>

#include "core/io/claim_results.h"
#include "core/runtime/study.h"

namespace emergence {

/// Every claim that a figure measures and `results` hold, in the order of the tables of claims, as a Markdown
/// table with one row a claim; below it one line a known difference.
std::string claims_table(const std::vector<ExperimentInfo>& experiments,
                         const std::vector<ClaimResults>& results);

/// What was measured, to go into a file: `config` are the settings that are not the defaults.
ClaimResults claim_results(const std::string& figure, const Settings& settings, double seconds, int threads,
                           const std::vector<MeasuredClaim>& measured);

}  // namespace emergence
