#include "app/gui/widgets/strokes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/pictures/axis.h"
#include "core/pictures/pen.h"

namespace emergence {
namespace {

// Fewer than 65,536 vertices at four a segment, with room to spare.
constexpr size_t kChunk = 4000;

constexpr size_t kFewestInColumns = 16;

// One bar a pixel column from its lowest to its highest point, joined to the column before.
void draw_columns(ImDrawList* list, std::span<const Point> points, ImU32 color, double thickness) {
    size_t i = 0;
    double previous = points.front().y;
    while (i < points.size()) {
        const double column = std::floor(points[i].x);
        const double end = column + 1.0;
        double low = previous;
        double high = previous;
        for (; i < points.size() && points[i].x < end; ++i) {
            low = std::min(low, points[i].y);
            high = std::max(high, points[i].y);
            previous = points[i].y;
        }
        list->AddRectFilled(pixel_of({column, low - thickness / 2}), pixel_of({end, high + thickness / 2}), color);
    }
}

// Every mark, once: a plot draws hundreds in a frame.
const std::vector<std::pair<double, double>>& outline_of(int color_index) {
    static const auto outlines = [] {
        std::array<std::vector<std::pair<double, double>>, kNumCategorical> all;
        for (int i = 0; i < kNumCategorical; ++i) all[static_cast<size_t>(i)] = marker_outline(i);
        return all;
    }();
    return outlines[static_cast<size_t>((color_index % kNumCategorical + kNumCategorical) % kNumCategorical)];
}

}  // namespace

void draw_stroke(ImDrawList* list, std::span<const Point> points, ImU32 color, float thickness) {
    if (points.size() < 2) return;
    // As columns only where they stand for the line: a path may turn round, a ring ends where it began.
    const auto left_of = [](const Point& a, const Point& b) { return a.x < b.x; };
    if (points.size() >= kFewestInColumns &&
        static_cast<double>(points.size()) > 2.0 * (points.back().x - points.front().x) &&
        std::is_sorted(points.begin(), points.end(), left_of)) {
        draw_columns(list, points, color, static_cast<double>(thickness));
        return;
    }
    for (size_t begin = 0; begin + 1 < points.size(); begin += kChunk) {
        const size_t count = std::min(kChunk + 1, points.size() - begin);
        // Without a buffer: ImGui's list has one for its path.
        for (const Point& point : points.subspan(begin, count)) list->PathLineTo(pixel_of(point));
        list->PathStroke(color, ImDrawFlags_None, thickness);
    }
}

void draw_dashed(ImDrawList* list, std::span<const Point> points, ImU32 color, float thickness, float dash,
                 int dashes) {
    const std::span<const double> pattern = dash_pattern(dashes);
    size_t part = 0;  // of the pattern; even ones are drawn
    const auto length_of = [&](size_t one) { return std::max(0.5F, dash * static_cast<float>(pattern[one])); };
    float left = length_of(0);  // of the part
    for (size_t i = 0; i + 1 < points.size(); ++i) {
        const ImVec2 a = pixel_of(points[i]);
        const ImVec2 b = pixel_of(points[i + 1]);
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        if (!(length > 0.0F)) continue;
        const auto at = [&](float t) { return ImVec2(a.x + (b.x - a.x) * t / length, a.y + (b.y - a.y) * t / length); };
        float done = 0.0F;
        while (done < length) {
            const float step = std::min(left, length - done);
            if (part % 2 == 0) list->AddLine(at(done), at(done + step), color, thickness);
            done += std::max(step, 0.01F);  // never stuck on rounding
            left -= std::max(step, 0.01F);
            if (left > 0.0F) continue;
            part = (part + 1) % pattern.size();
            left = length_of(part);
        }
    }
}

void draw_band(ImDrawList* list, std::span<const Point> lower, std::span<const Point> upper, ImU32 color) {
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    for (size_t begin = 0; begin + 1 < lower.size(); begin += kChunk) {
        const size_t segments = std::min(kChunk, lower.size() - 1 - begin);
        list->PrimReserve(static_cast<int>(segments) * 6, static_cast<int>(segments) * 4);
        for (size_t i = begin; i < begin + segments; ++i)
            list->PrimQuadUV(pixel_of(upper[i]), pixel_of(upper[i + 1]), pixel_of(lower[i + 1]), pixel_of(lower[i]),
                             white, white, white, white, color);
    }
}

void draw_marker(ImDrawList* list, Point at, float radius, int color_index, ImU32 color, bool open) {
    std::array<ImVec2, 16> mark;
    size_t count = 0;
    bool star = false;
    const ImVec2 center = pixel_of(at);
    for (const auto& [x, y] : outline_of(color_index)) {
        mark.at(count++) = {center.x + radius * static_cast<float>(x), center.y + radius * static_cast<float>(y)};
        star = star || std::hypot(x, y) < 0.6;
    }
    if (open)
        list->AddPolyline(mark.data(), static_cast<int>(count), color, ImDrawFlags_Closed, 0.4F * radius);
    else if (star)  // point by point, from the centre, which sees all of it
        for (size_t i = 1; i < count; i += 2) {
            const ImVec2 corner[] = {center, mark.at(i), mark.at((i + 1) % count), mark.at((i + 2) % count)};
            list->AddConvexPolyFilled(corner, 4, color);
        }
    else
        list->AddConvexPolyFilled(mark.data(), static_cast<int>(count), color);
}

}  // namespace emergence
