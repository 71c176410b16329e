// The laboratory in a page: the browser asks for each frame. The page (page/page.js) gives the options and the folder
// that outlives it.

#include <emscripten.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "app/gui/program.h"
#include "app/gui/shell/clock.h"
#include "app/web/downloads.h"

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

}  // namespace
}  // namespace emergence

int main(int argc, char** argv) {
    emergence::Options options;
    if (const auto farewell = emergence::read_options(argc, argv, options)) {
        emergence::say_end(farewell->text);
        return 0;
    }
    try {
        // Lives as long as the page: nobody tells a program of its page's end.
        auto* page = new emergence::Page(std::move(options));
        emscripten_set_main_loop_arg(emergence::turn_page, page, 0, false);
    } catch (const std::exception& error) {
        emergence::say_end(error.what());
    }
    return 0;
}
