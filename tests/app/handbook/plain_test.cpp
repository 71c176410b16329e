#include "app/handbook/plain.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "app/handbook/chapters.h"
#include "core/base/text.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::handbook {
namespace {

std::string plain(const std::string& text, int columns) { return plain_page(parse_markdown("x", text), columns); }

}  // namespace

TEST_CASE("a page for the terminal") {
    CHECK(plain("# The **window**\nA `word` in [the table](files.md#csv), [files](files.md) and "
                "[td](../presets/td.toml).\n"
                "## Time\n- one two three\n- four\n### Part\n```sh\nls\n\nls -l\n```\n![A "
                "map](pictures/map.png)\n",
                40) ==
          "The window\n==========\n\n"
          "A word in the table [files], files and\ntd [--preset td].\n\n\n"
          "Time\n----\n\n  - one two three\n  - four\n\nPart\n\n    ls\n\n    ls -l\n\n[Picture: A map]\n");
}

TEST_CASE("paragraphs and items are wrapped between words") {
    CHECK(wrapped("one two three", 8) == "one two\nthree");
    CHECK(wrapped("- one two three", 8, 2) == "- one\n  two\n  three");
    CHECK(wrapped("unbreakable", 4) == "unbreakable");
    CHECK(wrapped("Σ⁻¹ σ", 5) == "Σ⁻¹ σ");
    CHECK(wrapped("", 4) == "");
}

TEST_CASE("a table's columns line up, and its cells are wrapped to the width") {
    CHECK(plain("| a | long head |\n|---|---|\n| b | c |\n", 40) == "a  long head\n-  ---------\nb  c\n");
    const std::string narrow = plain(
        "| name | meaning |\n|---|---|\n| `x` | several words that need more than one line of this table |\n", 30);
    std::istringstream lines(narrow);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) CHECK(columns_of(line) <= 30);
    CHECK(count == 5);
    CHECK(plain("| a |\n|---|\n| 123456789012345678901234567890 |\n", 20) ==
          "a\n--------------------\n12345678901234567890\n1234567890\n");
}

TEST_CASE("a page for man: its name, headings, terms of a table, and code") {
    const Document page = parse_markdown(
        "x",
        "# Tool\nSays **no** `-q`. More.\n## Exit \"codes\"\n| code | is |\n|---|---|\n| `0` | .dots, \\\\ and - |\n"
        "### Part\n- one\n```sh\n.run\n\nit\n```\n");
    const std::string text = roff_page(page, "tool");
    CHECK(text.starts_with(".TH \"TOOL\" 1 \"\" \"Emergence "));
    CHECK(testing::holds(
        text,
        " \"Emergence\"\n.SH NAME\ntool \\- Says no \\-q.\n.SH DESCRIPTION\n.PP\nSays \\fBno\\fR \\fB\\-q\\fR\\&. "
        "More.\n.SH \"Exit \\(dqcodes\\(dq\"\n.TP\n\\fB0\\fR\n\\&.dots, \\e and \\-\n.PP\n.SS \"Part\"\n.IP \"\\-\" "
        "4\none\n.PP\n.RS 4\n.nf\n\\&.run\n\\&\nit\n.fi\n.RE\n"));
}

// What roff would take for a request, or would swallow.
TEST_CASE("no line of a manual page is taken for a request by accident") {
    for (const char* chapter : {"command-line", "window", "settings"}) {
        const std::string page = roff_page(read_chapter(testing::source_dir() / "assets", chapter), "emergence");
        std::istringstream lines(page);
        for (std::string line; std::getline(lines, line);) {
            CAPTURE(line);
            REQUIRE_FALSE(line.empty());
            static const std::vector<std::string> kOurs = {".SH ", ".SS ",  ".TH ", ".TP", ".PP",
                                                           ".IP ", ".RS 4", ".RE",  ".nf", ".fi"};
            CHECK((line[0] != '.' || std::any_of(kOurs.begin(), kOurs.end(),
                                                 [&](const std::string& one) { return line.starts_with(one); })));
            CHECK(line[0] != '\'');
        }
    }
}

}  // namespace emergence::handbook
