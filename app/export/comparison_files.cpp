#include "app/export/comparison_files.h"

#include <fmt/format.h>

#include "core/files/atomic_write.h"

namespace emergence {

std::vector<std::filesystem::path> write_comparison(const std::filesystem::path& folder,
                                                    const std::vector<PairOfRuns>& pairs, const FigureSpec& figure,
                                                    std::span<const FileFormat> formats, const PageFormat& page) {
    std::vector<std::filesystem::path> files = {folder / kDifferencesFile};
    write_file(files.front(), std::string_view(comparison_csv(pairs)));
    DrawnFigure drawn(figure, page);
    for (const FileFormat format : formats) {
        files.push_back(folder / fmt::format("comparison.{}", file_extension(format)));
        drawn.write(files.back(), format);
    }
    return files;
}

}  // namespace emergence
