// The command line of Emergence: a process around run_command_line().

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "app/cli/commands.h"
#ifdef EMERGENCE_MPI
#include "app/cli/mpi/mpi_tickets.h"
#endif
#include "core/experiments/registry.h"
#include "core/files/assets.h"

namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

// The first Ctrl-C ends the run in order, the second at once.
void on_interrupt(int signal) {
    stop = true;
    std::signal(signal, SIG_DFL);
}

// Of the terminal, at most kReadable; kReadable if the output goes elsewhere.
int columns() {
    constexpr int kReadable = 100;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kReadable;
    return std::min<int>(size.ws_col, kReadable);
}

// Whether standard output is a pipe whose other end is closed.
bool reader_left() {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    std::signal(SIGPIPE, SIG_IGN);  // whoever stops listening must not cost the files of a run
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    emergence::cli::Environment environment{
        emergence::experiments(), std::cout, std::cerr,  ::isatty(STDERR_FILENO) == 1, &stop,
        emergence::assets_folder, columns(), reader_left};
#ifdef EMERGENCE_MPI
    std::unique_ptr<emergence::cli::MpiTickets> engine;
    environment.tickets = [&engine] {
        if (!engine) engine = emergence::cli::MpiTickets::join();
        return engine.get();
    };
    const int code = emergence::cli::run_command_line(arguments, environment);
    if (engine) engine->leave(code, stop);
    return code;
#else
    return emergence::cli::run_command_line(arguments, environment);
#endif
}
