#include "app/handbook/chapters.h"
#include "tests/support/scratch.h"

#include <doctest/doctest.h>

namespace emergence::handbook {
namespace {

const std::vector<Document>& pages() {
    static const std::vector<Document> all = {
        parse_markdown("window",
                       "# The window\n\nDrag the strip of time.\n\n## Time\nPlay the past.\n\n"
                       "## Curves\nThe past timeline is long: double-click a plot, and all plots that share "
                       "its quantity fit to their data again, whatever was zoomed before.\n"),
        parse_markdown("files", "# Files\n\n| file | what |\n|---|---|\n| `metrics.csv` | a row per time |\n")};
    return all;
}

}  // namespace

TEST_CASE("headings come first, then whole words, then parts of words") {
    const std::vector<Hit> hits = find(pages(), "time");
    REQUIRE(hits.size() == 4);
    CHECK(hits[0].section == "Time");
    CHECK(hits[0].anchor == "time");
    CHECK(hits[0].block == 2);
    CHECK(hits[0].excerpt == "Play the past.");
    CHECK(hits[1].chapter == "window");
    CHECK(hits[2].chapter == "files");
    CHECK(hits[3].section == "Curves");
}

TEST_CASE("all words must stand there, the heading above counts") {
    REQUIRE(find(pages(), "Time PAST").size() == 2);
    CHECK(find(pages(), "Time PAST")[0].section == "Time");
    CHECK(find(pages(), "metrics.csv row").size() == 1);
    CHECK(find(pages(), "metrics.csv plots").empty());
    CHECK(find(pages(), "   ").empty());
}

TEST_CASE("an excerpt is short and shows the word") {
    const std::string excerpt = find(pages(), "zoomed")[0].excerpt;
    CHECK(testing::holds(excerpt, "zoomed"));
    CHECK(excerpt.starts_with("… "));
    CHECK(excerpt.size() < 120);
}

TEST_CASE("what is found in a table has its row, and a term the row that defines it") {
    CHECK(find(pages(), "metrics.csv row")[0].row == 1);
    const std::vector<Document> glossary = {parse_markdown(
        "glossary",
        "# Glossary\n\n| term | meaning |\n|---|---|\n| **batch TD** | TD at once |\n| **TD** | temporal |\n")};
    CHECK(find(glossary, "TD")[0].row == 2);
    CHECK(find(glossary, "once")[0].row == 1);
}

}  // namespace emergence::handbook
