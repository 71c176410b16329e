#include "app/gui/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/gui/widgets/text.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

// What the view says besides its ranges.
PlotView look_of(PlotView view) {
    view.curves = view.bars = {};
    return view;
}

bool has_limits(const PlotSpec& plot) {
    return plot.x.minimum && plot.x.maximum && plot.y.minimum && plot.y.maximum;
}

// What is on them, and how.
std::string axes_of(const PlotSpec& plot) {
    const auto scale = [](const AxisSpec& axis) { return axis.scale == Scale::linear ? " lin " : " log "; };
    return axis_title(plot.x) + scale(plot.x) + axis_title(plot.y) + scale(plot.y);
}

void widen(AxisSpec& axis, const AxisRange& range) {
    axis.minimum = std::min(*axis.minimum, range.first);
    axis.maximum = std::max(*axis.maximum, range.second);
}

void explain_plot(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame) {
    if (spec.note.empty() || !ImGui::IsMouseHoveringRect(frame.min, {frame.max.x, frame.area_min.y})) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ui.px(380));
    ImGui::TextUnformatted(greek(spec.note).c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

// A plot that no longer follows its data says so, and offers to.
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
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip(
            "%s", "Zoomed: new data does not move this view. Fit it again  (double click, or F for all)");
}

std::vector<Emphasis> emphasis_of(const PlotSpec& spec, std::optional<size_t> pointed) {
    std::vector<Emphasis> emphasis(spec.series.size(), pointed ? Emphasis::faint : Emphasis::normal);
    if (pointed) emphasis[*pointed] = Emphasis::strong;
    return emphasis;
}

// In the corner inside the axes that is covered least, the lower left where none is; never on the legend.
Rect place_note(const Ui& ui, const std::string& text, const PlotFrame& frame, Obstacles obstacles,
                const std::optional<Rect>& legend) {
    if (legend) obstacles.add_box(*legend);
    const ImVec2 size = text_size(ui.fonts.small, text);
    const float gap = ui.px(4);
    const float left = frame.area_min.x + gap, right = frame.area_max.x - gap - size.x;
    const float top = frame.area_min.y + gap, bottom = frame.area_max.y - size.y - gap;
    const float center = (left + right) / 2;
    Rect best;
    double covered = std::numeric_limits<double>::infinity();
    for (const float y : {bottom, top})
        for (const float x : {left, right, center}) {
            const Rect box{x, y, size.x, size.y};
            // The legend can be read through by nothing; a curve can.
            const double here = obstacles.covered_by(box) + (legend && legend->overlaps(box) ? 1e6 : 0.0);
            if (here >= covered) continue;
            best = box;
            covered = here;
        }
    return best;
}

void draw_note(const Ui& ui, const PlotState& state) {
    if (state.note().empty()) return;
    const Rect& box = state.note_box();
    const ImVec2 at(static_cast<float>(box.x), static_cast<float>(box.y));
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, {static_cast<float>(box.right()), static_cast<float>(box.bottom())},
                        with_alpha(ui.colors.plot, 0.8F));
    draw_text(list, ui.fonts.small, at, ui.colors.warning, state.note());
}

void draw_data(const Ui& ui, PlotState& state, const PlotFrame& frame) {
    const PlotSpec& shown = state.shown();
    state.lay_out(ui, frame);
    draw_shaded_ranges(ui, shown, frame);
    draw_reference_lines(ui, shown, frame);
    std::optional<size_t> pointed = state.legend.pointed();
    if (pointed && *pointed >= shown.series.size()) pointed.reset();
    draw_lines(ui, shown, frame, state.pixels(), emphasis_of(shown, pointed));
    draw_reference_labels(ui, state.labels());
    draw_note(ui, state);
}

// The mouse over the plot's own item, which was the last one.
void handle_pointer(const Ui& ui, const PlotFrame& frame, PlotState& state, PlotResponse& response,
                    std::optional<PlotReading>& reading) {
    const bool hovered = ImGui::IsItemHovered();
    const bool menu = state.gesture.handle(ui, frame, state.shown(), state.view.ranges());
    if (hovered && !state.gesture.active()) {
        if (ImGui::IsMouseHoveringRect(frame.area_min, frame.area_max))
            reading = read_at(ui, state.shown(), state.shapes(), frame, ImGui::GetIO().MousePos);
        else
            explain_plot(ui, state.shown(), frame);
    }
    if (reading) {
        response.hovered = true;
        response.x = reading->x;
        response.values = reading->values;
        response.nearest = reading->nearest;
    }
    if (!menu) return;
    state.menu.values.clear();
    if (reading)
        for (const std::string& line : reading_lines(state.shown(), state.shapes(), *reading))
            state.menu.values += line + '\n';
    open_plot_menu(state.menu, state.shown());
}

}  // namespace

void PlotState::prepare(const PlotSpec& spec) {
    const bool same_look = prepared_ && look_of(view) == look_of(built_view_);
    if (!same_look) {
        shown_ = shown_as(spec, view);
        shapes_ = shapes_of(shown_);
        legend.set_texts(legend_names(shown_), highlight_note(shown_));
        own_x_ = shown_.x;
        own_y_ = shown_.y;
    }
    if (same_look && view == built_view_) return;
    shown_.x = own_x_;
    shown_.y = own_y_;
    set_ranges(shown_, shapes_, view.ranges());
    keep_held_ranges();
    note_ = drawing_note(shown_, shapes_);
    built_view_ = view;
    prepared_ = true;
    laid_out_ = false;
}

void PlotState::hold_axes(bool on) {
    if (on == holds_) return;
    holds_ = on;
    held_ = {};
    if (on && prepared_ && has_limits(shown_)) {
        held_ = {x_range(), y_range()};
        held_axes_ = axes_of(shown_);
    } else if (!on) {
        invalidate();
    }
}

// A range that its user has chosen is left alone.
void PlotState::keep_held_ranges() {
    if (!holds_ || view.histogram) return;
    if (held_axes_ == axes_of(shown_) && held_.x && held_.y) {
        if (!view.ranges().x) widen(shown_.x, *held_.x);
        if (!view.ranges().y) widen(shown_.y, *held_.y);
    }
    held_ = {x_range(), y_range()};
    held_axes_ = axes_of(shown_);
}

void PlotState::lay_out(const Ui& ui, const PlotFrame& frame) {
    const auto same = [](ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; };
    if (laid_out_ && same(area_min_, frame.area_min) && same(area_max_, frame.area_max)) return;
    pixels_.clear();
    for (size_t i = 0; i < shapes_.size(); ++i)
        pixels_.push_back(pixels_of(frame, shown_, shown_.series[i], shapes_[i]));
    labels_ = place_reference_labels(ui, shown_, frame);
    obstacles_ = obstacles_of(frame, pixels_);
    for (const ReferenceLabel& label : labels_)
        obstacles_.add_box({label.at.x, label.at.y, label.size.x, label.size.y});
    if (!note_.empty()) {
        note_box_ = place_note(ui, note_, frame, obstacles_, legend.box_in(ui, shown_, frame));
        obstacles_.add_box(note_box_);
    }
    area_min_ = frame.area_min;
    area_max_ = frame.area_max;
    laid_out_ = true;
    ++layouts_;
}

PlotResponse draw_plot(const Ui& ui, const PlotSpec& spec, PlotState& state, ImVec2 size,
                       std::optional<double> linked_x) {
    state.prepare(spec);
    const PlotSpec& shown = state.shown();
    ImGui::PushID(spec.id.c_str());
    const float legend_height = state.legend.height_above(ui, shown, size.x);
    const PlotFrame frame = draw_frame(ui, shown, legend_height, state.view.ranges().fitted(), size);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(frame.area_min, frame.area_max, true);
    draw_data(ui, state, frame);
    list->PopClipRect();

    PlotResponse response;
    response.area_min = frame.area_min;
    response.area_max = frame.area_max;
    // What is submitted first has the pointer first.
    draw_fit_button(ui, frame, state);
    state.legend.handle(ui, shown, frame, {frame.min.x, frame.area_min.y - legend_height}, state.view.hidden);
    ImGui::SetCursorScreenPos(frame.min);
    ImGui::InvisibleButton("plot", size,
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    log_item(ui, ("plot " + spec.id).c_str());
    std::optional<PlotReading> reading;
    handle_pointer(ui, frame, state, response, reading);
    draw_plot_menu(ui, state.menu, spec, shown, state.shapes(), state.view);
    ImGui::PopID();

    list->PushClipRect(frame.area_min, frame.area_max, true);
    state.gesture.draw_box(ui, frame);
    if (reading) draw_crosshair(ui, shown, frame, *reading);
    if (!reading && linked_x) draw_crosshair(ui, shown, frame, read_at_x(shown, state.shapes(), *linked_x));
    list->PopClipRect();
    state.legend.draw(ui, shown);
    // For the next frame: this one's axes have left the room for where the legend stands now.
    state.legend.settle(ui, shown, frame, state.obstacles(), state.view.ranges().fitted(), ImGui::GetTime());
    if (reading) draw_readout(ui, shown, state.shapes(), frame, *reading, state.readout_size);
    return response;
}

}  // namespace emergence
