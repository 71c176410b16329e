// A figure file of the user's own, through the command line.
#include <doctest/doctest.h>

#include <tuple>

#include "core/files/atomic_write.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::cli::grid_figure_test {
namespace {

namespace fs = std::filesystem;
using namespace testing;
using Arguments = std::vector<std::string>;

const std::string kOwnFigure = R"(experiment = "td"
caption = "d = {d}."
[settings]
num_mrps = 4
bank_size = 16
log_interval = 1
seeds = 2
[[runs]]
label = "L = 1"
settings = {num_layers = 1}
[[runs]]
label = "L = 2"
settings = {num_layers = 2}
[[cells]]
matrix = "Q0"
[[cells]]
plot = "similarity"
title = "{run}"
)";

Told told(const Arguments& arguments) { return tell(arguments, experiments(), testing::source_dir() / "assets"); }

}  // namespace

TEST_CASE("a figure file trains its runs, and its folder is resumed and judged by its claims") {
    const Scratch scratch;
    const fs::path file = scratch / "depth.toml", out = scratch / "out";
    write_file(file, std::string_view(kOwnFigure + R"toml([claims.depth-q]
statement = "Q is finite"
source = "ours"
quantity = "largest norm of Q0"
at_most = 1000
value = "run 'L = 2': greatest(norm Q0)"
)toml"));
    const Told made = check_done(told({"figure", file.string(), "--out", out.string(), "--threads", "1"}));
    CHECK(holds(made.out, "depth-q"));
    const std::string svg = slurp(out / "depth.svg");
    for (const char* text : {">Q0, L = 1<", ">L = 2<", "d = 4."}) CHECK_MESSAGE(holds(svg, text), text);
    CHECK(holds(slurp(out / "depth.csv"), "Q0_1"));
    CHECK(holds(slurp(out / "config.toml"), "figure = \"depth\""));
    fs::remove(out / "depth.svg");
    fs::remove(file);
    check_done(told({"resume", out.string()}));
    CHECK(slurp(out / "depth.svg") == svg);
    // What trains may not be edited in there; what is drawn may.
    const auto resumed_with = [&](const char* name, const std::string& from, const std::string& to) {
        const std::string before = slurp(out / name);
        std::string edited = before;
        const size_t at = edited.find(from);
        REQUIRE(at != std::string::npos);
        edited.replace(at, from.size(), to);
        write_file(out / name, std::string_view(edited));
        const Told again = told({"resume", out.string()});
        write_file(out / name, std::string_view(before));
        return again;
    };
    for (const auto& [name, from, to] : {std::tuple("config.toml", "bank_size = 16", "bank_size = 17"),
                                         std::tuple("figure.toml", "bank_size = 16", "bank_size = 17"),
                                         std::tuple("figure.toml", "num_layers = 2", "num_layers = 3")}) {
        check_refused(resumed_with(name, from, to), "toml was edited");
    }
    CHECK(resumed_with("figure.toml", "d = {d}.", "Of {d} features.").code == kDone);
    CHECK(holds(slurp(out / "depth.svg"), "Of 4 features."));
}

TEST_CASE("a figure file draws runs that were saved, those that it names and those of the command line") {
    const Scratch scratch;
    const Arguments small = {"--set", "num_mrps=4", "bank_size=16", "log_interval=1", "--seeds", "2"};
    for (const char* name : {"one", "two"}) {
        Arguments run = with_words({"run", "td", "--out", (scratch / name).string(), "--threads", "1"}, small);
        run.push_back("--set");
        run.push_back(std::string(name) == "one" ? "n=10" : "n=20");
        CHECK(told(run).code == kDone);
    }
    const fs::path file = scratch / "own.toml";
    write_file(file, std::string_view("experiment = \"td\"\n[[runs]]\nfolder = \"one\"\n[[cells]]\nmatrix = \"P0\"\n"
                                      "title = \"{run}\"\n"));
    check_done(told({"figure", file.string(), "--out", (scratch / "a").string()}));
    CHECK(holds(slurp(scratch / "a/own.svg"), ">one<"));
    check_done(told({"figure", file.string(), (scratch / "two").string(), (scratch / "one").string(), "--out",
                     (scratch / "b").string()}));
    for (const char* text : {">one<", ">two<"}) CHECK(holds(slurp(scratch / "b/own.svg"), text));
    CHECK(holds(slurp(scratch / "b/config.toml"), "one: n = 10"));
}

TEST_CASE("what is wrong in a figure file is told before anything trains, with file and line") {
    const Scratch scratch;
    const auto refused = [&](const std::string& text, const std::string& expected) {
        const fs::path file = scratch / "own.toml";
        write_file(file, std::string_view(text));
        check_refused(told({"figure", file.string(), "--out", (scratch / "out").string()}), expected);
        CHECK_FALSE(fs::exists(scratch / "out"));
    };
    const std::string cell = "[[cells]]\nmatrix = \"P0\"\n";
    refused(cell, "own.toml: experiment: is missing");
    refused("experiment = \"tt\"\n" + cell, "unknown experiment 'tt'");
    refused("experiment = \"td\"\n[settings]\nnum_layer = 1\n" + cell, "own.toml:3");
    refused("experiment = \"td\"\n[[runs]]\nsettings = {num_layers = 99}\n" + cell, "own.toml:3");
    refused("experiment = \"td\"\n[[cells]]\nplot = \"losses\"\n", "own.toml:2: unknown plot 'losses'");
    refused("experiment = \"td\"\n[[runs]]\nfolder = \"none\"\n" + cell, "none: is not the folder of a run");
    refused("experiment = \"td\"\nfigure = \"wang-2\"\n" + cell, "a shipped figure is already called 'wang-2'");
}

TEST_CASE("what a figure cannot draw is told before it trains, with the file or the setting") {
    const testing::Scratch scratch;
    const std::string out = (scratch / "out").string();
    const Told lacks = told({"figure", "wang-7", "--set", "num_layers=2", "--out", out});
    CHECK(lacks.code == kBadInput);
    CHECK_MESSAGE(holds(lacks.err, "figure wang-7: cannot be drawn with these settings: "), lacks.err);
    CHECK_MESSAGE(holds(lacks.err, "matrix '"), lacks.err);
    check_refused(told({"figure", "wang-2", "--set", "model=rnn", "--out", out}),
                  "cannot be drawn with these settings: Figure ");
    check_refused(told({"figure", "wang-2", "--dpi", "1200", "--out", out}),
                  "figure wang-2: 12 x 7 inches at 1200 dots");
    const std::string file = (scratch / "poster.toml").string();
    testing::spit(file, "experiment = \"td\"\n[[cells]]\nplot = \"similarity\"\n[page]\ncell = [199, 199]\n");
    check_refused(told({"figure", file, "--out", out}), "poster.toml: page (size, or cell): 199 x");
    CHECK_FALSE(std::filesystem::exists(out));
}

}  // namespace emergence::cli::grid_figure_test
