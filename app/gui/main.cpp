// The window's program on a desktop: options, signals, and the main loop.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "app/gui/program.h"
#include "app/gui/shell/window.h"
#include "app/process/signals.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"

namespace emergence {
namespace {

constexpr int kFailed = 1;
constexpr int kBadInput = 2;
constexpr int kNoDisplay = 4;

// A closed terminal is no reason to fail.
void say(const std::string& text) { std::fputs(shown_lines("emergence: " + text + "\n").c_str(), stderr); }

// A step of a large run may take minutes. At this point nothing is written and nobody waits for it.
void end_soon() {
    try {
        std::thread([] {
            std::this_thread::sleep_for(std::chrono::seconds(2));
            std::_Exit(exit_code_after(0));
        }).detach();
    } catch (const std::system_error&) {  // no further thread: wait for the step
    }
}

// A signal closes the window in order, with its run saved.
void run_window(Options options, const std::atomic<bool>& leave) {
    // Without enough memory a software renderer crashes; without a thread per core it waits forever.
    constexpr size_t kMemory = size_t{768} << 20;
    require_machine(kMemory, std::min(16, static_cast<int>(std::thread::hardware_concurrency())) + 4);
    Program program(std::move(options), &leave);
    while (program.running()) program.turn();
    const std::string saved = program.finish();
    if (leave) say(stop_reason() + ". " + (saved.empty() ? "No run was saved" : saved));
    end_soon();
}

int end_with(const std::exception& error, int status) {
    say(reason_of(error));
    return status;
}

int run_program(int argc, char** argv) {
    Options options;
    if (const auto farewell = read_options(argc, argv, options)) {
        fmt::print(farewell->status == 0 ? stdout : stderr, "{}", shown_lines(farewell->text));
        return farewell->status;
    }
    survive_failed_writes();
    try {
        run_window(std::move(options), catch_signals());
        return exit_code_after(0);
    } catch (const NoDisplayError& error) {
        return end_with(error, kNoDisplay);
    } catch (const InputError& error) {
        return end_with(error, kBadInput);
    } catch (const std::exception& error) {
        return end_with(error, kFailed);
    }
}

}  // namespace
}  // namespace emergence

int main(int argc, char** argv) { return emergence::run_program(argc, argv); }
