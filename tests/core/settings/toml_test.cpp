#include "core/settings/toml.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/settings/fields.h"
#include "core/settings/toml_reader.h"
#include "tests/support/scratch.h"

namespace emergence::toml_test {
struct Config {
    int num_layers = 3;
    double gamma = 0.9;
    double learning_rate = 1e-3;
    bool representable = false;
    std::string chain = "boyan";
    std::string note;
    void fields(Fields& f) {
        f(num_layers, "num_layers").range(1, 40);
        f(gamma, "gamma").range(0, 1);
        f(learning_rate, "learning_rate").range(1e-9, 1);
        f(representable, "representable");
        f(chain, "chain").choices({"boyan", "loop"});
        f(note, "note").former("remark").former("prompt", int64_t{0});
    }
};
}  // namespace emergence::toml_test
using namespace emergence;

namespace emergence {
namespace {

using testing::message_of;

Settings defaults() { return Settings(std::make_shared<const FieldTable>(fields_of<toml_test::Config>())); }

std::string settings_refusal(const std::string& text) {
    Settings settings = defaults();
    const std::string message = message_of<InputError>([&] { apply(parse_settings(text, "a.toml"), settings); });
    CHECK(settings == defaults());
    return message;
}

TEST_CASE("settings are written with their types and read back the same") {
    Settings settings = defaults();
    settings.set("gamma", 1.0);
    settings.set("learning_rate", 1e-6);
    settings.set("representable", true);
    settings.set("note", std::string("a \"quote\", a \\ and\na line \x01"));
    const std::string text = settings_to_toml("td", settings);
    const std::string of_commit = commit().empty() ? "" : "commit = \"" + commit() + "\"\n";
    CHECK(text == "experiment = \"td\"\nversion = \"" + version() + "\"\n" + of_commit +
                      "\n[settings]\nnum_layers = 3\ngamma = 1.0\nlearning_rate = 1e-06\n"
                      "representable = true\nchain = \"boyan\"\nnote = \"a \\\"quote\\\", a \\\\ and\\u000Aa "
                      "line \\u0001\"\n");
    const SettingsFile file = parse_settings(text, "memory");
    CHECK(file.experiment == "td");
    CHECK(file.version == version());
    CHECK(file.commit == commit());
    CHECK(file.entries.size() == 6);
    Settings again = defaults();
    apply(file, again);
    CHECK(again == settings);
}

TEST_CASE("the short form has what differs, and reads back the same") {
    Settings settings = defaults();
    settings.set("gamma", 1.0);
    PictureOrigin origin;
    origin.short_form = true;
    origin.step = 7;
    const std::string text = settings_to_toml("td", settings, origin);
    CHECK(text == "experiment = \"td\"\nversion = \"" + version() + "\"\nstep = 7\n\n[settings]\ngamma = 1.0\n");
    Settings again = defaults();
    apply(parse_settings(text, "short"), again);
    CHECK(again == settings);
}

TEST_CASE("a setting that earlier versions had is read past where it did nothing") {
    const std::string text = "experiment = \"td\"\n[settings]\ngamma = 1\nremark = ";
    Settings settings = defaults();
    apply(parse_settings(text + "\"\"\n", "old.toml"), settings);
    CHECK(settings.number("gamma") == 1.0);
    apply(parse_settings(text + "\"\"\nprompt = 0\n", "old.toml"), settings);
    CHECK(settings_refusal(text + "\"long\"\n").starts_with("a.toml:4:1: unknown field 'remark'"));
    CHECK(settings_refusal(text + "\"\"\nprompt = 1\n").starts_with("a.toml:5:1: 'prompt' is gone. "));
}

TEST_CASE("a preset may leave fields out, have a title, and give whole numbers for doubles") {
    const SettingsFile file = parse_settings(
        "experiment = \"td\"\ntitle = \"Figure 2\"\ndescription = \"Wang et al.\"\n[settings]\ngamma = 1\n", "p.toml");
    CHECK(file.title == "Figure 2");
    CHECK(file.description == "Wang et al.");
    Settings settings = defaults();
    settings.set("num_layers", int64_t{5});
    apply(file, settings);
    CHECK(settings.number("gamma") == 1.0);
    CHECK(settings.integer("num_layers") == 5);
    CHECK(parse_settings("experiment = \"td\"", "p.toml").entries.empty());
}

TEST_CASE("refusals name file, line, column, what was found and what is allowed, and change nothing") {
    const std::string head = "experiment = \"td\"\n[settings]\n";
    CHECK(settings_refusal(head + "gamma = 0.5\nnum_layer = 2\n") ==
          "a.toml:4:1: unknown field 'num_layer' (did you mean 'num_layers'?)");
    CHECK(settings_refusal(head + "num_layers = 41\n") ==
          "a.toml:3:1: num_layers: '41' is not a whole number from 1 to 40");
    CHECK(settings_refusal(head + "num_layers = 2.0\n") ==
          "a.toml:3:1: num_layers: 2.0 is not a whole number from 1 to 40");
    CHECK(settings_refusal(head + "num_layers = \"2\"\n") ==
          "a.toml:3:1: num_layers: \"2\" is not a whole number from 1 to 40");
    CHECK(testing::holds(settings_refusal(head + "gamma = nan\n"), "nan is no number"));
    CHECK(settings_refusal(head + "chain = \"ring\"\n") == "a.toml:3:1: chain: 'ring' is not one of boyan, loop");
    CHECK(settings_refusal(head + "gamma = [1, 2]\n") ==
          "a.toml:3:9: gamma: a number, true or false, or a text in quotes is needed");
    CHECK(settings_refusal("experiment = 3\n") == "a.toml:1:14: experiment: a text in quotes is needed");
    CHECK(settings_refusal("settings = 3\nexperiment = \"td\"\n") ==
          "a.toml:1:12: settings: a table is needed: [settings]");
    CHECK(settings_refusal("experiment = \"td\"\ngamma = 1\n")
              .find("a.toml:2:1: unknown key 'gamma'. Known: experiment") == 0);
    CHECK(settings_refusal("[settings]\n").find("a.toml: the key 'experiment' is missing") == 0);
    CHECK(testing::holds(settings_refusal(head + "gamma = 0,9\n"), "Write 0.5, not 0,5"));
    const std::string broken = settings_refusal(head + "gamma = = 1\n");
    CHECK(broken.find("a.toml:3:9: ") == 0);
    CHECK(broken.find('\n') == std::string::npos);
    CHECK_THROWS_WITH_AS(parse_settings("experiment = \"\xFF\"", "a.toml"),
                         doctest::Contains("a.toml:1: byte FF is not UTF-8"), InputError);
    CHECK_THROWS_WITH_AS(read_settings("no such file.toml"), doctest::Contains("no such file.toml: cannot be read"),
                         InputError);
}

TEST_CASE("a quoted text is TOML whatever it holds, and reads back the same if it is UTF-8") {
    for (const std::string text :
         {"a\nb\r\t\x1B\x7F", "\xC2\x9B \xE2\x80\xAE \xEF\xBF\xBE \xF0\x9F\xBF\xBF", "\"\\", "\xCF\x86"}) {
        const std::string written = "experiment = " + quoted_toml(text) + "\n";
        CHECK(parse_settings(written, "t").experiment == text);
        CHECK(shown_lines(written) == written);
    }
    CHECK(parse_settings("experiment = \"td\"\ntitle = \"a\\nb\"\n", "t").title == "a\\nb");
    CHECK(quoted_toml("x\xE9.npz") == "\"x\xEF\xBF\xBD.npz\"");
}

TEST_CASE("a view is embedded and read back; what it cannot be is left out, and settings do not mind") {
    const ViewValues view = {{"smoothing", 0.6},
                             {"tiles", true},
                             {"plot.a.hidden.b \"c\"", true},
                             {"seed_index", int64_t{2}},
                             {"spread", std::string("quartiles")}};
    PictureOrigin origin{"a", 3};
    origin.view = view;
    const SettingsFile file = parse_settings(settings_to_toml("td", defaults(), origin), "a.toml");
    REQUIRE(file.view);
    CHECK(*file.view == view);
    Settings settings = defaults();
    CHECK_NOTHROW(apply(file, settings));
    CHECK_FALSE(parse_settings(settings_to_toml("td", defaults()), "a.toml").view);
    const SettingsFile odd = parse_settings("experiment = \"td\"\n[view]\na = [1, 2]\nb = {c = 1}\nd = 1\n", "a.toml");
    REQUIRE(odd.view);
    CHECK(*odd.view == ViewValues{{"d", int64_t{1}}});
    CHECK(testing::holds(settings_refusal("experiment = \"td\"\nview = 3\n"), "view: a table is needed: [view]"));
}

}  // namespace

TEST_CASE("a staging is read from a file's view and written back") {
    const SettingsFile file = parse_settings(
        "experiment = \"td\"\n[view]\nstage = [\"P0\", \"Q0\"]\nwings = [\"msve\"]\ncontrols = [\"n\"]\n", "file");
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

TEST_CASE("lists that are none, or of something else, are no staging") {
    const SettingsFile file =
        parse_settings("experiment = \"td\"\n[view]\nstage = 3\nwings = [1, 2]\ncontrols = []\n", "file");
    CHECK(staging_in(*file.view).empty());
}

TEST_CASE("nan is no number, wherever it stands in a file") {
    for (const char* text :
         {"experiment = \"td\"\n[settings]\ngamma = nan\n", "experiment = \"td\"\n[view]\nsmoothing = -nan\n",
          "a = [[1, 2], [3, +nan]]\n", "[[a]]\nb = {c = [nan]}\n"}) {
        CAPTURE(text);
        CHECK(testing::holds(testing::message_of<InputError>([&] { parse_toml(text, "x.toml"); }), "nan is no number"));
        CHECK_NOTHROW(parse_toml(text, "x.toml", true));
    }
    CHECK_NOTHROW(parse_toml("a = [inf, -1.0]\n", "x.toml"));
}

}  // namespace emergence
