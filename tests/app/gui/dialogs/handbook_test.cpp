#include "app/gui/dialogs/handbook.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "app/export/pixel_files.h"
#include "app/gui/commands/command.h"
#include "app/handbook/chapters.h"
#include "core/files/atomic_write.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

constexpr const char* kWindowPage = R"(# The window

This page is about panels and **bold things**. It leads to [lessons](lessons.md#formats) and [here](#time).

| key | what |
|---|---|
| `Space` | runs or pauses |
| [a preset](../presets/wang-2.toml) | opens it |

![a picture of everything](pictures/dots.png)

![a picture that nobody took](pictures/gone.png)

```sh
build/app/emergence --preset td  # opens the window
```

## Time

- The strip shows moments.
- [A paper](https://example.org/paper) says more.
)";

// A handbook with two pages, one long, and one picture of two.
class Shelf {
  public:
    Shelf() {
        std::filesystem::create_directories(scratch_ / "handbook/pictures");
        spit(scratch_ / "handbook/hello.md",
             "# Hello\n\n## Start\n\n```sh\nsh app/run.sh\n```\n\n## What happens here\n");
        spit(scratch_ / "handbook/window.md", kWindowPage);
        std::string files = "# Lessons\n\nAbout lessons.\n\n";
        for (int i = 0; i < 80; ++i) files += "Paragraph with nothing in it.\n\n";
        files += "## Formats\n\nA zebra is a striped format.\n\n";
        for (int i = 0; i < 80; ++i) files += "Another paragraph.\n\n";
        spit(scratch_ / "handbook/lessons.md", files);
        const PixelImage image{60, 40, std::vector<uint32_t>(60 * 40, 0xFF2030F0U)};
        write_file(scratch_ / "handbook/pictures/dots.png", std::string_view(png_of(image, "dots", "")));
        bench.workbench.handbook().use(scratch_.path());
    }

    HandbookPanel& handbook() { return bench.workbench.handbook(); }
    const WidgetLog& log() { return bench.gui.log(); }
    void open(const std::string& link) {
        handbook().open_at(link);
        bench.frames(3);
    }

    void hover(const std::string& widget) {
        bench.gui.move(bench.centre(widget));
        bench.frames(3);
    }

  private:
    Scratch scratch_;

  public:
    BenchOfPanels bench;
};

}  // namespace

TEST_CASE("F1 opens the handbook at Hello, Esc closes it, and F1 returns to where it was") {
    Shelf shelf;
    shelf.bench.key(GLFW_KEY_F1);
    REQUIRE(shelf.log().drawn("panel handbook"));
    CHECK(shelf.handbook().place().page == "hello");
    // A reader in the window needs no command to start it.
    CHECK(shelf.log().drawn("section what-happens-here"));
    CHECK_FALSE(shelf.log().drawn("section start"));
    // The chapters are all listed, the keys below them.
    float above = -1.0F;
    for (const std::string& name : handbook::chapter_names()) {
        CAPTURE(name);
        if (handbook::in_lab_book(name)) continue;
        const float y = shelf.log().place("chapter " + name).min.y;
        CHECK(y > above);
        above = y;
    }
    CHECK(shelf.log().place("chapter keys").min.y > above);
    shelf.bench.click("chapter lessons");
    shelf.bench.frames(2);
    for (int i = 0; i < 10; ++i) shelf.bench.key(GLFW_KEY_DOWN);
    const float scroll = shelf.handbook().place().scroll;
    CHECK(scroll > 100.0F);
    shelf.bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(shelf.bench.workbench.help_open());
    shelf.bench.key(GLFW_KEY_F1);
    shelf.bench.frames(2);
    CHECK(shelf.handbook().place().page == "lessons");
    CHECK(shelf.handbook().place().scroll == doctest::Approx(scroll));
    shelf.bench.key(GLFW_KEY_F1);
    CHECK_FALSE(shelf.bench.workbench.help_open());
}

TEST_CASE("a search lists places in all chapters, and Enter opens the chosen one there") {
    Shelf shelf;
    shelf.bench.key(GLFW_KEY_F1);
    shelf.bench.click("handbook search");
    shelf.bench.frames(3);
    REQUIRE(ImGui::GetIO().WantTextInput);
    shelf.bench.type("striped zebra");
    REQUIRE(shelf.handbook().hits().size() == 1);
    CHECK(shelf.log().drawn("hit 0"));
    shelf.bench.hit(ImGuiKey_Enter);
    CHECK(shelf.handbook().place().page == "lessons");
    CHECK(shelf.handbook().place().scroll > 500.0F);
    shelf.bench.click("handbook clear");
    shelf.bench.frames();
    CHECK_FALSE(shelf.log().drawn("hit 0"));
    CHECK(shelf.log().drawn("section formats"));
    // A click does the same.
    shelf.open("window");
    shelf.bench.click("handbook search");
    shelf.bench.type("zebra");
    shelf.bench.click("hit 0");
    CHECK(shelf.handbook().place().page == "lessons");
}

TEST_CASE("links lead to sections of this page and of others, and back") {
    Shelf shelf;
    shelf.open("window");
    shelf.bench.click("link lessons.md#formats");
    shelf.bench.frames(2);
    CHECK(shelf.handbook().place().page == "lessons");
    CHECK(shelf.handbook().place().scroll > 500.0F);
    shelf.bench.click("handbook back");
    shelf.bench.frames(2);
    CHECK(shelf.handbook().place().page == "window");
    CHECK(shelf.handbook().place().scroll == 0.0F);
    shelf.bench.click("link #time");
    CHECK(shelf.handbook().place().page == "window");
}

TEST_CASE("an address is copied, and so is code") {
    Shelf shelf;
    shelf.open("window.md#time");
    shelf.hover("link https://example.org/paper");
    CHECK(NullGui::tooltip() != nullptr);  // what it says is not kept
    shelf.bench.click("link https://example.org/paper");
    CHECK(std::string(ImGui::GetClipboardText()) == "https://example.org/paper");
    CHECK(shelf.bench.workbench.toasts().texts().back() == "Copied: https://example.org/paper");
    std::string code;
    for (const auto& [name, place] : shelf.log().places())
        if (name.starts_with("code ") && shelf.log().drawn(name)) code = name;
    REQUIRE_FALSE(code.empty());
    shelf.hover(code);
    shelf.bench.click("copy " + code.substr(5));
    CHECK(std::string(ImGui::GetClipboardText()) == "build/app/emergence --preset td  # opens the window\n");
}

TEST_CASE("a picture is shown no wider than the page, and one that is missing by what it shows") {
    Shelf shelf;
    shelf.open("window");
    const WidgetLog::Place& picture = shelf.log().place("picture pictures/dots.png");
    CHECK(picture.max.x - picture.min.x == 60.0F);
    CHECK(picture.max.y - picture.min.y == 40.0F);
    const int uploads = shelf.bench.gui.textures().uploads();
    shelf.bench.frames(3);
    CHECK(shelf.bench.gui.textures().uploads() == uploads);
    const WidgetLog::Place& missing = shelf.log().place("missing pictures/gone.png");
    CHECK(missing.max.x > missing.min.x);
    CHECK(missing.min.y > picture.max.y);
}

TEST_CASE("a chapter that cannot be read says why on its page, and a page of no name is the first one") {
    Shelf shelf;
    shelf.open("numerics");
    CHECK(shelf.handbook().place().page == "numerics");
    CHECK(shelf.bench.session->banners().empty());
    shelf.open("nowhere.md");
    CHECK(shelf.handbook().place().page == "hello");
}

TEST_CASE("the handbook and everything on its pages fits the smallest window that is served") {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1600, 1000}}) {
        Shelf shelf;
        ImGui::GetIO().DisplaySize = size;
        shelf.open("window");
        const WidgetLog::Place sheet = shelf.log().place("panel handbook");
        CHECK(sheet.min.x >= 0.0F);
        CHECK(sheet.max.x <= size.x);
        CHECK(sheet.max.y <= size.y);
        for (const auto& [name, place] : shelf.log().places()) {
            if (!shelf.log().drawn(name) || (!name.starts_with("table ") && !name.starts_with("code ") &&
                                             !name.starts_with("link ") && !name.starts_with("chapter ")))
                continue;
            CAPTURE(name);
            CHECK(place.min.x >= sheet.min.x);
            CHECK(place.max.x <= sheet.max.x);
        }
    }
}

TEST_CASE("a link to a preset opens it, and F1 returns to the page") {
    const Scratch scratch;
    std::filesystem::create_directory(scratch / "handbook");
    spit(scratch / "handbook/window.md", kWindowPage);
    NullGui gui;
    Jobs jobs;
    Session session(toy_info(), toy_settings({}), std::make_unique<DeafTrainer>(), jobs, {});
    Workbench workbench(jobs);
    workbench.handbook().use(scratch.path());
    workbench.handbook().open_at("window");
    const auto frame = [&] { gui.frame([&] { workbench.draw(gui.ui(), session); }); };
    for (int i = 0; i < 3; ++i) frame();
    gui.click(gui.log().centre("link ../presets/wang-2.toml"), frame);
    CHECK(session.info().name == "td");
    CHECK(workbench.title(session) != session.info().title);
    CHECK_FALSE(workbench.help_open());
    REQUIRE(workbench.toasts().texts().size() == 1);
    CHECK(workbench.toasts().texts()[0].ends_with("F1: back to the handbook"));
    workbench.act(Action::toggle_help, session);
    frame();
    CHECK(workbench.handbook().place().page == "window");
}
