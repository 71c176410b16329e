#pragma once
// Writes the figure that a FigureSpec describes, in the light theme, as PDF, SVG or PNG, and its numbers as CSV or NPZ.

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/export/page_format.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// The formats of pictures, and those of the numbers drawn in them.
enum class FileFormat { pdf, svg, png, csv, npz };
inline constexpr std::array<FileFormat, 5> kFileFormats = {FileFormat::pdf, FileFormat::svg, FileFormat::png,
                                                           FileFormat::csv, FileFormat::npz};

/// The formats that this program can write. Without Cairo, as in a browser, PDF is missing.
std::span<const FileFormat> writable_formats();

/// "pdf", "svg", "png", "csv" or "npz".
std::string file_extension(FileFormat format);

/// The format that a file's extension names, in small or capital letters. Throws InputError for any other extension.
FileFormat format_of(const std::filesystem::path& file);

/// Returns the bytes of the file. They are the same for the same specification, version of Cairo and font. PNG has
/// page.dots_per_inch. The figure with its title is as large as the specification says, and the caption is added below.
/// The configuration is in PDF's keywords, in SVG's <metadata id="emergence-config"> and in PNG's text chunk
/// "emergence-config", where read_config_of() finds it. figure_csv() and figure_arrays() describe CSV and NPZ. Throws
/// InputError if the specification cannot be laid out (a size is not positive, or a cell lies outside the grid's first
/// row or column), and IoError if Cairo refuses.
std::string render_figure(const FigureSpec& figure, FileFormat format, const PageFormat& page = {});

/// A figure that is drawn once for all its files.
class DrawnFigure {
  public:
    /// Throws as render_figure does.
    explicit DrawnFigure(const FigureSpec& figure, const PageFormat& page = {});
    /// Returns the bytes as render_figure does.
    std::string bytes(FileFormat format);
    /// Writes the bytes to `file`, whole or not at all, and replaces what was there. Throws as render_figure does, and
    /// IoError naming the file.
    void write(const std::filesystem::path& file, FileFormat format);
    /// Writes NAME.pdf, NAME.svg and so on into a folder, and returns the files.
    std::vector<std::filesystem::path> write_all(const std::filesystem::path& folder, const std::string& name,
                                                 std::span<const FileFormat> formats);
    /// A sentence about the letters that its pictures cannot show as they should, or "".
    std::string notice() const;

  private:
    struct Parts;
    std::shared_ptr<Parts> parts_;
};

/// A picture on a screen. Pixels are 0xAABBGGRR, row by row from the top.
struct PixelImage {
    int width = 0;
    int height = 0;
    std::vector<uint32_t> pixels;
};

/// Draws the figure as render_figure does, as large as it fits into so many pixels. Throws as render_figure does.
PixelImage draw_pixels(const FigureSpec& figure, int most_width, int most_height, const PageFormat& page = {});

}  // namespace emergence
