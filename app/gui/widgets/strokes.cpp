#include "app/gui/widgets/strokes.h"

#include <algorithm>
#include <cmath>

#include "core/pictures/line_style.h"
#include "core/pictures/series_draw.h"

namespace emergence {
namespace {

// Fewer than 65,536 vertices at four a segment, with room to spare.
constexpr size_t kChunk = 4000;

constexpr size_t kFewestInColumns = 16;

// One bar a pixel column from its lowest to its highest point, joined to the column before.
void draw_columns(ImDrawList* list, const std::vector<ImVec2>& points, ImU32 color, float thickness) {
    size_t i = 0;
    float previous = points.front().y;
    while (i < points.size()) {
        const float column = std::floor(points[i].x);
        float low = previous;
        float high = previous;
        for (; i < points.size() && std::floor(points[i].x) <= column; ++i) {
            low = std::min(low, points[i].y);
            high = std::max(high, points[i].y);
            previous = points[i].y;
        }
        list->AddRectFilled({column, low - thickness / 2}, {column + 1.0F, high + thickness / 2}, color);
    }
}

}  // namespace

std::vector<std::vector<ImVec2>> clip_to_band(const std::vector<double>& x, const std::vector<double>& y,
                                              double low, double high) {
    std::vector<std::vector<ImVec2>> runs;
    const auto point = [](double px, double py) {
        return ImVec2(static_cast<float>(px), static_cast<float>(py));
    };
    if (x.size() == 1 && y[0] >= low && y[0] <= high) runs.push_back({point(x[0], y[0])});
    bool open = false;  // the last run's end is this segment's start
    for (size_t i = 0; i + 1 < x.size(); ++i) {
        const double y0 = y[i], y1 = y[i + 1];
        if (std::max(y0, y1) < low || std::min(y0, y1) > high) {
            open = false;
            continue;
        }
        // Where the segment crosses a height; a level segment that gets here lies inside and crosses none.
        const auto cut = [&](double height) {
            return x[i] + (x[i + 1] - x[i]) * ((height - y0) / (y1 - y0));
        };
        const auto inside = [&](double at, double height) {
            if (height < low) return point(cut(low), low);
            if (height > high) return point(cut(high), high);
            return point(at, height);
        };
        if (!open) runs.push_back({inside(x[i], y0)});
        runs.back().push_back(inside(x[i + 1], y1));
        open = y1 >= low && y1 <= high;
    }
    return runs;
}

void draw_stroke(ImDrawList* list, const std::vector<ImVec2>& points, ImU32 color, float thickness) {
    if (points.size() < 2) return;
    // As columns only where they stand for the line: a path may turn round, a ring ends where it began.
    const auto left_of = [](const ImVec2& a, const ImVec2& b) { return a.x < b.x; };
    if (points.size() >= kFewestInColumns &&
        static_cast<float>(points.size()) > 2.0F * (points.back().x - points.front().x) &&
        std::is_sorted(points.begin(), points.end(), left_of)) {
        draw_columns(list, points, color, thickness);
        return;
    }
    for (size_t begin = 0; begin + 1 < points.size(); begin += kChunk) {
        const size_t count = std::min(kChunk + 1, points.size() - begin);
        list->AddPolyline(points.data() + begin, static_cast<int>(count), color, ImDrawFlags_None, thickness);
    }
}

void draw_dashed(ImDrawList* list, const std::vector<ImVec2>& points, ImU32 color, float thickness,
                 float dash, int dashes) {
    const std::span<const double> pattern = dash_pattern(dashes);
    size_t part = 0;  // of the pattern; even ones are drawn
    const auto length_of = [&](size_t one) {
        return std::max(0.5F, dash * static_cast<float>(pattern[one]));
    };
    float left = length_of(0);  // of the part
    for (size_t i = 0; i + 1 < points.size(); ++i) {
        const ImVec2 a = points[i];
        const ImVec2 b = points[i + 1];
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        if (!(length > 0.0F)) continue;
        const auto at = [&](float t) {
            return ImVec2(a.x + (b.x - a.x) * t / length, a.y + (b.y - a.y) * t / length);
        };
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

void draw_band(ImDrawList* list, const std::vector<ImVec2>& lower, const std::vector<ImVec2>& upper,
               ImU32 color) {
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    for (size_t begin = 0; begin + 1 < lower.size(); begin += kChunk) {
        const size_t segments = std::min(kChunk, lower.size() - 1 - begin);
        list->PrimReserve(static_cast<int>(segments) * 6, static_cast<int>(segments) * 4);
        for (size_t i = begin; i < begin + segments; ++i)
            list->PrimQuadUV(upper[i], upper[i + 1], lower[i + 1], lower[i], white, white, white, white,
                             color);
    }
}

void draw_marker(ImDrawList* list, ImVec2 at, float radius, int color_index, ImU32 color, bool open) {
    std::vector<ImVec2> mark;
    bool star = false;
    for (const auto& [x, y] : marker_outline(color_index)) {
        mark.emplace_back(at.x + radius * static_cast<float>(x), at.y + radius * static_cast<float>(y));
        star = star || std::hypot(x, y) < 0.6;
    }
    const auto count = static_cast<int>(mark.size());
    if (open)
        list->AddPolyline(mark.data(), count, color, ImDrawFlags_Closed, 0.4F * radius);
    else if (star)  // point by point, from the centre, which sees all of it
        for (int i = 1; i < count; i += 2) {
            const ImVec2 corner[] = {at, mark[static_cast<size_t>(i)],
                                     mark[static_cast<size_t>((i + 1) % count)],
                                     mark[static_cast<size_t>((i + 2) % count)]};
            list->AddConvexPolyFilled(corner, 4, color);
        }
    else
        list->AddConvexPolyFilled(mark.data(), count, color);
}

}  // namespace emergence
