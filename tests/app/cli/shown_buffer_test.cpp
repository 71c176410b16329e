#include "app/cli/commands.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "app/cli/answer.h"
#include "app/cli/progress.h"
#include "tests/app/cli/toy_commands.h"
#include "tests/support/scratch.h"

namespace emergence::cli {
namespace {

std::string passed(bool progress, const std::vector<std::string>& writes, Shows shows = {}) {
    std::ostringstream to;
    {
        ShownBuffer buffer(to, progress, shows);
        std::ostream stream(&buffer);
        for (const std::string& text : writes) stream << text;
    }
    return to.str();
}

TEST_CASE("control characters do not pass, a progress line's own do") {
    CHECK(passed(false, {"\xCE", "\xB3 \x1B[2J\n", "tail\x07"}) == "\xCE\xB3 \\u001B[2J\ntail\\u0007");
    CHECK(passed(false, {"\r"}) == "\\u000D");
    CHECK(passed(true, {"\r", "td: 3", "\x1b[K", "a\rb\n"}) == "\rtd: 3\x1b[Ka\\u000Db\n");
    std::ostringstream to;
    ShownBuffer buffer(to, true);
    std::ostream stream(&buffer);
    Progress(stream, true).show({"td", "MRPs", 1, 2, 1.0}, true);
    CHECK(to.str().starts_with('\r'));
    CHECK(to.str().find('\\') == std::string::npos);
}

TEST_CASE("a narrow terminal gets lines broken at blanks, one without UTF-8 gets ASCII") {
    const Shows narrow{true, 20};
    CHECK(passed(false, {"  one two three four five six\n"}, narrow) == "  one two three four\n    five six\n");
    CHECK(passed(false, {"  a name         and what it means\n", "  a name                 \n"}, narrow) ==
          "  a name         and\n    what it means\n  a name\n");
    CHECK(passed(false, {"short\n", "exactly twenty signs\n"}, narrow) == "short\nexactly twenty signs\n");
    CHECK(passed(false, {"/a/path/that/is/longer/than/the/line here\n"}, narrow) ==
          "/a/path/that/is/longer/than/the/line\n  here\n");
    CHECK(passed(false, {"{\"json\": \"is one line, however long\"}\n"}, narrow) ==
          "{\"json\": \"is one line, however long\"}\n");
    CHECK(passed(false, {"a tail without an end that is long"}, narrow) == "a tail without an end that is long");
    CHECK(passed(false, {"λ–\n"}, {false, 0}) == "lambda-\n");
}

TEST_CASE("JSON stays JSON") {
    std::ostringstream to;
    {
        ShownBuffer buffer(to, false);
        std::ostream stream(&buffer);
        print_json({{"name", "\x1B \x7F \xE9 \xCF\x86 \xF0\x9F\xBF\xBF \xE2\x80\xAE"}}, stream);
    }
    CHECK(to.str() == "{\"name\":\"\\u001b \\u007f \\ufffd \\u03c6 \\ud83f\\udfff \\u202e\"}\n");
}

TEST_CASE("a file's title reaches the terminal as text") {
    const testing::Scratch scratch;
    std::filesystem::create_directories(scratch / "presets");
    testing::spit(scratch / "presets/evil.toml", "experiment = \"toy\"\ntitle = \"\\u001B]0;owned\\u0007 \\u202E\"\n");
    const Told list = run_toy({"list"}, scratch.path());
    CHECK(list.out.find('\x1B') == std::string::npos);
    CHECK(list.out.find("\\u001B]0;owned\\u0007 \\u202E") != std::string::npos);
    const Told refused = run_toy({"run", "toy", "--set", "no\x1B[1mfield=1"});
    CHECK(refused.err.find('\x1B') == std::string::npos);
}

}  // namespace
}  // namespace emergence::cli
