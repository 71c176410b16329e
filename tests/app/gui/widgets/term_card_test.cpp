#include "app/gui/widgets/term_card.h"

#include <doctest/doctest.h>

#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("a term is explained the first time that it stands on a screen, one after the other, and never again") {
    NullGui gui;
    TermCard card;
    const auto frame = [&](const std::string& heading) {
        gui.frame([&] {
            card.seen(heading);
            card.draw(gui.ui(), {{1200, 100}, {380, 700}});
        });
    };
    frame("Value error while training MSVE");
    CHECK(card.shown() == nullptr);  // nobody asked for it
    card.begin({"batch TD"});
    frame("How close to batch TD");
    CHECK(card.shown() == nullptr);
    for (int i = 0; i < 5; ++i) frame("Value error, MSVE");  // until it has its height
    REQUIRE(card.shown() != nullptr);
    const std::string first = card.shown()->word;
    frame("How close to batch TD");  // its term has gone
    CHECK(card.shown() == nullptr);
    for (int i = 0; i < 5; ++i) frame("Value error, MSVE");
    REQUIRE(card.shown() != nullptr);
    CHECK(card.shown()->word == first);
    const WidgetLog::Place place = gui.log().place("panel term");
    CHECK(place.min.x >= 1200);
    CHECK(place.max.x <= 1580);
    CHECK(place.max.y <= 800);
    gui.click(gui.log().centre("term close"), [&] { frame("Value error, MSVE"); });
    CHECK((card.shown() == nullptr || card.shown()->word != first));
    while (card.dismiss()) frame("Value error, MSVE");
    CHECK(card.shown() == nullptr);
    CHECK(card.known().size() >= 2);
    card.begin(card.known());
    frame("Value error, MSVE");
    CHECK(card.shown() == nullptr);
}
