#include "app/gui/shell/preferences.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

Preferences changed_preferences() {
    Preferences p;
    p.look.theme = Theme::light;
    p.look.ui_scale = 1.3F;
    p.maps = {&diverging_maps()[1], &sequential_maps()[2]};
    p.splits = {271.25F, 301.5F};
    p.stagings["td"] = {{"msve"}, {"P0", "Q0"}, {"n"}};
    p.window = {1313, 777, std::pair(-20, 41), true};
    p.threads = 3;
    p.autosave_seconds = 300;
    p.lessons = {{"tour", 5}, {"1-nothing-is-trained", 2}};
    p.export_folder = "/a \"folder\" with é";
    p.steps_per_second = 0.0;
    p.preset = "wang-2";
    remember(p, "toy", toy_settings({"learning_rate=0.123456789012345", "seed=5"}));
    return p;
}

}  // namespace

TEST_CASE("preferences survive the way into a file and back") {
    const Preferences before = changed_preferences();
    const std::string text = preferences_to_toml(before, "");
    CHECK(parse_preferences(text, "file") == before);
    CHECK(preferences_to_toml(before, text) == text);
    CHECK(parse_preferences("", "file") == Preferences());
    Settings settings(toy_info().fields);
    recall(before, "toy", settings);
    CHECK(settings == toy_settings({"learning_rate=0.123456789012345", "seed=5"}));
}

TEST_CASE("each declared preference goes into the file, comes back and is merged") {
    const Preferences standard;
    const Settings values = values_of(standard);
    for (const FieldInfo& field : values.fields()) {
        CAPTURE(field.name);
        Settings other = values;
        if (std::holds_alternative<bool>(field.default_value))
            other.set(field.name, !std::get<bool>(field.default_value));
        else if (std::holds_alternative<int64_t>(field.default_value))
            other.set(field.name, static_cast<int64_t>(field.maximum));
        else if (std::holds_alternative<double>(field.default_value))
            other.set(field.name, field.maximum);
        else
            other.set(field.name, field.choices.empty() ? std::string("x") : field.choices.back());
        Preferences changed;
        take_values(changed, other);
        REQUIRE_FALSE(changed == standard);
        CHECK(parse_preferences(preferences_to_toml(changed, ""), "file") == changed);
        CHECK(merged(changed, standard, standard) == changed);
        CHECK(merged(standard, standard, changed) == changed);
    }
}

TEST_CASE("what is not known is kept, what is not possible has its default") {
    const std::string old =
        "theme = 7\nui_scale = 99\ndiverging_map = \"black-rose\"\nsequential_map = 3\nthreads = -1\nflavour "
        "= \"salt\"\n"
        "[window]\nwidth = 12\nheight = 800\nx = 4\n[layout]\nleft = \"wide\"\nright = nan\n"
        "[later]\nlist = [1, 2.5, {a = 1}]\nwhen = 2026-01-02\n\"odd key\" = 'x'\n[later.\"a.b\"]\nc = "
        "true\n[settings]\ntd = 4\n[settings.toy]\nseed = [1]\n";
    const Preferences p = parse_preferences(old, "file");
    Preferences expected;
    expected.window.height = 800;
    expected.settings["toy"] = {};
    CHECK(p == expected);
    const std::string text = preferences_to_toml(p, old);
    CHECK(text.find("flavour") != std::string::npos);
    CHECK(text.find("list") != std::string::npos);
    CHECK(text.find("odd key") != std::string::npos);
    CHECK(parse_preferences(text, "file") == expected);
    CHECK(preferences_to_toml(p, text) == text);
    CHECK(text.find("ui_scale = 1.0\n") != std::string::npos);
}

TEST_CASE("text that is not TOML is refused with file and line") {
    CHECK_THROWS_AS(parse_preferences("a = 1\nb = = 2\n", "file"), InputError);
    try {
        parse_preferences("a = 1\nb = = 2\n", "file");
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).rfind("file:2:", 0) == 0);
    }
}

TEST_CASE("of what was last set only what is still allowed comes back") {
    Preferences p;
    p.settings["toy"] = {
        {"seed", int64_t{5}}, {"gone", 1.0}, {"learning_rate", 1e9}, {"num_steps", std::string("many")}};
    Settings settings(toy_info().fields);
    recall(p, "toy", settings);
    CHECK(settings == toy_settings({"seed=5"}));
    Settings other(toy_info().fields);
    recall(p, "td", other);
    CHECK(other == toy_settings({}));
}
