#include "core/settings/fields.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "core/base/error.h"
#include "tests/support/scratch.h"

using namespace emergence;

namespace {

Settings settings_of_field(const FieldInfo& field) {
    return Settings(std::make_shared<const FieldTable>(FieldTable{field}));
}

FieldInfo number(const std::string& name, double value, std::vector<ActsWhile> acts = {}) {
    FieldInfo info{.name = name, .minimum = 0, .maximum = 10};
    info.default_value = value;
    info.acts_while = std::move(acts);
    return info;
}

Settings clamping_settings() {
    FieldInfo clamp{.name = "clamp", .choices = {"nothing", "Q", "P"}};
    clamp.default_value = std::string("nothing");
    return Settings(std::make_shared<const FieldTable>(
        FieldTable{clamp, number("sharpness", 4, {{"clamp", {"Q"}}}), number("over", 0),
                   number("end", 0, {{"over", {"0"}, true}, {"clamp", {"nothing", "P"}}})}));
}

}  // namespace

namespace emergence::fields_test {

struct Config {
    int num_layers = 3;
    double gamma = 0.9;
    bool representable = false;
    std::string kind = "normal";

    void fields(Fields& f) {
        f(num_layers, "num_layers", "layers").range(1, 12);
        f(gamma, "gamma", "gamma").range(0, 0.99);
        f(representable, "representable", "r");
        f(kind, "kind", "k").choices({"normal", "uniform"});
    }
};

}  // namespace emergence::fields_test

namespace {
Settings make() { return Settings(std::make_shared<const FieldTable>(fields_of<fields_test::Config>())); }

std::string message_of(const std::string& name, const std::string& text) {
    Settings settings = make();
    return testing::message_of<InputError>([&] { settings.set_from_text(name, text); });
}
}  // namespace

TEST_CASE("a refusal names the field, what was found and what is allowed") {
    CHECK(message_of("num_layers", "13") == "num_layers: '13' is not a whole number from 1 to 12");
    CHECK(message_of("num_layers", "2.5") == "num_layers: '2.5' is not a whole number from 1 to 12");
    CHECK(message_of("gamma", "nan") == "gamma: 'nan' is not a number from 0 to 0.99");
    CHECK(message_of("gamma", "inf") == "gamma: 'inf' is not a number from 0 to 0.99");
    CHECK(message_of("gamma", "") == "gamma: '' is not a number from 0 to 0.99");
    CHECK(message_of("representable", "maybe") == "representable: 'maybe' is not true or false");
    CHECK(message_of("gamma", "0,9") == "gamma: '0,9' is not a number from 0 to 0.99. Write 0.5, not 0,5");
    CHECK(message_of("kind", "cauchy") == "kind: 'cauchy' is not one of normal, uniform");
    CHECK(message_of("num_layer", "2") == "unknown field 'num_layer' (did you mean 'num_layers'?)");
    CHECK(message_of("zzzzzzzz", "2") == "unknown field 'zzzzzzzz' ('emergence-cli info' lists the fields)");
}

TEST_CASE("a text that is not UTF-8 is refused, for no file of settings could hold it") {
    Settings settings = settings_of_field({.name = "weights", .default_value = std::string()});
    const char* sentence = "weights: 'x\\xE9.npz' is not UTF-8. Rename the file or folder, for example with convmv";
    CHECK_THROWS_WITH_AS(settings.set_from_text("weights", "x\xE9.npz"), sentence, InputError);
    CHECK_THROWS_WITH_AS(settings.set("weights", std::string("x\xE9.npz")), sentence, InputError);
}

TEST_CASE("a choice is read by its label or in words, and typed as it is") {
    fields_test::Config config;
    Fields fields;
    std::string loss = "td_lambda";
    fields(loss, "loss").choices({"td_lambda", "residual_gradient"}).called({{"td_lambda", "TD(λ)"}, {"other", "no"}});
    fields(config.kind, "kind");
    const FieldInfo &choice = fields.table()[0], &text = fields.table()[1];
    CHECK(value_in_words(choice, std::string("td_lambda")) == "TD(λ)");
    CHECK(value_in_words(choice, std::string("residual_gradient")) == "residual gradient");
    CHECK(value_in_words(text, std::string("my_weights.npz")) == "my_weights.npz");
    CHECK(choice.choice_labels.size() == 1);
    CHECK(parse_value(choice, "td_lambda") == FieldValue(std::string("td_lambda")));
    CHECK_THROWS_AS(parse_value(choice, "TD(λ)"), InputError);
}

TEST_CASE("a path is shown without its place, the folder above by its name") {
    FieldInfo field{.name = "weights", .default_value = std::string()};
    field.reads = ReadsFiles{};
    Settings settings = settings_of_field(field);
    const auto shown = [&](const std::string& path) {
        settings.set("weights", path);
        return to_text(settings.shown("weights"));
    };
    const std::filesystem::path here = std::filesystem::current_path();
    CHECK(shown("/home/ada/w.npz") == "w.npz");
    CHECK(shown("runs/w.npz") == "runs/w.npz");
    CHECK(shown(".") == here.filename());
    CHECK(shown("..") == here.parent_path().filename());
    CHECK(shown("") == "");
    settings.show_as("weights", ".");  // in the run's own folder
    CHECK(to_text(settings.shown("weights")) == ".");
}

TEST_CASE("a field without an effect says beside what it has none") {
    Settings settings = clamping_settings();
    CHECK(why_idle(settings, settings.info("clamp")).empty());
    CHECK(why_idle(settings, settings.info("sharpness")) == "has no effect while clamp = nothing");
    CHECK(why_idle(settings, settings.info("end")) == "has no effect while over = 0");
    settings.set("clamp", std::string("Q"));
    settings.set("over", 2.0);
    CHECK(why_idle(settings, settings.info("sharpness")).empty());
    CHECK(why_idle(settings, settings.info("end")) == "has no effect while clamp = Q");
    settings.set("clamp", std::string("P"));
    CHECK(why_idle(settings, settings.info("end")).empty());
}

TEST_CASE("only what was asked for in vain is told") {
    Settings settings = clamping_settings();
    CHECK(idle_notices(settings).empty());
    CHECK(idle_notices(settings, {"end"}) == std::vector<std::string>{"end has no effect while over = 0"});
    settings.set("sharpness", 2.0);
    CHECK(idle_notices(settings) == std::vector<std::string>{"sharpness has no effect while clamp = nothing"});
    settings.set("clamp", std::string("Q"));
    CHECK(idle_notices(settings).empty());
}

TEST_CASE("when a field acts can be read") {
    const Settings settings = clamping_settings();
    CHECK(acts_text(settings.info("clamp")).empty());
    CHECK(acts_text(settings.info("sharpness")) == "clamp = Q");
    CHECK(acts_text(settings.info("end")) == "over is not 0, and clamp = nothing or P");
}

TEST_CASE("what makes a run large: numbers from four times their defaults on") {
    Settings settings = make();
    CHECK(large_settings(settings).empty());
    settings.set_from_text("num_layers", "11");
    CHECK(large_settings(settings).empty());
    settings.set_from_text("num_layers", "12");
    CHECK(large_settings(settings) == "num_layers = 12");
}

TEST_CASE("a field is found by its role, whatever its name") {
    struct Played {
        int64_t start = 7;
        double other = 0.0;
        void fields(Fields& f) {
            f(other, "other").range(0, 1);
            f(start, "start").range(0, 100).role(FieldRole::first_seed);
        }
    };
    Settings settings(std::make_shared<const FieldTable>(fields_of<Played>()));
    REQUIRE(settings.field(FieldRole::first_seed) != nullptr);
    CHECK(settings.field(FieldRole::first_seed)->name == "start");
    CHECK(settings.field(FieldRole::surgery) == nullptr);
    settings.set(FieldRole::first_seed, int64_t{9});
    settings.set(FieldRole::surgery, std::string("zero P"));
    CHECK(settings.integer("start") == 9);
}

TEST_CASE("0 has no sign, and two values of one field contradict each other") {
    Settings settings = settings_of_field({.name = "x", .minimum = -1.0, .maximum = 1.0, .default_value = 0.5});
    settings.set("x", -0.0);
    CHECK_FALSE(std::signbit(settings.number("x")));
    settings.set_from_text("x", "-0");
    CHECK(to_text(settings.value("x")) == "0");
    for (const char* text : {"nan", "NaN", "-nan", "inf", "1e999"})
        CHECK_THROWS_AS(settings.set_from_text("x", text), InputError);
    AskedFields asked;
    ask_for(asked, "x", 0.25);
    ask_for(asked, "y", int64_t{1});
    CHECK_NOTHROW(ask_for(asked, "x", 0.25));
    CHECK(testing::message_of<InputError>([&] { ask_for(asked, "x", 0.5); }) ==
          "x: given both as 0.25 and as 0.5. Choose one");
}

namespace emergence::field_builder_test {

enum class Kind { chain, loop };

struct Shape {
    int layers = 3;
    bool sequential = false;

    void fields(Fields& f) {
        f.group("model");
        f(layers, "layers", "layers L", "How many.").range(1, 12);
        f(sequential, "sequential").advanced();
    }
};

struct Config : Shape {
    double rate = 1e-3;
    int64_t steps = 100;
    Kind kind = Kind::loop;
    bool heavy = false;
    std::string note = "none";

    void fields(Fields& f) {
        Shape::fields(f);
        f.group("run");
        f(rate, "rate").log_range(1e-5, 0.1).group("training").live();
        f(steps, "steps").range(1, 9e15).unit("MRPs");
        f.choice(kind, {{"chain", Kind::chain}, {"loop", Kind::loop}}, "kind", "kind of task", "Its graph.");
        f.choice(heavy, {{"light", false}, {"heavy", true}}, "mass").acts_while("kind", {"loop"});
        f(note, "note").idle_while("mass", {"light"}).acts_while("steps", {"1", "2"});
        f.field("layers").acts_while("kind", {"chain"});
    }
};

Settings defaults() { return Settings(std::make_shared<const FieldTable>(fields_of<Config>())); }

}  // namespace emergence::field_builder_test

using field_builder_test::Config;
using field_builder_test::Kind;

TEST_CASE("a member is chosen by words") {
    Settings settings = field_builder_test::defaults();
    CHECK(settings.info("kind").choices == std::vector<std::string>{"chain", "loop"});
    CHECK(config_from<Config>(settings).kind == Kind::loop);
    CHECK_FALSE(config_from<Config>(settings).heavy);
    settings.set_from_text("kind", "chain");
    settings.set_from_text("mass", "heavy");
    CHECK(config_from<Config>(settings).kind == Kind::chain);
    CHECK(config_from<Config>(settings).heavy);
}

TEST_CASE("conditions add up, also those of a field that was declared before") {
    const Settings settings = field_builder_test::defaults();
    const FieldInfo& note = settings.info("note");
    REQUIRE(note.acts_while.size() == 2);
    CHECK(note.acts_while[0].none_of);
    CHECK(note.acts_while[0].values == std::vector<std::string>{"light"});
    CHECK_FALSE(note.acts_while[1].none_of);
    CHECK(settings.info("layers").acts_while.at(0).field == "kind");
    Fields fields;
    CHECK_THROWS_WITH_AS(fields.field("depth"), "no field 'depth' has been declared", std::out_of_range);
}
