#include "app/cli/out_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/files/system_errors.h"
#include "core/lab/jobs/job_folder.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/store/provenance.h"
#include "core/lab/store/run_inputs.h"
#include "core/lab/sweeps/sweep_folder.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestText = size_t{1} << 20;

constexpr std::string_view kMovedAside = "old-";

// "old-1", a folder into which the contents of its own were moved.
bool is_moved_aside(const fs::path& path) {
    const std::string name = path.filename().string();
    std::error_code ignored;
    return name.starts_with(kMovedAside) && name.size() > kMovedAside.size() &&
           name.find_first_not_of("0123456789", kMovedAside.size()) == std::string::npos &&
           fs::is_directory(path, ignored);
}

std::vector<std::string> entries_of(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    for (const fs::path& entry : entries_in(folder, failed))
        if (!is_moved_aside(entry)) names.push_back(entry.filename().string());
    if (is_of_machine(failed.value()))
        throw IoError(fmt::format("{}: cannot be listed: {}", folder.string(), error_text(failed)));
    if (failed) names.emplace_back("files that cannot be listed");
    return names;
}

std::string text_of(const fs::path& file) {
    try {
        return std::string(as_text(read_file(file, kLargestText)));
    } catch (const InputError&) {  // missing: then it is not the same
        return "";
    }
}

// "a run of 'td'", "a sweep", "notes.txt, paper.pdf and 3 more".
std::string contents_of(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return "a file";
    if (fs::exists(path / kSweepFile, ignored)) return "a sweep";
    try {
        return fmt::format("another run of '{}'", read_settings(path / "config.toml").experiment);
    } catch (const std::runtime_error&) {
        // No run: its files are named.
    }
    constexpr size_t kNamed = 3;
    const std::vector<std::string> names = entries_of(path);
    if (names.size() <= kNamed) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kNamed, ", "), names.size() - kNamed);
}

// Without the slash at the end, after which a name would be a file in the folder.
fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

// Whether the folder itself cannot have another name: somebody reaches it through a link, a mount or as the working
// directory, or may not write the folder above it.
bool has_to_stay(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return false;
    const fs::path bare = without_slash(path);
    struct statx status {};
    const bool mounted =
        ::statx(AT_FDCWD, path.c_str(), 0, 0, &status) == 0 && (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
    return fs::is_symlink(bare, ignored) || mounted || lies_in(fs::current_path(ignored), path) ||
           ::access(fs::canonical(path, ignored).parent_path().c_str(), W_OK) != 0;
}

// Where what is at `path` is moved.
fs::path free_name(const fs::path& path) {
    const std::string start = has_to_stay(path) ? (path / kMovedAside).string()
                                                : fmt::format("{}.{}", without_slash(path).string(), kMovedAside);
    std::error_code ignored;
    for (int i = 1;; ++i) {
        const fs::path name = fmt::format("{}{}", start, i);
        if (!fs::exists(fs::symlink_status(name, ignored))) return name;
    }
}

// Whether a program of Emergence has written there.
bool is_own(const fs::path& folder) {
    std::error_code ignored;
    constexpr std::array kOwn = {"config.toml", kSweepFile, kComputedFile, kProvenanceFile};
    return std::any_of(kOwn.begin(), kOwn.end(), [&](const char* name) { return fs::exists(folder / name, ignored); });
}

// A folder directly below the root, or where a system keeps its programs and their files.
bool is_of_system(const fs::path& folder) {
    constexpr std::array kSystem = {"/bin",  "/boot", "/etc", "/lib",     "/opt",    "/proc",
                                    "/sbin", "/sys",  "/usr", "/var/lib", "/var/log"};
    return folder.parent_path() == folder.root_path() || folder.parent_path() == "/var" ||
           std::any_of(kSystem.begin(), kSystem.end(), [&](const char* place) { return lies_in(folder, place); });
}

// Why what is there is not moved, whatever is asked; empty: it can be.
std::string never_moved(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return "";
    const fs::path folder = fs::canonical(path, ignored), working = fs::current_path(ignored);
    const std::optional<fs::path> home = home_folder();
    if (folder == folder.root_path()) return "it is the root of the file system";
    if (is_of_system(folder) && !is_own(folder)) return "it is a folder of the system";
    if (home && lies_in(*home, folder)) return "your home folder is there";
    if (working != folder && lies_in(working, folder)) return "the working directory lies in it";
    return "";
}

// The contents of a folder that has to stay: all of them or, if one cannot be moved, none.
void move_contents(const fs::path& folder, const fs::path& aside, std::error_code& failed) {
    const std::vector<std::string> names = entries_of(folder);
    if (!fs::create_directory(aside, failed)) return;
    size_t moved = 0;
    for (; moved < names.size(); ++moved) {
        fs::rename(folder / names[moved], aside / names[moved], failed);
        if (failed) break;
    }
    if (!failed) return;
    std::error_code ignored;
    while (moved-- > 0) fs::rename(aside / names[moved], folder / names[moved], ignored);
    fs::remove(aside, ignored);
}

// Without a lock: because another program holds it, or why it cannot be had at all.
[[noreturn]] void refuse_unlocked(const fs::path& folder, const char* what) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int error = errno;
    if (descriptor < 0)
        throw IoError(fmt::format("{}: cannot be opened: {}; nothing was changed", folder.string(), error_text(error)));
    ::close(descriptor);
    throw IoError(fmt::format("{}: another program, a window perhaps, is writing {}; nothing was changed",
                              folder.string(), what));
}

void move_aside(const fs::path& path, const Environment& environment) {
    std::error_code failed;
    std::optional<FolderLock> lock;  // until the folder has its other name
    if (fs::is_directory(path, failed) && !(lock = FolderLock::take(path, FolderLock::kLastBreath)))
        refuse_unlocked(path, "there");
    const fs::path aside = free_name(path);
    if (has_to_stay(path))
        move_contents(path, aside, failed);
    else
        fs::rename(without_slash(path), aside, failed);
    if (failed)
        throw IoError(fmt::format("{}: cannot be moved to {}: {}; nothing was changed. Choose another --out",
                                  path.string(), aside.string(), error_text(failed)));
    environment.err << fmt::format("emergence-cli: {} was there already; it is now {}\n", path.string(),
                                   aside.string());
}

}  // namespace

bool is_vacant(const fs::path& path) {
    std::error_code ignored;
    return !fs::exists(path, ignored) || (fs::is_directory(path, ignored) && entries_of(path).empty());
}

bool holds_run(const fs::path& folder, const std::string& config, const std::string& inputs) {
    constexpr std::array kResults = {kCheckpointFile, kOlderCheckpointFile, kJobsFolder};
    if (text_of(folder / "config.toml") != config) return false;
    const std::string held = text_of(folder / kInputsFolder / kInputsFile);
    std::error_code ignored;
    // The list of inputs is written last: before there is any result it may be missing.
    const bool begun = std::none_of(kResults.begin(), kResults.end(),
                                    [&](const char* name) { return fs::exists(folder / name, ignored); });
    return held == inputs || (held.empty() && begun);
}

bool holds_only_a_start(const fs::path& folder) {
    constexpr std::array<std::string_view, 3> kFirst = {kProvenanceFile, kInputsFolder, kOwnersFolder};
    const std::vector<std::string> names = entries_of(folder);
    std::error_code ignored;
    // A machine that lost its power may leave it empty.
    return fs::is_regular_file(folder / kProvenanceFile, ignored) && is_provenance(text_of(folder / kProvenanceFile)) &&
           std::all_of(names.begin(), names.end(), [&](const std::string& name) {
               return std::find(kFirst.begin(), kFirst.end(), name) != kFirst.end();
           });
}

void claim_folder(const fs::path& path, bool same, Existing existing, const Environment& environment) {
    if (existing == Existing::ours) return;
    const auto would = [&](const std::string& what) {
        environment.would(fmt::format("write into {}{}", path.string(), what));
        if (environment.dry_run) throw DryRunEnds();
    };
    if (is_vacant(path)) return would("");
    if (existing != Existing::replace && (same || holds_only_a_start(path))) {
        refuse_links_out(path);
        return would(", which holds the same already: it would go on");
    }
    if (const std::string why = never_moved(path); !why.empty())
        throw InputError(fmt::format("{}: holds {}, which is not moved: {}. Choose another --out", path.string(),
                                     contents_of(path), why));
    if (existing == Existing::refuse)
        throw InputError(
            fmt::format("{}: holds {}. Choose another --out, or add --force, which moves what is there to {}",
                        path.string(), contents_of(path), free_name(path).string()));
    would(fmt::format("; what is there would be moved to {}", free_name(path).string()));
    move_aside(path, environment);
}

void prepare_folder(const fs::path& folder) {
    make_folder(folder);
    const AtomicFile probe(folder / "config.toml");
    for (const char* inner : {"", kInputsFolder, kJobsFolder, kOwnersFolder, kCellWeightsFolder})
        remove_unfinished_files(folder / inner);
}

FolderLock enter_folder(const fs::path& folder, const std::function<bool()>& is_ours, bool takes_over) {
    auto lock = FolderLock::take(folder, FolderLock::kLastBreath);
    if (!lock && takes_over) lock = FolderLock::take_over(folder);
    if (!lock) refuse_unlocked(folder, "this run");
    if (!is_vacant(folder) && !holds_only_a_start(folder) && !is_ours())
        throw InputError(
            fmt::format("{}: another program has begun to write there. Choose another --out", folder.string()));
    return std::move(*lock);
}

fs::path folder_named(const std::string& out) {
    if (out.empty()) throw InputError("--out: is empty. Name a folder");
    fs::path folder = out;
    // "out/." is "out", which can be moved aside.
    while (folder.filename() == "." && folder.has_parent_path()) folder = folder.parent_path();
    return folder;
}

}  // namespace emergence::cli
