#include "app/gui/widgets/field_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/gui/widgets/text.h"
#include "core/base/ranges.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr double kStepShare = 0.02;  // share of the range that a key moves
constexpr double kNearZero = 1e-6;   // share of the range that is linear if a logarithmic one begins at 0

bool is_whole(const FieldInfo& info) { return std::holds_alternative<int64_t>(info.default_value); }

double raw_value_at(const FieldInfo& info, double share) {
    const double low = info.minimum, high = info.maximum;
    if (!info.logarithmic) return low + share * (high - low);
    if (low > 0.0) return low * std::pow(high / low, share);
    const double linear = kNearZero * (high - low);
    return low + linear * std::expm1(share * std::log1p((high - low) / linear));
}

// Rounds `value` to a decimal place that still shows `difference`.
double rounded_within(double value, double difference) {
    if (!(difference > 0.0) || !std::isfinite(difference) || value == 0.0) return value;
    const double place = std::floor(std::log10(difference));
    const double first = std::floor(std::log10(std::abs(value)));
    const int digits = static_cast<int>(std::clamp(first - place + 1.0, 1.0, 17.0));
    return rounded(value, digits);
}

// The next of the round numbers 1, 2, 5, 10, ...
double round_number(double value) {
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    const double first = value / decade;
    return decade * (first < 1.5 ? 1.0 : first < 3.5 ? 2.0 : first < 7.5 ? 5.0 : 10.0);
}

double stepped_number(const FieldInfo& info, double value, int steps) {
    double next = 0.0;
    if (info.logarithmic) {
        const double share = std::clamp(share_of(info, value) + kStepShare * steps, 0.0, 1.0);
        next = value_at(info, share, 1.0 / kStepShare);
    } else {
        const double step = round_number((info.maximum - info.minimum) * kStepShare / 2);
        next = rounded_within(value + step * steps, step / 10);
    }
    return std::clamp(next, info.minimum, info.maximum);
}

int64_t stepped_whole(const FieldInfo& info, int64_t value, int steps) {
    double next = static_cast<double>(value) + steps;
    if (info.logarithmic) {
        const double ratio = stepped_number(info, static_cast<double>(value), steps);
        next = steps > 0 ? std::max(next, ratio) : std::min(next, ratio);
    }
    return static_cast<int64_t>(std::llround(std::clamp(next, info.minimum, info.maximum)));
}

std::string stepped_choice(const FieldInfo& info, const std::string& value, int steps) {
    const auto found = std::find(info.choices.begin(), info.choices.end(), value);
    if (found == info.choices.end()) return value;
    const auto last = static_cast<std::ptrdiff_t>(info.choices.size()) - 1;
    const auto next = std::clamp<std::ptrdiff_t>(found - info.choices.begin() - steps, 0, last);
    return info.choices[static_cast<size_t>(next)];
}

bool in_name(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

double share_of(const FieldInfo& info, double value) {
    const double low = info.minimum, high = info.maximum;
    double share = 0.0;
    if (!info.logarithmic) {
        share = (value - low) / (high - low);
    } else if (low > 0.0) {
        share = std::log(value / low) / std::log(high / low);
    } else {
        const double linear = kNearZero * (high - low);
        share = std::log1p((value - low) / linear) / std::log1p((high - low) / linear);
    }
    return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
}

double value_at(const FieldInfo& info, double share, double pixels) {
    share = std::clamp(share, 0.0, 1.0);
    // The ends are exact.
    if (share == 0.0) return info.minimum;
    if (share == 1.0) return info.maximum;
    const double value = raw_value_at(info, share);
    if (is_whole(info)) return std::clamp(std::round(value), info.minimum, info.maximum);
    const double pixel = 1.0 / std::max(pixels, 1.0);
    const double neighbour = raw_value_at(info, std::min(1.0, share + pixel));
    return std::clamp(rounded_within(value, neighbour - value), info.minimum, info.maximum);
}

FieldValue stepped(const FieldInfo& info, const FieldValue& value, int steps) {
    if (std::holds_alternative<bool>(value)) return steps > 0;
    if (const auto* whole = std::get_if<int64_t>(&value)) return stepped_whole(info, *whole, steps);
    if (const auto* number = std::get_if<double>(&value)) return stepped_number(info, *number, steps);
    return stepped_choice(info, std::get<std::string>(value), steps);
}

std::string shown_value(const FieldValue& value) {
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.6g}", *number);
    return to_text(value);
}

std::string with_labels(std::string_view sentence, const FieldTable& fields) {
    std::string result;
    bool quoted = false;
    bool first = true;
    size_t i = 0;
    while (i < sentence.size()) {
        size_t end = i;
        while (end < sentence.size() && in_name(sentence[end])) ++end;
        if (end == i) {
            quoted = quoted != (sentence[i] == '\'');
            result += sentence[i++];
            continue;
        }
        const std::string_view word = sentence.substr(i, end - i);
        i = end;
        const auto field = find_if(fields, [word](const FieldInfo& info) { return info.name == word; });
        if (quoted || field == fields.end() || field->label == word) {
            result += word;
            continue;
        }
        result += greek(field->label);
        if (first) result += " (" + field->name + ")";
        first = false;
    }
    return result;
}

std::string help_in_words(const FieldInfo& info) {
    std::string result;
    for (size_t i = 0; i < info.help.size();) {
        size_t end = i;
        while (end < info.help.size() && (in_name(info.help[end]) || info.help[end] == '-')) ++end;
        const std::string word = info.help.substr(i, std::max<size_t>(end - i, 1));
        const auto label = find_if(info.choice_labels, [&](const auto& one) { return one.first == word; });
        result += label != info.choice_labels.end() ? label->second : word;
        i += word.size();
    }
    return in_words(result);
}

}  // namespace emergence
