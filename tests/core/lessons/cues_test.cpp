#include "core/lessons/cues.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/support/scratch.h"

using namespace emergence;

TEST_CASE("cues stand in the order of their steps, one for each, and are read back") {
    std::vector<Cue> cues;
    add_cue({400, {"Q0"}, {"similarity", "loss"}, "Here \"bootstrapping\" comes in: γ."}, cues);
    add_cue({0, {"P0", "Q0"}, {}, ""}, cues);
    add_cue({900, {}, {}, "The end."}, cues);
    add_cue({900, {"loss"}, {}, "The very end."}, cues);
    REQUIRE(cues.size() == 3);
    CHECK(cues[0].step == 0);
    CHECK(cues[2].sentence == "The very end.");
    CHECK(parse_cues(cues_to_toml(cues), "x") == cues);
    const testing::Scratch folder;
    CHECK(cues_in(folder.path()).empty());
    testing::spit(folder / kCuesFile, cues_to_toml(cues));
    CHECK(cues_in(folder.path()) == cues);
}

TEST_CASE("what is no cue is named with its line") {
    const auto said = [](const std::string& text) {
        return testing::message_of<InputError>([&] { (void)parse_cues(text, "cues.toml"); });
    };
    CHECK(said("[[cue]]\nstep = -1\n").starts_with("cues.toml:2: step"));
    CHECK(said("[[cue]]\nsentence = \"A\"\n").starts_with("cues.toml:1: step"));
    CHECK(said("[[cue]]\nstep = 1\nstage = \"A\"\n").starts_with("cues.toml:3: stage"));
    CHECK(said("[[cue]]\nstep = 1\nsentense = \"A\"\n").find("'sentense'") != std::string::npos);
    CHECK(said("[[step]]\n").starts_with("cues.toml:1: only tables"));
    CHECK(parse_cues("", "x").empty());
}

TEST_CASE("a longer sentence is read for longer") {
    CHECK(reading_seconds("") > 2.0);
    CHECK(reading_seconds("one two three") > reading_seconds("one"));
}
