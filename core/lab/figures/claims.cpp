#include "core/lab/figures/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/quantity/quantity.h"

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

Verdicts Verdicts::operator+(const Verdicts& more) const {
    Verdicts sum = *this;
    for (const Verdict verdict : kVerdicts) sum[verdict] += more[verdict];
    return sum;
}

std::string count_text(Verdict verdict, int count) {
    constexpr const char* kOne[] = {"agrees", "undecided", "differs as known", "fails"};
    constexpr const char* kMore[] = {"agree", "undecided", "differ as known", "fail"};
    return fmt::format("{} {}", count, (count == 1 ? kOne : kMore)[static_cast<size_t>(verdict)]);
}

void ClaimCounts::add(const Claim& claim, Verdict verdict) {
    ++(!is_measured(claim) ? apart : is_of_a_paper(claim) ? papers : ours)[verdict];
}

ClaimCounts& ClaimCounts::operator+=(const ClaimCounts& more) {
    return *this = {papers + more.papers, ours + more.ours, apart + more.apart};
}

std::string counts_text(const ClaimCounts& counts) {
    const auto verdicts_of = [](const Verdicts& verdicts) {
        return ": " + listed(kVerdicts, [&](Verdict verdict) { return count_text(verdict, verdicts[verdict]); });
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

namespace {

constexpr std::string_view kWithError = "\u00b1", kRunLabel = "run";

double standard_error(Quantity mean, const std::vector<RunView>& runs) {
    Quantity* inner = &mean;
    while (inner->kind == QuantityKind::run) inner = &inner->operands.front();
    inner->reduction = Reduction::standard_error;
    return number_of(mean, runs);
}

bool is_mean(const Quantity& quantity) {
    if (quantity.kind == QuantityKind::run) return is_mean(quantity.operands.front());
    return quantity.kind == QuantityKind::reduction && quantity.reduction == Reduction::mean;
}

// A number of a run, not one of each network.
Quantity parse_run_number(const std::string& text) {
    Quantity quantity = parse_quantity(text);
    if (!is_of_seeds(quantity)) return quantity;
    throw InputError("'{}': is one number per network. Reduce it, for example with mean( )", text);
}

// What stands between two braces.
struct Blank {
    Quantity quantity;
    std::string format;  // kWithError, or as fmt's: ".3g"

    explicit Blank(const std::string& text) : format(".3g") {
        std::string expression = text;
        const size_t colon = text.rfind(':');
        const std::string last = colon == std::string::npos ? "" : text.substr(colon + 1);
        const bool is_format = last.size() == 3 && last[0] == '.' && last[1] >= '0' && last[1] <= '9' &&
                               std::string_view("efg").find(last[2]) != std::string_view::npos;
        if (is_format || last == kWithError) {
            format = last;
            expression = text.substr(0, colon);
        }
        quantity = parse_run_number(expression);
        if (format == kWithError && !is_mean(quantity)) throw InputError("'{}': only a mean( ) has \u00b1", expression);
    }
    std::string number(double value) const {
        return std::isnan(value) ? "\u2013" : unsigned_zero(fmt::format(fmt::runtime("{:" + format + "}"), value));
    }
    std::string filled(const std::vector<RunView>& runs) const {
        check_quantity(quantity, runs);
        const double value = number_of(quantity, runs);
        if (format != kWithError) return number(value);
        if (std::isnan(value)) return "\u2013";
        const double error = standard_error(quantity, runs);
        return fmt::format("{:.3g}", value) + (std::isnan(error) ? "" : fmt::format(" \u00b1 {:.2g}", error));
    }
};

}  // namespace

void check_value(const std::string& text) { (void)parse_run_number(text); }

std::string filled_detail(const std::string& text, const std::vector<RunView>& runs) {
    return with_braces_filled(text, [&](std::string_view blank) {
        return blank == kRunLabel ? runs.front().label : Blank(std::string(blank)).filled(runs);
    });
}

void check_detail(const std::string& text) {
    with_braces_filled(text, [](std::string_view blank) {
        if (blank != kRunLabel) Blank{std::string(blank)};
        return std::string();
    });
}

Measurement measured_value(const Claim& claim, const std::vector<RunView>& runs) {
    try {
        Measurement found = measured(runs, parse_quantity(claim.value));
        if (!claim.interval) found = {found.value, found.detail};
        std::string each;
        if (!claim.each_run.empty())
            each = listed(filtered(runs, [](const RunView& run) { return !run.drawn; }),
                          [&](const RunView& run) { return filled_detail(claim.each_run, {run}); });
        for (const std::string& more : {filled_detail(claim.detail, runs), each})
            if (!more.empty()) found.detail += (found.detail.empty() ? "" : "; ") + more;
        return found;
    } catch (const InputError& error) {
        return {kMissing, error.what()};
    }
}

}  // namespace emergence
