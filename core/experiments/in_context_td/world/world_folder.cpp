#include "core/experiments/in_context_td/world/world_folder.h"

#include <fmt/format.h>

#include <system_error>

#include "core/base/error.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/in_context_td/world/own_world_file.h"
#include "core/files/folders.h"
#include "core/files/text.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> world_files_in(const fs::path& folder) {
    std::vector<fs::path> files = files_in(folder);
    std::erase_if(files,
                  [](const fs::path& file) { return file.extension() != ".toml" && file.extension() != ".csv"; });
    return files;
}

void check_size(const fs::path& folder, const std::vector<fs::path>& files) {
    uintmax_t bytes = 0;
    std::error_code ignored;
    for (const fs::path& file : files) bytes += fs::file_size(file, ignored);
    if (bytes > kMostWorldsBytes)
        throw InputError(fmt::format("worlds: the files in {} have {} bytes together, more than {}. Remove some",
                                     folder.string(), bytes, kMostWorldsBytes));
}

}  // namespace

Worlds read_worlds(const InContextTdConfig& config, bool held_out) {
    const fs::path folder = held_out ? fs::path(config.worlds) / kHeldOutWorlds : fs::path(config.worlds);
    const std::vector<fs::path> files = world_files_in(folder);
    if (config.worlds.empty())
        throw InputError("worlds: task = files needs a folder with worlds. Name one, or choose another task");
    if (files.empty())
        throw InputError(fmt::format("worlds: {} holds no TOML or CSV file with a world. Put {} there", folder.string(),
                                     held_out ? "those for evaluation" : "those to train on"));
    if (files.size() > kMostWorlds)
        throw InputError(fmt::format("worlds: {} holds {} files, more than {}. Remove some", folder.string(),
                                     files.size(), kMostWorlds));
    check_size(folder, files);
    auto worlds = std::make_shared<std::vector<Mrp>>();
    for (const fs::path& file : files) {
        WorldFile world = read_world(file.string());
        if (world.mrp.d() != config.tasks.d)
            throw InputError(fmt::format("{}: has {} features per state, but d = {}. Set d to {}, or remove the file",
                                         file.string(), world.mrp.d(), config.tasks.d, world.mrp.d()));
        if (world.gamma && *world.gamma != config.tasks.gamma)
            throw InputError(fmt::format("{}: has gamma = {}, but the run has {}. Set gamma to {}, or remove the line",
                                         file.string(), *world.gamma, config.tasks.gamma, *world.gamma));
        worlds->push_back(std::move(world.mrp));
    }
    return worlds;
}

void check_worlds(const InContextTdConfig& config) {
    for (const bool held_out : {false, true}) read_worlds(config, held_out);
}

bool is_world_folder(const fs::path& path) {
    const std::vector<fs::path> files = world_files_in(path);
    return !files.empty() && is_world_file(files.front()) && !world_files_in(path / kHeldOutWorlds).empty();
}

SettingsFile world_folder_settings(const fs::path& path) {
    const WorldFile first = read_world(world_files_in(path).front().string());
    SettingsFile file;
    file.source = path.string();
    file.experiment = "td";
    file.title = (path.has_filename() ? path : path.parent_path()).filename().string();
    file.keeps_others = true;
    file.entries = {{"task", std::string("files")},
                    {"d", static_cast<int64_t>(first.mrp.d())},
                    {"worlds", fs::absolute(path).string()}};
    if (first.gamma) file.entries.push_back({"gamma", *first.gamma});
    return file;
}

}  // namespace emergence
