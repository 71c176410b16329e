#pragma once
// Numbers, counts and lists in sentences.

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace emergence {

/// The number that the whole text is; none for other text, and for one out of T's range.
template <class T, class... Base>
std::optional<T> parsed(std::string_view text, Base... base) {
    T value = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value, base...);
    return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

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
    for (const auto& each : range)
        fmt::format_to(std::back_inserter(list), "{}{}", list.empty() ? "" : separator,
                       std::invoke(of, each));
    return list;
}

}  // namespace emergence
