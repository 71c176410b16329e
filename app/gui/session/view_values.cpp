#include "app/gui/session/view_values.h"

#include <cmath>

namespace emergence {
namespace {

template <class T>
const T* find(const ViewValues& view, const std::string& name) {
    const auto found = view.find(name);
    return found == view.end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace

std::optional<bool> flag_in(const ViewValues& view, const std::string& name) {
    const bool* flag = find<bool>(view, name);
    return flag == nullptr ? std::nullopt : std::optional(*flag);
}

std::optional<double> number_in(const ViewValues& view, const std::string& name, double low, double high) {
    double value = std::nan("");
    if (const double* number = find<double>(view, name)) value = *number;
    if (const int64_t* whole = find<int64_t>(view, name)) value = static_cast<double>(*whole);
    if (!std::isfinite(value) || value < low || value > high) return std::nullopt;
    return value;
}

std::optional<int> choice_in(const ViewValues& view, const std::string& name, std::span<const char* const> words) {
    const std::string* text = find<std::string>(view, name);
    if (text == nullptr) return std::nullopt;
    int place = 0;
    for (const char* choice : words) {
        if (*text == choice) return place;
        ++place;
    }
    return std::nullopt;
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
