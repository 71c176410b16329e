#include "app/gui/commands/sheet.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace emergence;

namespace {

class NamedSheet : public Sheet {
  public:
    using Sheet::Sheet;
    void draw(const Context&) override {}
    void turn(bool on) { open_ = on; }
};

// Two sheets and a modal dialog.
struct Desk {
    NamedSheet first{"first"}, second{"second"}, dialog{"dialog", Sheet::Keys::own};
    std::vector<Sheet*> sheets = {&first, &second, &dialog};
    Layers layers{sheets};

    std::string top() {
        layers.follow();
        return layers.top() != nullptr ? layers.top()->name() : "";
    }
};

}  // namespace

TEST_CASE("a click brings a layer to the top or gives the panels the keys, but not past a dialog") {
    Desk desk;
    desk.first.turn(true);
    CHECK(desk.top() == "first");
    desk.second.turn(true);
    CHECK(desk.top() == "second");
    desk.layers.clicked("first");
    CHECK(desk.top() == "first");
    desk.layers.clicked("matrices");
    CHECK(desk.top().empty());
    desk.dialog.turn(true);
    CHECK(desk.top() == "dialog");
    desk.layers.clicked("first");
    CHECK(desk.top() == "dialog");
    desk.layers.clicked("matrices");
    CHECK(desk.top() == "dialog");
    CHECK(desk.layers.close_top());
    CHECK(desk.top().empty());       // the panels were clicked last
    CHECK(desk.layers.close_top());  // the last one that is open
    CHECK_FALSE(desk.first.is_open());
    CHECK(desk.second.is_open());
}
