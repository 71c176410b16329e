#pragma once
// The pen that draws pictures in the window.

#include <imgui.h>

#include <optional>
#include <span>

#include "app/gui/shell/theme.h"
#include "core/pictures/drawing.h"
#include "core/pictures/pen.h"

namespace emergence {

inline Point point_of(ImVec2 pixel) { return {static_cast<double>(pixel.x), static_cast<double>(pixel.y)}; }
inline ImVec2 pixel_of(Point point) { return {static_cast<float>(point.x), static_cast<float>(point.y)}; }
inline Rect rect_between(ImVec2 min, ImVec2 max) {
    const auto wide = [](float length) { return static_cast<double>(length); };
    return {wide(min.x), wide(min.y), wide(max.x) - wide(min.x), wide(max.y) - wide(min.y)};
}

/// A line through the points: one upright bar a pixel column if there are more than two points a pixel, so that software
/// rendering keeps up.
void draw_stroke(ImDrawList* list, std::span<const Point> points, ImU32 color, float thickness);

/// A dashed line with dash_pattern(dashes) in units of `dash` pixels.
void draw_dashed(ImDrawList* list, std::span<const Point> points, ImU32 color, float thickness, float dash,
                 int dashes = 0);

/// Draws into a list of the present frame; `ui` must outlive it. Level and upright lines lie on the middles of pixels.
class ImGuiPen final : public Pen {
  public:
    ImGuiPen(const Ui& ui, ImDrawList* list) : ui_(ui), list_(list) {}

    void fill(const Rect& rect, const Ink& ink) override;
    void frame(const Rect& rect, const Stroke& stroke) override;
    void polyline(std::span<const Point> points, const Stroke& stroke) override;
    void polygon(std::span<const Point> corners, const Ink& ink) override;
    void band(std::span<const Point> lower, std::span<const Point> upper, const Ink& ink) override;
    void disc(Point center, double radius, const Ink& ink) override;
    void marker(Point center, double radius, int color_index, const Ink& ink, bool open = false) override;
    /// Text is never turned. It has the nearest of the window's fonts.
    void text(const std::string& line, Point at, const TextStyle& style, Align align = Align::left,
              Level level = Level::baseline, int quarter_turns = 0) override;
    double text_width(const std::string& line, const TextStyle& style) const override;
    void clip(const Rect& rect) override;
    void unclip() override;

  private:
    const Ui& ui_;
    ImDrawList* list_;
};

/// How pictures look in the window.
PictureStyle picture_style(const Ui& ui);

ImU32 to_color(const Ink& ink);
Ink to_ink(ImU32 color);

// Draws a DrawingSpec: the shapes of an exported file, in the theme's colours.

/// The width that the drawing wants in a room of this height, and the height in one of this width, with title and
/// read-out.
ImVec2 drawing_size(const Ui& ui, const DrawingSpec& drawing, ImVec2 room);

/// What the user has done to a handle of a drawing.
struct HandleUse {
    const DrawnHandle* handle = nullptr;
    double value = 0.0;
    bool reset = false;  // back to the default
};

/// Draws at the cursor, with title and read-out, `size` pixels large. Logged as "drawing ID", its handles as "handle
/// NAME". Returns what was done to a handle in this frame.
std::optional<HandleUse> draw_drawing(const Ui& ui, const DrawingSpec& drawing, ImVec2 size);

}  // namespace emergence
