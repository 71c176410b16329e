#include "core/base/named_numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr std::string_view kSeparators = " \t\r\n;";

double parsed_number(std::string_view entry, std::string_view text) {
    const auto value = parsed<double>(text);
    if (!value || !std::isfinite(*value)) throw InputError(fmt::format("'{}': '{}' is not a number", entry, text));
    return *value;
}

NamedNumbers numbers_or_none(std::string_view text) {
    try {
        return parse_named_numbers(text);
    } catch (const InputError&) {
        return {};
    }
}

}  // namespace

NamedNumbers parse_named_numbers(std::string_view text) {
    NamedNumbers numbers;
    for (size_t begin = text.find_first_not_of(kSeparators); begin != std::string_view::npos;) {
        const size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
        const std::string_view entry = text.substr(begin, end - begin);
        const size_t equals = entry.find('=');
        if (equals == std::string_view::npos || equals == 0)
            throw InputError(fmt::format("'{}' is not of the form name=number", entry));
        const std::string name(entry.substr(0, equals));
        if (!numbers.emplace(name, parsed_number(entry, entry.substr(equals + 1))).second)
            throw InputError(fmt::format("'{}': the name '{}' stands twice", entry, name));
        begin = text.find_first_not_of(kSeparators, end);
    }
    return numbers;
}

std::string to_text(const NamedNumbers& numbers) {
    std::string text;
    for (const auto& [name, value] : numbers) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

std::string with_number(std::string_view text, const std::string& name, double value) {
    NamedNumbers numbers = numbers_or_none(text);
    numbers[name] = value;
    return to_text(numbers);
}

std::string without_number(std::string_view text, const std::string& name) {
    NamedNumbers numbers = numbers_or_none(text);
    numbers.erase(name);
    return to_text(numbers);
}

}  // namespace emergence
