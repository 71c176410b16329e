// Carries out export, which writes the pictures of a saved run as files, and the numbers that are drawn in them.

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "app/cli/command.h"
#include "app/cli/out_folder.h"
#include "app/cli/run_request.h"
#include "app/export/export.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/text.h"
#include "core/lab/figures/figures.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

struct ExportRequest {
    std::string name;  // the folder of a run
    std::vector<std::string> pictures, formats;
    std::optional<std::string> out;
};

// The pictures with these names, or every plot, matrix and drawing. Throws InputError for any other name.
std::vector<FigureChoice> chosen_pictures(const std::vector<FigureChoice>& all, const std::vector<std::string>& names) {
    using enum FigureChoice::Kind;
    std::vector<FigureChoice> chosen;
    if (names.empty())
        std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), [](const FigureChoice& one) {
            return one.kind == matrix || one.kind == plot || one.kind == scene;
        });
    for (const std::string& name : names) {
        std::vector<std::string> known;
        for (const FigureChoice& one : all)
            if (one.kind != grid) known.push_back(one.name);
        const auto found = find_if(all, [&](const FigureChoice& one) { return one.kind != grid && one.name == name; });
        if (found == all.end()) throw InputError(unknown_name("picture", name, known));
        chosen.push_back(*found);
    }
    return chosen;
}

std::vector<FileFormat> chosen_formats(const std::vector<std::string>& names) {
    std::vector<FileFormat> formats;
    std::vector<std::string> known;
    for (const FileFormat format : kFileFormats) known.emplace_back(file_extension(format));
    std::istringstream all(names.empty() ? "" : fmt::format("{},", fmt::join(names, ",")));
    for (std::string name; std::getline(all, name, ',');) {
        if (!contains(known, name)) throw InputError(unknown_name("format", name, known));
        formats.push_back(format_of("picture." + name));
    }
    if (formats.empty()) formats = {FileFormat::pdf, FileFormat::csv};
    return formats;
}

int run_export(const ExportRequest& request, const Environment& environment) {
    const std::vector<FileFormat> formats = chosen_formats(request.formats);
    const RunToOpen opened = saved_run(request.name, environment);
    const RestoredRun restored(opened);
    const auto& [pool, run, history] = restored;
    Snapshot snapshot = run.snapshot();
    snapshot.status.target_step = run.study().target_step();
    const ShownPanels shown = panels_of(run.study(), snapshot, history);
    const std::vector<FigureChoice> pictures =
        chosen_pictures(figure_choices(*opened.experiment, shown), request.pictures);
    const fs::path folder = request.out ? fs::path(*request.out) : fs::path("out") / ("pictures-" + time_stamp());
    const FolderLock lock = begin_in(folder, environment);
    for (const FigureChoice& picture : pictures) {
        DrawnFigure drawn(build_figure(picture, *opened.experiment, snapshot, history, shown), environment.asked.page);
        for (const fs::path& file : drawn.write_all(folder, picture.name, formats)) environment.wrote(file);
        if (const std::string notice = drawn.notice(); !notice.empty())
            environment.err << "emergence-cli: " << picture.name << ": " << notice << std::endl;
    }
    return kDone;
}

}  // namespace

Command export_command() {
    return command_of<ExportRequest>(
        "export", "Write the pictures of a saved run, and their numbers, to files",
        [](Options& options, ExportRequest& request) {
            options.text("folder", "DIR", "Folder of the run", request.name).required();
            options.texts("--picture", "NAME", "Only this picture, for example td-P0 or td-curves (default: all)",
                          request.pictures, true);
            options.texts("--format", "FORMAT",
                          "File types: pdf, svg, png, csv or npz, one or several (default: pdf and csv)",
                          request.formats, true);
            options.out("Folder for the files (default: out/pictures-TIME)", request.out);
            options.page();
            options.files_as_json();
        },
        run_export, true);
}

}  // namespace emergence::cli
