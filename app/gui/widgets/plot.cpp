#include "app/gui/widgets/plot.h"

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/imgui_pen.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

constexpr float kReach = 30.0F;  // of the 1600 x 1000 design: the pointer reads points this near

// The view without its ranges.
PlotView look_of(PlotView view) {
    view.curves = view.bars = {};
    return view;
}

bool shows_nothing(const PlotSpec& plot) {
    return !any_of(plot.series, [](const Series& series) { return series.hidden || has_value(series); });
}

// Titles and scales of both axes.
std::string axes_of(const PlotSpec& plot) {
    const auto scale = [](const AxisSpec& axis) { return axis.scale == Scale::linear ? " lin " : " log "; };
    return axis_title(plot.x) + scale(plot.x) + axis_title(plot.y) + scale(plot.y);
}

void widen(AxisSpec& axis, const AxisRange& range) {
    axis.minimum = std::min(*axis.minimum, range.first);
    axis.maximum = std::max(*axis.maximum, range.second);
}

// Over the title: what the plot shows, what had no room, and what the drawing leaves out.
void explain_plot(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, const std::string& left_out) {
    const std::string numbers = frame.readout.empty() ? spec.readout : std::string();
    if ((frame.cut_meaning + spec.note + left_out + numbers).empty() ||
        !ImGui::IsMouseHoveringRect(frame.min, {frame.max.x, frame.area_min.y}))
        return;
    const Tooltip tooltip(ui);
    for (const std::string* text : {&frame.cut_meaning, &numbers, &spec.note})
        if (!text->empty()) wrapped_text(greek(*text));
    if (!left_out.empty())
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ui.colors.warning), "%s", left_out.c_str());
}

// Offers to follow the data again.
void draw_fit_button(const Ui& ui, const PlotFrame& frame, PlotState& state) {
    if (state.view.ranges().fitted()) return;
    const float width = fit_button_width(ui);
    ImGui::SetCursorScreenPos({frame.max.x - width, frame.min.y});
    ImGui::PushFont(ui.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(5), 0.0F});
    if (ImGui::Button("Fit", {width - ui.px(2), ui.fonts.bold->FontSize})) state.view.ranges() = {};
    ImGui::PopStyleVar();
    ImGui::PopFont();
    log_item(ui, ("fit " + state.shown().id).c_str());
    explain_item(ui, "Zoomed: new data does not move this view. Fit it again  (double click, or F for all)");
}

std::vector<Emphasis> emphasis_of(const PlotSpec& spec, std::optional<size_t> pointed) {
    std::vector<Emphasis> emphasis(spec.series.size(), pointed ? Emphasis::faint : Emphasis::normal);
    if (pointed) emphasis[*pointed] = Emphasis::strong;
    return emphasis;
}

void draw_data(const PlotState& state, Pen& pen, const PictureStyle& style) {
    const PlotSpec& shown = state.shown();
    std::optional<size_t> pointed = state.legend.pointed();
    if (pointed && *pointed >= shown.series.size()) pointed.reset();
    draw_plot(pen, shown, state.layout(), emphasis_of(shown, pointed), style);
}

// The seed of the nearest point, if the button is released where it was pressed.
std::optional<uint64_t> clicked_seed(const PlotSpec& spec, const PlotReading& reading) {
    const ImGuiIO& io = ImGui::GetIO();
    const float reach = io.MouseDragThreshold;
    if (!reading.nearest || !ImGui::IsMouseReleased(ImGuiMouseButton_Left) ||
        io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] > reach * reach)
        return std::nullopt;
    const Series& series = spec.series[reading.nearest->series];
    for (size_t i = 0; i < std::min(series.x.size(), series.seeds.size()); ++i)
        if (series.x[i] == reading.nearest->x && series.rows[0][i] == reading.nearest->y) return series.seeds[i];
    return std::nullopt;
}

// Zooming out ends at the data.
void end_at(const AxisRange& fitted, Scale scale, std::optional<AxisRange>& range) {
    if (!range) return;
    const AxisRange kept{std::max(range->first, fitted.first), std::min(range->second, fitted.second)};
    if (kept == fitted || !is_valid(kept, scale))
        range.reset();
    else
        range = kept;
}

// An upright line, and a dot on each series.
void draw_crosshair(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, const PlotReading& reading) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const double across = frame.place.x.place(reading.x);
    if (!(across >= frame.area_min.x - 1.0F && across <= frame.area_max.x + 1.0F)) return;
    const auto x = static_cast<float>(std::round(across));
    list->AddLine({x, frame.area_min.y}, {x, frame.area_max.y}, with_alpha(ui.colors.text, 0.55F));
    for (size_t i = 0; i < spec.series.size(); ++i) {
        const double y = frame.place.y.place(reading.values[i]);
        if (!std::isfinite(y) || spec.series[i].bars) continue;
        const ImVec2 dot(x, static_cast<float>(y));
        list->AddCircleFilled(dot, ui.px(5), ui.colors.plot);
        list->AddCircleFilled(dot, 3.6F * ui.scale, series_color(ui, spec.series[i].color));
    }
    if (!reading.nearest) return;
    const ImVec2 at(x, static_cast<float>(frame.place.y.place(reading.nearest->y)));
    list->AddCircle(at, ui.px(7), ui.colors.text, 0, 1.6F * ui.scale);
}

// Beside the upright line, never on it. `size` is the size of the read-out, kept between frames.
void draw_readout(const Ui& ui, const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotFrame& frame,
                  const PlotReading& reading, ImVec2& size) {
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const auto x = static_cast<float>(frame.place.x.place(reading.x));
    const float apart = ui.px(16);
    // The read-out does not cover names at the ends of the lines as long as the other side has room.
    const bool named = frame.max.x - frame.area_max.x > ui.px(20);
    const bool left = x + apart + size.x > (named && x - apart - size.x > 0.0F ? frame.area_max.x : window.x);
    const bool above = pointer.y + apart + size.y > window.y;
    // If neither side has room it lies over the upright line.
    ImGui::SetNextWindowPos({left ? std::max(0.0F, x - apart - size.x) : x + apart,
                             above ? std::max(0.0F, pointer.y - apart - size.y) : pointer.y + apart});
    const Tooltip tooltip(ui, 0.0F);
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s %s", greek(spec.x.label).c_str(), reading_of_x(spec, shapes, reading).c_str());
    float names = 0.0F;
    for (const Series& series : spec.series) names = std::max(names, text_size(ui.fonts.small, greek(series.name)).x);
    for (size_t i = 0; i < spec.series.size(); ++i) {
        if (std::isnan(reading.values[i])) continue;
        ImGui::PushStyleColor(ImGuiCol_Text, series_color(ui, spec.series[i].color));
        ImGui::TextUnformatted(spec.series[i].dashed ? "--" : "■");
        ImGui::PopStyleColor();
        ImGui::SameLine(ui.px(34));
        const bool meant = reading.nearest && reading.nearest->series == i;
        const ImU32 color = meant || !reading.nearest ? ui.colors.text : ui.colors.muted;
        ImGui::PushStyleColor(ImGuiCol_Text, color);
        ImGui::TextUnformatted(greek(spec.series[i].name).c_str());
        ImGui::SameLine(names + ui.px(50));
        ImGui::TextUnformatted(greek(reading_text(spec, i, shapes[i], reading)).c_str());
        ImGui::PopStyleColor();
    }
    size = ImGui::GetWindowSize();
    ImGui::PopFont();
}

// The mouse over the plot's own item, which was the last one.
void handle_pointer(const Ui& ui, const PlotFrame& frame, PlotState& state, PlotResponse& response) {
    std::optional<PlotReading>& reading = response.reading;
    const bool hovered = ImGui::IsItemHovered();
    ViewRanges& ranges = state.view.ranges();
    const bool zooms_out = hovered && ImGui::GetIO().MouseWheel < 0.0F;
    const ViewRanges before = ranges;
    state.gesture.handle(frame, state.shown(), ranges);
    if (zooms_out && !(ranges == before)) {
        const PlotSpec fitted = state.fitted();
        end_at(shown_range(fitted.x), fitted.x.scale, ranges.x);
        end_at(shown_range(fitted.y), fitted.y.scale, ranges.y);
    }
    if (hovered && !state.gesture.active()) {
        if (ImGui::IsMouseHoveringRect(frame.area_min, frame.area_max))
            reading = read_at(state.shown(), state.shapes(), frame.place, point_of(ImGui::GetIO().MousePos),
                              static_cast<double>(kReach * ui.scale));
        else
            explain_plot(ui, state.shown(), frame, state.layout().note);
    }
    if (reading) response.clicked_seed = clicked_seed(state.shown(), *reading);
    if (hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) open_plot_menu(state.menu, state.shown());
}

}  // namespace

bool has_value(const Series& series) {
    return any_of(series.rows, [](const std::vector<double>& row) {
        return any_of(row, [](double value) { return std::isfinite(value); });
    });
}

PlotSpec PlotState::fitted() const {
    PlotSpec plot = shown_;
    plot.x = own_x_;
    plot.y = own_y_;
    set_ranges(plot, shapes_, {});
    return plot;
}

void PlotState::prepare(const PlotSpec& spec) {
    const bool same_look = prepared_ && look_of(view) == look_of(built_view_);
    if (!same_look) {
        shown_ = shown_as(spec, view);
        shapes_ = shapes_of(shown_);
        empty_ = shows_nothing(shown_);
        legend.list(shown_);
        own_x_ = shown_.x;
        own_y_ = shown_.y;
    }
    if (same_look && view == built_view_) return;
    shown_.x = own_x_;
    shown_.y = own_y_;
    set_ranges(shown_, shapes_, view.ranges());
    begin_at_zero();
    keep_held_ranges();
    built_view_ = view;
    prepared_ = true;
    laid_out_ = false;
}

void PlotState::hold_axes(bool on) {
    if (on == holds_) return;
    holds_ = on;
    held_ = {};
    if (on && prepared_) {
        held_ = {x_range(), y_range()};
        held_axes_ = axes_of(shown_);
    } else if (!on) {
        invalidate();
    }
}

// An axis that begins at 0, of steps or lengths, is not dragged below.
void PlotState::begin_at_zero() {
    if (own_x_.minimum != 0.0 || shown_.x.scale != Scale::linear || !(*shown_.x.minimum < 0.0)) return;
    *shown_.x.maximum -= std::exchange(*shown_.x.minimum, 0.0);
}

// A range that the user has chosen stays.
void PlotState::keep_held_ranges() {
    if (!holds_ || view.histogram) return;
    if (held_axes_ == axes_of(shown_) && held_.x && held_.y) {
        if (!view.ranges().x) widen(shown_.x, *held_.x);
        if (!view.ranges().y) widen(shown_.y, *held_.y);
    }
    held_ = {x_range(), y_range()};
    held_axes_ = axes_of(shown_);
}

const PlotFrame& PlotState::lay_out(const Ui& ui, ImVec2 min, ImVec2 size) {
    legend.place(ui, shown_, size);
    const ImVec2 for_legend(legend.width_beside(), legend.height_above());
    const Place place{min.x, min.y, size.x, size.y, for_legend.x, for_legend.y, ui.scale, ui.fonts.small};
    if (place == place_ && laid_out_) return frame_;
    frame_ = lay_out_frame(ui, shown_, for_legend, view.ranges().fitted(), min, size);
    if (empty_) frame_.axes = {};
    place_ = place;
    const auto sides = [](const Rect& area) { return std::array{area.x, area.y, area.width, area.height}; };
    if (laid_out_ && sides(layout_.place.area) == sides(frame_.place.area)) return frame_;
    layout_ = lay_out_plot(shown_, shapes_, frame_.place, picture_style(ui), ImGuiPen(ui, nullptr));
    laid_out_ = true;
    ++layouts_;
    return frame_;
}

PlotResponse draw_plot(const Ui& ui, const PlotSpec& spec, PlotState& state, ImVec2 size,
                       std::optional<double> linked_x) {
    state.prepare(spec);
    const PlotSpec& shown = state.shown();
    ImGui::PushID(spec.id.c_str());
    const PlotFrame& frame = state.lay_out(ui, ImGui::GetCursorScreenPos(), size);
    const PictureStyle style = picture_style(ui);
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGuiPen pen(ui, list);
    draw_frame(ui, pen, frame, state.layout().note, style);
    draw_data(state, pen, style);
    if (state.empty())
        draw_text_placed(list, ui.fonts.small,
                         {(frame.area_min.x + frame.area_max.x) / 2, (frame.area_min.y + frame.area_max.y) / 2},
                         Placed::centre, ui.colors.muted, "Nothing is measured yet.");

    PlotResponse response{.area_min = frame.area_min, .area_max = frame.area_max};
    // An item that comes first gets the pointer first.
    draw_fit_button(ui, frame, state);
    state.legend.handle(ui, shown, state.shapes(), frame, {frame.min.x, frame.area_min.y - state.legend.height_above()},
                        state.view.hidden);
    ImGui::SetCursorScreenPos(frame.min);
    ImGui::InvisibleButton("plot", size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    log_item(ui, ("plot " + spec.id).c_str());
    handle_pointer(ui, frame, state, response);
    const std::optional<PlotReading>& reading = response.reading;
    draw_plot_menu(ui, state.menu, spec, shown, state.view);
    ImGui::PopID();

    list->PushClipRect(frame.area_min, frame.area_max, true);
    if (reading) draw_crosshair(ui, shown, frame, *reading);
    if (!reading && linked_x) draw_crosshair(ui, shown, frame, read_at_x(shown, state.shapes(), *linked_x));
    list->PopClipRect();
    state.legend.draw(ui, style);
    if (reading) draw_readout(ui, shown, state.shapes(), frame, *reading, state.readout_size);
    return response;
}

}  // namespace emergence
