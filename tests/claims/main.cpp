// emergence-verify: what emergence-cli does, with the measurements of all claims.
#include <iostream>
#include <string>
#include <vector>

#include "app/cli/program.h"
#include "tests/claims/measures.h"

int main(int argc, char** argv) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments == std::vector<std::string>{"bench-page"}) {
        std::cout << emergence::bench_page();
        return 0;
    }
    // emergence-cli hands over `verify ...`.
    if (arguments.empty() || arguments[0] != "verify") arguments.insert(arguments.begin(), "verify");
    return emergence::cli::run_program(arguments, emergence::measured_experiments());
}
