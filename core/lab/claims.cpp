#include "core/lab/claims.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

namespace emergence {

std::string range_text(const Range& range) {
    if (std::isinf(range.low)) return fmt::format("at most {:.4g}", range.high);
    if (std::isinf(range.high)) return fmt::format("at least {:.4g}", range.low);
    return fmt::format("from {:.4g} to {:.4g}", range.low, range.high);
}

std::vector<Claim> claims_about(const std::string& figure, std::vector<Claim> rows) {
    for (Claim& claim : rows) claim.figure = figure;
    return rows;
}

std::vector<Claim> claims_about(const std::string& figure, const std::string& citation,
                                std::vector<Claim> rows) {
    for (Claim& claim : rows) claim.source += ", " + citation;
    return claims_about(figure, std::move(rows));
}

std::vector<Claim> joined(std::vector<std::vector<Claim>> tables) {
    std::vector<Claim> claims;
    for (std::vector<Claim>& table : tables)
        claims.insert(claims.end(), std::make_move_iterator(table.begin()),
                      std::make_move_iterator(table.end()));
    return claims;
}

Verdict verdict_of(const Claim& claim, double measured) {
    if (claim.agrees.contains(measured)) return Verdict::agrees;
    return !claim.known_difference.empty() && claim.known.contains(measured) ? Verdict::known_difference
                                                                             : Verdict::fails;
}

std::string verdict_text(Verdict verdict) {
    switch (verdict) {
        case Verdict::agrees:
            return "agrees";
        case Verdict::known_difference:
            return "differs, as known";
        case Verdict::fails:
            return "FAILS";
    }
    return "";
}

}  // namespace emergence
