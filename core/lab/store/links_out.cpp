#include "core/lab/store/links_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "core/base/error.h"
#include "core/files/folders.h"
#include "core/lab/jobs/job_folder.h"
#include "core/lab/store/provenance.h"
#include "core/lab/store/run_inputs.h"
#include "core/lab/sweeps/sweep_folder.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

// Whether Emergence reads or writes in this folder: one of its own, or that of a figure among others.
bool is_used(const fs::path& folder) {
    constexpr std::array kOwn = {kJobsFolder, kOwnersFolder, kInputsFolder, kCellWeightsFolder};
    constexpr std::array kFiles = {"config.toml", "claims.toml", kSweepFile, kProvenanceFile};
    return std::find(kOwn.begin(), kOwn.end(), folder.filename()) != kOwn.end() ||
           std::any_of(kFiles.begin(), kFiles.end(), [&](const char* name) {
               std::error_code ignored;
               return fs::exists(fs::symlink_status(folder / name, ignored));
           });
}

void check_entries(const fs::path& folder, const fs::path& outer, bool all) {
    std::error_code failed, ignored;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
        const fs::path& path = at->path();
        const fs::file_type type = at->symlink_status(ignored).type();
        if (type == fs::file_type::symlink) {
            const fs::path leads = folder / fs::read_symlink(path, ignored);
            if (!lies_in(leads, outer))
                throw InputError(fmt::format(
                    "{}: is a link that leads out of its folder, to {}. Links in the folder of a run, a sweep "
                    "or a figure are not followed out of it: remove this one, or put a copy in its place",
                    path.string(), leads.string()));
        } else if (type == fs::file_type::directory) {
            if (all || is_used(path)) check_entries(path, outer, all || path.filename() == kInputsFolder);
        } else if (type != fs::file_type::regular && type != fs::file_type::not_found) {
            throw InputError(fmt::format("{}: is neither a file nor a folder. Remove it", path.string()));
        }
    }
}

}  // namespace

void refuse_links_out(const fs::path& folder) { check_entries(folder, folder, false); }

}  // namespace emergence
