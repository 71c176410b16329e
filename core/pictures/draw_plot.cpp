#include "core/pictures/draw_plot.h"

#include "core/base/ranges.h"

namespace emergence {
namespace {

// A reference line's place on its axis; nothing if it is not seen.
std::optional<double> place_of(const ReferenceLine& line, const PlotPlace& place, bool snap) {
    const double at = (line.vertical ? place.x : place.y).place(line.value);
    const double low = line.vertical ? place.area.x : place.area.y;
    const double high = line.vertical ? place.area.right() : place.area.bottom();
    if (!(at >= low - 1.0 && at <= high + 1.0)) return std::nullopt;
    return snap ? std::round(at) + 0.5 : at;
}

// The part of a shaded range that is seen; nothing if none.
std::optional<Rect> seen_of(const ShadedRange& range, const PlotPlace& place) {
    const Rect& area = place.area;
    const double from = place.x.place(range.from);
    // On a logarithmic axis a range that begins at 0 has no left end to be seen.
    const double left = std::isnan(from) ? area.x : std::max(from, area.x);
    const double right = std::min(place.x.place(range.to), area.right());
    if (!(left < right)) return std::nullopt;
    return Rect{left, area.y, right - left, area.height};
}

// Finds free places for labels.
class Labeller {
  public:
    Labeller(const Rect& area, Obstacles& obstacles, const PictureStyle& style, const TextRuler& ruler)
        : area_(area), obstacles_(obstacles), style_(style), look_(style.plot), ruler_(ruler) {}

    void add(const ReferenceLine& line, double at) {
        const bool turned = line.vertical && look_.turns_labels;
        PlotLabel label = labelled(line.label, (turned ? area_.height : area_.width) - 2 * look_.gap, turned);
        std::vector<Point> places =
            line.vertical ? places_down(at + look_.gap, at - look_.gap, label.box) : places_along(at, label.box);
        settle(std::move(label), places, line.vertical ? std::vector<Point>{} : places_on(at, label.box));
    }
    void add(const ShadedRange& range, const Rect& seen) {
        PlotLabel label = labelled(range.label, std::max(seen.width - 2 * look_.gap, 0.3 * area_.width), false);
        const std::vector<Point> places = places_down(seen.x + look_.gap, seen.right() - look_.gap, label.box);
        settle(std::move(label), places, {});
    }
    std::vector<PlotLabel> take() { return std::move(labels_); }

  private:
    PlotLabel labelled(const std::string& text, double limit, bool turned) const {
        PlotLabel label;
        label.lines = ruler_.wrap_words(style_.spelled(text), look_.label, limit);
        label.turned = turned;
        const double length = ruler_.widest(label.lines, look_.label);
        const double depth = static_cast<double>(label.lines.size()) * look_.label.line_height();
        label.box = turned ? Rect{0, 0, depth, length} : Rect{0, 0, length, depth};
        return label;
    }

    // From the top down, right of one edge and left of another.
    std::vector<Point> places_down(double left, double right, const Rect& box) const {
        std::vector<Point> places;
        const double step = std::max(1.0, std::min(box.height, 2 * look_.label.line_height()));
        for (double y = area_.y + look_.top_gap; y + box.height <= area_.bottom(); y += step)
            for (const double x : {left, right - box.width}) places.push_back({x, y});
        return places;
    }

    // At the line's end, above and below it, then further along.
    std::vector<Point> places_along(double at, const Rect& box) const {
        std::vector<Point> places;
        const double right = area_.right() - look_.gap - box.width;
        const double left = area_.x + look_.gap;
        for (const double x :
             {right, left, (left + right) / 2, right - box.width - look_.gap, left + box.width + look_.gap})
            for (const double y : {at - box.height - look_.line_gap, at + look_.line_gap}) places.push_back({x, y});
        return places;
    }

    // The places on the line itself, from the right end leftwards. They help if lines are so close that a label beside
    // its own line would lie on another one.
    std::vector<Point> places_on(double at, const Rect& box) const {
        std::vector<Point> places;
        const double y = std::clamp(at - box.height / 2, area_.y, std::max(area_.y, area_.bottom() - box.height));
        for (double x = area_.right() - look_.gap - box.width; x >= area_.x; x -= 3 * look_.gap)
            places.push_back({x, y});
        return places;
    }

    bool fits(const Rect& box) const {
        return box.x >= area_.x && box.right() <= area_.right() && box.y >= area_.y && box.bottom() <= area_.bottom() &&
               !any_of(labels_, [&](const PlotLabel& other) { return other.box.overlaps(box); });
    }

    // Takes the first place that covers least; `on` are places on the label's own line.
    void settle(PlotLabel label, const std::vector<Point>& beside, const std::vector<Point>& on) {
        double best = std::numeric_limits<double>::infinity();
        Rect chosen;
        const auto consider = [&](Point place, double own) {
            if (best <= 0.0) return;
            const Rect box{place.x, place.y, label.box.width, label.box.height};
            if (!fits(box)) return;
            const double covered = obstacles_.covered_by(box) - own;
            if (covered >= best) return;
            best = covered < 1e-6 ? 0.0 : covered;
            chosen = box;
        };
        for (const Point& place : beside) consider(place, 0.0);
        // In the window a place on its own line is better than one that another line crosses.
        for (const Point& place : on) consider(place, look_.live ? 1e9 : label.box.width);
        if (chosen.width <= 0.0) return;
        label.box = chosen;
        obstacles_.boxes.push_back(chosen);
        labels_.push_back(std::move(label));
    }

    const Rect& area_;
    Obstacles& obstacles_;
    const PictureStyle& style_;
    const PlotStyle& look_;
    const TextRuler& ruler_;
    std::vector<PlotLabel> labels_;
};

// Places what is seen: labels beside their lines or in the upper part of their ranges, inside the axes, none on
// another, each where it covers least of `obstacles`, to which lines and labels are added.
PlotMarks lay_out_marks(const PlotSpec& plot, const PlotPlace& place, Obstacles& obstacles, const PictureStyle& style,
                        const TextRuler& ruler) {
    PlotMarks marks;
    const Rect& area = place.area;
    for (const ReferenceLine& line : plot.lines) {
        const auto at = place_of(line, place, style.snap);
        if (!at) continue;
        if (line.vertical)
            marks.lines.push_back({{*at, area.y}, {*at, area.bottom()}});
        else
            marks.lines.push_back({{area.x, *at}, {area.right(), *at}});
        obstacles.lines.push_back({marks.lines.back().from, marks.lines.back().to});
    }
    Labeller labeller(area, obstacles, style, ruler);
    for (const ReferenceLine& line : plot.lines)
        if (const auto at = place_of(line, place, style.snap); at && !line.label.empty()) labeller.add(line, *at);
    for (const ShadedRange& range : plot.shaded) {
        const auto seen = seen_of(range, place);
        if (!seen) continue;
        marks.shaded.push_back(*seen);
        if (!range.label.empty()) labeller.add(range, *seen);
    }
    marks.labels = labeller.take();
    return marks;
}

// Where the note in a corner inside the axes covers least; the lower left if none is free.
Rect place_note(const std::vector<std::string>& note, const Rect& area, const Obstacles& obstacles,
                const PlotStyle& style, const TextRuler& ruler) {
    const double width = ruler.widest(note, style.note);
    const double height = static_cast<double>(note.size()) * style.note.line_height();
    const double left = area.x + style.gap, right = area.right() - style.gap - width;
    const double top = area.y + style.gap, bottom = area.bottom() - height - style.gap;
    std::vector<Rect> boxes;
    for (const double y : {bottom, top})
        for (const double x : {left, right, (left + right) / 2}) boxes.push_back({x, y, width, height});
    return *std::min_element(boxes.begin(), boxes.end(), [&](const Rect& a, const Rect& b) {
        return obstacles.covered_by(a) < obstacles.covered_by(b);
    });
}

// Behind the data.
void draw_marks(Pen& pen, const PlotMarks& marks, const PictureStyle& style) {
    for (const Rect& range : marks.shaded) pen.fill(range, style.plot.shade);
    for (const Segment& line : marks.lines) pen.line(line.from, line.to, style.plot.reference);
}

// Draws a label above the data, on a ground, so that it can be read.
void draw_plot_label(Pen& pen, const PlotLabel& label, const TextStyle& text, const Ink& ground) {
    pen.fill(label.box, ground);
    double down = (text.line_height() - text.size) / 2;
    for (const std::string& line : label.lines) {
        if (label.turned)
            pen.text(line, {label.box.x + down + text.ascent(), label.box.bottom()}, text, Align::left, Level::baseline,
                     1);
        else
            pen.text(line, {label.box.x, label.box.y + down}, text, Align::left, Level::top);
        down += text.line_height();
    }
}

}  // namespace

PlotLayout lay_out_plot(const PlotSpec& plot, const std::vector<SeriesShape>& shapes, const PlotPlace& place,
                        const PictureStyle& style, const TextRuler& ruler) {
    const PlotStyle& look = style.plot;
    PlotLayout layout;
    layout.place = place;
    layout.lines = lay_out_lines(plot, shapes, place, look.columns, look);
    layout.note = drawing_note(plot, shapes);
    // In the window labels stay while data moves below them, and the note stands beside the title, because among such
    // data it would wander.
    Obstacles obstacles;
    if (!look.live) add_lines(lay_out_lines(plot, shapes, place, look.obstacle_columns, look), place.area, obstacles);
    add_point_labels(plot, layout.lines, place, style, ruler, obstacles);
    layout.marks = lay_out_marks(plot, place, obstacles, style, ruler);
    if (look.live) return layout;
    if (!layout.note.empty()) {
        PlotLabel& note = layout.placed_note;
        note.lines = ruler.wrap_words(layout.note, look.note, place.area.width - 2 * look.gap);
        note.box = place_note(note.lines, place.area, obstacles, look, ruler);
        obstacles.boxes.push_back(note.box);
    }
    layout.obstacles = std::move(obstacles);
    return layout;
}

void draw_plot(Pen& pen, const PlotSpec& plot, const PlotLayout& layout, const std::vector<Emphasis>& emphasis,
               const PictureStyle& style) {
    const PlotStyle& look = style.plot;
    pen.clip(layout.place.area);
    draw_marks(pen, layout.marks, style);
    // In the window labels do not make way for data that move: they lie below them.
    if (!look.live) draw_lines(pen, plot, layout.place, layout.lines, emphasis, style);
    for (const PlotLabel& label : layout.marks.labels) draw_plot_label(pen, label, look.label, look.label_ground);
    if (look.live) draw_lines(pen, plot, layout.place, layout.lines, emphasis, style);
    if (layout.placed_note.box.width > 0.0) draw_plot_label(pen, layout.placed_note, look.note, look.note_ground);
    pen.unclip();
}

}  // namespace emergence
