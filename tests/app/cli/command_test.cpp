#include "app/cli/command.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "core/base/error.h"
#include "core/base/version.h"
#include "tests/app/cli/toy_commands.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

// What a command with every kind of option was given.
struct Given {
    std::string name, shape = "round";
    std::vector<std::string> rest, changes;
    std::optional<std::string> preset, out;
    std::optional<int> seeds;
    int layers = 1;
    bool fast = false;
};
Given given;

std::vector<Command> toy_commands() {
    return {command_of<Given>(
                "make", "Makes",
                [](Options& options, Given& to) {
                    options.text("name", "NAME", "Which", to.name).required();
                    options.texts("rest", "DIR", "More", to.rest);
                    options.changes("Settings", to.changes);
                    const Option preset = options.text("--preset", "PRESET", "From", to.preset);
                    options.choice("--shape", {"round", "square"}, "Form", to.shape);
                    options.number("--layers", "L", "Layers", 1, 9, to.layers);
                    options.flag("--fast", "At once", to.fast).excludes(preset);
                    options.number("--seeds", "K", "How many", 1, 1000, to.seeds);
                    options.threads();
                    options.out("Where", to.out);
                    options.page();
                    options.json();
                },
                [](const Given& request, const Environment&) {
                    given = request;
                    return kDone;
                },
                true),
            command_of<Given>(
                "look", "Looks", [](Options&, Given&) {}, [](const Given&, const Environment&) { return kDone; })};
}

ParsedLine parse(const std::vector<std::string>& words) {
    ParsedLine line = parse_line(words, toy_commands());
    std::ostringstream out, err;
    line.action({{}, experiments(), out, err});
    return line;
}

std::string refusal(const std::vector<std::string>& words) {
    const std::string message = testing::message_of<InputError>([&] { parse_line(words, toy_commands()); });
    CHECK(!message.empty());
    CHECK(message.find('\n') == std::string::npos);
    return message;
}

TEST_CASE("quiet stands anywhere, dry-run where something is written") {
    for (const auto& words : {std::vector<std::string>{"--quiet", "make", "it"},
                              {"make", "it", "-q"},
                              {"make", "--quiet", "it", "--dry-run"}})
        CHECK(parse(words).asked.quiet);
    CHECK(parse({"make", "it", "--dry-run"}).asked.dry_run);
    CHECK(refusal({"look", "--dry-run"}).find("unknown option '--dry-run'") == 0);
}

TEST_CASE("what is wrong is named, on one line, with what is allowed") {
    CHECK(refusal({}) == "name a command: make, look");
    CHECK(refusal({"mke"}) == "unknown command 'mke'. Known: make, look. Did you mean 'make'?");
    CHECK(refusal({"networks", "bandit-cosine"}).find("'networks' is gone. 'run bandit-train") == 0);
    CHECK(refusal({"make"}).find("name is required") == 0);
    CHECK(refusal({"make", "it", "--sed", "3"}) ==
          "unknown option '--sed'. Did you mean '--set' or '--seeds'? ('emergence-cli help make' lists the options)");
    CHECK(refusal({"make", "it", "--num_mrps=600"}) ==
          "unknown option '--num_mrps'. It is a setting: --set num_mrps=VALUE");
    CHECK(testing::holds(refusal({"make", "it", "--thread=2"}), "Did you mean '--threads'?"));
    CHECK(refusal({"make", "it", "--layers", "0"}) == "--layers: '0' is not a whole number from 1 to 9");
    CHECK(testing::holds(refusal({"make", "it", "--layers", "2x"}), "'2x' is not a whole number"));
    CHECK(refusal({"make", "it", "--shape", "rond"}).find("--shape: 'rond' is unknown. Known: ") == 0);
    CHECK(testing::holds(refusal({"make", "it", "--shape", "rond"}), "Did you mean 'round'?"));
    CHECK(refusal({"make", "it", "--layers"}).find("--layers: ") == 0);
    CHECK(testing::holds(refusal({"make", "it", "--layers"}), " is missing ('emergence-cli help make'"));
    CHECK(testing::holds(refusal({"make", "it", "--fast", "--preset", "p"}), "excludes"));
    CHECK(testing::holds(refusal({"look", "x"}), "'emergence-cli help look'"));
    for (const auto& out : {std::vector<std::string>{"--out", "o\xE9"}, {"--out=o\xE9"}}) {
        CHECK(testing::holds(refusal(with_words({"make", "it"}, out)), "o\\xE9' is not UTF-8. Choose another name"));
    }
}

TEST_CASE("help, version, and the near name of a command") {
    const std::string version = "emergence " + version_with_commit() + "\n";
    CHECK(tell({"-V"}).out == version);
    CHECK(tell({"--version"}).out == version);
    CHECK(tell({"help"}).out == tell({"--help"}).out);
    CHECK(testing::holds(tell({"help"}).out, "resume"));
    CHECK(testing::holds(tell({"help", "run"}).out, "--set FIELD=VALUE"));
    CHECK(testing::holds(tell({"run", "--help"}).out, "--set FIELD=VALUE"));
    CHECK(testing::holds(command_refusal(tell({"help", "runn"})), "did you mean 'run'"));
    CHECK(testing::holds(command_refusal(tell({"runn", "td"})), "did you mean 'run'"));
    for (const char* gone : {"value", "claims", "reproduce"})
        CHECK(testing::holds(tell({gone, "x"}).err, std::string("'") + gone + "' is gone. "));
}

const std::vector<std::string> kDrySweep = {"sweep",           "regression",    "--set",   "num_layers=1,2",
                                            "num_prompts=500", "bank_size=500", "--score", "loss"};

TEST_CASE("a dry run writes nothing and says what it would do; quiet says nothing on the way") {
    const testing::Scratch scratch;
    fs::create_directories(scratch / "presets");
    testing::spit(scratch / "presets/toy.toml", "experiment = \"toy\"\n[settings]\nnum_steps = 20\n");
    const std::string out = (scratch / "out").string();
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", "toy"}, {"figure", "toy-grid"}, kDrySweep}) {
        const std::vector<std::string> dry = with_words(words, {"--out", out, "--dry-run"});
        const Told told = check_done(words == kDrySweep ? tell(dry) : run_toy(dry, scratch.path()));
        CHECK(testing::holds(told.out, "would write into " + out));
        CHECK_FALSE(fs::exists(out));
    }
    CHECK(run_toy({"run", "toy", "--out", out, "--dry-run", "--json"}, scratch.path())
              .out.starts_with("{\"exit_code\":0,\"would\":[\"train "));
    const Told made = check_done(run_toy({"run", "toy", "--out", out, "--quiet"}, scratch.path()));
    CHECK(made.err.empty());
    CHECK(testing::holds(made.out, "metrics.csv"));
    CHECK(
        testing::holds(run_toy({"run", "toy", "--out", out, "--dry-run"}, scratch.path()).out, "it would be resumed"));
    CHECK(run_toy({"run", "toy", "--out", out, "--force", "--dry-run"}, scratch.path())
              .out.find("existing files would be replaced") != std::string::npos);
    CHECK_FALSE(
        command_refusal(run_toy({"run", "toy", "--set", "size=5", "--out", out, "--dry-run"}, scratch.path())).empty());
    CHECK(testing::holds(run_toy({"resume", out, "--dry-run"}, scratch.path()).out, "would resume " + out));
    CHECK(fs::exists(fs::path(out) / "config.toml"));
}

}  // namespace
}  // namespace emergence::cli
