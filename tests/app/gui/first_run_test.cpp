#include "app/gui/first_run.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/store/checkpoint.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

FirstRun toy_run(const Options& options, const Preferences& kept = {}) { return first_run(options, kept, find_toy); }

Options options_with(std::vector<std::string> files, std::vector<std::string> assignments = {}) {
    Options options;
    options.files = std::move(files);
    options.assignments = std::move(assignments);
    return options;
}

}  // namespace

TEST_CASE("settings that are named are meant over the defaults, otherwise the last ones come back") {
    Preferences kept;
    remember(kept, "toy", toy_settings({"seed=5", "learning_rate=0.5"}));
    CHECK(toy_run({}, kept).settings == toy_settings({"seed=5", "learning_rate=0.5"}));
    Options options = options_with({}, {"seed=7"});
    options.experiment = "toy";
    CHECK(toy_run(options, kept).settings == toy_settings({"seed=7"}));
    // Fields that do not go together, each of them in its range.
    kept.settings["toy"]["size"] = int64_t{16};
    kept.settings["toy"]["num_seeds"] = int64_t{16};
    CHECK(toy_run({}, kept).settings == toy_settings({}));
}

TEST_CASE("the last run comes back with its preset's title and stage, with its stage alone if it was changed") {
    const FirstRun named = first_run(options_with({"wang-2"}), {}, find_experiment);
    REQUIRE(named.view);
    Preferences kept;
    kept.preset = "wang-2";
    remember(kept, "td", named.settings);
    const FirstRun again = first_run({}, kept, find_experiment);
    CHECK(again.settings == named.settings);
    CHECK(again.preset == "wang-2");
    CHECK(again.view == named.view);
    REQUIRE(again.file);
    CHECK(again.file->title == named.file->title);

    kept.settings["td"]["num_layers"] = int64_t{1};
    const FirstRun changed = first_run({}, kept, find_experiment);
    CHECK(changed.settings.value("num_layers") == FieldValue(int64_t{1}));
    CHECK(changed.preset.empty());
    CHECK_FALSE(changed.file);
    CHECK(changed.view == named.view);

    kept.preset = "of another version";
    CHECK(first_run({}, kept, find_experiment).preset.empty());
    kept.preset = "wang-2";
    remember(kept, "one-layer-flow", Settings(find_experiment("one-layer-flow").fields));
    CHECK(first_run({}, kept, find_experiment).preset.empty());
}

TEST_CASE("the experiment: named, or that of a preset, or the last one if it is still known") {
    Preferences kept;
    kept.experiment = "gone";
    CHECK(first_run({}, kept, find_experiment).experiment->name == "td");
    Options options;
    options.experiment = "anything";
    CHECK_THROWS_AS(first_run(options, kept, find_experiment), InputError);
    options.experiment.clear();
    options.preset = "wang-2";
    const FirstRun preset = first_run(options, kept, find_experiment);
    CHECK(preset.experiment->name == "td");
    CHECK(preset.preset == "wang-2");
    REQUIRE(preset.file);
    CHECK_FALSE(preset.file->title.empty());
    options.experiment = "one-layer-flow";
    CHECK_THROWS_AS(first_run(options, kept, find_experiment), InputError);
    CHECK(first_run(options_with({"wang-2"}), kept, find_experiment).settings == preset.settings);
}

TEST_CASE("the very first start opens the preset \"opening\", a later one does not") {
    const FirstRun first = first_run({}, {}, find_experiment);
    CHECK(first.experiment->name == "td");
    CHECK(first.preset == "opening");
    CHECK(first.settings.number("initial_gain") == 0.01);
    CHECK(first.settings.integer("n") == 100);
    REQUIRE(first.file);
    CHECK(first.file->title == "Watch in-context TD emerge");
    Preferences kept;
    remember(kept, "td", Settings(find_experiment("td").fields));
    CHECK(first_run({}, kept, find_experiment).preset.empty());
    const FirstRun changed = first_run(options_with({}, {"d=5"}), {}, find_experiment);
    CHECK(changed.preset.empty());
    CHECK(changed.settings.number("initial_gain") == 0.1);
}

TEST_CASE("a file goes to its step unless options change its settings; other files are opened later") {
    const Scratch scratch;
    const std::string file = (scratch / "a.toml").string();
    spit(file, "experiment = \"toy\"\ntitle = \"A\"\nstep = 7\n[settings]\nsize = 3\n[view]\nsmoothing = 0.5\n");
    const FirstRun first = toy_run(options_with({file, "b.toml", "c"}));
    CHECK(first.settings == toy_settings({"size=3"}));
    CHECK(first.step == 7);
    CHECK(first.file->title == "A");
    CHECK(first.view == ViewValues{{"smoothing", 0.5}});
    CHECK(first.more == std::vector<std::filesystem::path>{"b.toml", "c"});
    const FirstRun changed = toy_run(options_with({file}, {"size=4"}));
    CHECK(changed.settings == toy_settings({"size=4"}));
    CHECK_FALSE(changed.step);
    CHECK_FALSE(changed.file);
    CHECK(changed.view == first.view);
    CHECK_THROWS_WITH_AS(toy_run(options_with({file}, {"size"})), "--set size: is not of the form field=value",
                         InputError);
}

TEST_CASE("a lesson begins over the last run") {
    const std::string lesson = (source_dir() / "assets/lessons/tour.toml").string();
    Preferences kept;
    kept.experiment = "one-layer-flow";
    const FirstRun first = first_run(options_with({lesson}), kept, find_experiment);
    CHECK(first.experiment->name == "one-layer-flow");
    CHECK(first.more == std::vector<std::filesystem::path>{lesson});
}

TEST_CASE("a sweep begins with its experiment, a saved run takes no other settings") {
    const std::string sweep = (source_dir() / "assets/sweeps/td-depth-and-length.toml").string();
    const FirstRun first = first_run(options_with({sweep}), {}, find_experiment);
    CHECK(first.experiment->name == "td");
    CHECK(first.settings == Settings(first.experiment->fields));
    CHECK(first.more == std::vector<std::filesystem::path>{sweep});
    CHECK(first.waits);
    const Scratch scratch;
    std::filesystem::create_directories(scratch / "run");
    spit(scratch / "run" / kCheckpointFile, "");
    CHECK_THROWS_WITH_AS(toy_run(options_with({(scratch / "run").string()}, {"size=4"})),
                         "run: a resumed run has its own settings. Leave out --set and --seeds", InputError);
}
