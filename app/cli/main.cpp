// The command line of Emergence.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/program.h"
#include "core/experiments/registry.h"

namespace {

// This program lacks the code that measures claims, so it calls emergence-verify in the same folder, if built.
void hand_to_verify(const std::vector<std::string>& arguments, char** argv) {
    if (arguments.empty() || arguments[0] != "verify") return;
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed).replace_filename("emergence-verify");
    if (std::filesystem::exists(program, failed)) ::execv(program.c_str(), argv);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    hand_to_verify(arguments, argv);
    return emergence::cli::run_program(arguments, emergence::experiments());
}
