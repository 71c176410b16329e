#include "core/pictures/legend_entry.h"

#include "core/pictures/series_draw.h"

namespace emergence {

std::vector<LegendEntry> legend_entries(const PlotSpec& plot) {
    std::vector<LegendEntry> entries;
    const std::vector<std::string> names = legend_names(plot);
    for (size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        if (series.name.empty() || series.trail || !series.details.labels.empty()) continue;
        LegendEntry& entry = entries.emplace_back();
        entry.name = names[i];
        entry.color = series.color;
        entry.dashed = is_dashed(series);
        const bool band = plot.spread != Spread::every_seed && (series.rows.size() > 1 || series.share);
        entry.filled = series.bars ? !is_dashed(series) : band && !series.points;
        entry.marked = plot.sparse_markers && !series.points;
        entry.points = series.points;
        entry.faint = series.hidden;
        entry.series = i;
    }
    // Points that say in words what they are need no name if they are the only ones, and filled.
    if (entries.size() == 1 && !entries[0].dashed && !plot.series[entries[0].series].details.words.empty())
        entries.clear();
    if (const std::string note = highlight_note(plot); !note.empty()) {
        LegendEntry& entry = entries.emplace_back();
        entry.name = note;
        entry.note = true;
        entry.series = plot.series.size();
    }
    return entries;
}

void draw_sample(Pen& pen, const LegendEntry& entry, Point left, const PictureStyle& style) {
    const LegendStyle& look = style.plot.legend;
    const double share = entry.faint ? 0.35 : 1.0;
    const Ink ink = entry.note ? look.note : Ink(categorical(entry.color, style.theme), share);
    const Point right{left.x + look.width, left.y};
    const Point middle{left.x + look.width / 2, left.y};
    if (entry.filled && look.patch > 0.0)
        pen.fill({left.x, left.y - 0.4 * look.text.size, look.width, 0.8 * look.text.size}, {ink.color, look.patch});
    if (entry.points) return pen.marker(middle, look.point, entry.color, ink, entry.dashed);
    const LineLook& line = entry.note     ? look.thin
                           : entry.dashed ? look.dashed
                           : entry.marked ? look.marked_line
                                          : look.line;
    pen.line(left, right, line.stroke(ink, entry.dashed, dashes_of(entry.color)));
    if (entry.marked) pen.marker(middle, look.marker, entry.color, ink, entry.dashed);
}

}  // namespace emergence
