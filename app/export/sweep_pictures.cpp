#include "app/export/sweep_pictures.h"

#include <fmt/format.h>

#include "app/export/export.h"
#include "app/export/run_files.h"
#include "core/files/atomic_write.h"
#include "core/lab/sweeps/sweep.h"

namespace emergence {

void write_sweep_columns(const std::filesystem::path& folder, const Sweep& sweep) {
    Settings settings = settings_of(sweep, SweepCell(sweep.axes.size(), 0));
    settings.set(FieldRole::seed_count, int64_t{1});
    write_file(folder / kColumnsFile, std::string_view(columns_toml(sweep, scores_of(*sweep.experiment, settings))));
}

std::vector<std::filesystem::path> write_sweep_pictures(const std::filesystem::path& folder, const Sweep& sweep,
                                                        const SweepScores& scores, const PageFormat& page) {
    std::vector<std::filesystem::path> pictures;
    if (scores.empty()) return pictures;
    DrawnFigure figure(sweep_figure(sweep, scores, score_of(sweep)), page);
    for (const FileFormat format : writable_formats()) {
        pictures.push_back(folder / fmt::format("sweep.{}", file_extension(format)));
        figure.write(pictures.back(), format);
    }
    return pictures;
}

}  // namespace emergence
