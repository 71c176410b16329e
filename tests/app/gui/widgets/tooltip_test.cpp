#include "app/gui/widgets/tooltip.h"

#include <doctest/doctest.h>
#include <imgui_internal.h>

#include <functional>
#include <string>

#include "app/gui/widgets/setting_control.h"
#include "app/gui/widgets/text.h"
#include "tests/app/gui/null_gui.h"
#include "tests/app/gui/pictures/picture_bench.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// A window with one line of text at a place of its own.
class Line {
  public:
    explicit Line(std::string text) : text_(std::move(text)) {}

    // The term that is shown where the pointer is `x` pixels behind the beginning of the line.
    std::string term_at(float x) {
        gui.move({100.0F + x, 105.0F});
        for (int i = 0; i < 3; ++i) frame();
        return terms.term() != nullptr ? terms.term()->word : "";
    }
    std::string term_on(const std::string& word) {
        const ImFont* font = gui.ui().fonts.body;
        const std::string before = text_.substr(0, text_.find(word));
        return term_at(text_size(font, before).x + text_size(font, word).x / 2);
    }
    void frame() {
        gui.frame_in_window([this] {
            terms.begin_frame();
            listen_to_text([this](auto&&... line) { terms.under_pointer(line...); });
            draw_text(ImGui::GetWindowDrawList(), gui.ui().fonts.body, {100.0F, 100.0F}, IM_COL32_WHITE, text_);
            if (also) also();
            listen_to_text({});
            terms.draw(gui.ui());
        });
    }

    NullGui gui;
    TermHover terms;
    std::function<void()> also;

  private:
    std::string text_;
};

float tooltip_height() { return NullGui::tooltip() != nullptr ? NullGui::tooltip()->Size.y : 0.0F; }

}  // namespace

TEST_CASE("pointing at IWS shows its definition, and nothing beside it does") {
    Line line("similarity IWS of the network");
    CHECK(line.term_on("IWS") == "IWS");
    CHECK(tooltip_height() > 40.0F);
    CHECK(line.term_on("similarity") == "");
    CHECK(line.term_at(-20.0F) == "");
    CHECK(line.term_at(600.0F) == "");
    CHECK(tooltip_height() == 0.0F);
    line.gui.adopt({.presenting = true});
    CHECK(line.term_on("IWS") == "");
}

TEST_CASE("nothing is shown while the mouse is held, and where another window covers the word") {
    Line line("IWS");
    REQUIRE(line.term_on("IWS") == "IWS");
    line.gui.button(true);
    CHECK(line.term_on("IWS") == "");
    line.gui.button(false);
    REQUIRE(line.term_on("IWS") == "IWS");
    line.also = [] {
        ImGui::SetNextWindowPos({50.0F, 50.0F});
        ImGui::SetNextWindowSize({300.0F, 200.0F});
        ImGui::SetNextWindowFocus();
        ImGui::Begin("cover", nullptr, ImGuiWindowFlags_NoSavedSettings);
        ImGui::End();
    };
    CHECK(line.term_on("IWS") == "");
}

TEST_CASE("a tooltip that is there is lengthened, and its place allows for that") {
    Line line("IWS");
    line.also = [&line] {
        ImGui::SetCursorScreenPos({100.0F, 100.0F});
        ImGui::InvisibleButton("item", {60.0F, 20.0F});
        explain_item(line.gui.ui(), "How similar the weights are.");
    };
    line.term_at(-20.0F);
    line.gui.move({155.0F, 115.0F});
    for (int i = 0; i < 3; ++i) line.frame();
    const float alone = tooltip_height();
    REQUIRE(line.term_on("IWS") == "IWS");
    CHECK(tooltip_height() > alone + 30.0F);
    const ImGuiWindow* second = ImGui::FindWindowByName("##Tooltip_01");
    CHECK((second == nullptr || !second->WasActive));
}

TEST_CASE("single letters count where they begin a name, not in a sentence") {
    if (handbook::term_of("P") == nullptr) return;
    CHECK(Line("P").term_on("P") == "P");
    CHECK(Line("P0, as constructed").term_on("P") == "P");
    CHECK(Line("entries of P and Q while training").term_on("P and") == "");
}

TEST_CASE("text in lines is found in each of them") {
    Line line("nothing");
    line.also = [&line] {
        ImGui::SetCursorScreenPos({100.0F, 200.0F});
        ImGui::PushTextWrapPos(260.0F);
        small_text(line.gui.ui(), IM_COL32_WHITE, "words and words and then IWS");
        ImGui::PopTextWrapPos();
    };
    line.frame();
    // The last word stands at the beginning of some line below the first.
    bool found = false;
    for (float y = 215.0F; y < 260.0F; y += 4.0F)
        for (float x = 2.0F; x < 160.0F; x += 8.0F) {
            line.gui.move({100.0F + x, y});
            line.frame();
            line.frame();
            found = found || (line.terms.term() != nullptr && std::string(line.terms.term()->word) == "IWS");
        }
    CHECK(found);
}

TEST_CASE("a setting's label counts wherever the pointer is on the setting") {
    Line line("");
    Ui ui = line.gui.ui();
    ui.terms = &line.terms;
    const FieldInfo info{
        .name = "num_seeds", .label = "seeds", .minimum = 1.0, .maximum = 32.0, .default_value = int64_t{8}};
    line.also = [&] { draw_field(ui, info, int64_t{8}, "", ""); };
    line.frame();
    line.gui.move(line.gui.log().centre("num_seeds"));
    for (int i = 0; i < 3; ++i) line.frame();
    REQUIRE(line.terms.term() != nullptr);
    CHECK(line.terms.term() == handbook::term_of("seed"));
}

TEST_CASE("pointing at IWS in a legend of the window shows its definition, and F1 opens its page") {
    Options options;
    options.preset = "wang-2";
    options.assignments = {"seeds=1", "bank_size=20"};
    PictureBench bench(options);
    bench.frames(2);
    bench.workbench().stage().bring({"similarity"});
    bench.frames(8);
    std::string legend;
    for (const auto& [name, place] : bench.gui().log().places())
        if (name.starts_with("legend ") && name.ends_with(" IWS")) legend = name;
    REQUIRE_FALSE(legend.empty());
    const WidgetLog::Place place = bench.place(legend);
    bench.gui().move({place.max.x - 8.0F, (place.min.y + place.max.y) / 2});
    bench.frames(3);
    REQUIRE(bench.workbench().terms().term() != nullptr);
    CHECK(bench.workbench().terms().term() == handbook::term_of("IWS"));
    CHECK(tooltip_height() > 40.0F);
    bench.act(Action::toggle_help);
    bench.frames(3);
    CHECK(bench.workbench().help_open());
    CHECK(bench.workbench().handbook().place().page == handbook::chapter_of(handbook::term_of("IWS")->page));
}

TEST_CASE("an item that was pressed explains nothing until the pointer has left it") {
    Line line("");
    Ui ui = line.gui.ui();
    ui.terms = &line.terms;
    bool explained = false;
    line.also = [&] {
        ImGui::SetCursorScreenPos({100.0F, 150.0F});
        ImGui::Button("here", {100.0F, 30.0F});
        explained = may_explain_item(ui);
    };
    const ImVec2 on(150.0F, 160.0F), off(150.0F, 250.0F);
    const auto at = [&](ImVec2 place) {
        line.gui.move(place);
        line.frame();
        line.frame();
        return explained;
    };
    CHECK(at(on));
    line.gui.button(true);
    CHECK_FALSE(at(on));
    line.gui.button(false);
    CHECK_FALSE(at(on));
    CHECK_FALSE(at({160.0F, 165.0F}));
    CHECK_FALSE(at(off));
    CHECK(at(on));
}

TEST_CASE("a tooltip beside the right edge and the lower one lies whole on the display") {
    Line line("");
    const Ui& ui = line.gui.ui();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    line.also = [&] {
        ImGui::SetNextWindowPos({display.x - 20.0F, display.y - 10.0F});
        explain_now(ui, "A sentence that is longer than what is left of the display, by far.");
    };
    for (int i = 0; i < 4; ++i) line.frame();
    const ImGuiWindow* tooltip = NullGui::tooltip();
    REQUIRE(tooltip != nullptr);
    CHECK(tooltip->Size.x > 100.0F);
    CHECK(tooltip->Pos.x + tooltip->Size.x <= display.x);
    CHECK(tooltip->Pos.y + tooltip->Size.y <= display.y);
}
