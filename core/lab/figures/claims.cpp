#include "core/lab/figures/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/text.h"

namespace emergence {

std::string range_text(const Range& range) {
    if (std::isinf(range.low)) return fmt::format("at most {:.4g}", range.high);
    if (std::isinf(range.high)) return fmt::format("at least {:.4g}", range.low);
    return fmt::format("from {:.4g} to {:.4g}", range.low, range.high);
}

bool is_of_a_paper(const Claim& claim) { return !claim.source.starts_with("ours: "); }

bool is_measured(const Claim& claim) { return !claim.algebra && claim.source.find("(repeats ") == std::string::npos; }

std::string source_text(const Claim& claim) {
    return claim.source + (claim.algebra ? "; algebra, checked numerically" : "");
}

Verdict verdict_of(const Claim& claim, const Measurement& measurement) {
    const double value = measurement.value;
    if (std::isnan(value)) return Verdict::fails;
    const Range interval = measurement.interval.value_or(Range{value, value});
    const Range shared = {std::max(interval.low, claim.agrees.low), std::min(interval.high, claim.agrees.high)};
    if (shared == interval) return Verdict::agrees;
    if (shared.low == value && shared.high == value) return Verdict::agrees;
    if (shared.low <= shared.high) return Verdict::undecided;
    return !claim.known_difference.empty() && claim.known.contains(value) ? Verdict::known_difference : Verdict::fails;
}

std::string verdict_text(Verdict verdict) {
    constexpr const char* kTexts[] = {"agrees", "undecided", "differs, as known", "FAILS"};
    return kTexts[static_cast<size_t>(verdict)];
}

Verdicts& Verdicts::operator+=(const Verdicts& more) {
    for (const Verdict verdict : kVerdicts) (*this)[verdict] += more[verdict];
    return *this;
}

int Verdicts::all() const { return std::accumulate(counts_.begin(), counts_.end(), 0); }

std::string count_text(Verdict verdict, int count) {
    constexpr const char* kOne[] = {"agrees", "undecided", "differs as known", "fails"};
    constexpr const char* kMore[] = {"agree", "undecided", "differ as known", "fail"};
    return fmt::format("{} {}", count, (count == 1 ? kOne : kMore)[static_cast<size_t>(verdict)]);
}

void ClaimCounts::add(const Claim& claim, Verdict verdict) {
    ++(!is_measured(claim) ? apart : is_of_a_paper(claim) ? papers : ours)[verdict];
}

ClaimCounts& ClaimCounts::operator+=(const ClaimCounts& more) {
    papers += more.papers;
    ours += more.ours;
    apart += more.apart;
    return *this;
}

Verdicts ClaimCounts::measured() const {
    Verdicts sum = papers;
    return sum += ours;
}

Verdicts ClaimCounts::all() const {
    Verdicts sum = measured();
    return sum += apart;
}

std::string counts_text(const ClaimCounts& counts) {
    const auto verdicts_of = [](const Verdicts& verdicts) {
        std::string text;
        for (const Verdict verdict : kVerdicts)
            text += (text.empty() ? ": " : ", ") + count_text(verdict, verdicts[verdict]);
        return text;
    };
    const auto line = [&](const char* which, const Verdicts& verdicts) {
        return fmt::format("\n    {} {}{}", verdicts.all(), which, verdicts_of(verdicts));
    };
    const Verdicts measured = counts.measured();
    std::string text = counted(static_cast<size_t>(measured.all()), "claim") + verdicts_of(measured);
    if (counts.papers.all() > 0 && counts.ours.all() > 0)
        text += line("of papers", counts.papers) + line("of ours", counts.ours);
    return counts.apart.all() == 0 ? text : text + line("more, algebra or repeating others", counts.apart);
}

std::string measured_text(const Measurement& measurement) {
    const auto& interval = measurement.interval;
    const bool bounded = interval && std::isfinite(interval->low) && std::isfinite(interval->high);
    std::string text = bounded ? fmt::format("{:.3g} to {:.3g}", interval->low, interval->high) : "";
    if (measurement.n > 0) text += fmt::format("{}n = {}", text.empty() ? "" : ", ", measurement.n);
    return fmt::format("{:.3g}{}", measurement.value, text.empty() ? "" : " (" + text + ")");
}

std::optional<double> smallest_difference(const Measurement& measurement) {
    constexpr double kOfHalfWidth = (1.96 + 0.84) / 1.96;
    if (!measurement.interval) return std::nullopt;
    const double width = measurement.interval->high - measurement.interval->low;
    if (!std::isfinite(width) || width == 0.0) return std::nullopt;
    return kOfHalfWidth * width / 2;
}

std::string power_text(const Claim& claim, const Measurement& measurement) {
    const auto smallest = smallest_difference(measurement);
    if (!smallest || verdict_of(claim, measurement) == Verdict::agrees) return "";
    return fmt::format("smallest difference seen: {:.2g}", *smallest);
}

}  // namespace emergence
