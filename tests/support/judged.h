#pragma once
// Claims that are judged on what a wrong network or a wrong law measures.

#include <set>
#include <string>
#include <vector>

#include "core/lab/figures/claims.h"
#include "tests/support/small_runs.h"

namespace emergence::testing {

using Names = std::set<std::string>;

/// The claims that ship.
const std::vector<Claim>& shipped_claims();

/// The verdict of the claim of this name on the measurement. The test fails if no experiment has such a claim.
Verdict judged(const std::string& claim, const Measurement& measured);

/// Its verdict on what another claim measures, such as its control.
Verdict judged_as(const std::string& claim, const std::string& control);

/// The claims about a figure that do not agree with what it measures under these settings. Names are without the
/// figure's: "falls" of wang-11-falls, "" of a claim that is named as the figure is.
Names caught(const char* experiment, const std::string& figure, const Changes& changes);

}  // namespace emergence::testing
