#include "app/gui/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/gui/widgets/plot_frame.h"
#include "app/gui/widgets/strokes.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

// Pixels that a line may leave the plot before it is cut: its end must not show.
constexpr float kBeyond = 8.0F;

// A line in pixels, thinned to the columns of the plot, in runs without gaps.
std::vector<std::vector<ImVec2>> to_pixels(const PlotFrame& frame, const std::vector<double>& x,
                                           const std::vector<double>& y) {
    std::vector<double> across(x.size());
    std::vector<double> up(x.size(), std::numeric_limits<double>::quiet_NaN());
    for (size_t i = 0; i < x.size(); ++i) {
        across[i] = frame.x.pixel(x[i]) - frame.area_min.x;
        if (i < y.size()) up[i] = frame.y.pixel(y[i]);
    }
    const LinePoints thin =
        decimate(across, up, std::max(1, static_cast<int>(frame.area_max.x - frame.area_min.x)));
    std::vector<std::vector<ImVec2>> runs;
    for (const auto& [begin, end] : runs_without_gaps(thin.y)) {
        const std::vector<double> run_x(thin.x.begin() + static_cast<std::ptrdiff_t>(begin),
                                        thin.x.begin() + static_cast<std::ptrdiff_t>(end));
        const std::vector<double> run_y(thin.y.begin() + static_cast<std::ptrdiff_t>(begin),
                                        thin.y.begin() + static_cast<std::ptrdiff_t>(end));
        for (auto& visible :
             clip_to_band(run_x, run_y, frame.area_min.y - kBeyond, frame.area_max.y + kBeyond)) {
            for (ImVec2& point : visible) point.x += frame.area_min.x;
            runs.push_back(std::move(visible));
        }
    }
    return runs;
}

// Dots mark the measured points where there is room between them.
void draw_dots(const Ui& ui, ImDrawList* list, const std::vector<ImVec2>& run, ImU32 color) {
    if (run.size() < 2) {
        if (!run.empty()) list->AddCircleFilled(run[0], ui.px(3), color);
        return;
    }
    const float apart = (run.back().x - run.front().x) / static_cast<float>(run.size() - 1);
    if (apart < ui.px(9)) return;
    for (const ImVec2& point : run) list->AddCircleFilled(point, 2.2F * ui.scale, color);
}

void draw_shape_band(const Ui& ui, ImDrawList* list, const PlotFrame& frame, const SeriesShape& shape,
                     ImU32 color) {
    if (shape.band_low.empty()) return;
    std::vector<ImVec2> lower;
    std::vector<ImVec2> upper;
    const auto flush = [&] {
        draw_band(list, lower, upper, with_alpha(color, ui.theme == Theme::dark ? 0.24F : 0.18F));
        lower.clear();
        upper.clear();
    };
    for (size_t i = 0; i < shape.x.size(); ++i) {
        const auto x = static_cast<float>(frame.x.pixel(shape.x[i]));
        // An error of 1e30 is a pixel number that no drawing survives; far outside is far enough.
        const double reach = 20.0 * (frame.area_max.y - frame.area_min.y);
        const auto low = static_cast<float>(
            std::clamp(frame.y.pixel(shape.band_low[i]), frame.area_min.y - reach, frame.area_max.y + reach));
        const auto high = static_cast<float>(std::clamp(frame.y.pixel(shape.band_high[i]),
                                                        frame.area_min.y - reach, frame.area_max.y + reach));
        if (!std::isfinite(x) || !std::isfinite(low) || !std::isfinite(high)) {
            flush();
        } else if (!lower.empty() && x < lower.back().x + 1.0F) {
            lower.back().y = std::max(lower.back().y, low);
            upper.back().y = std::min(upper.back().y, high);
        } else {
            lower.emplace_back(x, low);
            upper.emplace_back(x, high);
        }
    }
    flush();
}

void draw_series(const Ui& ui, const PlotFrame& frame, const Series& series, const SeriesShape& shape) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 color = series_color(ui, series.color);
    for (const std::vector<double>& seed : shape.seeds)
        for (const auto& run : to_pixels(frame, shape.x, seed))
            draw_stroke(list, run, with_alpha(color, 0.45F), 1.0F);
    draw_shape_band(ui, list, frame, shape, color);
    for (const auto& run : to_pixels(frame, shape.x, shape.center)) {
        if (series.dashed) {
            draw_dashed(list, run, color, 1.6F * ui.scale, ui.px(5));
        } else {
            draw_stroke(list, run, color, 2.0F * ui.scale);
            draw_dots(ui, list, run, color);
        }
    }
}

size_t nearest_index(const std::vector<double>& x, const AxisMap& map, double pixel) {
    size_t best = 0;
    double distance = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < x.size(); ++i)
        if (const double apart = std::abs(map.pixel(x[i]) - pixel); apart < distance) {
            distance = apart;
            best = i;
        }
    return best;
}

// The nearest measured x of any series, and what each series has there.
void read_at_pointer(const PlotState& state, const PlotFrame& frame, PlotResponse& response) {
    const double pointer = ImGui::GetIO().MousePos.x;
    double distance = std::numeric_limits<double>::infinity();
    for (const SeriesShape& shape : state.shapes()) {
        if (shape.x.empty()) continue;
        const double x = shape.x[nearest_index(shape.x, frame.x, pointer)];
        const double apart = std::abs(frame.x.pixel(x) - pointer);
        if (apart < distance) {
            distance = apart;
            response.x = x;
        }
    }
    response.hovered = std::isfinite(distance);
    for (const SeriesShape& shape : state.shapes()) {
        const auto found = std::find(shape.x.begin(), shape.x.end(), response.x);
        const auto index = static_cast<size_t>(found - shape.x.begin());
        response.values.push_back(found == shape.x.end() ? std::numeric_limits<double>::quiet_NaN()
                                                         : shape.center[index]);
    }
}

std::string value_text(const SeriesShape& shape, double x, double value, Spread spread) {
    std::string text = readout(value);
    if (shape.band_low.empty()) return text;
    const auto found = std::find(shape.x.begin(), shape.x.end(), x);
    if (found == shape.x.end()) return text;
    const auto i = static_cast<size_t>(found - shape.x.begin());
    if (spread == Spread::median)
        return text + "  [" + readout(shape.band_low[i]) + ", " + readout(shape.band_high[i]) + "]";
    return text + " ± " + readout((shape.band_high[i] - shape.band_low[i]) / 2);
}

void draw_crosshair(const Ui& ui, const PlotSpec& spec, const PlotState& state, const PlotFrame& frame,
                    const PlotResponse& response) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto x = static_cast<float>(std::round(frame.x.pixel(response.x)));
    list->AddLine({x, frame.area_min.y}, {x, frame.area_max.y}, with_alpha(ui.colors.text, 0.55F));
    ImGui::BeginTooltip();
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s %s", greek(spec.x.label).c_str(), readout(response.x).c_str());
    for (size_t i = 0; i < spec.series.size(); ++i) {
        const double value = response.values[i];
        if (std::isnan(value)) continue;
        const ImU32 color = series_color(ui, spec.series[i].color);
        const double y = frame.y.pixel(value);
        if (std::isfinite(y)) {
            const ImVec2 dot(x, static_cast<float>(y));
            list->AddCircleFilled(dot, ui.px(5), ui.colors.plot);
            list->AddCircleFilled(dot, 3.6F * ui.scale, color);
        }
        ImGui::PushStyleColor(ImGuiCol_Text, color);
        ImGui::TextUnformatted(spec.series[i].dashed ? "--" : "■");
        ImGui::PopStyleColor();
        ImGui::SameLine();
        ImGui::Text("%s", greek(spec.series[i].name).c_str());
        ImGui::SameLine(ui.px(190));
        ImGui::TextUnformatted(value_text(state.shapes()[i], response.x, value, spec.spread).c_str());
    }
    ImGui::PopFont();
    ImGui::EndTooltip();
}

void explain(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame) {
    if (spec.note.empty() || !ImGui::IsMouseHoveringRect(frame.min, {frame.max.x, frame.area_min.y})) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ui.px(380));
    ImGui::TextUnformatted(greek(spec.note).c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace

void PlotState::prepare(const PlotSpec& spec) {
    if (prepared_) return;
    shapes_.clear();
    shapes_ = shapes_of(spec);
    x_range_ = fit_x(spec);
    y_range_ = fit_y(spec);
    prepared_ = true;
}

PlotResponse draw_plot(const Ui& ui, const PlotSpec& spec, PlotState& state, ImVec2 size) {
    state.prepare(spec);
    const PlotFrame frame = draw_frame(ui, spec, state.x_range(), state.y_range(), size);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(frame.area_min, frame.area_max, true);
    draw_reference_lines(ui, spec, frame);
    // Dashes on top: where two lines coincide, both can be seen.
    for (const bool dashed : {false, true})
        for (size_t i = 0; i < spec.series.size(); ++i)
            if (spec.series[i].dashed == dashed) draw_series(ui, frame, spec.series[i], state.shapes()[i]);

    PlotResponse response;
    response.area_min = frame.area_min;
    response.area_max = frame.area_max;
    ImGui::PushID(spec.id.c_str());
    ImGui::InvisibleButton("plot", size);
    log_item(ui, ("plot " + spec.id).c_str());
    if (ImGui::IsItemHovered()) {
        if (ImGui::IsMouseHoveringRect(frame.area_min, frame.area_max))
            read_at_pointer(state, frame, response);
        else
            explain(ui, spec, frame);
    }
    ImGui::PopID();
    if (response.hovered) draw_crosshair(ui, spec, state, frame, response);
    list->PopClipRect();
    return response;
}

}  // namespace emergence
