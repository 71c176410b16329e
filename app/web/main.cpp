// The laboratory in a page. The browser asks for each frame; page/page.js passes the options and a folder that outlives
// the page.

#include <emscripten.h>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#include "app/gui/exports/export_order.h"
#include "app/gui/program.h"
#include "app/gui/shell/clock.h"
#include "core/base/error.h"

namespace emergence {
namespace {

constexpr double kLookSeconds = 0.5;

void say_end(const std::string& why) {
    EM_ASM({ Module.ended(UTF8ToString($0)); }, why.c_str());
}

namespace fs = std::filesystem;

// Passes files of the export folder to the browser as downloads, once they have not changed since the last look, and
// removes them.
class Downloads {
  public:
    void look() {
        std::error_code failed;
        std::map<fs::path, std::uintmax_t> sizes;
        for (const auto& entry : fs::recursive_directory_iterator(default_export_folder(), failed)) {
            if (!entry.is_regular_file(failed) || entry.path().extension() == ".tmp") continue;
            const std::uintmax_t size = entry.file_size(failed);
            if (const auto known = sizes_.find(entry.path()); known == sizes_.end() || known->second != size)
                sizes[entry.path()] = size;
        }
        for (const auto& [file, size] : sizes_) {
            if (sizes.contains(file) || !fs::exists(file, failed)) continue;
            EM_ASM({ Module.download(UTF8ToString($0)); }, file.c_str());
            fs::remove(file, failed);
        }
        sizes_ = std::move(sizes);
    }

  private:
    std::map<fs::path, std::uintmax_t> sizes_;  // sizes at the last look
};

struct Page {
    Program program;
    Downloads downloads;
    double looked_at = 0.0;
    bool ended = false;

    explicit Page(Options options) : program(std::move(options)) {}

    void turn() {
        program.turn();
        if (seconds_now() - looked_at < kLookSeconds) return;
        looked_at = seconds_now();
        downloads.look();
    }
};

void turn_page(void* of) {
    Page& page = *static_cast<Page*>(of);
    if (page.ended) return;
    try {
        page.turn();
    } catch (const std::exception& error) {
        page.ended = true;
        say_end(error.what());
    }
}

// The options of an address may be damaged or of another version. Then the page opens without them and says why.
Page* open_page(int argc, const char* const* argv) {
    const bool threads = EM_ASM_INT({ return Module.threads ? 1 : 0; }) != 0;
    std::string trouble;
    Options options;
    if (const auto farewell = read_options(argc, argv, options)) {
        trouble = farewell->text;
    } else {
        options.threads_allowed = threads;
        try {
            return new Page(options);
        } catch (const std::runtime_error& error) {
            trouble = error.what();
        }
    }
    Options plain;
    plain.threads_allowed = threads;
    plain.trace = options.trace;
    auto* page = new Page(plain);
    EM_ASM({ Module.hintAtLink(UTF8ToString($0)); }, trouble.c_str());
    return page;
}

}  // namespace
}  // namespace emergence

int main(int argc, char** argv) {
    try {
        // The page lives until the browser closes it, which no program is told.
        emscripten_set_main_loop_arg(emergence::turn_page, emergence::open_page(argc, argv), 0, false);
    } catch (const std::exception& error) {
        emergence::say_end(error.what());
    }
    return 0;
}
