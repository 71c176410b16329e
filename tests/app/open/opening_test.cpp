#include "app/open/opening.h"

#include <doctest/doctest.h>

#include <utility>

#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/folders.h"
#include "core/lab/store/checkpoint.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

namespace fs = std::filesystem;

StartingPoint started(const fs::path& path) { return starting_point(*opening_at(path).settings, find_experiment); }

}  // namespace

TEST_CASE("what lies at a path") {
    const Scratch scratch;
    std::filesystem::create_directories(scratch / "run");
    spit(scratch / "run" / kCheckpointFile, "");
    std::filesystem::create_directories(scratch / "sweep");
    spit(scratch / "sweep/sweep.toml", "[x]\n");
    spit(scratch / "config.toml", "experiment = \"toy\"\n");
    spit(scratch / "bad.toml", "experiment = \n");
    write_npz(scratch / "bare.npz", {{"P", {{1}, std::vector<double>{1.0}}}, {"Q", {{1}, std::vector<double>{1.0}}}});
    spit(scratch / "lesson.toml", "title = \"T\"\n[[step]]\ntext = \"T\"\n");
    const auto kind = [&](const char* name) { return opening_at(scratch / name).kind; };
    using Kind = OpeningKind;
    for (const auto& [name, expected] :
         {std::pair("run", Kind::run), std::pair("sweep", Kind::sweep), std::pair("lesson.toml", Kind::lesson),
          std::pair("sweep/sweep.toml", Kind::sweep), std::pair("config.toml", Kind::config),
          std::pair("bare.npz", Kind::weights)})
        CHECK(kind(name) == expected);
    CHECK(opening_at(scratch / "run" / kCheckpointFile).path == scratch / "run");
    CHECK_FALSE(opening_at(scratch / "bare.npz").settings);
    CHECK(opening_at(scratch / "config.toml").name == "config.toml");
    CHECK(opening_at(scratch / "config.toml").settings->experiment == "toy");
    for (const char* name : {"bad.toml", "missing.svg", "."}) {
        CAPTURE(name);
        CHECK_THROWS_AS(opening_at(scratch / name), InputError);
    }
}

TEST_CASE("arrays of another program open as matrices") {
    const Scratch scratch;
    const fs::path file = scratch / "m.npz";
    write_npz(file, {{"W", {{2, 1, 1}, std::vector<double>{1, 2}}}});
    CHECK(started(file).experiment->name == "matrices");
    CHECK(started(file).settings.text("file") == file.string());
    write_npz(file, {{"W", {{1}, std::vector<double>{1}}}});
    CHECK_THROWS_WITH_AS(opening_at(file), doctest::Contains("m.npz: holds no matrix"), InputError);
    fs::remove(file);
    CHECK_THROWS_WITH_AS(opening_at(scratch.path()), doctest::Contains(": is a folder without a run"), InputError);
}

TEST_CASE("an argument is a path or, if nothing lies there, the name of a preset") {
    CHECK(opening_named("wang-2").kind == OpeningKind::preset);
    CHECK(opening_named("wang-2").settings->experiment == "td");
    CHECK_THROWS_AS(opening_named("wang-nobody"), InputError);
    CHECK_THROWS_AS(opening_of_preset("nobody"), InputError);
    const Scratch scratch;
    spit(scratch / "wang-2", "experiment = \"toy\"\n");
    CHECK(opening_named((scratch / "wang-2").string()).settings->experiment == "toy");
}

TEST_CASE("a copied text is settings, with the marks of an e-mail or not") {
    const Opening plain = opening_of_text("> ```toml\n> experiment = \"toy\"\n> ```\n", "the pasted text");
    CHECK(plain.kind == OpeningKind::text);
    CHECK(plain.settings->experiment == "toy");
    CHECK_THROWS_WITH_AS(opening_of_text(" \n\t", "the pasted text"),
                         "the pasted text holds no settings (expected `experiment = \"…\"`).", InputError);
    for (const char mark : {'a', '>'})
        CHECK_THROWS_WITH_AS(opening_of_text(std::string(2 << 20, mark), "the pasted text"),
                             "the pasted text: has 2097152 bytes, more than the limit of 1048576 for a text file",
                             InputError);
    CHECK_THROWS_AS(opening_of_text(std::string(1 << 20, '>'), "the pasted text"), InputError);
    CHECK(opening_of_text("\xEF\xBB\xBF"
                          "experiment = \"toy\"\r",
                          "the pasted text")
              .settings->experiment == "toy");
    std::string deep = "experiment";
    for (int i = 0; i < 40'000; ++i) deep += ".a";
    CHECK_THROWS_WITH_AS(opening_of_text(deep + " = 1\n", "the pasted text"),
                         doctest::Contains("the pasted text:1: is nested deeper than 32 levels"), InputError);
    CHECK_THROWS_AS(opening_of_text("hello", "the pasted text"), InputError);
}

TEST_CASE("every preset has a group, and the first ones are to start with") {
    const std::vector<PresetInfo> presets = presets_in(assets_folder());
    REQUIRE(presets.size() > 20);
    CHECK(presets.front().group == "What does it learn?");
    for (const PresetInfo& preset : presets) {
        CAPTURE(preset.name);
        CHECK(preset.problem.empty());
        CHECK_FALSE(preset.title.empty());
        CHECK(preset.group != "Others");
        CHECK_NOTHROW(find_experiment(preset.experiment));
    }
}

TEST_CASE("an MRP of one's own opens beside the present settings, where it would be seen there") {
    const Scratch scratch;
    const fs::path path = scratch / "mine.csv";
    spit(path, "reward,p1,p2,phi1,phi2,phi3\n1,0.5,0.5,1,0,1\n0,1,0,0,1,1\n");
    const ExperimentInfo& td = find_experiment("td");
    const auto opened_beside = [&](const std::string& field, const FieldValue& value) {
        Settings settings(td.fields);
        settings.set(field, value);
        const PresentSettings present{td, settings};
        return starting_point(*opening_at(path).settings, find_experiment, &present).settings;
    };
    const Settings kept = opened_beside("n", int64_t{17});
    CHECK(kept.integer("n") == 17);
    CHECK(kept.integer("d") == 3);
    CHECK(kept.text("look_inside") == "world");
    CHECK(kept.text("world_file") == path.string());
    // CartPole has no such world to be looked at.
    CHECK(opened_beside("task", std::string("cart_pole")).text("task") == "boyan");
    CHECK(opening_at(path).kind == OpeningKind::world);
    CHECK(started(path).settings.integer("n") == 30);
    spit(path, "reward,p1,p2,phi1\n1,0.5,0.6,1\n0,1,0,0\n");
    CHECK_THROWS_AS(started(path), InputError);
}

TEST_CASE("a run of the published code opens as td with its weights") {
    CHECK(opening_at(data_file("wang_code_run")).kind == OpeningKind::published_run);
    const StartingPoint opening = started(data_file("wang_code_run"));
    CHECK(opening.experiment->name == "td");
    CHECK(opening.settings.text("weights") == data_file("wang_code_run/data.npz").string());
    CHECK_FALSE(opening.step);
    CHECK(started(data_file("wang_code_run/data.npz")).settings == opening.settings);
}
