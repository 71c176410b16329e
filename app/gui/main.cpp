// The window's program on a desktop: options, signals, and the loop around the program.

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <utility>

#include "app/gui/program.h"
#include "app/gui/shell/window.h"
#include "core/base/error.h"
#include "core/base/utf8.h"

namespace emergence {
namespace {

constexpr int kFailed = 1;
constexpr int kBadInput = 2;
constexpr int kNoDisplay = 4;

std::atomic<bool> asked_to_leave{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

// The first one closes the window in order, with its run kept; the second ends it at once.
void on_signal(int signal) {
    asked_to_leave = true;
    std::signal(signal, SIG_DFL);
}

void run_window(Options options) {
    Program program(std::move(options), &asked_to_leave);
    while (program.running()) program.turn();
    program.finish();
}

int end_with(const std::exception& error, int status) {
    fmt::print(stderr, "emergence: {}\n", shown_lines(error.what()));
    return status;
}

int run_program(int argc, char** argv) {
    Options options;
    if (const auto farewell = read_options(argc, argv, options)) {
        fmt::print(farewell->status == 0 ? stdout : stderr, "{}", shown_lines(farewell->text));
        return farewell->status;
    }
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);  // as nohup wants it
    try {
        run_window(std::move(options));
        return 0;
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
