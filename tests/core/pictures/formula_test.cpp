#include "core/pictures/formula.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("a block lights up the terms that are tied to the fewest blocks") {
    const BlockReference a{"Q", 0, 0}, b{"Q", 0, 1}, c{"P", 1, 1};
    const Formula formula{
        "f", {{"x", "", {a}}, {"+", "", {}}, {"y", "", {b}}, {"z", "", {a, b}}, {"u", "", {c}}, {"v", "", {c}}}, ""};
    CHECK(terms_of_block(formula, a) == std::vector<size_t>{0});
    CHECK(terms_of_block(formula, b) == std::vector<size_t>{2});
    CHECK(terms_of_block(formula, c) == std::vector<size_t>{4, 5});
    CHECK(terms_of_block(formula, {"Q", 1, 1}).empty());
    CHECK(terms_of_block(formula, {"P", 0, 0}).empty());
}

TEST_CASE("where only a shared term is tied to a block, that one lights up") {
    const BlockReference a{"Q", 0, 0}, b{"Q", 0, 1};
    const Formula formula{"f", {{"x", "", {a, b}}, {"y", "", {b}}}, ""};
    CHECK(terms_of_block(formula, a) == std::vector<size_t>{0});
    CHECK(terms_of_block(formula, b) == std::vector<size_t>{1});
}
