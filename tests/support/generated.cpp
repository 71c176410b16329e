// Finds the marks in a file and fills the text between them.

#include "tests/support/generated.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <regex>

#include "app/handbook/document.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"

namespace emergence::handbook {
namespace {

constexpr std::string_view kMark = "<!-- generated: ";
constexpr std::string_view kMarkEnd = " -->";
constexpr std::string_view kTableEnd = "<!-- end -->";

bool is_mark(std::string_view line) { return line.starts_with(kMark) && line.ends_with(kMarkEnd); }

// Calls `fill` with each mark's line ("figures bandits"), the number of that line and the text between the marks. What
// it returns replaces the text. Throws InputError if an end is missing.
template <class Fill>
std::string replaced(const std::string& file, std::string_view text, Fill&& fill) {
    const std::vector<std::string_view> lines = lines_of(text);
    std::string out;
    for (size_t i = 0; i < lines.size(); ++i) {
        out.append(lines[i]).append("\n");
        if (!is_mark(lines[i])) continue;
        const std::string_view mark = lines[i];
        const int mark_line = static_cast<int>(i) + 1;
        std::string inside;
        for (; i + 1 < lines.size() && lines[i + 1] != kTableEnd && !is_mark(lines[i + 1]); ++i)
            inside.append(lines[i + 1]).append("\n");
        if (i + 1 == lines.size() || lines[i + 1] != kTableEnd)
            throw InputError("{}:{}: '{}' has no end. Close the table with the line '{}'.", file, mark_line, mark,
                             kTableEnd);
        const std::string_view what = mark.substr(kMark.size(), mark.size() - kMark.size() - kMarkEnd.size());
        out += fill(std::string(what), mark_line, inside);
    }
    if (!text.ends_with('\n') && !out.empty()) out.pop_back();
    return out;
}

// A number of a claim: its measurement, an end of its interval, or one of the numbers in its detail.
double number_of_claim(const Measurement& measured, const std::string& part) {
    if (part == "low" && measured.interval) return measured.interval->low;
    if (part == "high" && measured.interval) return measured.interval->high;
    if (part.empty()) return measured.value;
    static const std::regex number("-?[0-9]+(?:\\.[0-9]+)?(?:e-?[0-9]+)?");
    const std::sregex_iterator begin(measured.detail.begin(), measured.detail.end(), number), end;
    const int64_t place = parsed<int64_t>(part).value_or(0);
    if (place < 1 || place > std::distance(begin, end)) throw InputError("has no number '" + part + "'");
    return *parsed<double>(std::next(begin, place - 1)->str());
}

// Writes "7 of 8", "29 %" or "-4.15", with as many digits as `shown` has.
std::string number_like(const std::string& shown, double value, int64_t n) {
    if (shown.find("of") != std::string::npos)
        return with_commas(std::to_string(std::llround(value * static_cast<double>(n)))) + " of " +
               with_commas(std::to_string(n));
    const bool percent = shown.ends_with(" %");
    const std::string digits = shown.substr(0, shown.find(' '));
    const size_t point = std::min(digits.find('.'), digits.size() - 1);
    return with_commas(fmt::format("{:.{}f}", percent ? 100 * value : value, digits.size() - 1 - point)) +
           (percent ? " %" : "");
}

}  // namespace

std::string with_numbers(const std::string& file, const std::string& text, const std::vector<ClaimResults>& results) {
    static const std::regex named(
        "(-?[0-9](?:[0-9.,]*[0-9])?(?:\\s+of\\s+[0-9,]+)?(?: %)?)(<!--([a-z0-9-]+)(?::([a-z0-9]+))?-->)");
    std::string out;
    auto from = text.begin();
    for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at) {
        const std::string shown = (*at)[1], name = (*at)[3];
        out.append(from, (*at)[1].first);
        from = (*at)[1].second;
        const auto of = find_if(results, [&](const ClaimResults& one) { return one.claims.contains(name); });
        if (name == "paper") {
            out += shown;
        } else if (of == results.end()) {
            throw InputError("{}: {}: no result has the claim '{}'", file, at->str(), name);
        } else {
            const Measurement& measured = of->claims.at(name);
            const bool counts = (*at)[4].length() > 0 && shown.find("of") != std::string::npos;
            const double number = number_of_claim(measured, (*at)[4]);
            out += number_like(shown, counts ? number / static_cast<double>(measured.n) : number, measured.n);
        }
    }
    return out.append(from, text.end());
}

const std::vector<std::string>& table_kinds() {
    static const std::vector<std::string> kinds = {"presets",  "experiments", "figures",  "claims",  "settings",
                                                   "keys",     "preferences", "commands", "limits",  "quantities",
                                                   "coverage", "verdicts",    "power",    "results", "bench"};
    return kinds;
}

std::string with_tables(const std::string& file, std::string_view text, const Tables& tables,
                        const std::string& presets) {
    return replaced(file, text, [&](const std::string& what, int line, const std::string& old) {
        const size_t space = std::min(what.find(' '), what.size());
        const std::string kind = what.substr(0, space);
        const auto maker = tables.find(kind);
        if (maker == tables.end()) {
            const std::vector<std::string>& kinds = table_kinds();
            if (contains(kinds, kind)) return old;
            throw InputError("{}:{}: unknown table '{}'. Tables: {}.", file, line, kind, fmt::join(kinds, ", "));
        }
        try {
            return maker->second(space < what.size() ? what.substr(space + 1) : "", presets);
        } catch (const InputError& error) {
            throw InputError("{}:{}: {}", file, line, error.what());
        }
    });
}

std::string without_tables(std::string_view text) {
    return replaced("", text, [](const std::string&, int, const std::string& old) {
        return std::string(static_cast<size_t>(std::count(old.begin(), old.end(), '\n')), '\n');
    });
}

std::string with_commas(std::string digits) {
    const size_t first = digits.starts_with('-') ? 1 : 0;
    for (size_t at = std::min(digits.find('.'), digits.size()); at > first + 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

}  // namespace emergence::handbook
