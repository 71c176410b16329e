// The laboratory in a page: the browser asks for each frame. The page (page/page.js) gives the options and the folder
// that outlives it.

#include <emscripten.h>

#include <exception>
#include <string>

#include "app/gui/program.h"
#include "app/gui/shell/clock.h"
#include "app/web/downloads.h"
#include "core/base/error.h"

namespace emergence {
namespace {

constexpr double kLookSeconds = 0.5;

void say_end(const std::string& why) {
    EM_ASM({ Module.ended(UTF8ToString($0)); }, why.c_str());
}

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

// What an address asks for may be damaged or of another version: then the page opens as without it, and says why.
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
        } catch (const InputError& error) {
            trouble = error.what();
        } catch (const IoError& error) {
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
        // Lives as long as the page: nobody tells a program of its page's end.
        emscripten_set_main_loop_arg(emergence::turn_page, emergence::open_page(argc, argv), 0, false);
    } catch (const std::exception& error) {
        emergence::say_end(error.what());
    }
    return 0;
}
