#pragma once
// An export: everything that it needs, taken at one moment, so that it can be written while training goes on; and what
// became of the files.

#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/export/export.h"
#include "app/gui/commands/asks.h"
#include "core/lab/figures/figures.h"

namespace emergence {

/// What became of files that were to be written.
struct FileReport {
    std::vector<std::filesystem::path> written;
    std::vector<std::string> failures;              // a sentence each
    std::vector<std::filesystem::path> in_the_way;  // they exist and were not to be replaced: nothing was written
};

/// How far the writing has come.
struct FileProgress {
    size_t done = 0;
    size_t total = 0;
    std::string name;                                                // of the file that is being written
    double share = 0.0;                                              // of the work for that file, where it takes long
    double seconds_left = std::numeric_limits<double>::quiet_NaN();  // for that file; NaN: not known
};

/// The report in a sentence or two, for a notice: "Saved 4 files in figures", or what failed.
std::string sentence_of(const FileReport& report);
/// Asks to say it: a notice, or a banner for what failed.
void tell(const FileReport& report, Asks& asks);

struct ExportOrder {
    const ExperimentInfo* experiment = nullptr;
    std::shared_ptr<const Snapshot> snapshot;
    MetricHistory history;
    ShownPanels shown;
    std::vector<FigureChoice> choices;
    std::vector<FileFormat> formats;
    PageFormat page = {};
    bool run_files = false;  // config.toml, metrics.csv and weights.npz too, also of figures of many runs
    int threads = 1;         // that figures of many runs are made with
    std::filesystem::path folder;
    std::string name;      // instead of a single choice's own name, and before several; "" for their own
    bool replace = false;  // files of the same names, each only when its successor is whole
};

/// The names of all files that it writes, in their order.
std::vector<std::string> file_names(const ExportOrder& order);

/// Writes them, making the folder where it is missing; a file that fails does not keep the others from being
/// written. `on_progress` is called before each file, and while a figure's runs train, and may return false
/// to stop. Throws nothing: all bad news is in the report.
FileReport write_export(const ExportOrder& order, const std::function<bool(const FileProgress&)>& on_progress);

/// What it takes to make a figure of many runs, a sentence: how long it took when it was last measured.
std::string effort_of(const FigureInfo& figure, int threads);

/// Where figures go until the user says otherwise: emergence-figures in the home folder, or in the working
/// directory where there is none.
std::filesystem::path default_export_folder();

/// A folder as people type it: without spaces around it, "~" being the home folder. Throws InputError where
/// nothing is left.
std::filesystem::path typed_folder(const std::string& text);

}  // namespace emergence
