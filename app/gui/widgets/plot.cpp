#include "app/gui/widgets/plot.h"

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

// What the view says besides its ranges.
PlotView look_of(PlotView view) {
    view.curves = view.bars = {};
    return view;
}

void explain(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame) {
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

// Lower left, inside the axes.
page::Rect unshowable_box(const Ui& ui, const std::string& text, const PlotFrame& frame) {
    const ImVec2 size = text_size(ui.fonts.small, text);
    return {frame.area_min.x + ui.px(4), frame.area_max.y - size.y - ui.px(2), size.x, size.y};
}

void draw_unshowable(const Ui& ui, const PlotState& state, const PlotFrame& frame) {
    if (state.unshowable().empty()) return;
    const page::Rect box = unshowable_box(ui, state.unshowable(), frame);
    const ImVec2 at(static_cast<float>(box.x), static_cast<float>(box.y));
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, {static_cast<float>(box.right()), static_cast<float>(box.bottom())},
                        with_alpha(ui.colors.plot, 0.8F));
    draw_text(list, ui.fonts.small, at, ui.colors.warning, state.unshowable());
}

void draw_data(const Ui& ui, PlotState& state, const PlotFrame& frame) {
    const PlotSpec& shown = state.shown();
    state.lay_out(ui, frame);
    draw_reference_lines(ui, shown, frame);
    std::optional<size_t> pointed = state.legend.pointed();
    if (pointed && *pointed >= shown.series.size()) pointed.reset();
    draw_lines(ui, shown, state.pixels(), emphasis_of(shown, pointed));
    draw_reference_labels(ui, state.labels());
    draw_unshowable(ui, state, frame);
    state.legend.settle(ui, shown, frame, state.obstacles(), ImGui::GetTime());
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
            explain(ui, state.shown(), frame);
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
        unshowable_ = unshowable_note(shown_, shapes_);
        own_x_ = shown_.x;
        own_y_ = shown_.y;
    }
    if (same_look && view == built_view_) return;
    shown_.x = own_x_;
    shown_.y = own_y_;
    set_ranges(shown_, shapes_, view.ranges());
    built_view_ = view;
    prepared_ = true;
    laid_out_ = false;
}

void PlotState::lay_out(const Ui& ui, const PlotFrame& frame) {
    const auto same = [](ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; };
    if (laid_out_ && same(area_min_, frame.area_min) && same(area_max_, frame.area_max)) return;
    pixels_.clear();
    for (size_t i = 0; i < shapes_.size(); ++i)
        pixels_.push_back(pixels_of(frame, shown_.series[i], shapes_[i]));
    labels_ = place_reference_labels(ui, shown_, frame);
    obstacles_ = obstacles_of(frame, pixels_);
    for (const ReferenceLabel& label : labels_)
        obstacles_.add_box({label.at.x, label.at.y, label.size.x, label.size.y});
    if (!unshowable_.empty()) obstacles_.add_box(unshowable_box(ui, unshowable_, frame));
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
    if (reading) draw_readout(ui, shown, state.shapes(), frame, *reading, state.readout_size);
    return response;
}

}  // namespace emergence
