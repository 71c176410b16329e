#include "core/settings/idle_fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace emergence {

std::string why_idle(const Settings& settings, const FieldInfo& info) {
    for (const ActsWhile& needed : info.acts_while) {
        const std::string value = to_text(settings.value(needed.field));
        const bool among =
            std::find(needed.values.begin(), needed.values.end(), value) != needed.values.end();
        if (among == needed.none_of) return fmt::format("has no effect while {} = {}", needed.field, value);
    }
    return "";
}

std::vector<std::string> idle_notices(const Settings& settings, const std::vector<std::string>& named) {
    std::vector<std::string> notices;
    for (const FieldInfo& info : settings.fields()) {
        const bool asked_for = settings.value(info.name) != info.default_value ||
                               std::find(named.begin(), named.end(), info.name) != named.end();
        if (!asked_for) continue;
        if (const std::string why = why_idle(settings, info); !why.empty())
            notices.push_back(info.name + " " + why);
    }
    return notices;
}

std::string acts_text(const FieldInfo& info) {
    std::string text;
    for (const ActsWhile& needed : info.acts_while) {
        text += text.empty() ? "" : ", and ";
        text += needed.field + (needed.none_of ? " is not " : " = ");
        for (const std::string& value : needed.values)
            text += (&value == &needed.values.front() ? "" : " or ") + value;
    }
    return text;
}

}  // namespace emergence
