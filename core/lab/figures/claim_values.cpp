#include "core/lab/figures/claim_values.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/quantity/reduce.h"

namespace emergence {
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
        quantity = parse_quantity(expression);
        if (is_of_seeds(quantity))
            throw InputError(
                fmt::format("'{}': is one number for each seed. Reduce it, for example with mean( )", expression));
        if (format == kWithError && !is_mean(quantity))
            throw InputError(fmt::format("'{}': only a mean( ) has \u00b1", expression));
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

std::string with_blanks(const std::string& text, const std::function<std::string(const std::string&)>& fill) {
    std::string filled;
    for (size_t from = 0;;) {
        const size_t open = text.find('{', from);
        if (open == std::string::npos) return filled + text.substr(from);
        const size_t close = text.find('}', open);
        if (close == std::string::npos) throw InputError("the brace { has no }");
        filled += text.substr(from, open - from) + fill(text.substr(open + 1, close - open - 1));
        from = close + 1;
    }
}

}  // namespace

void check_value(const std::string& text) {
    if (is_of_seeds(parse_quantity(text)))
        throw InputError(fmt::format("'{}': is one number for each seed. Reduce it, for example with mean( )", text));
}

std::string filled_detail(const std::string& text, const std::vector<RunView>& runs) {
    return with_blanks(text, [&](const std::string& blank) {
        return blank == kRunLabel ? runs.front().label : Blank(blank).filled(runs);
    });
}

void check_detail(const std::string& text) {
    with_blanks(text, [](const std::string& blank) {
        if (blank != kRunLabel) Blank{blank};
        return std::string();
    });
}

Measurement measured_value(const Claim& claim, const std::vector<RunView>& runs) {
    try {
        Measurement found = measured(runs, parse_quantity(claim.value));
        if (!claim.interval) found = {found.value, found.detail};
        std::string each;
        if (!claim.each_run.empty())
            for (const RunView& run : runs)
                if (!run.drawn) each += (each.empty() ? "" : ", ") + filled_detail(claim.each_run, {run});
        for (const std::string& more : {filled_detail(claim.detail, runs), each})
            if (!more.empty()) found.detail += (found.detail.empty() ? "" : "; ") + more;
        return found;
    } catch (const InputError& error) {
        return {kMissing, error.what()};
    }
}

}  // namespace emergence
