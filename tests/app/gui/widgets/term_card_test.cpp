#include "app/gui/widgets/tooltip.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("a term is explained the first time that it stands on a screen, for as long as reading takes, and once") {
    TermCard card;
    double now = 0.0;
    const auto frame = [&](const std::string& heading, double seconds) {
        now += seconds;
        card.seen(heading);
        card.turn(now);
    };
    frame("Value error while training MSVE", 100.0);
    CHECK(card.shown() == nullptr);  // nobody asked for it
    card.begin({"batch TD"}, now);
    frame("Value error, MSVE", 1.0);
    CHECK(card.shown() == nullptr);  // what there is to watch comes first
    frame("How close to batch TD", TermCard::kRest);
    CHECK(card.shown() == nullptr);
    frame("Value error, MSVE", 1.0);
    REQUIRE(card.shown() != nullptr);
    const std::string first = card.shown()->word;
    frame("How close to batch TD", 0.1);  // its term has gone
    CHECK(card.shown() == nullptr);
    frame("Value error, MSVE", 0.1);
    REQUIRE(card.shown() != nullptr);
    CHECK(card.shown()->word == first);
    frame("Value error, MSVE", 20.0);
    CHECK(card.known().size() == 2);
    CHECK(card.shown() == nullptr);
    card.dismiss_all();
    frame("context length, seed, P's corner, discount", TermCard::kRest + 1.0);
    CHECK(card.shown() == nullptr);
    CHECK(card.known().size() == handbook::glossary().size());
}
