#pragma once
// Claims as data: assets/figures/*.toml, and files that people write.
//
//     experiment = "td"              # that the claims are about
//     figure = "wang-2"              # whose runs measure them; none: functions do, or any runs
//
//     [claims.wang-2-corner]         # the name is unique among all files
//     statement = "P keeps its bottom-right entry, 1.6 on average"
//     source = "Figure 2b, Wang et al. 2025"
//     quantity = "P's corner, mean of 30 seeds"
//     at_least = 1.15                # the range, one end or both
//     at_most = 2.05
//     reason = "..."                 # optional: why this range
//     known_difference = "..."       # optional, with its range
//     known = [0.5, 1.15]
//     experiment = "actor-critic"    # optional: another than the file's
//     value = "mean(metric p_corner)"    # how it is measured: an expression over runs (core/lab/quantity), or
//     function = "wang-2-corner"         # a measurement that the figure's drawing makes, or of emergence-verify
//     detail = "those that emerged {mean(metric p_corner of emerged):.3g}"    # optional, with a value
//     each_run = "{run} {mean(metric p_corner)}"                              # the same for each run
//     interval = false                                                        # the number is exact, or has none
//     algebra = true                     # optional: an identity or a proven bound, not counted among measured claims
//     like = "wang-2-..."                # optional: a claim above; what this one does not say it takes from there

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/text.h"
#include "core/lab/figures/claims.h"
#include "core/lab/study.h"

namespace emergence {

/// The keys of such a file, with those of a figure's recipe (core/experiments/figure_file.h).
const std::vector<std::string>& figure_file_keys();

/// Reads the claims of a file, in its order, and adds every fault to `faults`.
std::vector<Claim> parse_claims(std::string_view text, const std::string& source,
                                const std::vector<ExperimentInfo>& experiments, std::vector<FileFault>& faults);

/// Claims of several files, and all that is wrong with them: "file:12: at_least: …".
struct ReadClaims {
    std::vector<Claim> claims;
    std::vector<std::string> faults;
};
/// Files that cannot be read, and names that two files have, are faults too.
ReadClaims read_claims(const std::vector<std::filesystem::path>& files, const std::vector<ExperimentInfo>& experiments);
/// The claims in the TOML files of `folder`, by experiment in the order of `experiments`, those without a figure first.
ReadClaims read_all_claims(const std::filesystem::path& folder, const std::vector<ExperimentInfo>& experiments);
/// The same. Throws InputError with the first fault.
std::vector<Claim> claims_in(const std::filesystem::path& folder, const std::vector<ExperimentInfo>& experiments);
/// What is measured and no claim asks for, a sentence each.
std::vector<std::string> unasked_measures(const std::vector<Claim>& claims,
                                          const std::vector<ExperimentInfo>& experiments);

/// What a figure measured, by claim: values of its runs; without those functions that its drawing did not call.
std::vector<MeasuredClaim> measured_claims(const std::vector<Claim>& claims, const std::string& figure,
                                           const MadeFigure& made);

}  // namespace emergence
