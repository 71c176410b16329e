#include "app/export/style.h"

#include "app/export/titles.h"
#include "core/pictures/axis.h"
#include "core/pictures/pen.h"

namespace emergence::page {
namespace {

PlotStyle plot_style(const Style& page) {
    PlotStyle plot;
    plot.tick = page.tick();
    plot.label = plot.note = page.note();
    plot.label_ground = plot.note_ground = {kPaper, 0.92};
    plot.shade = {kFaintInk, 0.13};
    plot.grid = {kGrid, page.grid_line()};
    plot.minor_grid.width = 0.0;
    plot.axis = {kInk, page.axis_line()};
    plot.tick_length = page.tick_length();
    plot.minor_tick_length = page.minor_tick_length();
    plot.x_number_gap = page.tick_length() + page.gap();
    plot.y_number_gap = page.tick_length() + 0.7 * page.gap();
    plot.numbers_apart = 0.7 * page.tick().size;
    plot.reference = {kFaintInk, page.axis_line(), true};
    plot.gap = plot.line_gap = plot.top_gap = page.gap() / 2;
    plot.turns_labels = true;
    // 288 an inch.
    plot.columns = 4.0;
    plot.obstacle_columns = 0.5;
    const double line = page.series_line();
    plot.center = plot.dashed = {line};
    plot.seed = {page.thin_line(), 0.5};
    plot.seeds_behind = 0.35;
    plot.raw = {page.thin_line(), 0.35};
    plot.highlighted = {1.2 * page.axis_line()};
    plot.bars = {page.axis_line()};
    plot.marker = plot.dot = 1.3 * line;
    plot.sparse_marker = 1.8 * line;
    plot.markers_apart = 4.5 * line;
    plot.sparse_apart = 47.0 * line;
    plot.exit = 2.5 * page.scale;
    plot.exit_gap = 1.2 * page.scale;
    plot.exit_line = 0.8 * line;
    plot.exits_apart = 20.0 * page.scale;
    plot.legend = {page.legend(),      16.0 * page.scale, plot.center, plot.center, plot.dashed,
                   {page.axis_line()}, 1.8 * line,        1.3 * line,  0.2,         kInk};
    return plot;
}

}  // namespace

PictureStyle Style::picture() const {
    PictureStyle style;
    style.unit = scale;
    style.ink = kInk;
    style.faint = kFaintInk;
    style.label = axis();
    style.spelled = greek;
    style.shape = {series_line()};
    MatrixStyle& matrix = style.matrix;
    matrix.text = block();
    matrix.row_gap = matrix.column_gap = 2 * gap();
    matrix.labels_apart = gap();
    matrix.frame = {kBorder, axis_line()};
    matrix.border = {kBorder, 0.7 * axis_line()};
    matrix.bar = {kBorder, grid_line()};
    matrix.hatching = {kHatch, 0.5 * grid_line()};
    matrix.hatch_spacing = 5.0 * scale;
    matrix.mark_radius = 3.0 * scale;
    matrix.least_mark = 1.2 * scale;
    matrix.number = tick();
    matrix.on_dark = kPaper;
    matrix.number_pad = gap();
    matrix.bar_text = tick();
    matrix.bar_gap = matrix.lying_bar_gap = gap();
    matrix.bar_over = gap() / 2;
    matrix.track = kTrack;
    matrix.norm = kFaintInk;
    matrix.norm_mark = {categorical(1, Theme::light), 1.2 * scale};
    style.plot = plot_style(*this);
    style.number = [](std::string_view number) { return with_minus(std::string(number)); };
    return style;
}

}  // namespace emergence::page
