#include "app/open/run_mark.h"

#include <fmt/format.h>

#include <system_error>

#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence {

namespace fs = std::filesystem;

RunMark run_mark_in(const fs::path& folder) {
    constexpr size_t kLargest = 4096;
    const fs::path file = folder / kRunMarkFile;
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return {};
    try {
        const toml::table table = read_toml(file, kLargest);
        return {shown_text(table["name"].value_or(std::string())), table["starred"].value_or(false)};
    } catch (const std::runtime_error&) {
        return {};
    }
}

void write_run_mark(const fs::path& folder, const RunMark& mark) {
    std::error_code failed;
    if (mark == RunMark()) {
        fs::remove(folder / kRunMarkFile, failed);
        if (failed) throw IoError(fmt::format("{}: {}", (folder / kRunMarkFile).string(), error_text(failed)));
        return;
    }
    const std::string text = fmt::format("name = {}\nstarred = {}\n", quoted_toml(mark.name), mark.starred);
    write_file(folder / kRunMarkFile, std::string_view(text));
    fs::remove(folder / kAutosavedFile, failed);
}

}  // namespace emergence
