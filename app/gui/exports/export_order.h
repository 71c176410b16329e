#pragma once
// An export: everything that it needs, taken at one moment, so that it can be written while training goes on.

#include <functional>
#include <memory>

#include "app/export/export.h"
#include "app/gui/exports/file_report.h"
#include "core/lab/figures/figures.h"

namespace emergence {

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
