#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace emergence {

namespace {

// The longest list of names that a message shows in full.
constexpr size_t kFew = 12;

// Levenshtein distance, ignoring case.
size_t edit_distance(std::string_view a, std::string_view b) {
    const auto same = [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    };
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (same(a[i - 1], b[j - 1]) ? 0U : 1U)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

}  // namespace

double rounded(double value, int digits) {
    return parsed<double>(fmt::format("{:.{}g}", value, digits)).value_or(value);
}

std::string unsigned_zero(std::string number) {
    const bool zero = number.find_first_not_of("-0.") == std::string::npos && number.find('0') != std::string::npos;
    if (zero && number.starts_with('-')) number.erase(0, 1);
    return number;
}

std::vector<std::string> told_apart(const std::vector<double>& values, int digits) {
    constexpr int kMostDigits = 17;
    for (;; ++digits) {
        std::vector<std::string> texts;
        bool differ = true;
        for (size_t i = 0; i < values.size(); ++i) {
            texts.push_back(unsigned_zero(fmt::format("{:.{}g}", values[i], digits)));
            for (size_t other = 0; other < i; ++other)
                differ = differ && (texts[other] != texts[i] || values[other] == values[i]);
        }
        if (differ || digits == kMostDigits) return texts;
    }
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    const size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::string small_letters(std::string_view text) {
    std::string small(text);
    for (char& c : small)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return small;
}

std::string capital_letters(std::string_view text) {
    std::string capitals(text);
    for (char& c : capitals)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return capitals;
}

std::string capitalised(std::string_view text) {
    return capital_letters(text.substr(0, 1)) + std::string(text.substr(std::min<size_t>(1, text.size())));
}

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& names, size_t most) {
    const size_t too_far = std::min<size_t>(4, 1 + name.size() / 2);
    std::vector<std::pair<size_t, std::string>> near;
    for (const std::string& known : names) {
        // Prefer substring matches to typos.
        const bool part = name.size() >= 2 && known.find(name) != std::string::npos;
        if (name.size() > known.size() + too_far) continue;
        const size_t distance = part ? 1 : edit_distance(name, known);
        if (distance < too_far || part) near.emplace_back(distance, known);
    }
    std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> result;
    for (size_t i = 0; i < std::min(most, near.size()); ++i) result.push_back(near[i].second);
    return result;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& names) {
    const std::vector<std::string> near = near_names(name, names, 1);
    return near.empty() ? "" : fmt::format(". Did you mean '{}'?", near.front());
}

std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
                         std::string_view how_to_list) {
    if (names.size() <= kFew || how_to_list.empty())
        return fmt::format("unknown {} '{}', there are: {}{}", kind, name, fmt::join(names, ", "),
                           did_you_mean(name, names));
    const std::vector<std::string> near = near_names(name, names);
    if (near.empty()) return fmt::format("unknown {} '{}' ({})", kind, name, how_to_list);
    return fmt::format("unknown {} '{}' (did you mean '{}'? {})", kind, name, fmt::join(near, "' or '"), how_to_list);
}

std::string percent_of(double share) {
    constexpr double kRounding = 1e-9;
    return fmt::format("{:.3g} %", share < kRounding ? 0.0 : 100 * share);
}

}  // namespace emergence
