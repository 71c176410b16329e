#pragma once
// Figures as files: what a FigureSpec describes, in the light theme, as PDF, SVG or PNG, and its numbers as
// CSV or NPZ.

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

/// Pictures, and the numbers that are drawn in them.
enum class FileFormat { pdf, svg, png, csv, npz };
inline constexpr std::array<FileFormat, 5> kFileFormats = {FileFormat::pdf, FileFormat::svg, FileFormat::png,
                                                           FileFormat::csv, FileFormat::npz};

/// Those that this program can write: all of them, but without Cairo (in a browser) no PDF.
std::span<const FileFormat> writable_formats();

/// "pdf", "svg", "png", "csv" or "npz".
std::string file_extension(FileFormat format);

/// The format that a file's extension names, in either case. Throws InputError for any other.
FileFormat format_of(const std::filesystem::path& file);

/// The bytes of the file: the same for the same specification, on the same version of Cairo and the font. PNG
/// has page.dots_per_inch. The figure with its title is as large as the specification says, and the caption is
/// added below. The configuration is in PDF's keywords, in SVG's <metadata id="emergence-config"> and in
/// PNG's text chunk "emergence-config", where read_config_of() finds it. CSV and NPZ are as figure_csv() and
/// figure_arrays() say. Throws InputError where the specification cannot be laid out (a size that is not
/// positive, a cell outside the grid's first row or column), IoError where Cairo refuses.
std::string render_figure(const FigureSpec& figure, FileFormat format, const PageFormat& page = {});

/// A figure that is drawn once for all its files.
class DrawnFigure {
  public:
    /// Throws as render_figure does.
    explicit DrawnFigure(const FigureSpec& figure, const PageFormat& page = {});
    /// As render_figure has them.
    std::string bytes(FileFormat format);
    /// Writes them to `file`, whole or not at all, replacing what was there. Throws as render_figure does, and IoError
    /// naming the file.
    void write(const std::filesystem::path& file, FileFormat format);
    /// Writes NAME.pdf and so on into a folder, and returns the files.
    std::vector<std::filesystem::path> write_all(const std::filesystem::path& folder, const std::string& name,
                                                 std::span<const FileFormat> formats);
    /// A sentence about letters in its pictures that cannot be read there as they should be, or "".
    std::string notice() const;

  private:
    struct Parts;
    std::shared_ptr<Parts> parts_;
};

/// A picture on a screen: 0xAABBGGRR, row by row from the top.
struct PixelImage {
    int width = 0;
    int height = 0;
    std::vector<uint32_t> pixels;
};

/// The figure as render_figure draws it, as large as fits into so many pixels. Throws as render_figure does.
PixelImage draw_pixels(const FigureSpec& figure, int most_width, int most_height, const PageFormat& page = {});

}  // namespace emergence
