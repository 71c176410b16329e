#pragma once
// The measured results of a figure's claims, as a file beside the figure, and in assets/results for the README's table.
//
//     figure = "wang-4"
//     version = "0.2.0"
//     commit = "1f2d162ab3"               # optional: files of 0.1.0 have none
//     config = "num_layers = 3, ..."      # settings other than the defaults
//     seconds = 21.3                      # by the clock, of the last command: jobs that it found made are not in it
//     cpu_seconds = 41.9                  # of all jobs and threads: the one to compare
//     threads = 2
//     date = "2026-11-23"                 # optional, like panels, interval and n
//     panels = ["L = 1: num_layers = 1"]  # the figure's runs: what they change of its settings
//
//     [claims.wang-4-one-layer]
//     measured = 0.012
//     detail = "of the panels with one layer"
//     interval = [0.008, 0.016]
//     n = 30

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/lab/figures/claims.h"

namespace emergence {

struct ClaimResults {
    std::string figure;
    std::string version;
    std::string config;
    double seconds = 0.0, cpu_seconds = 0.0;
    int64_t threads = 1;
    /// By name.
    std::map<std::string, Measurement> claims;
    /// "" if unknown.
    std::string commit = {};
    /// YYYY-MM-DD; "" if unknown.
    std::string date = {};
    /// Of a figure of several runs; empty if unknown.
    std::vector<std::string> panels = {};

    bool operator==(const ClaimResults&) const = default;
};

/// The name under which the results of claims without a figure are kept, which `verify` measures.
inline constexpr const char* kVerified = "verify";
/// What `results` hold of the claim; nullptr if nothing.
const Measurement* measured_of(const Claim& claim, const ClaimResults& results);
const Measurement* measured_of(const Claim& claim, const std::vector<ClaimResults>& all);

/// The text of the file, which reads back to the same results.
std::string claim_results_to_toml(const ClaimResults& results);

/// Parses the format above. Throws InputError, naming `source` and the key, if a part is missing or has a wrong type.
ClaimResults parse_claim_results(std::string_view text, const std::string& source);
/// The same from a file. Throws InputError also if the file cannot be read.
ClaimResults read_claim_results(const std::filesystem::path& path);

/// The results in every TOML file of `folder`, sorted by file name; none if the folder does not exist.
std::vector<ClaimResults> read_all_claim_results(const std::filesystem::path& folder);

}  // namespace emergence
