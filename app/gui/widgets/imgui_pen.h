#pragma once
// The pen that draws pictures in the window.

#include <imgui.h>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/strokes.h"
#include "core/pictures/pen.h"

namespace emergence {

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

}  // namespace emergence
