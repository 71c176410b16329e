#include "core/pictures/draw_plot.h"

namespace emergence {

PlotLayout lay_out_plot(const PlotSpec& plot, const std::vector<SeriesShape>& shapes, const PlotPlace& place,
                        const PictureStyle& style, const TextRuler& ruler) {
    const PlotStyle& look = style.plot;
    PlotLayout layout;
    layout.place = place;
    layout.lines = lay_out_lines(plot, shapes, place, look.columns, look);
    if (look.obstacle_columns == look.columns)
        add_lines(layout.lines, place.area, layout.obstacles);
    else
        add_lines(lay_out_lines(plot, shapes, place, look.obstacle_columns, look), place.area,
                  layout.obstacles);
    if (look.live) {
        // Labels stay while data moves below them; a legend keeps off both.
        Obstacles lines;
        layout.marks = lay_out_marks(plot, place, lines, style, ruler);
        add_way_ahead(layout.lines, place.area, layout.obstacles);
        for (const PlotLabel& label : layout.marks.labels) layout.obstacles.add_box(label.box);
    } else {
        layout.marks = lay_out_marks(plot, place, layout.obstacles, style, ruler);
    }
    layout.note = drawing_note(plot, shapes);
    // The window says it beside the title: among data that moves it would wander.
    if (layout.note.empty() || look.live) return layout;
    layout.note_lines = ruler.wrap_words(layout.note, look.note, place.area.width - 2 * look.gap);
    layout.note_box = place_note(layout.note_lines, place.area, layout.obstacles, look, ruler);
    layout.obstacles.add_box(layout.note_box);
    return layout;
}

void draw_plot(Pen& pen, const PlotSpec& plot, const PlotLayout& layout,
               const std::vector<Emphasis>& emphasis, const PictureStyle& style) {
    const PlotStyle& look = style.plot;
    pen.clip(layout.place.area);
    draw_marks(pen, layout.marks, style);
    // In the window labels do not make way for data that move: they lie below them.
    if (look.live) draw_plot_labels(pen, layout.marks.labels, style);
    draw_lines(pen, plot, layout.place, layout.lines, emphasis, style);
    if (!look.live) draw_plot_labels(pen, layout.marks.labels, style);
    if (layout.note_box.width > 0.0) {
        pen.fill(layout.note_box, look.note_ground);
        Point at{layout.note_box.x, layout.note_box.y + (look.note.line_height() - look.note.size) / 2};
        for (const std::string& line : layout.note_lines) {
            pen.text(line, at, look.note, Align::left, Level::top);
            at.y += look.note.line_height();
        }
    }
    pen.unclip();
}

}  // namespace emergence
