#include "core/lab/claims.h"

#include <fmt/format.h>

#include <cmath>

namespace emergence {

std::string range_text(const Range& range) {
    if (std::isinf(range.low)) return fmt::format("at most {:.4g}", range.high);
    if (std::isinf(range.high)) return fmt::format("at least {:.4g}", range.low);
    return fmt::format("from {:.4g} to {:.4g}", range.low, range.high);
}

Claim figure_claim(const std::string& figure, const std::string& name, const std::string& statement,
                   const std::string& source, const std::string& quantity, Range agrees) {
    return {.name = name,
            .statement = statement,
            .source = source,
            .quantity = quantity,
            .agrees = agrees,
            .figure = figure};
}

Claim with_difference(Claim claim, const std::string& why, Range known) {
    claim.known_difference = why;
    claim.known = known;
    return claim;
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
