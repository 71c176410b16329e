#include <doctest/doctest.h>
#include <filesystem>
#include <sstream>

#include "app/cli/answer.h"
#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/export/run_files.h"
#include "core/files/csv.h"
#include "core/settings/toml.h"
#include "tests/app/cli/toy_commands.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::cli {

namespace {

namespace fs = std::filesystem;
using namespace testing;

TEST_CASE("list and info name everything") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/small.toml", "experiment = \"toy\"\ntitle = \"A small toy\"\n");
    spit(scratch / "presets/bad.toml", "experiment = ");
    const Told list = check_done(run_toy({"list"}, scratch.path()));
    for (const char* part : {"toy", "toy-1", "The loss", "small", "A small toy", "unreadable"})
        CHECK(holds(list.out, part));
    const Told info = run_toy({"info", "toy"});
    for (const FieldInfo& field : *testing::toy_info().fields) CHECK(holds(info.out, field.name));
    check_holds(info.out, {"a whole number from 1 to 16; restart", "a number from -10 to 10; live"});
    CHECK(run_toy({"info", "small"}, scratch.path()).out == info.out);  // the preset's experiment
    CHECK(holds(run_toy({"info"}).out, "learning_rate"));
    CHECK(command_refusal(run_toy({"info", "tdd"})) == "unknown experiment 'tdd'. Known: toy");
}

TEST_CASE("a run leaves settings, metrics, weights and the figures that can be drawn") {
    const Scratch scratch;
    const Told outcome = check_done(run_toy({"run", "toy", "--set", "num_steps=40", "--set", "num_seeds=2", "--set",
                                             "seed=5", "--threads", "2", "--out", (scratch / "r").string()}));
    check_holds(outcome.err, {"toy: 40 of 40", "skipped figure toy-2: no such data"});
    CHECK(count_entries(scratch / "r") == 15);
    CHECK(holds(outcome.out, (scratch / "r/toy-1.png").string()));

    const NumericTable metrics = read_csv(scratch / "r/metrics.csv");
    CHECK(metrics.header[0] == "seed");
    CHECK(metrics.header[1] == step_column("steps"));
    CHECK(metrics.column("seed") == std::vector<double>{5, 5, 5, 5, 5, 6, 6, 6, 6, 6});
    CHECK(metrics.column("step") == std::vector<double>{0, 10, 20, 30, 40, 0, 10, 20, 30, 40});

    Settings settings(testing::toy_info().fields);
    apply(read_settings(scratch / "r/config.toml"), settings);
    CHECK(settings == testing::toy_settings({"num_steps=40", "num_seeds=2", "seed=5"}));
    check_done(
        run_toy({"run", (scratch / "r/config.toml").string(), "--threads", "1", "--out", (scratch / "s").string()}));
    CHECK(slurp(scratch / "r/metrics.csv") == slurp(scratch / "s/metrics.csv"));
    CHECK(slurp(scratch / "r/weights.npz") == slurp(scratch / "s/weights.npz"));
}

TEST_CASE("a run of an experiment without a figure of its own leaves its curves and matrices") {
    ExperimentInfo info = testing::toy_info();
    REQUIRE(info.figures.empty());
    const Scratch scratch;
    const Told outcome =
        check_done(tell({"run", "toy", "--set", "num_steps=20", "--out", (scratch / "r").string()}, {info}));
    int pictures = 0;
    for (const auto& entry : fs::directory_iterator(scratch / "r"))
        pictures += entry.path().extension() == ".png" ? 1 : 0;
    CHECK(pictures >= 2);
    CHECK(holds(outcome.out, "toy-"));
}

TEST_CASE("a setting without an effect is told, once the others are known") {
    ExperimentInfo info = testing::toy_info();
    FieldTable fields = *info.fields;
    for (FieldInfo& field : fields)
        if (field.name == "throw_step") field.acts_while = {{"throw_seed", {"-1"}, true}};
    info.fields = std::make_shared<const FieldTable>(fields);
    const Scratch scratch;
    const auto notices = [&](std::vector<std::string> changes) {
        std::vector<std::string> arguments = {"run", "toy", "--set", "num_steps=10", "--out", (scratch / "r").string()};
        for (const std::string& change : changes) arguments.insert(arguments.end(), {"--set", change});
        return tell(arguments, {info}).err;
    };
    const std::string notice = "emergence-cli: throw_step has no effect while throw_seed = -1\n";
    CHECK(holds(notices({"throw_step=5"}), notice));
    CHECK(holds(notices({"throw_step=20"}), notice));  // its default, but named
    CHECK_FALSE(holds(notices({}), "no effect"));
    CHECK_FALSE(holds(notices({"throw_step=50", "throw_seed=0"}), "no effect"));
    CHECK(holds(tell({"info", "toy"}, {info}).out, "Acts while throw_seed is not -1."));
}

TEST_CASE("a diverged seed is code 3, with seed and reason, and the files are there") {
    const Scratch scratch;
    check_refused(run_toy({"run", "toy", "--set", "diverge_seed=1", "--set", "seed=7", "--set", "num_steps=50", "--out",
                           (scratch / "r").string()}),
                  "1 of 4 networks diverged (seed 8: the loss is not finite", kDiverged);
    CHECK(read_csv(scratch / "r/metrics.csv").rows() == 3 * 6 + 2);
}

TEST_CASE("bad settings are refused on one line before anything is made") {
    const Scratch scratch;
    const std::string out = (scratch / "r").string();
    const auto with = [&](const std::vector<std::string>& more) {
        return command_refusal(run_toy(with_words({"run", "toy", "--out", out}, more), scratch.path()));
    };
    CHECK(with({"--set", "siz=3"}) == "unknown field 'siz' (did you mean 'size'?)");
    CHECK(with({"--set", "size=17"}) == "size: '17' is not a whole number from 1 to 16");
    CHECK(with({"--set", "size"}) == "--set: 'size' sets nothing. Write FIELD=VALUE");
    CHECK(holds(with({"--set", "size=16", "--set", "num_seeds=8"}), "size * num_seeds is above 64"));
    CHECK(with({"--seeds", "4"}).find("unknown field 'seeds'") == 0);
    fs::create_directories(scratch / "presets");
    CHECK(with({"--preset", "none"}) == "unknown preset 'none'. Known: ");
    CHECK(command_refusal(run_toy({"run", "toy", "--out", ""})) == "--out: is empty. Name a folder");
    CHECK(!fs::exists(out));
}

TEST_CASE("a folder that cannot be made or a file that cannot be replaced is code 1, by name") {
    const Scratch scratch;
    spit(scratch / "file", "");
    check_refused(run_toy({"run", "toy", "--out", (scratch / "file/r").string()}),
                  (scratch / "file/r").string() + ": cannot be made", kFailure);
    // One file that cannot be written does not cost the others.
    const std::vector<std::string> run = {"run", "toy", "--out", (scratch / "r").string()};
    fs::create_directories(scratch / "r/metrics.csv");
    spit(scratch / "r/config.toml", settings_to_toml("toy", testing::toy_settings()));
    check_refused(run_toy(run), "metrics.csv: cannot be written", kFailure);
    CHECK(fs::exists(scratch / "r/weights.npz"));
    CHECK(fs::exists(scratch / "r/toy-1.pdf"));
}

TEST_CASE("--json prints one value on one line") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/small.toml", "experiment = \"toy\"\ntitle = \"A small toy\"\n");
    const Told list = run_toy({"list", "--json"}, scratch.path());

    CHECK(list.out.ends_with("\"presets\":[{\"name\":\"small\",\"title\":\"A small toy\",\"experiment\":\"toy\"}]}\n"));
    const Told info = run_toy({"info", "toy", "--json"});
    check_holds(info.out, {"{\"name\":\"corner\",\"label\":\"corner\",\"help\":\"the last entry, aligned\"}",
                           "\"default\":0.05,\"live\":false,\"minimum\":0.0,\"maximum\":1.0}"});
    const Told verify = run_toy({"verify", "broken", "thrown", "--json"});
    CHECK(verify.code == kFailure);
    check_holds(verify.out, {"\"measured\":1.0,\"detail\":\"by hand\",\"verdict\":\"FAILS\"",
                             "\"measured\":null,\"detail\":\"no such number\""});
    CHECK(
        verify.out.ends_with("\"undecided\":0,\"differ_as_known\":0,\"fail\":2,\"not_measured\":0,\"left_out\":[]}\n"));
    const Told run =
        run_toy({"run", "toy", "--set", "diverge_seed=1", "num_seeds=2", "--json", "--out", (scratch / "r").string()});
    CHECK(run.code == kDiverged);
    const std::string last = run.out.substr(run.out.rfind('\n', run.out.size() - 2) + 1);
    CHECK(last.starts_with("{\"folder\":\"" + (scratch / "r").string() + "\",\"experiment\":\"toy\",\"step\":100,"));
    check_holds(last, {"\"exit_code\":3,\"seeds\":[{\"seed\":0,\"step\":100,\"failed\":false,\"emerged\":",
                       "\"reason\":\"the loss is not finite at step 20\""});
}

}  // namespace

namespace {

std::string passed(bool progress, const std::vector<std::string>& writes) {
    std::ostringstream to;
    {
        ShownBuffer buffer(to, progress);
        std::ostream stream(&buffer);
        for (const std::string& text : writes) stream << text;
    }
    return to.str();
}

TEST_CASE("control characters do not pass, a progress line's own do") {
    CHECK(passed(false, {"\xCE", "\xB3 \x1B[2J\n", "tail\x07"}) == "\xCE\xB3 \\u001B[2J\ntail\\u0007");
    CHECK(passed(false, {"\r"}) == "\\u000D");
    CHECK(passed(true, {"\r", "td: 3", "\x1b[K", "a\rb\n"}) == "\rtd: 3\x1b[Ka\\u000Db\n");
    std::ostringstream to;
    ShownBuffer buffer(to, true);
    std::ostream stream(&buffer);
    LineOfProgress(stream, true).show({"td", "MRPs", 1, 2, 1.0}, true);
    CHECK(to.str().starts_with('\r'));
    CHECK(to.str().find('\\') == std::string::npos);
}

TEST_CASE("JSON stays JSON") {
    std::ostringstream to;
    {
        ShownBuffer buffer(to, false);
        std::ostream stream(&buffer);
        print_json({{"name", "\x1B \x7F \xE9 \xCF\x86 \xF0\x9F\xBF\xBF \xE2\x80\xAE"}}, stream);
    }
    CHECK(to.str() == "{\"name\":\"\\u001b \\u007f \\ufffd \\u03c6 \\ud83f\\udfff \\u202e\"}\n");
}

TEST_CASE("a file's title reaches the terminal as text") {
    const testing::Scratch scratch;
    std::filesystem::create_directories(scratch / "presets");
    testing::spit(scratch / "presets/evil.toml", "experiment = \"toy\"\ntitle = \"\\u001B]0;owned\\u0007 \\u202E\"\n");
    const Told list = run_toy({"list"}, scratch.path());
    CHECK(list.out.find('\x1B') == std::string::npos);
    CHECK(holds(list.out, "\\u001B]0;owned\\u0007 \\u202E"));
    const Told refused = run_toy({"run", "toy", "--set", "no\x1B[1mfield=1"});
    CHECK(refused.err.find('\x1B') == std::string::npos);
}

}  // namespace

}  // namespace emergence::cli
