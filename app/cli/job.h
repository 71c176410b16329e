#pragma once
// Training without a window, from settings to files.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/export/page_format.h"
#include "core/base/error.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/store/moments.h"
#include "core/lab/store/run_inputs.h"

namespace emergence::cli {

struct Job {
    const ExperimentInfo& experiment;
    Settings settings;  // checked
    int threads = 1;
    std::filesystem::path folder;  // made where it is missing
    std::vector<const FigureInfo*> figures;
    std::optional<int64_t> stop_at;        // a step before the settings' own last one
    bool needs_figures = false;            // a figure that cannot be drawn is an error, and not left out with a note
    bool check_claims = false;             // measure the figures' claims, print and write them
    const Checkpoint* from = nullptr;      // where to go on; null from the start
    double autosave = 60.0;                // seconds between checkpoints; 0 for none but the last
    int moments = kDefaultMoments;         // at most so many are saved
    Existing existing = Existing::refuse;  // what is done with files that are in the folder already
    bool json = false;                     // the last line on standard output is the run's result
    PageFormat page = {};                  // of the figures
    std::vector<std::string> stage = {};   // the plots that the preset is about: pictures of their own
};

/// Notes the page in the session, for page_in().
void note_page(const PageFormat& page, ProvenanceSession& session);
/// The page that the last command in this folder drew on; the default if that is not known.
PageFormat page_in(const std::filesystem::path& folder);

/// Trains all seeds, showing progress and keeping checkpoints, until they are done or the environment says
/// stop; then writes the run's folder (assets/handbook/files.md lists it) and the figures with their data in every
/// format, each file whole or not at all. A folder that holds this very run resumes it. Returns an exit code. Throws
/// InputError, and IoError for what could not be written (the other files are written nevertheless).
int run_job(const Job& job, const Environment& environment);

}  // namespace emergence::cli
