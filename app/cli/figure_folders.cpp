#include "app/cli/figure_folders.h"

#include <fmt/format.h>

#include <system_error>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/files/atomic_write.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCommandFile = "command.toml";

}  // namespace

std::vector<fs::path> sharing_folders(const fs::path& folder, const std::vector<std::string>& figures) {
    std::vector<fs::path> folders;
    if (commit().empty()) return folders;
    for (const std::string& figure : figures) folders.push_back(folder / figure);
    return folders;
}

void write_command(const fs::path& folder, const Environment& environment) {
    write_file(folder / kCommandFile,
               std::string_view(fmt::format("# The command that resume repeats here.\narguments = [{}]\n",
                                            listed(environment.arguments, quoted_toml))));
}

bool holds_command(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / kCommandFile, ignored);
}

std::vector<std::string> command_in(const fs::path& folder) {
    const fs::path file = folder / kCommandFile;
    std::vector<std::string> words;
    const toml::table table = read_toml(file);
    if (const toml::array* arguments = table["arguments"].as_array())
        for (const auto& word : *arguments)
            if (const auto* found = word.as_string()) words.push_back(found->get());
    if (words.empty()) throw InputError(fmt::format("{}: holds no arguments", file.string()));
    return words;
}

}  // namespace emergence::cli
