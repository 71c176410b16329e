#include "core/settings/field_builder.h"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>

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

using namespace emergence;
using field_builder_test::Config;
using field_builder_test::Kind;

TEST_CASE("a table has the fields in the order of their declaration, with the members' values as defaults") {
    const FieldTable table = fields_of<Config>();
    std::string names;
    for (const FieldInfo& info : table) names += info.name + "=" + to_text(info.default_value) + " ";
    CHECK(names == "layers=3 sequential=false rate=0.001 steps=100 kind=loop mass=light note=none ");
    const FieldInfo& layers = table[0];
    CHECK(layers.label == "layers L");
    CHECK(layers.help == "How many.");
    CHECK(layers.minimum == 1);
    CHECK(layers.maximum == 12);
    CHECK_FALSE(layers.logarithmic);
    CHECK_FALSE(layers.advanced);
    CHECK(layers.applies == Applies::restart);
    CHECK(table[1].advanced);
    CHECK(table[2].logarithmic);
    CHECK(table[2].applies == Applies::live);
    CHECK(table[3].unit == "MRPs");
}

TEST_CASE("a heading holds for the fields that follow, except one with a heading of its own") {
    std::string groups;
    for (const FieldInfo& info : fields_of<Config>()) groups += info.group + " ";
    CHECK(groups == "model model training run run run run ");
}

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

TEST_CASE("a config takes every type of member from settings") {
    Settings settings = field_builder_test::defaults();
    for (const auto& [name, text] :
         {std::pair{"layers", "5"}, std::pair{"sequential", "true"}, std::pair{"rate", "0.01"},
          std::pair{"steps", "5000000000"}, std::pair{"note", "a word"}})
        settings.set_from_text(name, text);
    const auto config = config_from<Config>(settings);
    CHECK(config.layers == 5);
    CHECK(config.sequential);
    CHECK(config.rate == 0.01);
    CHECK(config.steps == 5'000'000'000);
    CHECK(config.note == "a word");
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
