#include "app/handbook/plain.h"

#include <doctest/doctest.h>

#include <sstream>

#include "core/base/text.h"

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

}  // namespace emergence::handbook
