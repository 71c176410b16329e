#pragma once
// An export: a copy of everything that it needs, so that it can be written while training goes on; and what became of
// the files.

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
    std::vector<std::filesystem::path> in_the_way;  // these exist and may not be replaced, so nothing was written
};

/// How far the writing has come.
struct FileProgress {
    size_t done = 0;
    size_t total = 0;
    std::string name;                                                // of the file that is being written
    double share = 0.0;                                              // of the work for that file, if it takes long
    double seconds_left = std::numeric_limits<double>::quiet_NaN();  // for that file; NaN: not known
};

/// The report in a sentence or two, for a notice: "Saved 4 files in figures", or what failed.
std::string sentence_of(const FileReport& report);
/// Shows the report: a notice, or a banner if something failed.
void tell(const FileReport& report, Asks& asks);

struct ExportOrder {
    const ExperimentInfo* experiment = nullptr;
    std::shared_ptr<const Snapshot> snapshot;
    MetricHistory history;
    ShownPanels shown;
    std::vector<FigureChoice> choices;
    std::vector<FileFormat> formats;
    PageFormat page = {};
    bool run_files = false;  // run_file_names() too, also of figures of many runs
    int threads = 1;         // for figures of many runs
    std::filesystem::path folder;
    std::string name;      // replaces the name of a single choice and precedes those of several; "": their own names
    bool replace = false;  // files of the same names, each once its successor is whole
};

/// The files of a run besides pictures: "config.toml" and others. A name stands before each.
std::vector<std::string> run_file_names();

/// The names of all files that the order writes, in the order of writing.
std::vector<std::string> file_names(const ExportOrder& order);

/// Writes them and makes the folder if it is missing; a file that fails does not stop the others. `on_progress` is
/// called before each file and while a figure's runs train; it returns false to stop. Throws nothing: the report names
/// every failure.
FileReport write_export(const ExportOrder& order, const std::function<bool(const FileProgress&)>& on_progress);

/// A sentence on how long a figure of many runs takes, as last measured.
std::string effort_of(const FigureInfo& figure, int threads);

/// Where figures go until the user says otherwise: emergence-figures in the home folder, or in the working directory if
/// there is no home folder.
std::filesystem::path default_export_folder();

/// The folder of a typed path: without spaces around it, "~" is the home folder. Throws InputError if nothing is left.
std::filesystem::path typed_folder(const std::string& text);

}  // namespace emergence
