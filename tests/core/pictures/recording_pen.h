#pragma once
// A pen that notes what it is asked to draw. Its letters are half as wide as they are high.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/pictures/pen.h"

namespace emergence::testing {

using Calls = std::vector<std::string>;

class RecordingPen final : public Pen {
  public:
    /// "line 0,0 3,4", "text 5,5 R", ..., in order, with rounded coordinates.
    Calls calls;

    void fill(const Rect& rect, const Ink&) override { note("fill", corners(rect)); }
    void frame(const Rect& rect, const Stroke&) override { note("frame", corners(rect)); }
    void polyline(std::span<const Point> points, const Stroke& stroke) override {
        note(stroke.dashed ? "dashes" : "line", points);
    }
    void polygon(std::span<const Point> points, const Ink&) override { note("polygon", points); }
    void band(std::span<const Point> lower, std::span<const Point> upper, const Ink&) override {
        note("band", lower);
        note("and", upper);
    }
    void disc(Point center, double radius, const Ink&) override {
        calls.push_back(fmt::format("disc{} {:.4g}", at(center), radius));
    }
    void marker(Point center, double, int color, const Ink&, bool open) override {
        calls.push_back(fmt::format("{}mark {}{}", open ? "open " : "", color, at(center)));
    }
    void text(const std::string& line, Point place, const TextStyle&, Align, Level, int) override {
        calls.push_back(fmt::format("text{} {}", at(place), line));
    }
    double text_width(const std::string& line, const TextStyle& style) const override {
        return style.size * static_cast<double>(line.size()) / 2;
    }
    void clip(const Rect& rect) override { note("clip", corners(rect)); }
    void unclip() override { calls.emplace_back("unclip"); }

  private:
    static std::vector<Point> corners(const Rect& rect) { return {{rect.x, rect.y}, {rect.right(), rect.bottom()}}; }
    static std::string at(Point point) { return fmt::format(" {:.4g},{:.4g}", point.x, point.y); }
    void note(std::string what, std::span<const Point> points) {
        for (const Point& point : points) what += at(point);
        calls.push_back(std::move(what));
    }
};

}  // namespace emergence::testing
