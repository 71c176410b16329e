#pragma once
// Numbers, counts and lists in sentences.

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace emergence {

/// The number that the whole text is; none for other text, and for one out of T's range.
template <class T, class... Base>
std::optional<T> parsed(std::string_view text, Base... base) {
    T value = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value, base...);
    return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

/// The number in so many significant digits, the same in any locale; NaN and infinities as they are.
double rounded(double value, int digits);
/// A number as text without the sign of a zero: "0.00" of "-0.00".
std::string unsigned_zero(std::string number);
/// The numbers in as few significant digits, at least `digits`, as tell them apart.
std::vector<std::string> told_apart(const std::vector<double>& values, int digits = 3);

/// The text without what stands around it.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");

/// ASCII letters made small, made capitals, and the first one a capital.
std::string small_letters(std::string_view text);
std::string capital_letters(std::string_view text);
std::string capitalised(std::string_view text);

/// "1 seed", "3 seeds". `many`: a plural that is not the word with an s.
template <class Count>
std::string counted(Count count, std::string_view word, std::string_view many = "") {
    if (count == 1 || many.empty()) return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
    return fmt::format("{} {}", count, many);
}

/// "a, b, c": what `of` makes of each, or a member of each.
template <class Range, class Of>
std::string listed(const Range& range, const Of& of, std::string_view separator = ", ") {
    std::string list;
    for (const auto& each : range) list += fmt::format("{}{}", list.empty() ? "" : separator, std::invoke(of, each));
    return list;
}

// Suggestions for an unknown name: "did you mean".

/// At most `most` of `names`, nearest to `name` first (Levenshtein distance, ignoring case). Omits names that are too
/// far away. A substring counts as near: "8a" finds "wang-8a".
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& names, size_t most = 3);

/// ". Did you mean 'wang-2'?"; "" if none is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

/// The message for an unknown name: "unknown figure 'wang-9', there are: wang-1, wang-2. Did you mean 'wang-1'?" with all
/// names if they are few or nothing else lists them, otherwise with the nearest ones and `how_to_list`.
std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
                         std::string_view how_to_list = "");

/// "6.2 %" of the share 0.062; "0 %" for what is only rounding.
std::string percent_of(double share);

}  // namespace emergence
