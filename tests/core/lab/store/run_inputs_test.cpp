#include "core/lab/store/checkpoint.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "core/base/version.h"
#include "core/experiments/registry.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using namespace testing;

// The toy's only text stands for a path.
Settings with_path(const fs::path& path) {
    Settings settings = testing::toy_settings();
    settings.set("edits", path.string());
    return settings;
}

// With the folders above it.
void put_input(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    testing::spit(file, text);
}

}  // namespace

TEST_CASE("a file that a setting names is listed with its size and checksum, and copied") {
    const Scratch scratch;
    put_input(scratch / "w.npz", "123456789");
    const Settings settings = with_path(scratch / "w.npz");
    const std::vector<RunInput> inputs = inputs_of(settings, scratch / "run");
    REQUIRE(inputs.size() == 1);
    CHECK(inputs[0].copy == "edits.npz");
    CHECK(inputs[0].bytes == 9);
    CHECK(inputs[0].crc == 0xcbf43926);  // CRC-32's check value
    copy_inputs(inputs, scratch / "run");
    CHECK(slurp(scratch / "run/inputs/edits.npz") == "123456789");
    CHECK(slurp(scratch / "run/inputs/inputs.toml") == inputs_to_toml(read_inputs(scratch / "run")));
    CHECK(inputs_of(with_path(scratch / "none"), scratch / "run").empty());
    CHECK(inputs_of(with_path(scratch / "w.npz"), scratch.path()).empty());  // the run's own
    copy_inputs({}, scratch / "other");
    CHECK_FALSE(fs::exists(scratch / "other"));
}

TEST_CASE("of a folder its data are copied, one level deep") {
    const Scratch scratch;
    for (const char* name : {"runs/seed_1/data.npz", "runs/params.json", "runs/seed_1/deeper/x.npz", "runs/log.txt",
                             "runs/secret.toml", "runs/.hidden.npz", "runs/.git/x.npz"})
        put_input(scratch / name, name);
    copy_inputs(inputs_of(with_path(scratch / "runs"), scratch / "run"), scratch / "run");
    CHECK(slurp(scratch / "run/inputs/edits/params.json") == "runs/params.json");
    CHECK(slurp(scratch / "run/inputs/edits/seed_1/data.npz") == "runs/seed_1/data.npz");
    CHECK(read_inputs(scratch / "run").size() == 2);
}

TEST_CASE("of the folders of an experiment only what is read is copied, and only if the setting acts") {
    const Scratch scratch;
    for (const char* name : {"w/a.toml", "w/b.csv", "w/keys.npz", "w/held-out/c.toml", "w/other/d.toml", "w/e.json"})
        put_input(scratch / name, name);
    Settings settings(find_experiment("td").fields);
    settings.set("worlds", (scratch / "w").string());
    CHECK(inputs_of(settings, scratch / "run").empty());
    CHECK(setting_inside(settings, scratch / "w") == "worlds");
    settings.set("task", std::string("files"));
    std::vector<std::string> copies;
    for (const RunInput& input : inputs_of(settings, scratch / "run")) copies.push_back(input.copy);
    CHECK(copies == std::vector<std::string>{"worlds/a.toml", "worlds/b.csv", "worlds/held-out/c.toml"});
    // Texts that are no paths.
    for (const char* name : {"surgery", "world_edits"}) {
        Settings text(find_experiment("td").fields);
        text.set("look_inside", std::string("world"));
        text.set(name, (scratch / "w/a.toml").string());
        CHECK(inputs_of(text, scratch / "run").empty());
    }
    Settings idle(find_experiment("td").fields);
    idle.set("world_file", (scratch / "w/a.toml").string());
    CHECK(inputs_of(idle, scratch / "run").empty());
}

TEST_CASE("the copy is used once the original has changed or is gone") {
    const Scratch scratch;
    put_input(scratch / "w.npz", "before");
    const Settings settings = with_path(scratch / "w.npz");
    copy_inputs(inputs_of(settings, scratch / "run"), scratch / "run");
    const std::string copy = (scratch / "run/inputs/edits.npz").string(), path = (scratch / "w.npz").string();
    Settings used = settings;
    CHECK(use_copied_inputs(scratch / "run", used).empty());
    CHECK(used == settings);
    put_input(scratch / "w.npz", "after!");
    CHECK(
        use_copied_inputs(scratch / "run", used) ==
        std::vector<std::string>{"edits: " + path + " has changed since the run began. Using the run's copy, " + copy});
    CHECK(used.text("edits") == copy);
    fs::remove(scratch / "w.npz");
    used = settings;
    CHECK(use_copied_inputs(scratch / "run", used) ==
          std::vector<std::string>{"edits: " + path + " is gone. Using the run's copy, " + copy});
    // Another value was set on purpose.
    Settings other = with_path(scratch / "other.npz");
    CHECK(use_copied_inputs(scratch / "run", other).empty());
    put_input(scratch / "run/inputs/inputs.toml", "[[input]]\nfield = 3\n");
    CHECK(holds(message_of<InputError>([&] { read_inputs(scratch / "run"); }),
                "inputs.toml: [[input]]: field is missing, a text in quotes"));
}

TEST_CASE("a link out of a folder is refused wherever Emergence looks, one inside is not") {
    const Scratch scratch;
    const fs::path run = scratch / "run";
    for (const char* folder : {"run/inputs/worlds/held-out", "run/jobs", "run/.git", "run/notes", "run/wang-2"})
        fs::create_directories(scratch / folder);
    spit(run / "wang-2/config.toml", "");
    spit(scratch / "secret", "mine");
    refuse_links_out(run);
    refuse_links_out(scratch / "nowhere");
    fs::create_symlink(run, scratch / "link");
    refuse_links_out(scratch / "link");
    for (const fs::path& place :
         {fs::path("config.toml"), fs::path("metrics.csv"), fs::path("open"), fs::path("jobs/1.npz"),
          fs::path("inputs/worlds/held-out/a.toml"), fs::path("wang-2/config"), fs::path("sub")})
        for (const fs::path& to :
             {scratch / "secret", scratch / "none", scratch.path(), fs::path("/dev/zero"),
              fs::path("../../../../../../../../../../../etc/passwd"), fs::path(run.string() + "-other")}) {
            fs::create_symlink(to, run / place);
            INFO(place.string(), ", ", to.string());
            CHECK(message_of<InputError>([&] { refuse_links_out(run); }).starts_with((run / place).string()));
            fs::remove(run / place);
        }
    fs::create_symlink("config.toml", run / "wang-2/same.toml");
    fs::create_symlink(run / "wang-2", run / "last");
    fs::create_symlink(scratch / "secret", run / "notes/mine");
    refuse_links_out(run);
}

TEST_CASE("a folder of links, a pipe and a loop are refused") {
    const Scratch scratch;
    const fs::path run = scratch / "run";
    fs::create_directories(run / "jobs");
    REQUIRE(::mkfifo((run / "jobs/pipe").c_str(), 0600) == 0);
    CHECK(message_of<InputError>([&] { refuse_links_out(run); }) ==
          (run / "jobs/pipe").string() + ": is neither a file nor a folder. Remove it");
    fs::remove_all(run / "jobs");
    fs::create_directory_symlink(scratch.path(), run / "jobs");
    CHECK_THROWS_WITH_AS(refuse_links_out(run), doctest::Contains("jobs: is a link out"), InputError);
    fs::remove(run / "jobs");
    fs::create_symlink("loop", run / "loop");
    CHECK_THROWS_WITH_AS(refuse_links_out(run), doctest::Contains("loop: is a link out"), InputError);
}

TEST_CASE("provenance keeps the sessions before, and says of a killed one only where it began") {
    const testing::Scratch scratch;
    std::filesystem::create_directories(scratch.path());
    ProvenanceSession session{"emergence-cli run td --out 'a b'", "2026-11-22 22:15:03 +0000", 2, 0};
    Provenance(scratch.path(), false).write(session);
    const std::string killed = testing::slurp(scratch / kProvenanceFile);
    CHECK(holds(killed, "\n[[session]]\ncommand = \"emergence-cli run td --out 'a b'\"\nversion = \"" + version()));
    CHECK(killed.ends_with("threads = 2\nfrom_step = 0\n"));
    session.from_step = 10;
    session.to_step = 40;
    session.seconds = 1.25;
    session.cpu_seconds = 2.0;
    const Provenance resumed(scratch.path(), true);
    resumed.write(session);
    resumed.write(session);  // replaces its own session only
    const std::string both = testing::slurp(scratch / kProvenanceFile);
    CHECK(both.starts_with(killed));
    CHECK(both.ends_with("from_step = 10\nto_step = 40\nseconds = 1.2\ncpu_seconds = 2.0\n"));
    CHECK(both.find("[[session]]", both.find("[[session]]", killed.size()) + 1) == std::string::npos);
    Provenance(scratch.path(), false).write(session);
    CHECK(testing::slurp(scratch / kProvenanceFile).size() < both.size());
    CHECK_FALSE(processor_name().empty());
}

}  // namespace emergence
