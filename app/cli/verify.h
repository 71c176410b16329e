#pragma once
// Claims in the terminal, and what a figure's runs measured of them in a file.

#include <iosfwd>
#include <string>
#include <vector>

#include "app/cli/answer.h"
#include "app/cli/commands.h"
#include "core/lab/figures/claims.h"

namespace emergence::cli {

/// The claim for programs, with what was measured and the verdict.
Json claim_as_json(const Claim& claim, const Measurement& measurement);

/// Of each of a figure's claims verdict and number, then the statement; and how many have which verdict. Returns how
/// many fail; one that was not measured fails.
int print_figure_claims(const std::vector<Claim>& claims, const std::string& figure,
                        const std::vector<MeasuredClaim>& measured, std::ostream& out);

}  // namespace emergence::cli
