#include "app/gui/options.h"

#include <doctest/doctest.h>

#include <thread>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/store/checkpoint.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
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

}  // namespace

TEST_CASE("options win over what was kept for one start; what is chosen meanwhile is kept") {
    Preferences kept;
    kept.look.theme = Theme::dark;
    kept.look.ui_scale = 1.2F;
    kept.steps_per_second = 100.0;
    const Options options =
        read({"--theme", "light", "--ui-scale", "2", "--pace", "max", "--threads", "3", "--size", "1280x720"});
    CHECK(with_options(kept, read({})) == kept);
    Preferences present = with_options(kept, options);
    CHECK(present.look.theme == Theme::light);
    CHECK(present.look.ui_scale == 2.0F);
    CHECK(present.steps_per_second == 0.0);
    CHECK(present.window.width == 1280);
    CHECK(threads_of(present) == 3);
    CHECK(threads_of(Preferences()) == static_cast<int>(std::thread::hardware_concurrency()));
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
                                                  {"emergence", "--theme", "pink"},
                                                  {"emergence", "--handbook", "nowhere"}}) {
        Options options;
        const auto farewell = read_options(static_cast<int>(words.size()), words.data(), options);
        REQUIRE(farewell.has_value());
        CHECK(farewell->status == 2);
        CHECK(farewell->text.rfind("emergence: ", 0) == 0);
    }
}

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
    remember(kept, "invariant-set", Settings(find_experiment("invariant-set").fields));
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
    options.experiment = "invariant-set";
    CHECK_THROWS_AS(first_run(options, kept, find_experiment), InputError);
    CHECK(first_run(options_with({"wang-2"}), kept, find_experiment).settings == preset.settings);
}

TEST_CASE("the very first start opens the preset \"opening\", a later one does not") {
    const FirstRun first = first_run({}, {}, find_experiment);
    CHECK(first.experiment->name == "td");
    CHECK(first.preset == "opening");
    CHECK_FALSE(first.settings == Settings(find_experiment("td").fields));
    Preferences kept;
    remember(kept, "td", Settings(find_experiment("td").fields));
    CHECK(first_run({}, kept, find_experiment).preset.empty());
    const FirstRun changed = first_run(options_with({}, {"d=5"}), {}, find_experiment);
    CHECK(changed.preset.empty());
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
    kept.experiment = "invariant-set";
    const FirstRun first = first_run(options_with({lesson}), kept, find_experiment);
    CHECK(first.experiment->name == "invariant-set");
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
