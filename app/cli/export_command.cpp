// export: a saved run in the form of other programs.

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/export_formats.h"
#include "app/cli/out_folder.h"
#include "app/cli/saved_runs.h"
#include "app/export/event_file.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char *kTensorBoard = "tensorboard", *kJsonLines = "jsonl", *kTorch = "torch";

struct ExportRequest {
    std::string name;  // the folder of a run
    std::string format;
    std::string out;
    Existing existing = Existing::refuse;
};

int run_export(const ExportRequest& request, const Environment& environment) {
    const fs::path out = folder_named(request.out);
    const ComparedRun run = saved_runs({request.name}, environment).front();
    std::vector<std::pair<fs::path, std::string>> files;
    if (request.format == kJsonLines) files.emplace_back("metrics.jsonl", json_lines(run));
    if (request.format == kTorch) files.emplace_back("network.py", torch_script(run));
    if (request.format == kTensorBoard)
        for (size_t k = 0; k < run.snapshot.seeds.size(); ++k)
            files.emplace_back(
                fs::path(fmt::format("seed-{}", run.snapshot.seeds[k].seed)) / "events.out.tfevents.0.emergence",
                event_file(run.snapshot, run.history, static_cast<int>(k)));
    const FolderLock lock = begin_in(out, request.existing, environment);
    for (const auto& [name, text] : files) {
        make_folder((out / name).parent_path());
        write_file(out / name, std::string_view(text));
        environment.wrote(out / name);
    }
    return kDone;
}

}  // namespace

Command export_command() {
    return command_of<ExportRequest>(
        "export", "Write a saved run in the form of another program",
        [](Options& options, ExportRequest& request) {
            options.text("folder", "DIR", "Folder of a run", request.name).required();
            options
                .choice("--format", {kTensorBoard, kJsonLines, kTorch},
                        "tensorboard: event files, one folder per seed; jsonl: its metrics as JSON lines; torch: its "
                        "networks as a PyTorch script",
                        request.format)
                .required();
            options.out("Folder for the results", request.out, request.existing).required();
            options.files_as_json();
        },
        run_export, true);
}

}  // namespace emergence::cli
