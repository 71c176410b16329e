#include "core/files/folders.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "core/base/error.h"

namespace emergence {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw IoError(fmt::format("{}: cannot be made: {}", folder.string(), failed.message()));
}

std::optional<fs::path> home_folder() {
    const char* home = std::getenv("HOME");
    if (home == nullptr || !fs::path(home).is_absolute()) return std::nullopt;
    return fs::path(home);
}

fs::path typed_path(const std::string& text) {
    const size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return {};
    const std::string name = text.substr(first, text.find_last_not_of(" \t") + 1 - first);
    const std::optional<fs::path> home = home_folder();
    if (home && name == "~") return *home;
    if (home && name.starts_with("~/")) return *home / name.substr(2);
    return name;
}

}  // namespace emergence
