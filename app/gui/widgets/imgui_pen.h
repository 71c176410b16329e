#pragma once
// The pen that draws pictures in the window.

#include <imgui.h>

#include <optional>
#include <span>

#include "app/gui/shell/theme.h"
#include "core/pictures/drawing.h"
#include "core/pictures/pen.h"

namespace emergence {

// Lines and bands through many points, cut so that 16-bit indices suffice and software rendering keeps up.

inline Point point_of(ImVec2 pixel) { return {static_cast<double>(pixel.x), static_cast<double>(pixel.y)}; }
inline ImVec2 pixel_of(Point point) { return {static_cast<float>(point.x), static_cast<float>(point.y)}; }
inline Rect rect_between(ImVec2 min, ImVec2 max) {
    const auto wide = [](float length) { return static_cast<double>(length); };
    return {wide(min.x), wide(min.y), wide(max.x) - wide(min.x), wide(max.y) - wide(min.y)};
}

/// A line through the points. Where it has more than two points a pixel it is drawn as one upright bar a
/// pixel column.
void draw_stroke(ImDrawList* list, std::span<const Point> points, ImU32 color, float thickness);

/// A dashed line in the pattern of that index (dash_pattern), whose unit is `dash` pixels.
void draw_dashed(ImDrawList* list, std::span<const Point> points, ImU32 color, float thickness, float dash,
                 int dashes = 0);

/// The area between two lines over the same x; both are equally long.
void draw_band(ImDrawList* list, std::span<const Point> lower, std::span<const Point> upper, ImU32 color);

/// The mark of the series with this colour index (marker_outline), within a circle about `at`; an open one is
/// an outline alone.
void draw_marker(ImDrawList* list, Point at, float radius, int color_index, ImU32 color, bool open = false);

/// Draws into a list of the present frame; `ui` must outlive it. Level and upright lines lie on pixels' middles.
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
    /// Without turns. Text is as large as the small font up to the size of the body, else of the style's size.
    void text(const std::string& line, Point at, const TextStyle& style, Align align = Align::left,
              Level level = Level::baseline, int quarter_turns = 0) override;
    double text_width(const std::string& line, const TextStyle& style) const override;
    void clip(const Rect& rect) override;
    void unclip() override;

  private:
    const Ui& ui_;
    ImDrawList* list_;
};

/// How pictures look in the window. Made anew only if fonts, scale or colours change; valid until then.
const PictureStyle& picture_style(const Ui& ui);

ImU32 to_color(const Ink& ink);
Ink to_ink(ImU32 color);

// Draws a DrawingSpec: the shapes that an exported file has, in the theme's colours.

/// How wide it wants to be in a room of this height, and how high in one of this width, title and read-out
/// included.
ImVec2 drawing_size(const Ui& ui, const DrawingSpec& drawing, ImVec2 room);

/// What was done to one of a drawing's handles.
struct HandleUse {
    const DrawnHandle* handle = nullptr;
    double value = 0.0;
    bool reset = false;  // its number is to be as if never set
};

/// At the cursor, title and read-out within `size` pixels; logged as "drawing ID", its handles as "handle
/// NAME". Answers what was done to a handle in this frame; nothing in a presentation.
std::optional<HandleUse> draw_drawing(const Ui& ui, const DrawingSpec& drawing, ImVec2 size);

}  // namespace emergence
