#include "core/files/assets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/folders.h"
#include "core/files/system_errors.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

bool holds_presets(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder / "presets", ignored);
}

}  // namespace

fs::path find_assets(const fs::path& executable, const fs::path& working_directory,
                     const std::optional<std::string>& override_folder) {
    if (override_folder) {
        if (holds_presets(*override_folder)) return *override_folder;
        throw InputError(
            fmt::format("EMERGENCE_ASSETS: '{}' is not a folder that holds a folder 'presets'", *override_folder));
    }
    const fs::path start = executable.parent_path();
    std::string places;
    for (const fs::path& candidate :
         {start / "../share/emergence", start / "../../assets", working_directory / "assets"}) {
        fs::path folder = candidate.lexically_normal();
        if (holds_presets(folder)) return folder;
        places += (places.empty() ? "" : ", ") + folder.string();
    }
    throw IoError(fmt::format("assets not found: looked for {} (EMERGENCE_ASSETS names another folder)", places));
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
    std::vector<std::string> names;
    const fs::path folder = assets / "presets";
    if (kind_of_file(folder) != fs::file_type::directory)
        throw IoError(fmt::format("{}: cannot be listed: there is no such folder", folder.string()));
    for (const fs::path& file : entries_in(folder))
        if (file.extension() == ".toml") names.push_back(file.stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

fs::path preset_path(const fs::path& assets, const std::string& name) {
    const std::vector<std::string> names = preset_names(assets);
    if (std::find(names.begin(), names.end(), name) == names.end())
        throw InputError(unknown_name("preset", name, names, "'emergence-cli list' names all"));
    return assets / "presets" / (name + ".toml");
}

}  // namespace emergence
