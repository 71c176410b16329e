#include "app/gui/widgets/setting_control.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

struct Edited {
    NullGui gui{{400, 300}};
    FieldInfo info;
    FieldValue value;
    int changes = 0;
    std::string idle;
    const FieldRange* range = nullptr;

    explicit Edited(FieldInfo field) : info(std::move(field)), value(info.default_value) { frame(); }
    void frame() {
        gui.frame_in_window([this] {
            gui.editing().begin_frame();
            if (const auto chosen = draw_field(gui.ui(), info, value, "", idle, range)) {
                value = *chosen;
                ++changes;
            }
        });
    }
    void drag(float from, float to) {
        const auto& place = gui.log().place(info.name);
        const float y = (place.min.y + place.max.y) / 2;
        const auto x = [&](float share) { return place.min.x + (place.max.x - place.min.x) * share; };
        const float start = x(from);
        const float end = x(to);
        gui.move({start, y});
        frame();
        gui.button(true);
        frame();
        gui.move({end, y});
        frame();
        gui.button(false);
        for (int i = 0; i < 3; ++i) frame();
    }
    void press(ImGuiKey key) {
        gui.hit(key, [this] { frame(); });
        for (int i = 0; i < 3; ++i) frame();
    }
    void type(const std::string& text) {
        gui.type(text, [this] { frame(); });
    }
    void ctrl_click() {
        ImGui::GetIO().KeyCtrl = true;
        click(info.name);
        ImGui::GetIO().KeyCtrl = false;
        frame();
    }
    std::string refusal() const { return gui.log().drawn("refusal " + info.name) ? "shown" : ""; }
    double number() const { return std::get<double>(value); }
    void click(const std::string& widget) {
        gui.click(gui.log().centre(widget), [this] { frame(); });
        frame();
    }
};

}  // namespace

TEST_CASE("dragging a whole number changes it within its range") {
    Edited edited(
        {.name = "num_layers", .label = "layers L", .minimum = 1, .maximum = 12, .default_value = int64_t{3}});
    edited.drag(0.2F, 0.6F);
    CHECK(std::get<int64_t>(edited.value) >= 7);
    CHECK(std::get<int64_t>(edited.value) <= 8);
    edited.drag(0.5F, 3.0F);
    CHECK(std::get<int64_t>(edited.value) == 12);
    edited.drag(0.5F, -3.0F);
    CHECK(std::get<int64_t>(edited.value) == 1);
    edited.click("reset num_layers");
    CHECK(std::get<int64_t>(edited.value) == 3);
}

const FieldInfo kGamma = {.name = "gamma", .label = "gamma", .minimum = 0.0, .maximum = 0.99, .default_value = 0.9};

TEST_CASE("Ctrl + click and the pencil type a value") {
    Edited edited(kGamma);
    edited.ctrl_click();
    REQUIRE(ImGui::GetIO().WantTextInput);
    edited.type("0.25");
    edited.press(ImGuiKey_Enter);
    CHECK(edited.number() == 0.25);
    CHECK_FALSE(ImGui::GetIO().WantTextInput);

    const auto& place = edited.gui.log().place("gamma");
    edited.gui.click({place.max.x - 5, (place.min.y + place.max.y) / 2}, [&] { edited.frame(); });
    edited.frame();
    CHECK(edited.number() == 0.25);
    CHECK(ImGui::GetIO().WantTextInput);
    edited.type("0.99");
    edited.press(ImGuiKey_Enter);

    // The knob at the right end is dragged; the pencil has gone to the left end.
    for (int i = 0; i < 30; ++i) edited.frame();
    const ImVec2 end(place.max.x - 5, (place.min.y + place.max.y) / 2);
    edited.gui.click(end, [&] { edited.frame(); });
    for (int i = 0; i < 30; ++i) edited.frame();
    CHECK_FALSE(ImGui::GetIO().WantTextInput);
    edited.gui.click({place.min.x + 5, end.y}, [&] { edited.frame(); });
    edited.frame();
    CHECK(ImGui::GetIO().WantTextInput);
}

TEST_CASE("a typed value that is not allowed changes nothing and says what is") {
    Edited edited(kGamma);
    edited.ctrl_click();
    edited.type("7.5");
    edited.press(ImGuiKey_Enter);
    CHECK(edited.number() == 0.9);
    CHECK(edited.refusal() == "shown");
    CHECK(ImGui::GetIO().WantTextInput);  // to be typed again
    edited.type("0.5");
    edited.press(ImGuiKey_Enter);
    CHECK(edited.number() == 0.5);
    CAPTURE(edited.gui.editing().text());
    CHECK(edited.refusal().empty());

    edited.ctrl_click();
    edited.type("nonsense");
    edited.gui.click({300, 280}, [&] { edited.frame(); });  // elsewhere
    CHECK(edited.number() == 0.5);
    CHECK_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_CASE("Esc leaves a typed value alone, a click elsewhere takes it") {
    Edited edited(kGamma);
    edited.ctrl_click();
    edited.type("0.5");
    edited.press(ImGuiKey_Escape);
    CHECK(edited.number() == 0.9);
    CHECK(edited.refusal().empty());
    edited.ctrl_click();
    edited.type("0.5");
    edited.gui.click({300, 280}, [&] { edited.frame(); });
    CHECK(edited.number() == 0.5);
}

TEST_CASE("a number of many digits is typed, not dragged") {
    Edited edited(
        {.name = "seed", .label = "seed", .minimum = 0, .maximum = 9007199254740992.0, .default_value = int64_t{0}});
    edited.click("seed");
    REQUIRE(ImGui::GetIO().WantTextInput);
    edited.type("9007199254740991");
    edited.press(ImGuiKey_Enter);
    CHECK(std::get<int64_t>(edited.value) == 9007199254740991);
}

TEST_CASE("a field without an effect is drawn faint and can be set nevertheless") {
    FieldInfo info{.name = "steps", .label = "steps", .minimum = 0, .maximum = 100};
    info.default_value = int64_t{10};
    Edited edited(info);
    edited.idle = "Has no effect while clamp = nothing.";
    const float alpha = ImGui::GetStyle().Alpha;
    edited.drag(0.1F, 0.8F);
    CHECK(edited.changes > 0);
    CHECK(ImGui::GetStyle().Alpha == alpha);
}

TEST_CASE("a number that is asked for is marked, and a drag that ends near it finds it") {
    Edited edited(
        {.name = "n", .label = "n", .minimum = 1, .maximum = 400, .logarithmic = true, .default_value = int64_t{200}});
    const float wide = edited.gui.log().place("n").max.x - edited.gui.log().place("n").min.x;
    const FieldRange goal{"n", "asked for by the lesson", 10.0, 10.0};
    const float share = 0.5F + (static_cast<float>(std::log(10.0) / std::log(400.0)) - 0.5F) * (wide - 8.0F) / wide;
    edited.drag(0.9F, share + 4.0F / wide);
    CHECK(std::get<int64_t>(edited.value) > 10);
    edited.range = &goal;
    edited.drag(0.9F, share + 4.0F / wide);
    CHECK(std::get<int64_t>(edited.value) == 10);
    edited.drag(0.9F, share + 20.0F / wide);
    CHECK(std::get<int64_t>(edited.value) > 10);
}
