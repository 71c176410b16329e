#include "core/files/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/files/system_errors.h"

namespace emergence {

namespace fs = std::filesystem;

namespace {

bool is_absent(const std::error_code& error) {
    return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory ||
           error == std::errc::filename_too_long;
}

}  // namespace

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
    if (failed && !is_absent(failed))
        throw IoError(fmt::format("{}: cannot be listed: {}", folder.string(), error_text(failed)));
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::vector<fs::path> entries_in(const fs::path& folder) {
    std::vector<fs::path> entries = all_entries_in(folder);
    std::erase_if(entries, is_helper_file);
    return entries;
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::path& path : entries_in(folder)) {
        if (path.filename().string().find_first_of("\n\r") != std::string::npos)
            throw IoError(fmt::format("'{}' has a line break. Give it another name", shown_text(path.string())));
        const fs::file_type kind = kind_of_file(path);
        if (kind == fs::file_type::regular) files.push_back(path);
        std::error_code ignored;  // what has just been removed is no link any more
        if (kind == fs::file_type::not_found && fs::is_symlink(path, ignored))
            throw IoError(fmt::format("{}: is a link to {}, which is not there. Remove the link", path.string(),
                                      shown_text(fs::read_symlink(path, ignored).string())));
    }
    return files;
}

fs::file_type kind_of_file(const fs::path& path) {
    std::error_code failed;
    const fs::file_type kind = fs::status(path, failed).type();
    if (!failed) return kind;
    if (is_absent(failed)) return fs::file_type::not_found;
    throw IoError(fmt::format("{}: cannot be looked at: {}", path.string(), error_text(failed)));
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
                                  shown_text(fs::read_symlink(folder, ignored).string())));
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

std::string with_home_folder(const std::string& word) {
    const size_t sign = word.starts_with('~') ? 0 : word.find("=~");
    if (sign == std::string::npos) return word;
    const size_t end = sign + (word[sign] == '~' ? 1 : 2);
    const std::optional<fs::path> home = home_folder();
    const bool named = end == word.size() || word[end] == '/';
    return named && home ? word.substr(0, end - 1) + home->string() + word.substr(end) : word;
}

fs::path typed_path(const std::string& text) {
    const std::string name(trimmed(text, " \t"));
    const std::optional<fs::path> home = home_folder();
    if (home && name == "~") return *home;
    if (home && name.starts_with("~/")) return *home / name.substr(2);
    return name;
}

}  // namespace emergence
