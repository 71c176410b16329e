#include "app/cli/program.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "app/cli/commands.h"
#include "app/process/signals.h"
#include "core/files/folders.h"

namespace {

// Returns the columns of the terminal there. Without a terminal, or if it does not know its size, as in test services,
// returns `otherwise`.
int terminal_columns(int descriptor, int otherwise) {
    winsize size{};
    return ::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ? otherwise : size.ws_col;
}

// Whether a line on standard error can be written over.
bool err_is_terminal() {
    const char* kind = std::getenv("TERM");
    return ::isatty(STDERR_FILENO) == 1 && kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
}

// Whether standard output is a pipe whose other end is closed.
bool reader_left() {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

}  // namespace

int emergence::cli::run_program(const std::vector<std::string>& arguments,
                                const std::vector<ExperimentInfo>& experiments) {
    constexpr int kUsual = 80;           // columns
    emergence::survive_failed_writes();  // a reader that stops must not cost the files of a run
    emergence::cli::Environment environment{{}, experiments, std::cout, std::cerr};
    environment.err_is_terminal = err_is_terminal();
    environment.assets = emergence::assets_folder;
    environment.columns = std::min(kFullWidth, terminal_columns(STDOUT_FILENO, kFullWidth));
    environment.reader_left = reader_left;
    environment.err_columns = [] { return terminal_columns(STDERR_FILENO, kUsual); };
    environment.catch_signals = [] { return &emergence::catch_signals(); };
    environment.stop_reason = emergence::stop_reason;
    environment.end_now = [] { std::_Exit(emergence::exit_code_after(emergence::cli::kFailure)); };
    const int code = emergence::cli::run_command_line(arguments, environment);
    return code == emergence::cli::kDone ? code : emergence::exit_code_after(code);
}
