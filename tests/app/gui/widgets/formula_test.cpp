#include "app/gui/widgets/formula.h"

#include <doctest/doctest.h>

#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;
using ScriptLevel = FormulaPiece::Level;

namespace {

using Pieces = std::vector<FormulaPiece>;

const Formula kTwoTerms{"f", {{"w_l", "the weights", {{"Q", 0, 0}}}, {"=", "", {}}, {"u", "more", {}}}, ""};

}  // namespace

TEST_CASE("scripts, Greek, primes and signs") {
    CHECK(parse_formula("w_{l+1}") == Pieces{{"w", ScriptLevel::base}, {"l+1", ScriptLevel::sub}});
    CHECK(parse_formula("gamma w_l^T phi'_j") == Pieces{{"γ w", ScriptLevel::base},
                                                        {"l", ScriptLevel::sub},
                                                        {"⊤", ScriptLevel::super},
                                                        {" φ′", ScriptLevel::base},
                                                        {"j", ScriptLevel::sub}});
    CHECK(parse_formula("sum_j") == Pieces{{"∑", ScriptLevel::base}, {"j", ScriptLevel::sub}});
    CHECK(parse_formula("x^{-1}") == Pieces{{"x", ScriptLevel::base}, {"−1", ScriptLevel::super}});
}

TEST_CASE("a formula that ends in the middle of a script is drawn as far as it goes") {
    CHECK(parse_formula("w_") == Pieces{{"w", ScriptLevel::base}});
    CHECK(parse_formula("w_{ab") == Pieces{{"w", ScriptLevel::base}, {"ab", ScriptLevel::sub}});
    CHECK(parse_formula("").empty());
}

TEST_CASE("the term under the pointer is named, signs are not") {
    NullGui gui({800, 600});
    FormulaResponse response;
    const auto draw = [&] { gui.frame_in_window([&] { response = draw_formula(gui.ui(), kTwoTerms, {}, 700); }); };
    draw();
    CHECK_FALSE(response.hovered);
    for (const size_t term : {size_t{0}, size_t{2}}) {
        gui.move(gui.log().centre("term " + std::to_string(term)));
        draw();
        draw();
        CHECK(response.hovered == term);
    }
    gui.move(gui.log().centre("term 1"));
    draw();
    draw();
    CHECK_FALSE(response.hovered);
}

TEST_CASE("a narrow place takes more lines, and nothing leaves it") {
    NullGui gui({800, 600});
    FormulaResponse wide, narrow;
    gui.frame_in_window([&] { wide = draw_formula(gui.ui(), kTwoTerms, {0}, 700); });
    gui.frame_in_window([&] { narrow = draw_formula(gui.ui(), kTwoTerms, {0}, 40); });
    CHECK(narrow.height > wide.height);
}
