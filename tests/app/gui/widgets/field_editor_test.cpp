#include "app/gui/widgets/field_editor.h"

#include <doctest/doctest.h>

#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

struct Edited {
    NullGui gui{{400, 300}};
    FieldInfo info;
    FieldValue value;
    int changes = 0;

    explicit Edited(FieldInfo field) : info(std::move(field)), value(info.default_value) { frame(); }
    void frame() {
        gui.frame_in_window([this] {
            if (const auto chosen = draw_field(gui.ui(), info, value, "")) {
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
        frame();
    }
    void click(const std::string& widget) {
        gui.click(gui.log().centre(widget), [this] { frame(); });
    }
};

}  // namespace

TEST_CASE("dragging a whole number changes it within its range") {
    Edited edited({.name = "num_layers",
                   .label = "layers L",
                   .minimum = 1,
                   .maximum = 12,
                   .default_value = int64_t{3}});
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

TEST_CASE("a logarithmic number moves in ratios") {
    Edited edited({.name = "rate",
                   .label = "rate",
                   .minimum = 1e-4,
                   .maximum = 1.0,
                   .logarithmic = true,
                   .default_value = 0.5});
    edited.drag(0.9F, 0.5F);
    CHECK(std::get<double>(edited.value) == doctest::Approx(0.01).epsilon(0.3));
}

TEST_CASE("a check box and a typed value") {
    Edited box({.name = "representable", .label = "representable", .default_value = false});
    const auto& place = box.gui.log().place("representable");
    box.gui.click({place.min.x + 5, (place.min.y + place.max.y) / 2}, [&] { box.frame(); });
    CHECK(std::get<bool>(box.value));
}

TEST_CASE("Ctrl + click types a value, which is held to the range") {
    Edited edited({.name = "gamma", .label = "gamma", .minimum = 0.0, .maximum = 0.99, .default_value = 0.9});
    ImGui::GetIO().KeyCtrl = true;
    edited.click("gamma");
    ImGui::GetIO().KeyCtrl = false;
    edited.frame();
    REQUIRE(ImGui::GetIO().WantTextInput);
    for (const char c : std::string("7.5")) {
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
        edited.frame();
    }
    edited.gui.press_key(ImGuiKey_Enter, true);
    edited.frame();
    edited.gui.press_key(ImGuiKey_Enter, false);
    edited.frame();
    CHECK(std::get<double>(edited.value) == doctest::Approx(0.99));
}

TEST_CASE("the range in words") {
    CHECK(range_text(
              {.name = "n", .unit = "steps", .minimum = 1, .maximum = 40, .default_value = int64_t{30}}) ==
          "1 to 40 steps, default 30");
    CHECK(range_text({.name = "g", .minimum = 0, .maximum = 0.99, .default_value = 0.9}) ==
          "0 to 0.99, default 0.9");
}
