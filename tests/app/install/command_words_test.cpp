#include "app/install/command_words.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <tuple>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

// What bash offers for the last of the words.
std::string offered(const std::string& words) {
    const testing::Scratch scratch;
    testing::spit(scratch / "script", completion_script("bash", cli::command_words()));
    testing::spit(scratch / "tab", fmt::format("source {0}/script\nCOMP_WORDS=(emergence-cli {1})\n"
                                               "COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n_emergence_cli\n"
                                               "echo \"${{COMPREPLY[*]}}\" >{0}/out\n",
                                               scratch.path().string(), words));
    REQUIRE(std::system(fmt::format("bash {}", (scratch / "tab").string()).c_str()) == 0);
    return testing::slurp(scratch / "out");
}

TEST_CASE("bash offers commands, options and what they allow; the rest is the shell's") {
    CHECK(offered("res") == "resume\n");
    CHECK(offered("run td --thr") == "--threads\n");
    CHECK(offered("help res") == "resume\n");
    CHECK(testing::holds(offered("completion ''"), "bash zsh"));
    CHECK(offered("lesson ch") == "check\n");
    CHECK(offered("run tests/a") == "\n");
}

TEST_CASE("the scripts load in shells that nobody has set up") {
    const testing::Scratch scratch;
    for (const auto& [shell, start, check] :
         {std::tuple("bash", "bash --norc -c", "complete -p emergence-cli"),
          std::tuple("zsh", "zsh -fc", "[[ ${_comps[emergence-cli]} == *_emergence_cli ]]")}) {
        if (std::system(fmt::format("command -v {} >/dev/null", shell).c_str()) != 0) continue;
        const std::string file = (scratch / shell).string();
        testing::spit(file, completion_script(shell, cli::command_words()));
        for (const char* options : {":", "set -e"}) {
            INFO(shell, ", ", options);
            CHECK(std::system(fmt::format("HOME={} {} '{}; source {}; {}' >{}.out 2>&1", scratch.path().string(), start,
                                          options, file, check, file)
                                  .c_str()) == 0);
            CHECK_FALSE(testing::holds(testing::slurp(file + ".out"), "not found"));
        }
    }
    CHECK(testing::holds(testing::message_of<InputError>([] { completion_script("tcsh", {}); }), "bash or zsh"));
}

}  // namespace
}  // namespace emergence
