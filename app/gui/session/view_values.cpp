#include "app/gui/session/view_values.h"

#include <cmath>

#include "core/base/error.h"

namespace emergence {

void write_fields(const Fields& now, const Fields& first, const std::string& prefix, ViewValues& view) {
    for (size_t i = 0; i < now.table().size(); ++i) {
        const FieldInfo& field = now.table()[i];
        const auto* number = std::get_if<double>(&field.default_value);
        const auto* word = std::get_if<std::string>(&field.default_value);
        if (field.default_value == first.table()[i].default_value || (number != nullptr && std::isnan(*number)))
            continue;
        if (word != nullptr && (*word == "true" || *word == "false"))
            view[prefix + field.name] = *word == "true";
        else
            std::visit([&](const auto& value) { view[prefix + field.name] = value; }, field.default_value);
    }
}

Settings read_fields(const ViewValues& view, const std::string& prefix, const Fields& first) {
    Settings values(std::make_shared<const FieldTable>(first.table()));
    for (const FieldInfo& field : values.fields()) try {
            const auto found = view.find(prefix + field.name);
            if (found == view.end()) continue;
            FieldValue value;
            if (const auto* flag = std::get_if<bool>(&found->second)) value = *flag;
            if (const auto* whole = std::get_if<int64_t>(&found->second)) value = *whole;
            if (const auto* number = std::get_if<double>(&found->second)) value = *number;
            if (const auto* word = std::get_if<std::string>(&found->second)) value = *word;
            values.set(field.name, parse_value(field, to_text(value)));
        } catch (const InputError&) {  // keeps the first value
        }
    return values;
}

std::string state_text(const Session& session, const ViewValues& view) {
    PictureOrigin origin;
    origin.short_form = true;
    if (!view.empty()) origin.view = view;
    const bool rests = !session.time().live() || !session.wants_to_run();
    if (rests && session.snapshot()) origin.step = session.snapshot()->step;
    return settings_to_toml(session.info().name, session.settings(), origin);
}

std::string settings_in_screenshot(const Session& session, const ViewValues& view) {
    if (!session.snapshot()) return "";
    const Snapshot& snapshot = *session.snapshot();
    return settings_to_toml(snapshot.experiment, snapshot.settings, {"screenshot", snapshot.step, view});
}

}  // namespace emergence
