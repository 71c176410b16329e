#include "app/export/figure_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>

#include "app/export/heatmap_picture.h"
#include "app/export/plot_picture.h"

namespace emergence::page {
namespace {

/// Where tracks (rows or columns) of the given relative sizes begin, and how long each is.
struct Tracks {
    std::vector<double> starts, sizes;

    Tracks(const std::vector<double>& weights, size_t count, double origin, double length, double gap) {
        std::vector<double> shares(count, 1.0);
        for (size_t i = 0; i < std::min(count, weights.size()); ++i)
            if (std::isfinite(weights[i]) && weights[i] > 0.0) shares[i] = weights[i];
        const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
        const double room =
            std::max(1.0, length - gap * static_cast<double>(count - std::min<size_t>(count, 1)));
        for (const double share : shares) {
            starts.push_back(origin);
            sizes.push_back(room * share / sum);
            origin += sizes.back() + gap;
        }
    }
    double begin(int first) const { return starts[static_cast<size_t>(first)]; }
    double end(int first, int span) const {
        const auto last = static_cast<size_t>(first + span - 1);
        return starts[last] + sizes[last];
    }
};

/// A cell with its place; one of the two pictures.
struct Placed {
    const FigureCell* cell;
    Rect rect;
    std::unique_ptr<PlotPicture> plot;
    std::unique_ptr<HeatmapPicture> heatmap;

    Insets insets() const { return plot ? plot->insets() : heatmap->insets(); }
};

using Picture = std::vector<Placed>;

Picture place_cells(const FigureSpec& figure, const Rect& grid, const Style& style, const TextMeter& meter) {
    int columns = 1, rows = 1;
    for (const FigureCell& cell : figure.cells) {
        columns = std::max(columns, cell.column + cell.column_span);
        rows = std::max(rows, cell.row + cell.row_span);
    }
    const size_t num_columns = std::max(static_cast<size_t>(columns), figure.column_weights.size());
    const size_t num_rows = std::max(static_cast<size_t>(rows), figure.row_weights.size());
    const Tracks across(figure.column_weights, num_columns, grid.x, grid.width, style.cell_gap());
    const Tracks down(figure.row_weights, num_rows, grid.y, grid.height, style.cell_gap());
    Picture picture;
    for (const FigureCell& cell : figure.cells) {
        const double x = across.begin(cell.column);
        const double y = down.begin(cell.row);
        Placed& placed = picture.emplace_back();
        placed.cell = &cell;
        placed.rect = {x, y, across.end(cell.column, cell.column_span) - x,
                       down.end(cell.row, cell.row_span) - y};
        if (const auto* plot = std::get_if<PlotSpec>(&cell.content))
            placed.plot = std::make_unique<PlotPicture>(*plot, placed.rect, style, meter);
        else
            placed.heatmap = std::make_unique<HeatmapPicture>(std::get<HeatmapSpec>(cell.content),
                                                              placed.rect, style, meter);
    }
    return picture;
}

/// The area of each picture inside its insets. Tops are shared along a grid row by all, the other sides by
/// plots, and bottoms by heatmaps among themselves (so that matrices side by side are equally large).
std::vector<Rect> align(const Picture& picture) {
    std::map<int, double> left, right, top, plot_bottom, heatmap_bottom;
    const auto widen = [](std::map<int, double>& side, int track, double room) {
        double& widest = side.try_emplace(track, 0.0).first->second;
        widest = std::max(widest, room);
    };
    for (const Placed& placed : picture) {
        const FigureCell& cell = *placed.cell;
        const Insets room = placed.insets();
        widen(top, cell.row, room.top);
        widen(placed.plot ? plot_bottom : heatmap_bottom, cell.row + cell.row_span, room.bottom);
        if (!placed.plot) continue;
        widen(left, cell.column, room.left);
        widen(right, cell.column + cell.column_span, room.right);
    }
    std::vector<Rect> areas;
    for (const Placed& placed : picture) {
        const FigureCell& cell = *placed.cell;
        Insets room = placed.insets();
        room.top = top[cell.row];
        room.bottom = (placed.plot ? plot_bottom : heatmap_bottom)[cell.row + cell.row_span];
        if (placed.plot) {
            room.left = left[cell.column];
            room.right = right[cell.column + cell.column_span];
        }
        areas.push_back(room.inside(placed.rect));
    }
    return areas;
}

}  // namespace

void draw_cells(Canvas& canvas, const FigureSpec& figure, const Rect& grid, const Style& style,
                const TextMeter& meter) {
    const Picture picture = place_cells(figure, grid, style, meter);
    std::vector<Rect> areas = align(picture);
    // A legend that moves out makes its neighbours smaller too, whose own may then no longer fit: until none
    // moves.
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < picture.size(); ++i)
            if (picture[i].plot && picture[i].plot->move_legend_out(areas[i])) moved = true;
        if (moved) areas = align(picture);
    }
    for (size_t i = 0; i < picture.size(); ++i) {
        if (picture[i].plot)
            picture[i].plot->draw(canvas, areas[i]);
        else
            picture[i].heatmap->draw(canvas, areas[i]);
    }
}

}  // namespace emergence::page
