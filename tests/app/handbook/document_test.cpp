#include "app/handbook/document.h"

#include <doctest/doctest.h>

#include "app/handbook/chapters.h"
#include "core/base/error.h"
#include "tests/support/scratch.h"

namespace emergence::handbook {
namespace {

using Kind = Block::Kind;

constexpr const char* kPage = R"(# The *first* page

It says one thing. Then `another`,
over two lines.

## Time, A and B
- first item
  goes on here
- second
1. numbered

<!-- generated: presets bandits -->
| key | what it does |
|---|:--|
| `a\|b` | **bold** |
| short |
<!-- end -->

![A window](pictures/window.png)

```sh run
build/app/emergence-cli list  # all
```
## Time, A and B
)";

std::vector<Kind> kinds_of(const Document& document) {
    std::vector<Kind> all;
    for (const Block& block : document.blocks) all.push_back(block.kind);
    return all;
}

}  // namespace

TEST_CASE("a page is cut into blocks") {
    const Document page = parse_markdown("first", kPage);
    CHECK(page.name == "first");
    CHECK(page.title == "The first page");
    REQUIRE(kinds_of(page) == std::vector<Kind>{Kind::heading, Kind::paragraph, Kind::heading, Kind::item, Kind::item,
                                                Kind::item, Kind::table, Kind::image, Kind::code, Kind::heading});
    CHECK(summary_of(page) == "It says one thing.");
    CHECK(summary_of(parse_markdown("x", "# T\n\nBy Wang et al. 2025, p. 3. Then more.\n")) ==
          "By Wang et al. 2025, p. 3.");
    CHECK(text_of(page.blocks[1]) == "It says one thing. Then another, over two lines.");
    CHECK(page.blocks[2].level == 2);
    CHECK(page.blocks[2].target == "time-a-and-b");
    CHECK(page.blocks[9].target == "time-a-and-b-1");
    CHECK(page.blocks[3].marker == "-");
    CHECK(text_of(page.blocks[3]) == "first item goes on here");
    CHECK(page.blocks[5].marker == "1.");
    CHECK(page.blocks[7].target == "pictures/window.png");
    CHECK(text_of(page.blocks[7]) == "A window");
    CHECK(page.blocks[8].info == "sh run");
    CHECK(page.blocks[8].text == "build/app/emergence-cli list  # all\n");
    CHECK(page.blocks[8].line == 21);
    CHECK(section_of(page, "time-a-and-b-1") == &page.blocks[9]);
    CHECK(section_of(page, "space") == nullptr);
}

TEST_CASE("a table has cells with marks, bars in them, and rows of one length") {
    const Block table = parse_markdown("first", kPage).blocks[6];
    REQUIRE(table.rows.size() == 3);
    for (const auto& row : table.rows) CHECK(row.size() == 2);
    CHECK(table.rows[1][0] == Spans{{Span::Kind::code, "a|b"}});
    CHECK(table.rows[1][1] == Spans{{Span::Kind::bold, "bold"}});
    CHECK(table.rows[2][1].empty());
    CHECK(text_of(table) == "key: what it does; a|b: bold; short");
}

TEST_CASE("marks inside of a paragraph") {
    using S = Span::Kind;
    CHECK(parse_spans("plain") == Spans{{S::text, "plain"}});
    CHECK(parse_spans("**b** and *e*") == Spans{{S::bold, "b"}, {S::text, " and "}, {S::emphasis, "e"}});
    CHECK(parse_spans("**Drag *this***: now") == Spans{{S::bold, "Drag this"}, {S::text, ": now"}});
    CHECK(parse_spans("`a*b*`") == Spans{{S::code, "a*b*"}});
    CHECK(parse_spans("[the `td` preset](../presets/td.toml).") ==
          Spans{{S::link, "the td preset", "../presets/td.toml"}, {S::text, "."}});
    CHECK(parse_spans("2 * 3 * 4, \\*, a_b_c, [x], (y)") == Spans{{S::text, "2 * 3 * 4, *, a_b_c, [x], (y)"}});
    CHECK(parse_spans("**not closed, `nor this, [nor](this") ==
          Spans{{S::text, "**not closed, `nor this, [nor](this"}});
    CHECK(parse_spans("").empty());
}

TEST_CASE("what is not understood is text, and nothing is read beyond the end") {
    for (const char* text : {"", "\n\n", "```", "```sh", "<!-- open", "| a |", "| a |\n|---|", "![", "-", "- ", "# ",
                             "#", "1.", "|\n|-", "\\", "[](", "****", "*", "``"})
        CHECK_NOTHROW(parse_markdown("x", text));
    CHECK(kinds_of(parse_markdown("x", "| a bar begins this")) == std::vector<Kind>{Kind::paragraph});
    CHECK(parse_markdown("x", "no title").title == "x");
    CHECK(kinds_of(parse_markdown("x", "a\r\n\r\nb\r\n")) == std::vector<Kind>{Kind::paragraph, Kind::paragraph});
}

TEST_CASE("anchors are GitHub's") {
    CHECK(anchor_of("Time, A and B") == "time-a-and-b");
    CHECK(anchor_of("In-context TD") == "in-context-td");
    CHECK(anchor_of("What's `num_layers`?") == "whats-num_layers");
    CHECK(anchor_of("n → ∞ – Σ⁻¹") == "n----σ");
    CHECK(anchor_of("") == "");
}

TEST_CASE("a link names a chapter, a preset or another place") {
    CHECK(chapter_of("window.md#time") == "window");
    CHECK(chapter_of("../presets/td.toml") == "");
    CHECK(chapter_of("https://example.org/x.md") == "");
    CHECK(chapter_of("#time") == "");
    CHECK(preset_of("../presets/td.toml") == "td");
    CHECK(preset_of("assets/presets/td.toml") == "td");
    CHECK(preset_of("window.md") == "");
    CHECK(preset_of("../lessons/tour.toml") == "");
    CHECK(lesson_of("../lessons/tour.toml") == "tour");
    CHECK(lesson_of("lessons.md") == "");
    CHECK(lesson_of("../presets/td.toml") == "");
    CHECK(target_of("window.md#time").anchor == "time");
    CHECK(target_of("#time").file == "");
}

TEST_CASE("a chapter is found by its name; an unknown one is refused with all names") {
    const testing::Scratch scratch;
    std::filesystem::create_directory(scratch / "handbook");
    testing::spit(scratch / "handbook/hello.md", "# Hello\n\nThe first minutes.\n");
    CHECK(read_chapter(scratch.path(), "hello").title == "Hello");
    const std::string unknown = testing::message_of<InputError>([&] { read_chapter(scratch.path(), "../hello"); });
    CHECK(unknown.starts_with("The handbook has no chapter '../hello'. Chapters: hello, window, "));
    CHECK_THROWS_AS(read_chapter(scratch.path(), "window"), InputError);  // no such file here
}

}  // namespace emergence::handbook
