#include "core/settings/staging.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("a staging is read from a file's view and written back") {
    const SettingsFile file = parse_settings(
        "experiment = \"td\"\n[view]\nstage = [\"P0\", \"Q0\"]\nwings = [\"msve\"]\ncontrols = [\"n\"]\n",
        "file");
    const Staging staging = staging_in(*file.view);
    CHECK(staging == Staging{{"P0", "Q0"}, {"msve"}, {"n"}});

    ViewValues view;
    view["smoothing"] = 0.5;
    view["wings"] = std::vector<std::string>{"old"};
    write_staging({{"a \"b\""}, {}, {"n"}}, view);
    CHECK(view.size() == 3);
    CHECK(toml_value(view.at("stage")) == "[\"a \\\"b\\\"\"]");
    CHECK(staging_in(view) == Staging{{"a \"b\""}, {}, {"n"}});
}

TEST_CASE("settings keep a view with lists of texts") {
    auto table = std::make_shared<FieldTable>();
    PictureOrigin origin;
    origin.view = ViewValues{};
    write_staging({{"P0", "Q0"}, {"loss"}, {}}, *origin.view);
    const std::string text = settings_to_toml("td", Settings(table), origin);
    CHECK(staging_in(*parse_settings(text, "text").view) == Staging{{"P0", "Q0"}, {"loss"}, {}});
}

TEST_CASE("lists that are none, or of something else, are no staging") {
    const SettingsFile file =
        parse_settings("experiment = \"td\"\n[view]\nstage = 3\nwings = [1, 2]\ncontrols = []\n", "file");
    CHECK(staging_in(*file.view).empty());
}
