#include "app/cli/out_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <ostream>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/lab/jobs/job_grid.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/sweeps/sweep.h"
#include "core/settings/embedded_settings.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestText = size_t{1} << 20;
// Describes the command that writes there: where it was typed, and its words except those that change no file.
constexpr const char* kCommandMark = ".emergence-command";
constexpr std::string_view kMarkOfFile = "emergence-command: ", kReplaced = ".emergence-replaced-";

std::vector<std::string> entries_of(const fs::path& folder) {
    std::vector<std::string> names;
    for (const fs::path& entry : entries_in(folder)) names.push_back(entry.filename().string());
    return names;
}

std::string text_of(const fs::path& file) {
    try {
        return std::string(as_text(read_file(file, kLargestText)));
    } catch (const InputError&) {  // a missing file is not the same
        return "";
    }
}

// Writes "a run of 'td'", "a sweep", "notes.txt, paper.pdf and 3 more".
std::string contents_of(const fs::path& path) {
    if (!is_folder(path)) return is_file(path) ? "a file" : "a device or a pipe";
    if (is_there(path / kSweepFile)) return "a sweep";
    try {
        return fmt::format("another run of '{}'", read_settings(path / "config.toml").experiment);
    } catch (const std::runtime_error&) {
        // It is not a run, so its files are named.
    }
    constexpr size_t kNamed = 3;
    std::vector<std::string> names = entries_of(path);
    for (std::string& name : names) name = shown_text(name);
    if (names.size() <= kNamed) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kNamed, ", "), names.size() - kNamed);
}

// Refuses a folder in which a system keeps its programs and their files.
void refuse_system(const fs::path& path) {
    for (const char* place : {"/usr", "/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/sbin", "/sys"})
        if (lies_in(path, place) && !lies_in(path, "/usr/local") && !lies_in(path, "/dev/shm"))
            throw InputError("{}: is inside {}, a system folder. Choose another --out", path.string(), place);
}

// Returns the beginning of a film or a page, which says who wrote it.
std::string head_of(const fs::path& file) {
    constexpr size_t kHead = 1000;
    std::string head(kHead, '\0');
    std::ifstream(file, std::ios::binary).read(head.data(), kHead);
    return head;
}

// Whether Emergence wrote the file.
bool carries_settings(const fs::path& file) {
    try {
        (void)read_config_of(file);
        return true;
    } catch (const std::runtime_error&) {
        const std::string head = head_of(file);
        return head.starts_with(fmt::format("<!-- {}", kMarkOfFile)) ||
               (head.starts_with("GIF89a") && head.find("experiment = ") != std::string::npos);
    }
}

bool is_own(const fs::path& folder) {
    const std::string made = text_of(folder / kProvenanceFile);
    if (is_there(folder / kComputedFile) || is_there(folder / kCommandMark) || (!made.empty() && is_provenance(made)) ||
        carries_settings(folder / "config.toml"))
        return true;
    const std::vector<fs::path> entries = entries_in(folder);
    const auto picture = find_if(entries, [](const fs::path& entry) { return entry.extension() == ".png"; });
    return picture != entries.end() && carries_settings(*picture);
}

// Returns a file of a kind that Emergence does not write, or an empty path.
fs::path foreign_file_in(const fs::path& folder) {
    constexpr std::array<std::string_view, 12> kOurs = {".toml", ".csv", ".npz",  ".pdf",   ".svg",  ".png",
                                                        ".gif",  ".py",  ".html", ".jsonl", ".json", ".emergence"};
    for (const fs::path& entry : all_entries_in(folder)) {
        const fs::path name = entry.filename();
        if (name == kInputsFolder || name == kCommandMark || is_unfinished_file(name)) continue;
        const fs::file_status status = fs::symlink_status(entry);
        if (fs::is_directory(status)) {
            if (const fs::path inner = foreign_file_in(entry); !inner.empty()) return name / inner;
            continue;
        }
        const bool of_kind = contains(kOurs, name.extension().string());
        // An empty file is one of the window's marks.
        if (!fs::is_regular_file(status) || (!of_kind && fs::file_size(entry) != 0)) return name;
    }
    return {};
}

// Removes the slash at the end, because a name added after it would be a file in the folder.
fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

// Says why --force does not replace what is there, or returns "" if it does.
std::string why_kept(const fs::path& path) {
    const char* const kNotOurs = "Emergence did not write it";
    std::error_code ignored;
    const fs::path bare = without_slash(path);
    const fs::file_status status = fs::symlink_status(bare, ignored);
    if (fs::is_symlink(status)) return "it is a link";
    if (!fs::is_directory(status)) return fs::is_regular_file(status) && carries_settings(bare) ? "" : kNotOurs;
    if (lies_in(fs::current_path(ignored), bare)) return "the working directory is inside it";
    if (!is_own(bare)) return kNotOurs;
    const fs::path foreign = foreign_file_in(bare);
    return foreign.empty() ? "" : fmt::format("Emergence did not write {}", shown_text(foreign.string()));
}

fs::path parent_of(const fs::path& path) {
    const fs::path parent = without_slash(path).parent_path();
    return parent.empty() ? "." : parent;
}

// Lists files and folders that killed commands left beside `path`.
void remove_left_beside(const fs::path& path) try {
    std::error_code failed;
    for (const fs::path& entry : all_entries_in(parent_of(path)))
        if (entry.filename().string().starts_with(kReplaced)) fs::remove_all(entry, failed);
    remove_unfinished_files(parent_of(path));
} catch (const IoError&) {
    // They stay if the folder cannot be listed.
}

// Throws InputError unless what is there may be replaced.
void check_existing(const fs::path& path, bool force) {
    const std::string why = why_kept(path);
    if (!force)
        throw InputError("{}: already holds {}. Choose another --out{}", path.string(), contents_of(path),
                         why.empty() ? ", or replace it with --force" : "");
    if (!why.empty())
        throw InputError("{}: already holds {}, which --force does not replace: {}. Choose another --out",
                         path.string(), contents_of(path), why);
}

// Explains a missing lock: another program holds it, or the system refused it.
[[noreturn]] void refuse_unlocked(const fs::path& folder, const char* what) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int error = errno;
    if (descriptor < 0)
        throw IoError("{}: cannot be opened: {}. Nothing was changed", folder.string(), error_text(error));
    ::close(descriptor);
    throw IoError("{}: another program, perhaps the window, is writing {}. Nothing was changed", folder.string(), what);
}

// Makes one rename, so that a killed command leaves all of it or nothing.
void replace(const fs::path& path, const Environment& environment) {
    std::error_code failed;
    std::optional<FolderLock> lock;  // held until the folder has its other name
    if (fs::is_directory(path, failed) && !(lock = FolderLock::take(path, FolderLock::kLastBreath)))
        refuse_unlocked(path, "there");
    const fs::path bare = without_slash(path);
    const fs::path old = free_path(bare.parent_path() / fmt::format("{}{}", kReplaced, bare.filename().string()));
    fs::rename(bare, old, failed);
    if (failed)
        throw IoError("{}: cannot be replaced: {}. Nothing was changed. Choose another --out", path.string(),
                      error_text(failed));
    fs::remove_all(old, failed);
    environment.err << fmt::format("emergence-cli: replacing {}\n", path.string());
}

std::string mark_of(const Environment& environment) {
    constexpr std::array kFlags = {"--force", "--dry-run", "--json", "-q", "--quiet"};
    constexpr std::array kWithValue = {"--out", "--threads"};
    std::error_code ignored;
    std::string mark = fs::current_path(ignored).string() + '\n';
    for (size_t i = 0; i < environment.arguments.size(); ++i) {
        const std::string& word = environment.arguments[i];
        const std::string name = word.substr(0, word.find('='));
        if (contains(kFlags, word)) continue;
        if (!contains(kWithValue, name))
            mark += shell_word(word) + '\n';
        else if (name == word)
            ++i;
    }
    return mark;
}

}  // namespace

std::string file_mark(const Environment& environment) {
    return fmt::format("{}{}", kMarkOfFile, name_of_text(mark_of(environment)));
}

bool is_vacant(const fs::path& path) { return !is_there(path) || (is_folder(path) && entries_of(path).empty()); }

bool holds_run(const fs::path& folder, const std::string& config, const std::string& inputs) {
    constexpr std::array kResults = {kCheckpointFile, kOlderCheckpointFile, kJobsFolder};
    if (text_of(folder / "config.toml") != config) return false;
    const std::string held = text_of(folder / kInputsFolder / kInputsFile);
    // The list of inputs is written last, so it may be missing before there is any result.
    const bool begun = !any_of(kResults, [&](const char* name) { return is_there(folder / name); });
    return held == inputs || (held.empty() && begun);
}

bool holds_only_a_start(const fs::path& folder) {
    constexpr std::array<std::string_view, 2> kFirst = {kProvenanceFile, kInputsFolder};
    const std::vector<std::string> names = entries_of(folder);
    // The provenance may be empty after a power failure.
    return is_file(folder / kProvenanceFile) && is_provenance(text_of(folder / kProvenanceFile)) &&
           all_of(names, [&](const std::string& name) { return contains(kFirst, name); });
}

void claim_folder(const fs::path& path, bool same, const Environment& environment) {
    const auto would = [&](const std::string& what) {
        environment.would(fmt::format("write into {}{}", path.string(), what));
        if (environment.asked.dry_run) throw DryRunEnds();
    };
    refuse_system(path);
    if (!environment.asked.dry_run) remove_left_beside(path);
    if (is_vacant(path)) return would("");
    if (!environment.asked.force && (same || holds_only_a_start(path))) {
        refuse_links_out(path);
        return would(", which already holds this run; it would be resumed");
    }
    check_existing(path, environment.asked.force);
    would("; existing files would be replaced");
    replace(path, environment);
}

void claim_file(const fs::path& file, const Environment& environment) {
    refuse_system(file);
    std::error_code ignored;
    const fs::file_status there = fs::symlink_status(file, ignored);
    const bool same = fs::is_regular_file(there) && head_of(file).find(file_mark(environment)) != std::string::npos;
    if (fs::exists(there) && !same) check_existing(file, environment.asked.force);
    environment.would("write " + file.string());
    if (environment.asked.dry_run) throw DryRunEnds();
    remove_left_beside(file);
    const AtomicFile probe(file);
}

void write_claimed(const fs::path& file, const Environment& environment, std::string_view bytes) {
    claim_file(file, environment);
    write_file(file, bytes);
}

void prepare_folder(const fs::path& folder) {
    make_folder(folder);
    const AtomicFile probe(folder / "config.toml");
    for (const char* inner : {"", kInputsFolder, kJobsFolder}) remove_unfinished_files(folder / inner);
}

FolderLock enter_folder(const fs::path& folder, const std::function<bool()>& is_ours) {
    auto lock = FolderLock::take(folder, FolderLock::kLastBreath);
    if (!lock) refuse_unlocked(folder, "this run");
    if (!is_vacant(folder) && !holds_only_a_start(folder) && !is_ours())
        throw InputError("{}: another program has started writing there. Choose another --out", folder.string());
    return std::move(*lock);
}

FolderLock begin_in(const fs::path& folder, const Environment& environment) {
    const std::string mark = mark_of(environment);
    const auto is_ours = [&] { return text_of(folder / kCommandMark) == mark; };
    claim_folder(folder, is_ours(), environment);
    prepare_folder(folder);
    FolderLock lock = enter_folder(folder, is_ours);
    write_file(folder / kCommandMark, std::string_view(mark));
    return lock;
}

fs::path folder_named(const std::string& out) {
    if (out.empty()) throw InputError("--out: is empty. Name a folder");
    // Files in a folder may contain its name, and their formats hold only UTF-8.
    if (!is_utf8(out)) throw InputError("--out: '{}' is not UTF-8. Choose another name", shown_text(out));
    if (out.starts_with('~'))
        throw InputError("--out: '{0}': write another user's folder in full, or a file name as ./{0}", out);
    fs::path folder = out;
    // Turns "out/." into "out", which can be replaced.
    while (folder.filename() == "." && folder.has_parent_path()) folder = folder.parent_path();
    return folder;
}

}  // namespace emergence::cli
