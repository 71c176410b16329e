#include "app/handbook/html.h"

#include <doctest/doctest.h>

#include "app/handbook/chapters.h"
#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "tests/support/scratch.h"

namespace emergence::handbook {
namespace {

namespace fs = std::filesystem;
using testing::message_of;

// A handbook in which every chapter is short; one shows a picture.
void make_assets(const fs::path& folder) {
    fs::create_directories(folder / "handbook/pictures");
    fs::create_directories(folder / "handbook/lab");
    for (const std::string& name : chapter_names())
        testing::spit(chapter_path(folder, name), "# About " + name + "\n\nIt is short.\n");
    testing::spit(folder / "handbook/pictures/map.png", "a picture");
    testing::spit(folder / "handbook/window.md", "# Window\n\n![A map](pictures/map.png)\n");
}

}  // namespace

TEST_CASE("a page needs nothing else, links to others and shows which it is") {
    const std::vector<Document> pages = {
        parse_markdown("window",
                       "# W & <x>\n\nSee [time](lessons.md#time), [here](#top), [td](../presets/td.toml), "
                       "[code](../../core/run.h) and **a**.\n\n1. one\n2. two\n- three\n\n"
                       "| `a` |\n|---|\n| b |\n\n```text\n1 < 2\n```\n"),
        parse_markdown("lessons", "# Lessons\n\nAll of them. Really.\n")};
    const std::string page = html_page(pages[0], pages);
    CHECK(testing::holds(page, "<title>W &amp; &lt;x&gt; – Emergence</title>"));
    CHECK(testing::holds(page, "<a href=\"window.html\" aria-current=\"page\">W &amp; &lt;x&gt;</a>"));
    CHECK(testing::holds(page, "<a href=\"lessons.html\">Lessons</a>"));
    CHECK(testing::holds(page,
                         "<a href=\"lessons.html#time\">time</a>, <a href=\"#top\">here</a>, "
                         "td (<code>emergence --preset td</code>), <code>code</code> and <strong>a</strong>."));
    CHECK(testing::holds(page, "<ol>\n<li>one</li>\n<li>two</li>\n</ol>\n<ul>\n<li>three</li>\n</ul>\n"));
    CHECK(testing::holds(page, "<tr><th><code>a</code></th></tr>\n<tr><td>b</td></tr>"));
    CHECK(testing::holds(page, "<pre><code>1 &lt; 2\n</code></pre>"));
    CHECK(testing::holds(page, "prefers-color-scheme: dark"));
    CHECK_FALSE(testing::holds(page, "http"));
    CHECK(testing::holds(html_index(pages), "<a href=\"lessons.html\">Lessons</a><br>All of them.</p>"));
}

TEST_CASE("all pages and pictures are written, and written anew") {
    const testing::Scratch scratch;
    make_assets(scratch / "assets");
    const fs::path folder = scratch / "out/pages";
    write_html(scratch / "assets", folder);
    CHECK(testing::holds(testing::slurp(folder / "window.html"), "<img src=\"pictures/map.png\" alt=\"A map\">"));
    CHECK(testing::slurp(folder / "pictures/map.png") == "a picture");
    CHECK(testing::count_entries(folder) == chapter_names().size() + 2);  // index, pictures
    testing::spit(scratch / "assets/handbook/hello.md", "# New\n\nText.\n");
    write_html(scratch / "assets", folder);
    CHECK(testing::holds(testing::slurp(folder / "hello.html"), "New"));
}

TEST_CASE("a picture elsewhere is refused before anything is written") {
    const testing::Scratch scratch;
    make_assets(scratch / "assets");
    testing::spit(scratch / "assets/handbook/hello.md", "# H\n\n![x](../../secret.png)\n");
    CHECK(message_of<InputError>([&] {
              write_html(scratch / "assets", scratch / "new");
          }).starts_with("hello.md:3: picture"));
    CHECK_FALSE(fs::exists(scratch / "new"));
}

}  // namespace emergence::handbook
