#include "core/files/folders.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/text.h"

namespace emergence {

namespace fs = std::filesystem;

static bool is_absent(const std::error_code& error) {
    return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory ||
           error == std::errc::filename_too_long;
}

static fs::file_status status_of(const fs::path& path) {
    std::error_code untold;
    return fs::status(path, untold);
}

bool is_helper_file(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with('.') || name.starts_with("~$") || name.ends_with('~') ||
           (name.starts_with('#') && name.ends_with('#')) || name == "Thumbs.db" || name == "desktop.ini";
}

std::vector<fs::path> all_entries_in(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        entries.push_back(at->path());
    if (failed && !is_absent(failed)) throw IoError("{}: cannot be listed: {}", folder.string(), error_text(failed));
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::vector<fs::path> entries_in(const fs::path& folder) {
    std::vector<fs::path> entries = all_entries_in(folder);
    std::erase_if(entries, is_helper_file);
    return entries;
}

std::vector<fs::path> toml_files_in(const fs::path& folder) {
    return filtered(entries_in(folder), [](const fs::path& file) { return file.extension() == ".toml"; });
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::path& path : entries_in(folder)) {
        if (path.filename().string().find_first_of("\n\r") != std::string::npos)
            throw IoError("'{}' has a line break. Give it another name", shown_text(path.string()));
        const fs::file_type kind = kind_of_file(path);
        if (kind == fs::file_type::regular) files.push_back(path);
        std::error_code ignored;  // a file that has just been removed is no longer a link
        if (kind == fs::file_type::not_found && fs::is_symlink(path, ignored))
            throw IoError("{}: is a link to {}, which does not exist. Remove the link", path.string(),
                          shown_text(fs::read_symlink(path, ignored).string()));
    }
    return files;
}

fs::file_type kind_of_file(const fs::path& path) {
    std::error_code failed;
    const fs::file_type kind = fs::status(path, failed).type();
    if (!failed) return kind;
    if (is_absent(failed)) return fs::file_type::not_found;
    throw IoError("{}: cannot be inspected: {}", path.string(), error_text(failed));
}

bool is_there(const fs::path& path) { return fs::exists(status_of(path)); }
bool is_folder(const fs::path& path) { return fs::is_directory(status_of(path)); }
bool is_file(const fs::path& path) { return fs::is_regular_file(status_of(path)); }

std::filesystem::path free_path(const std::filesystem::path& stem, const std::string& ending) {
    std::filesystem::path path = stem.string() + ending;
    for (int i = 2; is_there(path); ++i) path = fmt::format("{}-{}{}", stem.string(), i, ending);
    return path;
}

void make_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    std::error_code ignored;
    if (failed && fs::is_symlink(folder, ignored) && !fs::exists(folder, ignored))
        throw IoError("{}: is a link to {}, which does not exist", folder.string(),
                      shown_text(fs::read_symlink(folder, ignored).string()));
    if (failed) throw IoError("{}: cannot be made: {}", folder.string(), error_text(failed));
}

bool lies_in(const fs::path& file, const fs::path& folder) {
    std::error_code ignored;
    const fs::path whole = fs::weakly_canonical(file, ignored), outer = fs::weakly_canonical(folder, ignored);
    return std::mismatch(outer.begin(), outer.end(), whole.begin(), whole.end()).first == outer.end();
}

std::optional<fs::path> home_folder() {
    const char* home = std::getenv("HOME");
    if (home == nullptr || !fs::path(home).is_absolute()) return std::nullopt;
    return fs::path(home);
}

std::string with_home_folder(const std::string& word) {
    const size_t sign = word.starts_with('~') ? 0 : word.find("=~");
    if (sign == std::string::npos) return word;
    const size_t end = sign + (word[sign] == '~' ? 1 : 2);
    const std::optional<fs::path> home = home_folder();
    const bool named = end == word.size() || word[end] == '/';
    return named && home ? word.substr(0, end - 1) + home->string() + word.substr(end) : word;
}

fs::path typed_path(const std::string& text) { return with_home_folder(std::string(trimmed(text, " \t"))); }

FileStamps stamps_of(const std::vector<fs::path>& files) {
    // Some file systems count in steps of two seconds.
    constexpr std::chrono::seconds kCoarseTick{2};
    const auto now = fs::file_time_type::clock::now();
    FileStamps stamps;
    const auto add = [&](const fs::path& file) {
        std::error_code failed, ignored;
        const auto written = fs::last_write_time(file, failed);
        if (written > now - kCoarseTick || (failed && !is_absent(failed))) stamps.settled = false;
        stamps.files.emplace_back(file.string(), fs::file_size(file, ignored), written);
    };
    for (const fs::path& file : files) {
        add(file);
        try {
            for (const fs::path& entry : all_entries_in(file)) add(entry);
        } catch (const IoError&) {  // reading the file reports the error
            stamps.settled = false;
        }
    }
    std::sort(stamps.files.begin(), stamps.files.end());
    return stamps;
}

fs::path find_assets(const fs::path& executable, const fs::path& working_directory,
                     const std::optional<std::string>& override_folder) {
    if (override_folder) {
        if (is_folder(fs::path(*override_folder) / "presets")) return *override_folder;
        throw InputError("EMERGENCE_ASSETS: '{}' is not a folder that holds a folder 'presets'", *override_folder);
    }
    const fs::path start = executable.parent_path();
    std::string places;
    for (const fs::path& candidate :
         {start / "../share/emergence", start / "../../assets", working_directory / "assets"}) {
        fs::path folder = candidate.lexically_normal();
        if (is_folder(folder / "presets")) return folder;
        places += (places.empty() ? "" : ", ") + folder.string();
    }
    throw IoError("assets not found: looked for {} (EMERGENCE_ASSETS names another folder)", places);
}

fs::path assets_folder() {
    std::error_code failed;
    const fs::path executable = fs::read_symlink("/proc/self/exe", failed);
    const char* override_folder = std::getenv("EMERGENCE_ASSETS");
    const fs::path here = fs::current_path(failed);
    return find_assets(
        executable, here,
        override_folder && *override_folder ? std::optional<std::string>(override_folder) : std::nullopt);
}

std::vector<std::string> preset_names(const fs::path& assets) {
    const fs::path folder = assets / "presets";
    if (kind_of_file(folder) != fs::file_type::directory)
        throw IoError("{}: cannot be listed: there is no such folder", folder.string());
    std::vector<std::string> names =
        mapped(toml_files_in(folder), [](const fs::path& file) { return file.stem().string(); });
    std::sort(names.begin(), names.end());  // "a-b" comes before "a" among the files
    return names;
}

fs::path preset_path(const fs::path& assets, const std::string& name) {
    const std::vector<std::string> names = preset_names(assets);
    if (contains(names, name)) return assets / "presets" / (name + ".toml");
    throw InputError(unknown_name("preset", name, names, "'emergence-cli list' names all"));
}

// False if another process holds the folder. Where the system has no locks nobody is excluded.
static bool lock(int folder) {
    while (::flock(folder, LOCK_EX | LOCK_NB) != 0)
        if (errno != EINTR) return errno != EWOULDBLOCK;
    return true;
}

std::optional<FolderLock> FolderLock::take(const fs::path& folder, std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds kPause{50};
    while (true) {
        const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0 && errno != ENOENT && errno != ENOTDIR)
            throw IoError("{}: cannot be opened: {}", folder.string(), error_text(errno));
        if (descriptor < 0) return std::nullopt;
        FolderLock mine(descriptor);
        if (lock(descriptor)) return mine;
        if (patience <= kPause) return std::nullopt;
        std::this_thread::sleep_for(kPause);
        patience -= kPause;
    }
}

// Whether the open folder is the one at this path.
static bool is_at(int descriptor, const fs::path& path) {
    struct stat open {};
    struct stat there {};
    return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &there) == 0 && open.st_dev == there.st_dev &&
           open.st_ino == there.st_ino;
}

bool FolderLock::holds(const fs::path& folder) const { return is_at(descriptor_, folder); }

std::optional<fs::path> FolderLock::place() const {
    std::error_code failed;
    const fs::path now = fs::read_symlink(fmt::format("/proc/self/fd/{}", descriptor_), failed);
    return !failed && is_at(descriptor_, now) ? std::optional(now) : std::nullopt;
}

FolderLock::~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace emergence
