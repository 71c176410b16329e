// structure: a run's matrices over training, one figure each.

#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <system_error>

#include "app/cli/command.h"
#include "app/cli/out_folder.h"
#include "app/cli/saved_runs.h"
#include "app/export/export.h"
#include "app/open/bounded_opening.h"
#include "core/base/error.h"
#include "core/base/local_time.h"
#include "core/lab/figures/figures.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/views/structure.h"

namespace emergence::cli {
namespace {

struct StructureRequest {
    std::string folder;
    std::vector<std::string> matrices;  // none is all
    std::optional<std::string> out;
    Existing existing = Existing::refuse;
    PageFormat page = {};
};

namespace fs = std::filesystem;

std::vector<std::shared_ptr<const Snapshot>> moments_of(const RunToOpen& opened) {
    const BoundedOpening bounded(opened.folder.string(), opened.settings);
    ThreadPool pool(1);
    Run run(opened.experiment->make(opened.settings), pool);
    std::vector<std::shared_ptr<const Snapshot>> moments;
    for (Snapshot& moment : outlines_before(*opened.checkpoint, run))
        moments.push_back(std::make_shared<const Snapshot>(std::move(moment)));
    restore(*opened.checkpoint, run);
    moments.push_back(std::make_shared<const Snapshot>(run.outline()));
    return moments;
}

std::vector<std::string> matrices_with_structure(const Snapshot& last) {
    std::vector<std::string> names;
    for (const StructurePlot& plot : structure_plots(last))
        if (names.empty() || names.back() != plot.matrix) names.push_back(plot.matrix);
    return names;
}

int run_structure(const StructureRequest& request, const Environment& environment) {
    const RunToOpen opened = saved_run(request.folder, environment);
    const auto moments = moments_of(opened);
    const Snapshot& last = *moments.back();
    std::vector<std::string> names = request.matrices;
    if (names.empty()) names = matrices_with_structure(last);
    if (names.empty()) throw InputError(fmt::format("{}: shows no matrix", request.folder));
    std::vector<FigureSpec> figures;
    for (const std::string& name : names) {
        figures.push_back(structure_figure(name, moments));
        figures.back().caption = fmt::format("{} moments of a run. {}", moments.size(), provenance(last));
        figures.back().config = settings_to_toml(last.experiment, last.settings, {figures.back().name, last.step});
        for (const SeedStatus& seed : last.seeds) figures.back().seeds.push_back(seed.seed);
    }
    const fs::path folder = request.out ? folder_named(*request.out) : fs::path("out") / ("structure-" + time_stamp());
    std::error_code ignored;
    const fs::path first = folder / fmt::format("{}.csv", file_stem(figures.front().name));
    claim_folder(folder, fs::exists(first, ignored), request.existing, environment);
    prepare_folder(folder);
    for (const FigureSpec& figure : figures) {
        DrawnFigure drawn(figure, request.page);
        for (const FileFormat format : kFileFormats) {
            const fs::path file = folder / fmt::format("{}.{}", file_stem(figure.name), file_extension(format));
            drawn.write(file, format);
            environment.wrote(file);
        }
    }
    return kDone;
}

}  // namespace

Command structure_command() {
    return command_of<StructureRequest>(
        "structure",
        "Draw a run's matrices over training: singular values, block norms, shares of theory and diagonals",
        [](Options& options, StructureRequest& request) {
            options.text("folder", "DIR", "Folder of a run with moments", request.folder).required();
            options.texts("--matrix", "NAME", "Matrix, for example P0 (default: all)", request.matrices);
            options.out("Folder for the results (default: out/structure-<date>-<time>)", request.out, request.existing);
            options.page(request.page);
            options.files_as_json();
        },
        run_structure);
}

}  // namespace emergence::cli
