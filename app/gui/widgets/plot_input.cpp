#include "app/gui/widgets/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/buttons.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

constexpr double kWheelFactor = 0.87;  // a notch

double share_x(const PlotFrame& frame, float pixel) {
    return static_cast<double>(pixel - frame.area_min.x) / (frame.area_max.x - frame.area_min.x);
}
double share_y(const PlotFrame& frame, float pixel) {
    return static_cast<double>(frame.area_max.y - pixel) / (frame.area_max.y - frame.area_min.y);
}

PointedAxes pointed_axes(const PlotFrame& frame, ImVec2 at) {
    const bool across = at.x >= frame.area_min.x && at.x <= frame.area_max.x;
    const bool up = at.y >= frame.area_min.y && at.y <= frame.area_max.y;
    if (across && up) return {true, true};
    return {across && at.y > frame.area_max.y, up && at.x < frame.area_min.x};
}

void wheel(const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges) {
    const ImGuiIO& io = ImGui::GetIO();
    const PointedAxes axes = pointed_axes(frame, io.MousePos);
    const double factor = std::pow(kWheelFactor, io.MouseWheel);
    if (axes.x) ranges.x = zoomed(shown_range(shown.x), shown.x.scale, share_x(frame, io.MousePos.x), factor);
    if (axes.y) ranges.y = zoomed(shown_range(shown.y), shown.y.scale, share_y(frame, io.MousePos.y), factor);
}

bool item(const Ui& ui, const std::string& label, bool checked = false, bool enabled = true) {
    const bool chosen = ImGui::MenuItem(label.c_str(), nullptr, checked, enabled);
    log_item(ui, ("menu " + label).c_str());
    return chosen;
}

// The plot's own scale is no choice.
void toggle_logarithmic(std::optional<Scale>& chosen, Scale shown, Scale own) {
    const Scale next = shown == Scale::linear ? Scale::logarithmic : Scale::linear;
    chosen = next == own ? std::nullopt : std::optional(next);
}

void draw_scales(const Ui& ui, const PlotSpec& own, const PlotSpec& shown, PlotView& view) {
    const auto offer = [&](const char* label, std::optional<Scale>& chosen, Scale now, Scale of_plot) {
        if (item(ui, label, now == Scale::logarithmic)) toggle_logarithmic(chosen, now, of_plot);
    };
    const bool bars = view.histogram;  // whose x axis is the curves' y axis
    offer("Logarithmic x", bars ? view.y_scale : view.x_scale, shown.x.scale, bars ? own.y.scale : own.x.scale);
    if (!bars) offer("Logarithmic y", view.y_scale, shown.y.scale, own.y.scale);
}

void draw_spreads(const Ui& ui, PlotView& view) {
    if (!ImGui::BeginMenu("Seeds as")) return;
    if (item(ui, "As all plots", !view.spread && !view.histogram)) {
        view.spread.reset();
        view.histogram = false;
    }
    const char* const names[] = {"Mean ± standard error", "Mean ± standard deviation", "Median, 25–75 %", "All lines"};
    for (int i = 0; i < 4; ++i) {
        const auto spread = static_cast<Spread>(i);
        if (!item(ui, names[i], !view.histogram && view.spread == spread)) continue;
        view.spread = spread;
        view.histogram = false;
    }
    if (item(ui, "Histogram", view.histogram)) view.histogram = true;
    ImGui::EndMenu();
}

// Both ends of an axis; true if one was typed.
bool draw_ends(const Ui& ui, const char* axis, double& low, double& high) {
    bool typed = false;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(axis);
    for (double* end : {&low, &high}) {
        ImGui::SameLine(end == &low ? ui.px(30) : 0.0F, end == &low ? -1.0F : ui.px(6));
        ImGui::PushID(end);
        ImGui::SetNextItemWidth(ui.px(90));
        ImGui::InputDouble("##end", end, 0.0, 0.0, "%.6g");
        typed = ImGui::IsItemDeactivatedAfterEdit() || typed;
        log_item(ui, fmt::format("menu {} {}", axis, end == &low ? "from" : "to").c_str());
        ImGui::PopID();
    }
    return typed;
}

void draw_limits(const Ui& ui, PlotMenu& menu, const PlotSpec& shown, ViewRanges& ranges) {
    if (!ImGui::BeginMenu("Limits")) return;
    const auto apply = [&](const char* axis, double low, double high, Scale scale, std::optional<AxisRange>& range) {
        menu.refusal.clear();
        if (is_valid({low, high}, scale))
            range = {low, high};
        else
            menu.refusal = fmt::format("{} from {} to {}: the minimum must be below the maximum{}", axis, readout(low),
                                       readout(high), scale == Scale::logarithmic ? " and be above 0" : "");
    };
    auto& [x_low, x_high, y_low, y_high] = menu.limits;
    if (draw_ends(ui, "x", x_low, x_high)) apply("x", x_low, x_high, shown.x.scale, ranges.x);
    if (draw_ends(ui, "y", y_low, y_high)) apply("y", y_low, y_high, shown.y.scale, ranges.y);
    if (!menu.refusal.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.bad);
        ImGui::TextUnformatted(menu.refusal.c_str());
        ImGui::PopStyleColor();
    }
    ImGui::EndMenu();
}

void draw_smoothing(const Ui& ui, const PlotSpec& own, PlotView& view) {
    if (!ImGui::BeginMenu("Smoothing")) return;
    if (item(ui, "As all plots", !view.smoothing)) view.smoothing.reset();
    auto weight = static_cast<float>(view.smoothing.value_or(own.smoothing));
    ImGui::SetNextItemWidth(ui.px(160));
    if (ImGui::SliderFloat("##weight", &weight, 0.0F, 0.99F, "%.2f", ImGuiSliderFlags_AlwaysClamp))
        view.smoothing = static_cast<double>(weight);
    log_item(ui, "menu smoothing weight");
    ImGui::EndMenu();
}

void draw_series_list(const Ui& ui, const PlotSpec& shown, PlotView& view) {
    if (!ImGui::BeginMenu("Series")) return;
    for (const Series& series : shown.series) {
        if (series.name.empty() || !item(ui, greek(series.name), !series.hidden)) continue;
        if (view.hidden.erase(series.name) == 0) view.hidden.insert(series.name);
    }
    if (item(ui, "Show all", false, !view.hidden.empty())) view.hidden.clear();
    ImGui::EndMenu();
}

}  // namespace

AxisRange shown_range(const AxisSpec& axis) { return {*axis.minimum, *axis.maximum}; }

void PlotGesture::begin(const PlotFrame& frame, const PlotSpec& shown) {
    from_ = to_ = ImGui::GetIO().MousePos;
    axes_ = pointed_axes(frame, from_);
    held_ = axes_.any();
    moved_ = pans_x_ = pans_y_ = false;
    x_ = shown_range(shown.x);
    y_ = shown_range(shown.y);
}

// Relative to the begin of the drag, so that rounding errors do not add up.
void PlotGesture::pan(const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges) {
    const float threshold = ImGui::GetIO().MouseDragThreshold;
    pans_x_ = pans_x_ || (axes_.x && std::abs(to_.x - from_.x) > threshold);
    pans_y_ = pans_y_ || (axes_.y && std::abs(to_.y - from_.y) > threshold);
    if (pans_x_) ranges.x = panned(x_, shown.x.scale, share_x(frame, to_.x) - share_x(frame, from_.x));
    if (pans_y_) ranges.y = panned(y_, shown.y.scale, share_y(frame, to_.y) - share_y(frame, from_.y));
}

void PlotGesture::handle(const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool hovered = ImGui::IsItemHovered();
    if (const PointedAxes axes = pointed_axes(frame, io.MousePos); hovered && axes.any()) {
        if (takes_wheel() && io.MouseWheel != 0.0F && !held_) wheel(frame, shown, ranges);
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            if (axes.x) ranges.x.reset();
            if (axes.y) ranges.y.reset();
            held_ = false;
            return;
        }
    }
    if (hovered && !held_ && ImGui::IsItemClicked(ImGuiMouseButton_Left)) begin(frame, shown);
    if (!held_) return;
    to_ = io.MousePos;
    moved_ = moved_ || std::hypot(to_.x - from_.x, to_.y - from_.y) > io.MouseDragThreshold;
    if (moved_) pan(frame, shown, ranges);
    held_ = ImGui::IsMouseDown(ImGuiMouseButton_Left);
}

void open_plot_menu(PlotMenu& menu, const PlotSpec& shown) {
    menu.limits = {*shown.x.minimum, *shown.x.maximum, *shown.y.minimum, *shown.y.maximum};
    menu.refusal.clear();
    ImGui::OpenPopup("plot menu");
}

void draw_plot_menu(const Ui& ui, PlotMenu& menu, const PlotSpec& own, const PlotSpec& shown, PlotView& view) {
    if (!ImGui::BeginPopup("plot menu")) return;
    if (item(ui, "Fit to the data", false, !view.ranges().fitted())) view.ranges() = {};
    ImGui::Separator();
    draw_scales(ui, own, shown, view);
    draw_limits(ui, menu, shown, view.ranges());
    ImGui::Separator();
    draw_spreads(ui, view);
    draw_smoothing(ui, own, view);
    draw_series_list(ui, shown, view);
    if (item(ui, "Markers", view.markers)) view.markers = !view.markers;
    ImGui::EndPopup();
}

}  // namespace emergence
