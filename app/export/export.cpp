#include "app/export/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "app/export/canvas.h"
#include "app/export/cell_picture.h"
#include "app/export/figure_data.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/pictures/describe.h"

namespace emergence {
namespace {

using namespace page;

constexpr double kPointsPerInch = 72.0;
constexpr double kLargestSide = 200.0;  // inches, the limit of PDF

void check_layout(const FigureSpec& figure) {
    const auto allowed = [](double inches) { return inches > 0.0 && inches <= kLargestSide; };
    if (!allowed(figure.width_inches) || !allowed(figure.height_inches))
        throw InputError("figure '{}': its size is {} x {} inches; each side must be above 0 and at most {}",
                         figure.name, figure.width_inches, figure.height_inches, kLargestSide);
    for (const FigureCell& cell : figure.cells)
        if (cell.row < 0 || cell.column < 0 || cell.row_span < 1 || cell.column_span < 1)
            throw InputError(
                "figure '{}': a cell at row {}, column {} spans {} x {}; rows and columns "
                "count from 0 and spans from 1",
                figure.name, cell.row, cell.column, cell.row_span, cell.column_span);
}

/// Draws lines from `top` downwards, and returns where they end.
double draw_lines(Canvas& canvas, const std::vector<std::string>& lines, Point top, const TextStyle& text) {
    for (const std::string& line : lines) {
        canvas.text(line, {top.x, top.y + text.ascent()}, text);
        top.y += text.line_height();
    }
    return top.y;
}

}  // namespace

// The namespace has a name because members of DrawnFigure::Parts cannot have a type of an unnamed one when sources are
// joined.
namespace drawn_figure {

// A figure with what surrounds its cells, set for its width.
struct Page {
    Page(const FigureSpec& spec, const PageFormat& page)
        : set(set_on_page(spec, page)),
          width(set.figure.width_inches * kPointsPerInch),
          figure_height(set.figure.height_inches * kPointsPerInch),
          style{page.as_figure_asks() ? fitting_scale(spec, {0, 0, width, figure_height}, set.text_scale)
                                      : set.text_scale},
          text_width(std::max(20.0, width - 2 * style.margin())),
          title(meter.wrap(set.figure.title, style.figure_title(), text_width)),
          caption(meter.wrap(set.figure.caption, style.caption(), text_width)) {
        check_layout(set.figure);
    }

    double height() const {
        return figure_height + static_cast<double>(caption.size()) * style.caption().line_height();
    }
    void draw(Canvas& canvas) const {
        const double margin = style.margin();
        double top = draw_lines(canvas, title, {margin, margin}, style.figure_title());
        if (!title.empty()) top += 2 * style.gap();
        draw_cells(canvas, set.figure, {margin, top, text_width, std::max(20.0, figure_height - margin - top)}, style,
                   meter);
        draw_lines(canvas, caption, {margin, figure_height - (caption.empty() ? 0.0 : style.gap())}, style.caption());
    }

    SetFigure set;
    TextMeter meter;
    double width, figure_height;  // points; without the caption
    Style style;
    double text_width;
    std::vector<std::string> title, caption;
};

// What is drawn on this canvas can be drawn on others.
class Recording final : public Canvas {
  public:
    void fill_area(std::span<const Point> corners, const Ink& ink) override {
        if (are_places(corners)) add([points = copied(corners), ink](Canvas& on) { on.fill_area(points, ink); });
    }
    void draw_stroke(std::span<const Point> through, bool closed, const Stroke& stroke) override {
        if (are_places(through))
            add([points = copied(through), closed, stroke](Canvas& on) { on.draw_stroke(points, closed, stroke); });
    }
    void set_line(const std::string& line, const TextPlace& place, const TextStyle& style) override {
        for (size_t at = 0; at < line.size();)
            if (const auto letter = next_character(line, at); letter && is_beyond_font(*letter))
                beyond_.insert(*letter);
        if (is_place(place.baseline) && is_length(place.shift))
            add([=](Canvas& on) { on.set_line(line, place, style); });
    }
    void cells(const Rect& rect, int columns, int rows, const std::vector<Rgb>& colors) override {
        if (is_area(rect)) add([=](Canvas& on) { on.cells(rect, columns, rows, colors); });
    }
    void disc(Point center, double radius, const Ink& ink) override {
        if (is_place(center) && is_length(radius)) add([=](Canvas& on) { on.disc(center, radius, ink); });
    }
    void clip(const Rect& rect) override {
        add([seen = is_area(rect) ? rect : Rect{}](Canvas& on) { on.clip(seen); });
    }
    void unclip() override {
        add([](Canvas& on) { on.unclip(); });
    }
    std::string finish() override { return ""; }

    void draw_on(Canvas& canvas) const {
        for (const auto& part : parts_) part(canvas);
    }
    const std::set<char32_t>& beyond() const { return beyond_; }

  private:
    // One panel's number that no page can show would make a canvas refuse all others.
    static bool is_length(double x) { return std::abs(x) < 1e6; }
    static bool is_place(const Point& at) { return is_length(at.x) && is_length(at.y); }
    static bool are_places(std::span<const Point> points) { return all_of(points, is_place); }
    static bool is_area(const Rect& rect) {
        return is_place({rect.x, rect.y}) && is_length(rect.width) && is_length(rect.height) && rect.width > 0.0 &&
               rect.height > 0.0;
    }
    static std::vector<Point> copied(std::span<const Point> points) { return {points.begin(), points.end()}; }
    void add(std::function<void(Canvas&)> part) { parts_.push_back(std::move(part)); }

    std::vector<std::function<void(Canvas&)>> parts_;
    std::set<char32_t> beyond_;  // letters that the font lacks or would set in another way
};

}  // namespace drawn_figure

struct DrawnFigure::Parts {
    Parts(const FigureSpec& of, const PageFormat& on) : figure(of), format(on) {}

    FigureSpec figure;
    PageFormat format;
    std::optional<drawn_figure::Page> page;  // made when a picture of it is first wanted
    drawn_figure::Recording drawn;
};

DrawnFigure::DrawnFigure(const FigureSpec& figure, const PageFormat& page)
    : parts_(std::make_shared<Parts>(figure, page)) {
    check_layout(figure);
}

std::string DrawnFigure::bytes(FileFormat format) {
    if (format == FileFormat::csv) return figure_csv(parts_->figure);
    if (format == FileFormat::npz) return std::string(as_text(npz_bytes(figure_arrays(parts_->figure))));
    if (!parts_->page) {
        parts_->page.emplace(parts_->figure, parts_->format);
        parts_->page->draw(parts_->drawn);
    }
    if (format == FileFormat::png)
        check_pixels(parts_->page->width / kPointsPerInch, parts_->page->height() / kPointsPerInch, parts_->format,
                     fmt::format("figure '{}'", parts_->figure.name));
    const auto canvas = make_canvas(parts_->page->width, parts_->page->height(), format,
                                    {parts_->figure.title, parts_->figure.config,
                                     format == FileFormat::svg ? text_of(describe(parts_->figure)) : ""},
                                    parts_->format.dots_per_inch / kPointsPerInch);
    parts_->drawn.draw_on(*canvas);
    return canvas->finish();
}

void DrawnFigure::write(const std::filesystem::path& file, FileFormat format) { write_file(file, bytes(format)); }

std::vector<std::filesystem::path> DrawnFigure::write_all(const std::filesystem::path& folder, const std::string& name,
                                                          std::span<const FileFormat> formats) {
    std::vector<std::filesystem::path> files;
    for (const FileFormat format : formats) {
        files.push_back(folder / fmt::format("{}.{}", name, file_extension(format)));
        write(files.back(), format);
    }
    return files;
}

std::string DrawnFigure::notice() const {
    std::string letters;
    for (const char32_t letter : parts_->drawn.beyond()) append_utf8(letters, letter);
    return letters.empty() ? ""
                           : fmt::format(
                                 "{}: {} would be drawn wrongly: the font {} has only scripts that run from left to "
                                 "right. Use another spelling",
                                 parts_->figure.name, shortened(letters, 40), kFontFamily);
}

std::string file_extension(FileFormat format) {
    static constexpr std::array<const char*, kFileFormats.size()> kExtensions = {"pdf", "svg", "png", "csv", "npz"};
    return kExtensions[static_cast<size_t>(format)];
}

FileFormat format_of(const std::filesystem::path& file) {
    const std::string extension = small_letters(file.extension().string());
    for (const FileFormat format : kFileFormats)
        if (extension == fmt::format(".{}", file_extension(format))) return format;
    throw InputError("{}: a figure's name must end in .pdf, .svg, .png, .csv or .npz", file.string());
}

std::string render_figure(const FigureSpec& figure, FileFormat format, const PageFormat& on) {
    return DrawnFigure(figure, on).bytes(format);
}

PixelImage draw_pixels(const FigureSpec& figure, int most_width, int most_height, const PageFormat& on) {
    check_layout(figure);
    const drawn_figure::Page page(figure, on);
    // Half a pixel is taken away, so that rounding up stays within the limit.
    const double scale = std::min((most_width - 0.5) / page.width, (most_height - 0.5) / page.height());
    const auto canvas = make_canvas(page.width, page.height(), FileFormat::png, {}, std::max(scale, 1e-3));
    drawn_figure::Recording drawn;
    page.draw(drawn);
    drawn.draw_on(*canvas);
    return canvas->pixels();
}

}  // namespace emergence
