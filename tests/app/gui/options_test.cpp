#include "app/gui/options.h"

#include <doctest/doctest.h>

#include "core/base/version.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

Options read(std::vector<const char*> words) {
    words.insert(words.begin(), "emergence");
    Options options;
    const auto farewell = read_options(static_cast<int>(words.size()), words.data(), options);
    CHECK_FALSE(farewell.has_value());
    return options;
}

std::string farewell(std::vector<const char*> words) {
    words.insert(words.begin(), "emergence");
    Options options;
    const auto said = read_options(static_cast<int>(words.size()), words.data(), options);
    REQUIRE(said.has_value());
    CHECK(said->status == 0);
    return said->text;
}

}  // namespace

TEST_CASE("version, manual and completion are answered without a window") {
    CHECK(farewell({"--version"}) == "emergence " + version_with_commit() + "\n");
    CHECK(farewell({"__man"}).starts_with(".TH \"EMERGENCE\" 1 "));
    CHECK(farewell({"__completion", "bash"}).find("--theme\") words=\"dark light\"") != std::string::npos);
}

TEST_CASE("the handbook opens where it is asked to, and where it begins without a chapter") {
    CHECK_FALSE(read({}).handbook.has_value());
    CHECK(read({"--handbook"}).handbook == "");
    CHECK(read({"--handbook", "window"}).handbook == "window");
    CHECK(read({"a.toml", "--handbook"}).files == std::vector<std::string>{"a.toml"});
    CHECK(read({"a.toml", "b"}).files == std::vector<std::string>{"a.toml", "b"});
    Options options;
    const std::vector<const char*> wrong = {"emergence", "--handbook", "nowhere"};
    const auto said = read_options(static_cast<int>(wrong.size()), wrong.data(), options);
    REQUIRE(said.has_value());
    CHECK(said->status == 2);
    CHECK(said->text.find("hello") != std::string::npos);
}

TEST_CASE("the option for the size has the limits of the window") {
    CHECK(read({"--size", "960x600"}).size == std::pair(kSmallestWidth, kSmallestHeight));
    for (const char* size : {"640x400", "959x600", "960x599", "1280", "wide"}) {
        Options options;
        const std::vector<const char*> words = {"emergence", "--size", size};
        const auto said = read_options(static_cast<int>(words.size()), words.data(), options);
        REQUIRE(said.has_value());
        CHECK(said->status == 2);
        CHECK(said->text.find("from 960x600") != std::string::npos);
    }
}

TEST_CASE("options win over what was kept, and leave the rest as it was") {
    Preferences kept;
    kept.look.theme = Theme::light;
    kept.look.ui_scale = 1.5F;
    kept.steps_per_second = 0.0;
    kept.window.maximised = true;
    kept.threads = 2;
    CHECK(with_options(kept, read({})) == kept);

    const Preferences p = with_options(kept, read({"--theme", "dark", "--pace", "100", "--size", "1280x720"}));
    CHECK(p.look.theme == Theme::dark);
    CHECK(p.look.ui_scale == 1.5F);
    CHECK(p.steps_per_second == 100.0);
    CHECK(p.window.width == 1280);
    CHECK_FALSE(p.window.maximised);
    CHECK(p.threads == 2);
    CHECK(threads_of(p) == 2);
    CHECK(threads_of(Preferences()) >= 1);
}

TEST_CASE("what an option puts in place for one start is not kept, what is chosen meanwhile is") {
    Preferences kept;
    kept.look.theme = Theme::dark;
    kept.look.ui_scale = 1.2F;
    kept.steps_per_second = 100.0;
    const Options options =
        read({"--theme", "light", "--ui-scale", "2", "--pace", "max", "--threads", "3", "--size", "1280x720"});
    Preferences present = with_options(kept, options);
    CHECK(without_options(present, options, kept) == kept);
    present.look.ui_scale = 1.1F;
    present.steps_per_second = 50.0;
    present.window.width = 1000;
    present.autosave_seconds = 5;
    const Preferences now = without_options(present, options, kept);
    CHECK(now.look.theme == Theme::dark);
    CHECK(now.look.ui_scale == 1.1F);
    CHECK(now.steps_per_second == 50.0);
    CHECK(now.window.width == 1000);
    CHECK(now.threads == kept.threads);
    CHECK(now.autosave_seconds == 5);
    CHECK(without_options(present, read({}), kept) == present);
}

TEST_CASE("pictures and programs that drive the window start fresh unless they ask not to") {
    CHECK(read({}).keeps_preferences);
    CHECK_FALSE(read({"--no-preferences"}).keeps_preferences);
    CHECK_FALSE(read({"--trace"}).keeps_preferences);
    CHECK_FALSE(read({"--screenshot", "x.png"}).keeps_preferences);
    CHECK(read({"--trace", "--preferences"}).keeps_preferences);
}

TEST_CASE("what the command line does not allow is refused in one line") {
    for (const std::vector<const char*>& words : {std::vector<const char*>{"emergence", "--size", "10x10"},
                                                  {"emergence", "--size", "959x600"},
                                                  {"emergence", "--size", "960x599"},
                                                  {"emergence", "--pace", "-1"},
                                                  {"emergence", "--threads", "0"},
                                                  {"emergence", "--ui-scale", "9"},
                                                  {"emergence", "--theme", "pink"}}) {
        Options options;
        const auto farewell = read_options(static_cast<int>(words.size()), words.data(), options);
        REQUIRE(farewell.has_value());
        CHECK(farewell->status == 2);
        CHECK(farewell->text.rfind("emergence: ", 0) == 0);
    }
}
