#pragma once
// The report of `reproduce`: one HTML page that needs no other file.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lab/figures/claims.h"

namespace emergence::cli {

/// A claim with what was measured of it; NaN where nothing was.
struct ReportedClaim {
    Claim claim;
    Measurement measurement;
};

struct ReportedFigure {
    std::string name;
    std::string title;
    std::vector<std::byte> png;  // empty where it could not be made
    std::string problem;         // why; "" where nothing went wrong
    std::vector<ReportedClaim> claims;
    double seconds = 0.0, cpu_seconds = 0.0;
};

struct ReportedPaper {
    std::string name;
    std::string citation;
    std::vector<ReportedFigure> figures;
    std::vector<ReportedClaim> theorems;  // measured without a figure
    double seconds = 0.0;                 // of all of it
};

struct Report {
    std::string version;
    std::string date;     // of its making, for people
    std::string machine;  // threads and instruction set
    std::vector<ReportedPaper> papers;
};

/// How many claims have which verdict; a claim that was not measured fails.
ClaimCounts count_verdicts(const Report& report);

/// The page. Every text is escaped.
std::string html_of(const Report& report);
/// True if html_of() has written `page`.
bool is_report(std::string_view page);

}  // namespace emergence::cli
