#include "app/gui/widgets/plot_reference.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/gui/widgets/strokes.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

// The line's pixel on its axis; nothing where it is not seen.
std::optional<float> pixel_of(const ReferenceLine& line, const PlotFrame& frame) {
    const double at = (line.vertical ? frame.x : frame.y).pixel(line.value);
    const float low = line.vertical ? frame.area_min.x : frame.area_min.y;
    const float high = line.vertical ? frame.area_max.x : frame.area_max.y;
    if (!(at >= low - 1.0F && at <= high + 1.0F)) return std::nullopt;
    return static_cast<float>(std::round(at)) + 0.5F;
}

// Where a label may stand, best first: at the line's end, on either side, then further along.
std::vector<ImVec2> places_for(const Ui& ui, const PlotFrame& frame, bool vertical, float at, ImVec2 size) {
    const float gap = ui.px(4);
    std::vector<ImVec2> places;
    if (vertical) {
        for (float y = frame.area_min.y + ui.px(2); y + size.y <= frame.area_max.y; y += size.y)
            for (const float x : {at + gap, at - gap - size.x}) places.emplace_back(x, y);
    } else {
        const float right = frame.area_max.x - gap - size.x;
        const float left = frame.area_min.x + gap;
        for (const float x : {right, left, (left + right) / 2, right - size.x - gap, left + size.x + gap})
            for (const float y : {at - size.y - 1.0F, at + 1.0F}) places.emplace_back(x, y);
    }
    return places;
}

// On the line itself, which runs behind it, from the right end leftwards: where lines are so close that a
// label beside its own would lie on another one.
std::vector<ImVec2> places_on(const Ui& ui, const PlotFrame& frame, float at, ImVec2 size) {
    std::vector<ImVec2> places;
    const float step = ui.px(12);
    const float y = std::clamp(at - size.y / 2, frame.area_min.y, frame.area_max.y - size.y);
    for (float x = frame.area_max.x - ui.px(4) - size.x; x >= frame.area_min.x; x -= step)
        places.emplace_back(x, y);
    return places;
}

bool overlap(const ReferenceLabel& a, const ReferenceLabel& b) {
    return a.at.x < b.at.x + b.size.x && b.at.x < a.at.x + a.size.x && a.at.y < b.at.y + b.size.y &&
           b.at.y < a.at.y + a.size.y;
}

bool inside(const PlotFrame& frame, const ReferenceLabel& label) {
    return label.at.x >= frame.area_min.x && label.at.x + label.size.x <= frame.area_max.x &&
           label.at.y >= frame.area_min.y && label.at.y + label.size.y <= frame.area_max.y;
}

bool crossed_by_line(const ReferenceLabel& label, const PlotSpec& spec, const PlotFrame& frame) {
    return std::any_of(spec.lines.begin(), spec.lines.end(), [&](const ReferenceLine& line) {
        const auto at = pixel_of(line, frame);
        if (!at) return false;
        const float low = line.vertical ? label.at.x : label.at.y;
        return *at > low && *at < low + (line.vertical ? label.size.x : label.size.y);
    });
}

// The part of a shaded range that is seen, in pixels; nothing if none.
std::optional<std::pair<float, float>> pixels_of(const ShadedRange& range, const PlotFrame& frame) {
    const double low = std::max(frame.x.pixel(range.from), static_cast<double>(frame.area_min.x));
    const double high = std::min(frame.x.pixel(range.to), static_cast<double>(frame.area_max.x));
    // On a logarithmic axis a range that begins at 0 has no left end to be seen.
    const double left = std::isnan(frame.x.pixel(range.from)) ? static_cast<double>(frame.area_min.x) : low;
    if (!(left < high)) return std::nullopt;
    return std::pair{static_cast<float>(left), static_cast<float>(high)};
}

// In the range, from the top down; beside it where it is too narrow.
std::vector<ImVec2> places_in(const Ui& ui, const PlotFrame& frame, std::pair<float, float> range,
                              ImVec2 size) {
    const float gap = ui.px(4);
    std::vector<ImVec2> places;
    for (float y = frame.area_min.y + ui.px(2); y + size.y <= frame.area_max.y; y += size.y)
        for (const float x : {range.first + gap, range.second - gap - size.x}) places.emplace_back(x, y);
    return places;
}

// Takes the first of `places` that is inside, free, and crossed by no line; else the first of `otherwise`
// that is free, else of `places`.
void settle(ReferenceLabel label, const std::vector<ImVec2>& places, const std::vector<ImVec2>& otherwise,
            const PlotSpec& spec, const PlotFrame& frame, std::vector<ReferenceLabel>& labels) {
    const auto first_of = [&](const std::vector<ImVec2>& all, bool uncrossed) -> std::optional<ImVec2> {
        for (const ImVec2 place : all) {
            label.at = place;
            const bool free = std::none_of(labels.begin(), labels.end(), [&](const ReferenceLabel& other) {
                return overlap(label, other);
            });
            if (free && inside(frame, label) && !(uncrossed && crossed_by_line(label, spec, frame)))
                return place;
        }
        return std::nullopt;
    };
    std::optional<ImVec2> place = first_of(places, true);
    if (!place) place = first_of(otherwise, false);
    if (!place) place = first_of(places, false);
    if (!place) return;
    label.at = *place;
    labels.push_back(label);
}

}  // namespace

std::vector<ReferenceLabel> place_reference_labels(const Ui& ui, const PlotSpec& spec,
                                                   const PlotFrame& frame) {
    std::vector<ReferenceLabel> labels;
    const auto labelled = [&](const std::string& text) {
        ReferenceLabel label;
        label.text = elided(ui.fonts.small, greek(text), frame.area_max.x - frame.area_min.x - ui.px(8));
        label.size = text_size(ui.fonts.small, label.text);
        return label;
    };
    for (const ReferenceLine& line : spec.lines) {
        const auto at = pixel_of(line, frame);
        if (!at || line.label.empty()) continue;
        const ReferenceLabel label = labelled(line.label);
        settle(label, places_for(ui, frame, line.vertical, *at, label.size),
               line.vertical ? std::vector<ImVec2>{} : places_on(ui, frame, *at, label.size), spec, frame,
               labels);
    }
    for (const ShadedRange& range : spec.shaded) {
        const auto pixels = pixels_of(range, frame);
        if (!pixels || range.label.empty()) continue;
        const ReferenceLabel label = labelled(range.label);
        settle(label, places_in(ui, frame, *pixels, label.size), {}, spec, frame, labels);
    }
    return labels;
}

void draw_shaded_ranges(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame) {
    for (const ShadedRange& range : spec.shaded)
        if (const auto pixels = pixels_of(range, frame))
            ImGui::GetWindowDrawList()->AddRectFilled({pixels->first, frame.area_min.y},
                                                      {pixels->second, frame.area_max.y},
                                                      with_alpha(ui.colors.muted, 0.14F));
}

void draw_reference_lines(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const ReferenceLine& line : spec.lines) {
        const auto at = pixel_of(line, frame);
        if (!at) continue;
        const ImVec2 from = line.vertical ? ImVec2(*at, frame.area_min.y) : ImVec2(frame.area_min.x, *at);
        const ImVec2 to = line.vertical ? ImVec2(*at, frame.area_max.y) : ImVec2(frame.area_max.x, *at);
        draw_dashed(list, {from, to}, ui.colors.muted, ui.px(1), ui.px(5));
    }
}

void draw_reference_labels(const Ui& ui, const std::vector<ReferenceLabel>& labels) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const ReferenceLabel& label : labels) {
        // A curve that runs behind it still shows.
        list->AddRectFilled(label.at, {label.at.x + label.size.x, label.at.y + label.size.y},
                            with_alpha(ui.colors.plot, 0.85F));
        draw_text(list, ui.fonts.small, label.at, ui.colors.muted, label.text);
    }
}

}  // namespace emergence
