#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>

#include "app/export/cell_picture.h"

namespace emergence::page {
namespace {

/// Computes where tracks (rows or columns) of the given relative sizes begin, and how long each is.
struct Tracks {
    std::vector<double> starts, sizes;

    Tracks(const std::vector<double>& weights, size_t count, double origin, double length, double gap) {
        const double room = std::max(1.0, length - gap * static_cast<double>(count - std::min<size_t>(count, 1)));
        for (const double share : shares_of(weights, count)) {
            starts.push_back(origin);
            sizes.push_back(room * share);
            origin += sizes.back() + gap;
        }
    }
    double begin(int first) const { return starts[first]; }
    double end(int first, int span) const {
        const auto last = static_cast<size_t>(first + span - 1);
        return starts[last] + sizes[last];
    }
};

/// A cell and its place.
struct Placed {
    const FigureCell* cell;
    Rect rect;
    std::unique_ptr<CellPicture> picture;
};

using Picture = std::vector<Placed>;

/// The columns and rows of the figure's grid.
std::pair<Tracks, Tracks> make_tracks(const FigureSpec& figure, const Rect& grid, double gap) {
    const auto [columns, rows] = grid_of(figure);
    const size_t num_columns = std::max(columns, figure.column_weights.size());
    const size_t num_rows = std::max(rows, figure.row_weights.size());
    return {Tracks(figure.column_weights, num_columns, grid.x, grid.width, gap),
            Tracks(figure.row_weights, num_rows, grid.y, grid.height, gap)};
}

Rect rect_of(const FigureCell& cell, const std::pair<Tracks, Tracks>& tracks) {
    const auto& [across, down] = tracks;
    const double x = across.begin(cell.column);
    const double y = down.begin(cell.row);
    return {x, y, across.end(cell.column, cell.column_span) - x, down.end(cell.row, cell.row_span) - y};
}

Picture place_cells(const FigureSpec& figure, const Rect& grid, const Style& style, const TextMeter& meter) {
    const auto tracks = make_tracks(figure, grid, style.cell_gap());
    Picture picture;
    for (const FigureCell& cell : figure.cells) {
        Placed& placed = picture.emplace_back();
        placed.cell = &cell;
        placed.rect = rect_of(cell, tracks);
        placed.picture = picture_of(cell, placed.rect, style, meter);
    }
    return picture;
}

/// The place of a picture in its cell.
struct Place {
    Rect area;
    double title_bottom = 0.0;
};

/// Computes the area of each picture inside its insets. Titles share a band along a row of the grid. Tops and bottoms
/// are aligned among plots and among heatmaps, so that matrices side by side are equally large. Left and right sides
/// are aligned among plots.
std::vector<Place> align(const Picture& picture) {
    using Side = std::map<std::pair<bool, int>, double>;  // by kind and by row or column of the grid
    Side left, right, top, bottom, title;
    const auto widen = [](Side& side, bool is_plot, int track, double room) {
        double& widest = side.try_emplace({is_plot, track}, 0.0).first->second;
        widest = std::max(widest, room);
    };
    for (const Placed& placed : picture) {
        const FigureCell& cell = *placed.cell;
        const bool is_plot = placed.picture->has_axes();
        const Insets room = placed.picture->insets();
        widen(title, true, cell.row, placed.picture->title_height());
        widen(top, is_plot, cell.row, room.top);
        widen(bottom, is_plot, cell.row + cell.row_span, room.bottom);
        widen(left, is_plot, cell.column, room.left);
        widen(right, is_plot, cell.column + cell.column_span, room.right);
    }
    std::vector<Place> places;
    for (const Placed& placed : picture) {
        const FigureCell& cell = *placed.cell;
        const bool is_plot = placed.picture->has_axes();
        Insets room = placed.picture->insets();
        const double title_room = title[{true, cell.row}];
        room.top = title_room + top[{is_plot, cell.row}];
        room.bottom = bottom[{is_plot, cell.row + cell.row_span}];
        if (is_plot) {
            room.left = left[{is_plot, cell.column}];
            room.right = right[{is_plot, cell.column + cell.column_span}];
        }
        places.push_back({room.inside(placed.rect), placed.rect.y + title_room});
    }
    return places;
}

}  // namespace

std::vector<double> shares_of(const std::vector<double>& weights, size_t count) {
    std::vector<double> shares(count, 1.0);
    for (size_t i = 0; i < std::min(count, weights.size()); ++i)
        if (std::isfinite(weights[i]) && weights[i] > 0.0) shares[i] = weights[i];
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= sum;
    return shares;
}

std::pair<size_t, size_t> grid_of(const FigureSpec& figure) {
    int columns = 1, rows = 1;
    for (const FigureCell& cell : figure.cells) {
        columns = std::max(columns, cell.column + cell.column_span);
        rows = std::max(rows, cell.row + cell.row_span);
    }
    return {static_cast<size_t>(columns), static_cast<size_t>(rows)};
}

std::unique_ptr<CellPicture> picture_of(const FigureCell& cell, const Rect& rect, const Style& style,
                                        const TextMeter& meter) {
    return std::visit([&](const auto& content) { return make_picture(content, rect, style, meter); }, cell.content);
}

double fitting_scale(const FigureSpec& figure, const Rect& grid, double wanted) {
    constexpr double kLeastWidth = 150.0, kLeastHeight = 140.0;  // points of a cell at scale 1
    const auto tracks = make_tracks(figure, grid, 0.0);
    double scale = wanted;
    for (const FigureCell& cell : figure.cells) {
        const Rect rect = rect_of(cell, tracks);
        scale = std::min({scale, rect.width / kLeastWidth, rect.height / kLeastHeight});
    }
    return std::max(scale, 0.1);
}

void draw_cells(Canvas& canvas, const FigureSpec& figure, const Rect& grid, const Style& style,
                const TextMeter& meter) {
    const Picture picture = place_cells(figure, grid, style, meter);
    std::vector<Place> places = align(picture);
    // A legend that moves out makes its neighbours smaller too, and then their own may no longer fit. So this repeats
    // until no legend moves.
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < picture.size(); ++i)
            if (picture[i].picture->make_room(places[i].area)) moved = true;
        if (moved) places = align(picture);
    }
    for (size_t i = 0; i < picture.size(); ++i)
        picture[i].picture->draw(canvas, places[i].area, places[i].title_bottom);
}

void draw_title(Canvas& canvas, const std::vector<std::string>& lines, const Rect& cell, double center, double bottom,
                const TextStyle& style, const TextMeter& meter) {
    double baseline = bottom - static_cast<double>(lines.size()) * style.line_height() + style.ascent();
    for (const std::string& line : lines) {
        const double width = meter.text_width(line, style);
        const double x = std::max(cell.x, std::min(center - width / 2, cell.right() - width));
        canvas.text(line, {x, baseline}, style);
        baseline += style.line_height();
    }
}

}  // namespace emergence::page
