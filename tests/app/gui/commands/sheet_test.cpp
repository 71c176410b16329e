#include "app/gui/commands/sheet.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace emergence;

namespace {

// Two sheets and a modal dialog.
struct Desk {
    std::array<bool, 3> open{};
    Layers layers{{sheet(0, "first"), sheet(1, "second"), sheet(2, "dialog", true)}};

    Layer sheet(size_t index, const char* window, bool modal = false) {
        return {window, [this, index] { return open[index]; }, [this, index] { open[index] = false; }, modal};
    }
    std::string top() {
        layers.follow();
        return layers.top() != nullptr ? layers.top()->window : "";
    }
};

}  // namespace

TEST_CASE("what was opened last is on top, and closing goes back down") {
    Desk desk;
    CHECK(desk.top().empty());
    CHECK_FALSE(desk.layers.close_top());
    desk.open[1] = true;
    CHECK(desk.top() == "second");
    desk.open[0] = true;
    CHECK(desk.top() == "first");
    CHECK(desk.layers.close_top());
    CHECK_FALSE(desk.open[0]);
    CHECK(desk.top() == "second");
    desk.open[1] = false;
    CHECK(desk.top().empty());
}

TEST_CASE("a click brings a layer to the top or gives the panels the keys, but not past a dialog") {
    Desk desk;
    desk.open[0] = true;
    CHECK(desk.top() == "first");
    desk.open[1] = true;
    CHECK(desk.top() == "second");
    desk.layers.clicked("first");
    CHECK(desk.top() == "first");
    desk.layers.clicked("matrices");
    CHECK(desk.top().empty());
    desk.open[2] = true;
    CHECK(desk.top() == "dialog");
    desk.layers.clicked("first");
    CHECK(desk.top() == "dialog");
    desk.layers.clicked("matrices");
    CHECK(desk.top() == "dialog");
    CHECK(desk.layers.close_top());
    CHECK(desk.top().empty());       // the panels were clicked last
    CHECK(desk.layers.close_top());  // the last one that is open
    CHECK_FALSE(desk.open[0]);
    CHECK(desk.open[1]);
}
