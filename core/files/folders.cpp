#include "core/files/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/system_errors.h"

namespace emergence {

namespace fs = std::filesystem;

bool is_helper_file(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with('.') || name.starts_with("~$") || name.ends_with('~') ||
           (name.starts_with('#') && name.ends_with('#')) || name == "Thumbs.db" || name == "desktop.ini";
}

std::vector<fs::path> entries_in(const fs::path& folder, std::error_code& failed) {
    std::vector<fs::path> entries;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        if (!is_helper_file(at->path())) entries.push_back(at->path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::vector<fs::path> entries_in(const fs::path& folder) {
    std::error_code ignored;
    return entries_in(folder, ignored);
}

std::filesystem::path free_path(const std::filesystem::path& stem, const std::string& ending) {
    std::filesystem::path path = stem.string() + ending;
    std::error_code ignored;
    for (int i = 2; std::filesystem::exists(path, ignored); ++i)
        path = fmt::format("{}-{}{}", stem.string(), i, ending);
    return path;
}

void make_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    std::error_code ignored;
    if (failed && fs::is_symlink(folder, ignored) && !fs::exists(folder, ignored))
        throw IoError(fmt::format("{}: is a link to {}, which is not there", folder.string(),
                                  fs::read_symlink(folder, ignored).string()));
    if (failed) throw IoError(fmt::format("{}: cannot be made: {}", folder.string(), error_text(failed)));
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

fs::path typed_path(const std::string& text) {
    const std::string name(trimmed(text, " \t"));
    const std::optional<fs::path> home = home_folder();
    if (home && name == "~") return *home;
    if (home && name.starts_with("~/")) return *home / name.substr(2);
    return name;
}

}  // namespace emergence
