#include "app/web/downloads.h"

#include <emscripten.h>

#include <system_error>

#include "app/gui/exports/export_order.h"

namespace emergence {

namespace fs = std::filesystem;

void Downloads::look() {
    std::error_code failed;
    std::map<fs::path, std::uintmax_t> sizes;
    for (const auto& entry : fs::recursive_directory_iterator(default_export_folder(), failed))
        if (entry.is_regular_file(failed) && entry.path().extension() != ".tmp")
            sizes[entry.path()] = entry.file_size(failed);
    for (auto file = sizes.begin(); file != sizes.end();) {
        const auto known = sizes_.find(file->first);
        const bool whole = known != sizes_.end() && known->second == file->second;
        if (!whole) {
            ++file;
            continue;
        }
        EM_ASM({ Module.download(UTF8ToString($0)); }, file->first.c_str());
        fs::remove(file->first, failed);
        file = sizes.erase(file);
    }
    sizes_ = std::move(sizes);
}

}  // namespace emergence
