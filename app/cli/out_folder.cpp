#include "app/cli/out_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/files/atomic_write.h"
#include "core/files/folder_lock.h"
#include "core/files/folders.h"
#include "core/lab/run_inputs.h"
#include "core/lab/sweep_folder.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestText = size_t{1} << 20;

// What a killed program leaves of an AtomicFile.
bool is_unfinished(const fs::path& file) {
    return file.filename().string().starts_with(".emergence-") && file.extension() == ".tmp";
}

std::vector<std::string> entries_of(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed))
        if (!is_unfinished(entry.path())) names.push_back(entry.path().filename().string());
    if (failed) names.emplace_back("files that cannot be listed");
    std::sort(names.begin(), names.end());
    return names;
}

std::string text_of(const fs::path& file) {
    try {
        return std::string(as_text(read_file(file, kLargestText)));
    } catch (const std::runtime_error&) {  // missing: then it is not the same
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
    std::string text;
    for (size_t i = 0; i < std::min(kNamed, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
    return names.size() <= kNamed ? text : fmt::format("{} and {} more", text, names.size() - kNamed);
}

// Without the slash at the end, after which a name would be a file in the folder.
fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

fs::path free_name(const fs::path& path) {
    std::error_code ignored;
    for (int i = 1;; ++i) {
        const fs::path name = fmt::format("{}.old-{}", without_slash(path).string(), i);
        if (!fs::exists(fs::symlink_status(name, ignored))) return name;
    }
}

void move_aside(const fs::path& path, const Environment& environment) {
    std::error_code failed;
    std::optional<FolderLock> lock;  // until the folder has its other name
    if (fs::is_directory(path, failed) && !(lock = FolderLock::take(path, FolderLock::kLastBreath)))
        throw IoError(fmt::format(
            "{}: another program, a window perhaps, is writing there; nothing was changed", path.string()));
    const fs::path aside = free_name(path);
    fs::rename(without_slash(path), aside, failed);
    if (failed)
        throw IoError(
            fmt::format("{}: cannot be moved to {}: {}", path.string(), aside.string(), failed.message()));
    environment.err << fmt::format("emergence-cli: {} was there already; it is now {}\n", path.string(),
                                   aside.string());
}

}  // namespace

bool is_vacant(const fs::path& path) {
    std::error_code ignored;
    return !fs::exists(path, ignored) || (fs::is_directory(path, ignored) && entries_of(path).empty());
}

bool holds_run(const fs::path& folder, const std::string& config, const std::string& inputs) {
    return text_of(folder / "config.toml") == config &&
           text_of(folder / kInputsFolder / kInputsFile) == inputs;
}

void claim_folder(const fs::path& path, bool same, Existing existing, const Environment& environment) {
    if (existing == Existing::ours || is_vacant(path)) return;
    if (same && existing != Existing::replace) return;
    if (existing == Existing::refuse)
        throw InputError(
            fmt::format("{}: holds {}. Choose another --out, or add --force, which moves what is there to {}",
                        path.string(), contents_of(path), free_name(path).string()));
    move_aside(path, environment);
}

void prepare_folder(const fs::path& folder) {
    make_folder(folder);
    const AtomicFile probe(folder / "config.toml");
}

void remove_unfinished(const fs::path& folder) {
    std::vector<fs::path> unfinished;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (is_unfinished(entry.path())) unfinished.push_back(entry.path());
    for (const fs::path& file : unfinished) fs::remove(file, ignored);
}

fs::path folder_named(const std::string& out) {
    if (out.empty()) throw InputError("--out: is empty. Name a folder");
    if (!is_utf8(out))  // what is written there names it
        throw InputError(fmt::format("--out: '{}' is not UTF-8. Choose another name", shown_text(out)));
    return out;
}

}  // namespace emergence::cli
