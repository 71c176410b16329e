#pragma once
// Claims in the terminal, and what a figure's runs measured of them in a file.

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/json.h"
#include "core/lab/figures/claims.h"

namespace emergence::cli {

/// The claim for programs; with what was measured and the verdict.
Json claim_as_json(const Claim& claim);
Json claim_as_json(const Claim& claim, const Measurement& measurement);

/// What is claimed, by whom, and how it is measured: two lines.
void print_statement(const Claim& claim, const std::string& detail, std::ostream& out);

/// Verdict and number, then the statement. Returns the verdict.
Verdict print_measured(const Claim& claim, const Measurement& measurement, std::ostream& out);

/// The same for all of a figure's claims, and how many have which verdict. Returns how many fail; one that was not
/// measured fails.
int print_figure_claims(const std::vector<Claim>& claims, const std::string& figure,
                        const std::vector<MeasuredClaim>& measured, std::ostream& out);

/// What the last run in assets/results measured of the claim; nullopt if none.
std::optional<Measurement> kept_measurement(const Claim& claim, const std::vector<ClaimResults>& last);
/// Names the claims that this program cannot measure, and says what can.
void print_left_out(const std::vector<std::string>& claims, const Environment& environment);

}  // namespace emergence::cli
