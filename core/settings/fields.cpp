#include "core/settings/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/text.h"

namespace emergence {

[[noreturn]] static void refuse_value(const FieldInfo& info, std::string_view found) {
    throw InputError("{}: '{}' is not {}{}", info.name, found, allowed_text(info), comma_remedy(found));
}

std::string to_text(const FieldValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* whole = std::get_if<int64_t>(&value)) return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    return std::get<std::string>(value);
}

std::string value_in_words(const FieldInfo& info, const FieldValue& value) {
    std::string text = to_text(value);
    if (info.choices.empty()) return text;
    for (const auto& [choice, label] : info.choice_labels)
        if (choice == text) return label;
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string without_place(const std::string& path) {
    if (!path.starts_with('/') && !path.starts_with('~') && !path.starts_with("..")) return path;
    const size_t end = path.find_last_not_of('/');
    return end == std::string::npos ? path : std::filesystem::path(path.substr(0, end + 1)).filename().string();
}

std::string allowed_text(const FieldInfo& info) {
    if (std::holds_alternative<int64_t>(info.default_value))
        return fmt::format("a whole number from {} to {}", static_cast<int64_t>(info.minimum),
                           static_cast<int64_t>(info.maximum));
    if (std::holds_alternative<double>(info.default_value))
        return fmt::format("a number from {} to {}", info.minimum, info.maximum);
    if (std::holds_alternative<bool>(info.default_value)) return "true or false";
    if (info.choices.empty()) return "text";
    return fmt::format("one of {}", fmt::join(info.choices, ", "));
}

void check_value(const FieldInfo& info, const FieldValue& value) {
    if (value.index() != info.default_value.index()) refuse_value(info, to_text(value));
    const auto* whole = std::get_if<int64_t>(&value);
    const auto* number = std::get_if<double>(&value);
    if (const double x = whole    ? static_cast<double>(*whole)
                         : number ? *number
                                  : info.minimum;
        !(x >= info.minimum && x <= info.maximum))
        refuse_value(info, to_text(value));
    if (const auto* text = std::get_if<std::string>(&value)) {
        if (!is_utf8(*text))  // figures, settings files and tables could not hold it
            throw InputError("{}: '{}' is not UTF-8. Rename the file or folder, for example with convmv", info.name,
                             shown_text(*text));
        if (!info.choices.empty() && !contains(info.choices, *text)) refuse_value(info, *text);
    }
}

FieldValue parse_value(const FieldInfo& info, std::string_view text) {
    FieldValue value;
    if (std::holds_alternative<bool>(info.default_value)) {
        value = text == "true" || text == "1" || text == "yes" || text == "on";
        if (!std::get<bool>(value) && text != "false" && text != "0" && text != "no" && text != "off")
            refuse_value(info, text);
    } else if (std::holds_alternative<int64_t>(info.default_value)) {
        const auto whole = parsed<int64_t>(text);
        if (!whole) refuse_value(info, text);
        value = *whole;
    } else if (std::holds_alternative<double>(info.default_value)) {
        const auto number = parsed<double>(text);
        if (!number) refuse_value(info, text);
        value = *number + 0.0;  // 0 instead of -0
    } else {
        value = std::string(text);
    }
    check_value(info, value);
    return value;
}

double with_digits_of(float value) { return parsed<double>(fmt::format("{}", value)).value_or(value); }

void ask_for(AskedFields& asked, const std::string& name, const FieldValue& value) {
    const auto [before, first] = asked.emplace(name, value);
    if (!first && before->second != value)
        throw InputError("{}: given both as {} and as {}. Choose one", name, to_text(before->second), to_text(value));
}

Settings::Settings(std::shared_ptr<const FieldTable> table) : table_(std::move(table)) {
    for (const FieldInfo& info : *table_) values_.push_back(info.default_value);
}

const FieldInfo* Settings::field(FieldRole role) const { return find_by(*table_, &FieldInfo::role, role); }

const FormerField* Settings::former(std::string_view name, const FieldValue& value) const {
    for (const FieldInfo& info : *table_)
        for (const FormerField& one : info.former)
            if (one.name == name && (!one.value || *one.value == value)) return &one;
    return nullptr;
}

void Settings::set(FieldRole role, const FieldValue& value) {
    if (const FieldInfo* info = field(role)) set(info->name, value);
}

FieldValue Settings::shown(std::string_view name) const {
    const size_t i = index_of(name);
    const auto* text = std::get_if<std::string>(&values_[i]);
    if (text == nullptr || !(*table_)[i].reads) return values_[i];
    const auto other = shown_.find(i);
    if (other != shown_.end()) return without_place(other->second);
    const std::filesystem::path last = std::filesystem::path(*text).filename();
    if (last != "." && last != "..") return without_place(*text);
    std::error_code ignored;  // "." and ".." name a folder, whose own name is shown
    return std::filesystem::weakly_canonical(*text, ignored).filename().string();
}

void Settings::show_as(std::string_view name, std::string text) { shown_[index_of(name)] = std::move(text); }

void Settings::set(std::string_view name, const FieldValue& value) {
    const size_t i = index_of(name);
    check_value((*table_)[i], value);
    const auto* number = std::get_if<double>(&value);
    values_[i] = number != nullptr ? FieldValue(*number + 0.0) : value;  // 0 instead of -0
    shown_.erase(i);
}

void Settings::set_from_text(std::string_view name, std::string_view text) { set(name, parse_value(info(name), text)); }

std::optional<size_t> Settings::find(std::string_view name) const {
    if (!table_) return std::nullopt;
    for (size_t i = 0; i < table_->size(); ++i)
        if ((*table_)[i].name == name) return i;
    return std::nullopt;
}

size_t Settings::index_of(std::string_view name) const {
    if (const auto found = find(name)) return *found;
    if (const std::string said = said_of_retired("setting", name); !said.empty()) throw InputError(said);
    const FieldTable none;
    const std::vector<std::string> near = near_names(name, mapped(table_ ? *table_ : none, &FieldInfo::name), 1);
    throw InputError(
        "unknown field '{}'{}", name,
        near.empty() ? " ('emergence-cli info' lists the fields)" : fmt::format(" (did you mean '{}'?)", near.front()));
}

std::string large_settings(const Settings& settings) {
    constexpr double kLarge = 4.0, kSizes = 1e5;  // numbers of seeds and of steps have larger ranges
    constexpr size_t kMost = 5;
    std::vector<std::pair<double, std::string>> large;
    for (const FieldInfo& field : settings.fields()) {
        const auto* usual = std::get_if<int64_t>(&field.default_value);
        if (usual == nullptr || field.maximum > kSizes || field.name == "log_interval") continue;
        const double ratio =
            static_cast<double>(settings.integer(field.name)) / static_cast<double>(std::max<int64_t>(1, *usual));
        if (ratio >= kLarge)
            large.emplace_back(-ratio, fmt::format("{} = {}", field.name, settings.integer(field.name)));
    }
    std::sort(large.begin(), large.end());
    large.resize(std::min(large.size(), kMost));
    return listed(large, [](const auto& one) { return one.second; });
}

bool same_but_for_live_fields(const Settings& a, const Settings& b) {
    return all_of(a.fields(), [&](const FieldInfo& field) {
        return field.applies == Applies::live || a.value(field.name) == b.value(field.name);
    });
}

std::string why_idle(const Settings& settings, const FieldInfo& info) {
    for (const ActsWhile& needed : info.acts_while) {
        const std::string value = to_text(settings.value(needed.field));
        if (contains(needed.values, value) == needed.none_of)
            return fmt::format("has no effect while {} = {}", needed.field, value);
    }
    return "";
}

std::vector<std::string> idle_notices(const Settings& settings, const std::vector<std::string>& named) {
    std::vector<std::string> notices;
    for (const FieldInfo& info : settings.fields()) {
        if (settings.value(info.name) == info.default_value && !contains(named, info.name)) continue;
        if (const std::string why = why_idle(settings, info); !why.empty()) notices.push_back(info.name + " " + why);
    }
    return notices;
}

std::string acts_text(const FieldInfo& info) {
    const auto condition = [](const ActsWhile& needed) {
        return needed.field + (needed.none_of ? " is not " : " = ") + listed(needed.values, std::identity(), " or ");
    };
    return listed(info.acts_while, condition, ", and ");
}

}  // namespace emergence
