#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sys/wait.h>

#include <cstdlib>

#include "app/handbook/chapters.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::cli::handbook_command_test {
namespace {

namespace fs = std::filesystem;

// Every chapter in two lines, one of them about seeds.
void make_handbook(const fs::path& assets) {
    fs::create_directories(assets / "handbook/lab");
    for (const std::string& name : handbook::chapter_names())
        testing::spit(handbook::chapter_path(assets, name), "# About " + name + "\n\nShort. And more.\n");
    testing::spit(assets / "handbook/window.md", "# The window\n\nIt shows.\n\n## Dots\nOne dot per seed.\n");
}

}  // namespace

TEST_CASE("handbook lists the chapters, prints one, and finds words") {
    const testing::Scratch assets;
    make_handbook(assets.path());
    const auto ask = [&](const std::vector<std::string>& rest) {
        return tell(with_words({"handbook"}, rest), experiments(), assets.path());
    };
    const std::string list = ask({}).out;
    CHECK(testing::holds(list, "  hello                     Short.\n"));
    for (const std::string& name : handbook::chapter_names()) CHECK(testing::holds(list, "  " + name + " "));
    CHECK(ask({"window"}).out == "The window\n==========\n\nIt shows.\n\n\nDots\n----\n\nOne dot per seed.\n");
    CHECK(ask({"--search", "seed", "dot"}).out == "window: Dots\n    One dot per seed.\n");

    check_refused(ask({"windows"}), "Chapters: hello, window,");
    CHECK(ask({"--search", "unfindable"}).code == kBadInput);
    CHECK(ask({"window", "--search", "seed"}).code == kBadInput);
}

TEST_CASE("a reader that has seen enough is no error") {
    const std::string command =
        fmt::format("bash -c \"set -o pipefail; '{}' info | head -1\" >/dev/null", testing::cli_program());
    const int status = std::system(command.c_str());
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

}  // namespace emergence::cli::handbook_command_test
