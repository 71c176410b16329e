#include "app/gui/widgets/text.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "app/gui/widgets/formula.h"
#include "tests/app/gui/null_gui.h"
#include "tests/app/gui/pictures/text_scan.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("a number stays whole and with its sign and unit, wherever a line ends") {
    const std::string text = "learned 0.03078 of 1 ± 0.25, n = 300, in 12 % of 15 ms.";
    NullGui gui({400, 300});
    const ImFont* font = gui.ui().fonts.body;
    for (float width = 20.0F; width < 500.0F; width += 5.0F) {
        std::string joined;
        for (const std::string& line : lines_of_words(font, text, width)) {
            CAPTURE(line);
            joined += (joined.empty() ? "" : " ") + line;
            for (const char* end : {"=", "±", "12", "15"}) CHECK_FALSE(line.ends_with(end));
            for (const char* begin : {"=", "±", "%", "ms"}) CHECK_FALSE(line.starts_with(begin));
        }
        CHECK(joined == text);
    }
}

TEST_CASE(
    "wrapped text breaks no number at its point, keeps the breaks of the text, and parts words that are too long") {
    NullGui gui({400, 300});
    for (float width = 60.0F; width < 200.0F; width += 3.0F) {
        gui.frame_in_window([&] {
            ImGui::PushTextWrapPos(width);
            wrapped_text("raw 0.03078, theory 0.12345\nsecond\n\n" + std::string(80, 'w'));
            ImGui::PopTextWrapPos();
        });
        const std::vector<DrawnLine> lines = drawn_lines(*ImGui::GetDrawData());
        for (const DrawnLine& line : lines) CHECK_FALSE(line.text.ends_with("0."));
        CHECK(lines.size() > 4);
        CHECK(std::any_of(lines.begin(), lines.end(), [](const DrawnLine& line) { return line.text == "second"; }));
        for (const DrawnLine& line : lines) CHECK(line.max.x < width + 20.0F);
    }
}

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
    std::optional<size_t> hovered;
    const auto draw = [&] { gui.frame_in_window([&] { hovered = draw_formula(gui.ui(), kTwoTerms, {}, 700); }); };
    draw();
    CHECK_FALSE(hovered.has_value());
    for (const size_t term : {size_t{0}, size_t{2}}) {
        gui.move(gui.log().centre("term " + std::to_string(term)));
        draw();
        draw();
        CHECK(hovered == term);
    }
    gui.move(gui.log().centre("term 1"));
    draw();
    draw();
    CHECK_FALSE(hovered.has_value());
}

TEST_CASE("a narrow place takes more lines, and nothing leaves it") {
    NullGui gui({800, 600});
    const auto height = [&](float width) {
        gui.frame_in_window([&] { draw_formula(gui.ui(), kTwoTerms, {0}, width); });
        return gui.log().place("term 2").max.y;
    };
    CHECK(height(40) > height(700));
}
