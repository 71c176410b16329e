#include "app/gui/widgets/plot_input.h"

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/wheel.h"

namespace emergence {
namespace {

constexpr double kWheelFactor = 0.87;  // a notch

double share_x(const PlotFrame& frame, float pixel) {
    return static_cast<double>(pixel - frame.area_min.x) / (frame.area_max.x - frame.area_min.x);
}
// Upwards.
double share_y(const PlotFrame& frame, float pixel) {
    return static_cast<double>(frame.area_max.y - pixel) / (frame.area_max.y - frame.area_min.y);
}

void wheel(const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges) {
    const ImGuiIO& io = ImGui::GetIO();
    const PointedAxes axes = pointed_axes(frame, io.MousePos);
    const double factor = std::pow(kWheelFactor, io.MouseWheel);
    if (axes.x) ranges.x = zoomed(shown_range(shown.x), shown.x.scale, share_x(frame, io.MousePos.x), factor);
    if (axes.y) ranges.y = zoomed(shown_range(shown.y), shown.y.scale, share_y(frame, io.MousePos.y), factor);
}

}  // namespace

AxisRange shown_range(const AxisSpec& axis) { return {*axis.minimum, *axis.maximum}; }

PointedAxes pointed_axes(const PlotFrame& frame, ImVec2 at) {
    const bool across = at.x >= frame.area_min.x && at.x <= frame.area_max.x;
    const bool up = at.y >= frame.area_min.y && at.y <= frame.area_max.y;
    if (across && up) return {true, true};
    return {across && at.y > frame.area_max.y, up && at.x < frame.area_min.x};
}

void PlotGesture::begin(Kind kind, const PlotFrame& frame, const PlotSpec& shown) {
    from_ = to_ = ImGui::GetIO().MousePos;
    axes_ = pointed_axes(frame, from_);
    kind_ = axes_.any() ? kind : Kind::none;
    moved_ = pans_x_ = pans_y_ = false;
    x_ = shown_range(shown.x);
    y_ = shown_range(shown.y);
}

// From where the drag began, so that rounding does not add up. Along one axis the other keeps still.
void PlotGesture::pan(const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges) {
    const float threshold = ImGui::GetIO().MouseDragThreshold;
    pans_x_ = pans_x_ || (axes_.x && std::abs(to_.x - from_.x) > threshold);
    pans_y_ = pans_y_ || (axes_.y && std::abs(to_.y - from_.y) > threshold);
    if (pans_x_) ranges.x = panned(x_, shown.x.scale, share_x(frame, to_.x) - share_x(frame, from_.x));
    if (pans_y_) ranges.y = panned(y_, shown.y.scale, share_y(frame, to_.y) - share_y(frame, from_.y));
}

// A box that is flat in one direction leaves that axis as it is.
void PlotGesture::zoom_into_box(const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges) const {
    const float threshold = ImGui::GetIO().MouseDragThreshold;
    const auto between = [](double a, double b, const AxisRange& range, Scale scale) {
        // A list: of two temporaries minmax would return references.
        const auto [low, high] = std::minmax({std::clamp(a, 0.0, 1.0), std::clamp(b, 0.0, 1.0)});
        return AxisRange{axis_value(low, range.first, range.second, scale),
                         axis_value(high, range.first, range.second, scale)};
    };
    if (axes_.x && std::abs(to_.x - from_.x) > threshold)
        if (const AxisRange x =
                between(share_x(frame, from_.x), share_x(frame, to_.x), shown_range(shown.x), shown.x.scale);
            is_valid(x, shown.x.scale))
            ranges.x = x;
    if (axes_.y && std::abs(to_.y - from_.y) > threshold)
        if (const AxisRange y =
                between(share_y(frame, from_.y), share_y(frame, to_.y), shown_range(shown.y), shown.y.scale);
            is_valid(y, shown.y.scale))
            ranges.y = y;
}

bool PlotGesture::handle(const Ui&, const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges) {
    ImGuiIO& io = ImGui::GetIO();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && pointed_axes(frame, io.MousePos).any()) {
        if (takes_wheel() && io.MouseWheel != 0.0F && kind_ == Kind::none) wheel(frame, shown, ranges);
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            const PointedAxes axes = pointed_axes(frame, io.MousePos);
            if (axes.x) ranges.x.reset();
            if (axes.y) ranges.y.reset();
            kind_ = Kind::none;
            return false;
        }
    }
    if (hovered && kind_ == Kind::none) {
        if (ImGui::IsItemClicked(ImGuiMouseButton_Left)) begin(Kind::pan, frame, shown);
        if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) begin(Kind::box, frame, shown);
    }
    if (kind_ == Kind::none) return false;
    to_ = io.MousePos;
    moved_ = moved_ || std::hypot(to_.x - from_.x, to_.y - from_.y) > io.MouseDragThreshold;
    const int button = kind_ == Kind::pan ? ImGuiMouseButton_Left : ImGuiMouseButton_Right;
    const bool released = !ImGui::IsMouseDown(button);
    if (kind_ == Kind::pan && moved_) pan(frame, shown, ranges);
    if (!released) return false;
    const bool clicked = kind_ == Kind::box && !moved_;
    if (kind_ == Kind::box && moved_) zoom_into_box(frame, shown, ranges);
    kind_ = Kind::none;
    return clicked;
}

void PlotGesture::draw_box(const Ui& ui, const PlotFrame& frame) const {
    if (kind_ != Kind::box || !moved_) return;
    const float threshold = ImGui::GetIO().MouseDragThreshold;
    const bool x = axes_.x && std::abs(to_.x - from_.x) > threshold;
    const bool y = axes_.y && std::abs(to_.y - from_.y) > threshold;
    const auto inside = [](float at, float low, float high) { return std::clamp(at, low, high); };
    const ImVec2 a(x ? inside(from_.x, frame.area_min.x, frame.area_max.x) : frame.area_min.x,
                   y ? inside(from_.y, frame.area_min.y, frame.area_max.y) : frame.area_min.y);
    const ImVec2 b(x ? inside(to_.x, frame.area_min.x, frame.area_max.x) : frame.area_max.x,
                   y ? inside(to_.y, frame.area_min.y, frame.area_max.y) : frame.area_max.y);
    const ImVec2 low(std::min(a.x, b.x), std::min(a.y, b.y));
    const ImVec2 high(std::max(a.x, b.x), std::max(a.y, b.y));
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(low, high, with_alpha(ui.colors.accent, 0.18F));
    list->AddRect(low, high, ui.colors.accent);
}

}  // namespace emergence
