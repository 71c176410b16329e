#include "core/pictures/drawn_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/pictures/axis.h"

namespace emergence {
namespace {

constexpr double kSmallText = 0.2;

}  // namespace

double round_limit(double value) {
    if (!(value > 0.0) || !std::isfinite(value)) return 1.0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 5.0, 7.5})
        if (value <= step * power) return step * power;
    return 10.0 * power;
}

DrawnShape small_label(DrawnPlace at, std::string text, int color) {
    DrawnShape shape = drawn_label(at, std::move(text), color);
    shape.radius = kSmallText;
    return shape;
}

double BarChart::y(double value) const {
    return bottom + height * (std::clamp(value, low, high) - low) / (high - low);
}

void BarChart::heading(DrawingSpec& drawing, const std::string& text) const {
    drawing.shapes.push_back(small_label({left + width / 2, bottom + height + 0.2}, text, kInkColor));
}

void BarChart::frame(DrawingSpec& drawing, const std::vector<std::string>& names, int chosen) const {
    drawing.shapes.push_back(drawn_line({{left, y(0.0)}, {left + width, y(0.0)}}, kFaintColor, 0.5));
    const int every = std::max(1, static_cast<int>(std::ceil(0.32 / pitch())));
    for (int k = 0; k < columns; k += every) {
        const std::string& name = names[static_cast<size_t>(k)];
        const bool fits = 0.12 * static_cast<double>(name.size()) < pitch() * every;
        drawing.shapes.push_back(small_label({x(k) + pitch() / 2, bottom - 0.17},
                                             fits ? name : fmt::format("{}", k + 1),
                                             k == chosen ? kInkColor : kFaintColor));
    }
}

void BarChart::limits(DrawingSpec& drawing) const {
    const double at = left - kLimitsWidth / 2;
    drawing.shapes.push_back(small_label({at, bottom + height - 0.08}, readout(high)));
    drawing.shapes.push_back(small_label({at, y(0.0)}, "0"));
    if (low < 0.0) drawing.shapes.push_back(small_label({at, bottom + 0.08}, readout(low)));
}

void BarChart::bar(DrawingSpec& drawing, int column, double from, double share, double value,
                   int color) const {
    if (!std::isfinite(value)) return;
    const double edge = x(column) + from * pitch(), end = y(value), zero = y(0.0);
    drawing.shapes.push_back(
        drawn_box({edge, std::min(end, zero)}, {edge + share * pitch(), std::max(end, zero)}, color));
}

DrawnHandle BarChart::handle(int column, const char* field, std::string name, const std::string& what,
                             double value, double step, bool changed) const {
    DrawnHandle grip;
    grip.name = std::move(name);
    grip.help = fmt::format("{}: {}{}", what, readout(value),
                            changed ? ", changed; a double click takes it back" : ". Drag it");
    grip.field = field;
    grip.lower = {x(column), bottom};
    grip.upper = {x(column) + pitch(), bottom + height};
    grip.value = value;
    grip.minimum = low;
    grip.maximum = high;
    grip.step = step;
    grip.changed = changed;
    return grip;
}

}  // namespace emergence
