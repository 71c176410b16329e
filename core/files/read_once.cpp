#include "core/files/read_once.h"

#include <algorithm>
#include <system_error>

namespace emergence {

namespace fs = std::filesystem;

FileStamps stamps_of(const std::vector<fs::path>& files) {
    FileStamps stamps;
    const auto add = [&](const fs::path& file) {
        std::error_code ignored;
        const auto at = fs::last_write_time(file, ignored);
        const auto size = fs::is_regular_file(file, ignored) ? fs::file_size(file, ignored) : 0;
        stamps.emplace_back(file.string(), at, size);
    };
    for (const fs::path& file : files) {
        add(file);
        std::error_code failed;
        for (fs::directory_iterator entry(file, failed), end; !failed && entry != end;
             entry.increment(failed))
            add(entry->path());
    }
    std::sort(stamps.begin(), stamps.end());
    return stamps;
}

}  // namespace emergence
