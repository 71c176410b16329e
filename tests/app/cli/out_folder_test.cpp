// Nothing that somebody else wrote is lost, and what a run leaves in its folder.
#include "app/cli/out_folder.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/csv.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/toml.h"
#include "tests/app/cli/toy_commands.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_sweep.h"
#include "tests/support/toy_study.h"

namespace emergence::cli::out_folder_test {
namespace {

namespace fs = std::filesystem;
using namespace testing;

Told tell_out_toy(const std::vector<std::string>& arguments, bool stop_at_once = false) {
    const std::atomic<bool> stop{stop_at_once};
    return tell(arguments, {testing::toy_info()}, {}, &stop);
}

constexpr const char* kToyPreset = "experiment = \"toy\"\n[settings]\nnum_steps = 20\nsize = 2\n";

// With the folders above it.
void put_file(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    testing::spit(file, text);
}

}  // namespace

TEST_CASE("a run of other settings is refused, and --force replaces it") {
    const Scratch scratch;
    const std::string out = (scratch / "r").string();
    CHECK(tell_out_toy({"run", "toy", "--out", out}).code == kDone);
    const std::string before = slurp(scratch / "r/metrics.csv");
    const Told refused = tell_out_toy({"run", "toy", "--set", "seed=5", "--out", out});
    CHECK(refused.code == kBadInput);
    CHECK(refused.err == "emergence-cli: " + out +
                             ": already holds another run of 'toy'. Choose another --out, or replace it with "
                             "--force\n");
    CHECK(slurp(scratch / "r/metrics.csv") == before);

    put_file(scratch / ".emergence-replaced-r/seed-0/half", "cut sho");  // a killed command left it of an old folder
    const Told forced = check_done(tell_out_toy({"run", "toy", "--set", "seed=5", "--out", out + "/", "--force"}));
    CHECK(forced.err.find("emergence-cli: replacing " + out + "/\n") == 0);
    CHECK(slurp(scratch / "r/metrics.csv") != before);
    CHECK(testing::count_entries(scratch.path()) == 1);
}

TEST_CASE("an --out that begins with ~ is the home folder, or refused") {
    CHECK(holds(tell_out_toy({"run", "toy", "--out=~nobody/x", "--dry-run"}).err, "--out: '~nobody/x'"));
    CHECK_FALSE(holds(tell_out_toy({"run", "toy", "--out", "~/x", "--dry-run"}).out, "~"));
}

TEST_CASE("--force does not replace files that the run starts from") {
    const Scratch scratch;
    const std::string out = (scratch / "r").string();
    put_file(scratch / "r/notes.txt", "mine");
    put_file(scratch / "r/world.toml", "mine");
    const Told told = tell({"run", "td", "--set", "weights=" + out + "/world.toml", "--out", out, "--force"},
                           experiments(), testing::source_dir() / "assets");
    CHECK(told.code == kBadInput);
    CHECK(slurp(scratch / "r/notes.txt") == "mine");
}

TEST_CASE("the same run is resumed where it stopped, and repeated once it is done") {
    const Scratch scratch;
    const std::string whole = (scratch / "whole").string(), cut = (scratch / "cut").string();
    CHECK(tell_out_toy({"run", "toy", "--out", whole}).code == kDone);
    CHECK(tell_out_toy({"run", "toy", "--out", cut}, true).code == kFailure);
    const Told resumed = check_done(tell_out_toy({"run", "toy", "--out", cut}));
    CHECK(holds(resumed.err, cut + " holds this run; resumed at step 0 (--force restarts it)"));
    CHECK(holds(tell_out_toy({"run", "toy", "--out", cut}).err, "resumed at step 100"));
    for (const char* name : {"config.toml", "metrics.csv", "seeds.csv", "columns.toml", "weights.npz", "moments.npz"})
        CHECK_MESSAGE(slurp(scratch / "cut" / name) == slurp(scratch / "whole" / name), name);
    // A shorter one would lose what is beyond its end.
    put_file(scratch / "early.toml", settings_to_toml("toy", testing::toy_settings(), {"", 10}));
    check_refused(tell_out_toy({"run", (scratch / "early.toml").string(), "--out", cut}),
                  "holds this run up to step 100, past step 10. Choose another --out");
}

TEST_CASE("files of somebody else are named and refused by every command that writes a folder") {
    const Scratch scratch;
    const std::string out = (scratch / "mine").string();
    for (const char* name : {"a.txt", "b.txt", "c.txt", "d.txt"}) put_file(scratch / "mine" / name, "mine");
    const std::string why = out + ": already holds a.txt, b.txt, c.txt and 1 more. Choose another --out";
    put_file(scratch / "s.toml",
             "experiment = \"td\"\nscore = \"msve\"\nseeds = 1\n[x]\nfield = \"num_layers\"\n"
             "values = [1]\n");
    for (const std::vector<std::string>& command : {std::vector<std::string>{"run", "td"},
                                                    {"figure", "wang-2"},
                                                    {"figure", "wang-4"},
                                                    {"sweep", (scratch / "s.toml").string()}}) {
        std::vector<std::string> arguments = with_words(command, {"--out", out});
        const Told told = tell(arguments, experiments(), testing::source_dir() / "assets");
        INFO(command[0], ", ", told.err);
        CHECK(told.code == kBadInput);
        CHECK(holds(told.err, why));
        CHECK_FALSE(holds(told.err, "--force"));
        arguments.emplace_back("--force");
        CHECK(tell(arguments, experiments(), testing::source_dir() / "assets").code == kBadInput);
    }
    CHECK(testing::count_entries(scratch / "mine") == 4);
    put_file(scratch / "file", "mine");
    const Told file = tell_out_toy({"run", "toy", "--out", (scratch / "file").string()});
    CHECK(holds(file.err, "file: already holds a file. Choose"));
    CHECK(tell_out_toy({"run", "toy", "--out", (scratch / "file").string(), "--force"}).code == kBadInput);
    CHECK(slurp(scratch / "file") == "mine");
    fs::create_symlink("nowhere", scratch / "link");
    CHECK(tell_out_toy({"run", "toy", "--out", (scratch / "link").string()})
              .err.find("link: is a link to nowhere, which does not exist") != std::string::npos);
}

TEST_CASE("a run's folder tells who emerged, what its columns mean and how it was made") {
    const Scratch scratch;
    const std::string out = (scratch / "r").string();
    CHECK(tell_out_toy({"run", "toy", "--set", "num_steps=40", "num_seeds=2", "seed=5", "diverge_seed=1", "--threads",
                        "1", "--out", out})
              .code == kDiverged);
    const std::string seeds = slurp(scratch / "r/seeds.csv");
    CHECK(seeds.find("seed,step,emerged,emerged_at,failed,reason,sign_A,loss,corner\n5,40,") == 0);
    CHECK(holds(seeds, ",1,the loss is not finite at step 20,"));
    CHECK(holds(slurp(scratch / "r/columns.toml"),
                "[[metrics]]\nname = \"corner\"\nlabel = \"corner\"\nhelp = \"the last entry, aligned\"\n"));
    const std::string made = slurp(scratch / "r/provenance.toml");
    CHECK(holds(made, "command = \"emergence-cli run toy --set num_steps=40 num_seeds=2 seed=5 "));
    for (const char* part : {"threads = 1\nfrom_step = 0\nautosave = 60\nmoments = 64\nto_step = 40\nseconds = ",
                             "processor = \"", "started = \""})
        CHECK_MESSAGE(holds(made, part), part);
    CHECK(tell_out_toy({"resume", out, "--set", "num_steps=80"}).code == kDiverged);
    const std::string both = slurp(scratch / "r/provenance.toml");
    CHECK(both.find(made) == 0);
    CHECK(holds(both, "from_step = 40\nautosave = 60\nmoments = 64\nto_step = 80\n"));
}

TEST_CASE("--moments says how many are saved; they are those of an uninterrupted run") {
    const Scratch scratch;
    const auto steps_of = [&](const char* folder) {
        std::vector<int64_t> steps;
        for (const SavedMoment& moment : moments_in(scratch / folder)) steps.push_back(moment.step);
        return steps;
    };
    CHECK(tell_out_toy({"run", "toy", "--moments", "4", "--out", (scratch / "r").string()}).code == kDone);
    CHECK(steps_of("r") == std::vector<int64_t>{0, 40, 80});
    check_done(
        tell_out_toy({"run", "toy", "--set", "num_steps=30", "--moments", "4", "--out", (scratch / "s").string()}));
    CHECK(steps_of("s") == std::vector<int64_t>{0, 10, 20, 30});
    CHECK(tell_out_toy({"resume", (scratch / "s").string(), "--set", "num_steps=100", "--moments", "4"}).code == kDone);
    CHECK(slurp(scratch / "s/moments.npz") == slurp(scratch / "r/moments.npz"));
    CHECK(tell_out_toy({"run", "toy", "--moments", "0", "--out", (scratch / "t").string()}).code == kDone);
    CHECK_FALSE(fs::exists(scratch / "t/moments.npz"));
    CHECK(holds(tell_out_toy({"run", "toy", "--moments", "-1"}).err, "is not a whole number from 0 to 4096"));
}

TEST_CASE("inputs are copied; a run uses its copy once the original has changed") {
    const Scratch scratch;
    const std::string first = (scratch / "first").string(), second = (scratch / "second").string();
    const std::vector<std::string> small = {"--seeds", "1", "--set", "num_mrps=20", "bank_size=20"};
    const auto run = [&](std::vector<std::string> arguments) { return tell(with_words(arguments, small)); };
    REQUIRE(run({"run", "td", "--out", first}).code == kDone);
    const std::string start = (scratch / "start.npz").string();
    fs::copy_file(scratch / "first/weights.npz", start);
    REQUIRE(run({"run", "td", "--weights", start, "--out", second}).code == kDone);
    CHECK(slurp(scratch / "second/inputs/weights.npz") == slurp(start));
    CHECK(holds(slurp(scratch / "second/inputs/inputs.toml"), "field = \"weights\""));
    CHECK(read_npz(scratch / "second/initial-weights.npz").at("P") == read_npz(start).at("P"));
    // Another file under the same name would be another run.
    fs::copy_file(scratch / "first/initial-weights.npz", start, fs::copy_options::overwrite_existing);
    CHECK(run({"run", "td", "--weights", start, "--out", second}).code == kBadInput);
    const std::string config = (scratch / "second/config.toml").string(), third = (scratch / "third").string();
    const Told changed = check_done(tell({"run", config, "--out", third}));
    // The config names no place of this machine: the copy is what it means.
    CHECK(holds(changed.err, "weights: start.npz is gone. Using the run's copy, "));
    CHECK(slurp(scratch / "third/metrics.csv") == slurp(scratch / "second/metrics.csv"));
    fs::remove(start);
    CHECK(holds(tell({"resume", second}).err, "start.npz is gone. Using the run's copy"));
}

TEST_CASE("a start that ended before it had any result goes on with the same command") {
    const Scratch scratch;
    const std::string start = (scratch / "start.npz").string(), sweep = (scratch / "s.toml").string();
    put_file(start, "weights");
    put_file(scratch / "presets/toy.toml", kToyPreset);
    put_file(sweep, kQuickSweep);
    for (const std::vector<std::string>& command : {std::vector<std::string>{"run", "toy", "--set", "edits=" + start},
                                                    {"figure", "toy-grid", "--set", "edits=" + start},
                                                    {"sweep", sweep}}) {
        const fs::path whole = scratch / (command[0] + "-whole"), out = scratch / (command[0] + "-out");
        const auto call = [&](const fs::path& folder) {
            return tell(with_words(command, {"--out", folder.string()}),
                        {toy_with_figures(), find_experiment("regression")}, scratch.path());
        };
        const int code = call(whole).code;
        CHECK(code == kDone);
        const char* settings = command[0] == "sweep" ? "sweep.toml" : "config.toml";
        const std::vector<std::vector<std::string>> starts = {
            {"provenance.toml"},
            {settings},
            {settings, "provenance.toml"},
            {"provenance.toml", settings, "inputs/edits.npz"},
            {settings, "inputs/edits.npz"},
            {"provenance.toml", settings, "inputs/edits.npz", "inputs/inputs.toml"},
            {"provenance.toml", ".emergence-12-3.tmp"},
            {"empty provenance.toml"}};
        for (const std::vector<std::string>& files : starts) {
            fs::remove_all(out);
            for (const std::string& name : files)
                if (name.starts_with("empty "))
                    put_file(out / name.substr(6), "");
                else if (name.starts_with('.') || fs::exists(whole / name))
                    put_file(out / name, slurp(whole / name));
            const Told told = call(out);
            INFO(command[0], ", ", files.back(), ", ", told.err);
            CHECK(told.code == code);
            CHECK(slurp(out / "inputs/edits.npz") == slurp(whole / "inputs/edits.npz"));
            CHECK_FALSE(fs::exists(out / ".emergence-12-3.tmp"));
        }
        // Files of somebody else beside it, and results, are nothing that could be written again.
        for (const char* other : {"notes.txt", "metrics.csv"}) {
            fs::remove_all(out);
            put_file(out / "provenance.toml", slurp(whole / "provenance.toml"));
            put_file(out / other, "mine");
            CHECK(call(out).code == kBadInput);
            CHECK(slurp(out / other) == "mine");
        }
        fs::remove_all(out);
        put_file(out / "inputs/edits.npz", "mine");  // and no provenance
        CHECK(call(out).code == kBadInput);
        CHECK(slurp(out / "inputs/edits.npz") == "mine");
    }
}

TEST_CASE("--force replaces a run only if all of it is ours, and neither links nor the working directory") {
    const Scratch scratch;
    const fs::path before = fs::current_path();
    const std::string out = (scratch / "r").string(), link = (scratch / "link").string();
    const std::vector<std::string> toy = {"run", "toy", "--set", "num_steps=20", "--out"};
    const auto forced = [&](const std::string& to) { return tell_out_toy(with_words(toy, {to, "--force"})); };
    REQUIRE(forced(out).code == kDone);
    fs::create_directory_symlink("r", link);
    CHECK(holds(forced(link).err, "which --force does not replace: it is a link. Choose another --out"));
    fs::current_path(out);
    CHECK(holds(forced(".").err, "the working directory is inside it"));
    fs::current_path(before);
    for (const char* name : {"notes.txt", "inner/notes"}) {
        put_file(scratch / "r" / name, "mine");
        check_refused(forced(out), fmt::format("Emergence did not write {}. Choose another --out", name));
        CHECK(slurp(scratch / "r" / name) == "mine");
        fs::remove(scratch / "r" / name);
    }
    put_file(scratch / "r/inputs/anything", "ours");
    CHECK(forced(out).code == kDone);
    CHECK(testing::count_entries(scratch.path()) == 2);
    // Of others, whatever the kinds of its files.
    put_file(scratch / "other/table.csv", "mine");
    put_file(scratch / "other/config.toml", "name = \"other\"\n");
    CHECK(holds(forced((scratch / "other").string()).err, "Emergence did not write it"));
    CHECK(fs::exists(scratch / "other/config.toml"));
}

TEST_CASE("devices, pipes and folders of the system are refused, also what is not there yet") {
    const Scratch scratch;
    const std::string pipe = (scratch / "pipe").string();
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    for (const std::string& out :
         {std::string("/etc"), std::string("/usr/bin"), std::string("/proc/self"), std::string("/etc/../usr/lib/"),
          std::string("/usr/lib/emergence-none"), std::string("/dev/null"), pipe})
        for (const char* asked : {"--no-caption", "--force"}) {
            check_refused(tell_out_toy({"run", "toy", "--out", out, asked}),
                          out == pipe ? "holds a device or a pipe" : "a system folder. Choose another --out");
        }
    CHECK(fs::is_fifo(pipe));
}

TEST_CASE("the home folder and those around the working directory are not replaced") {
    const Scratch scratch;
    const fs::path before = fs::current_path();
    put_file(scratch / "home/notes.txt", "mine");
    put_file(scratch / "outer/inner/notes.txt", "mine");
    fs::create_directory_symlink("home", scratch / "link");
    fs::current_path(scratch / "outer/inner");
    for (const char* name : {"home", "link", "", "outer", "outer/inner/.."}) {
        check_refused(tell_out_toy({"run", "toy", "--out", (scratch / name).string(), "--force"}),
                      "which --force does not replace: ");
    }
    fs::current_path(before);
    CHECK(slurp(scratch / "home/notes.txt") == "mine");
    CHECK(slurp(scratch / "outer/inner/notes.txt") == "mine");
    CHECK(testing::count_entries(scratch.path()) == 3);
}

TEST_CASE("a folder from somebody else writes nothing through its links") {
    const Scratch scratch;
    put_file(scratch / "victim", "mine");
    fs::create_directories(scratch / "victims");
    const std::string sweep = (scratch / "s.toml").string();
    put_file(sweep, kQuickSweep);
    put_file(scratch / "presets/toy.toml", kToyPreset);
    const auto call = [&](const std::vector<std::string>& arguments) {
        return tell(arguments, {toy_with_figures(), find_experiment("regression")}, scratch.path());
    };
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", "toy"}, {"figure", "toy-1"}, {"figure", "toy-grid"}, {"sweep", sweep}}) {
        const fs::path whole = scratch / "whole", folder = scratch / "given";
        fs::remove_all(whole);
        std::vector<std::string> arguments = with_words(command, {"--out", whole.string()});
        call(arguments);
        std::vector<std::string> names = {"inputs", "jobs", "weights"};
        for (const auto& entry : fs::directory_iterator(whole)) names.push_back(entry.path().filename().string());
        for (const std::string& name : names)
            for (const char* to : {"victim", "victims", "nowhere"}) {
                fs::remove_all(folder);
                fs::copy(whole, folder, fs::copy_options::recursive);
                fs::remove_all(folder / name);
                fs::create_symlink(scratch / to, folder / name);
                INFO(command[0], ", ", name);
                check_refused(call({"resume", folder.string()}),
                              folder.string() + "/" + name + ": is a link out of its folder");
                arguments.back() = folder.string();
                CHECK(call(arguments).code == kBadInput);
                CHECK(slurp(scratch / "victim") == "mine");
                CHECK(testing::count_entries(scratch / "victims") == 0);
                CHECK_FALSE(fs::exists(scratch / "nowhere"));
            }
    }
}

}  // namespace emergence::cli::out_folder_test
