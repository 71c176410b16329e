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

}  // namespace emergence
