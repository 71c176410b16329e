#include "app/install/completion.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

Completion completed(const std::vector<std::string>& words) {
    return complete(cli::command_words(), words, {experiments(), [] { return testing::source_dir() / "assets"; }});
}

std::vector<std::string> texts(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const Candidate& candidate : completed(words).candidates) all.push_back(candidate.text);
    return all;
}

bool has(const std::vector<std::string>& all, const std::string& text) {
    return std::find(all.begin(), all.end(), text) != all.end();
}

TEST_CASE("commands and options are those of the command line") {
    CHECK(texts({"res"}) == std::vector<std::string>{"resume"});
    CHECK(texts({"sweep", "x", "--"}) ==
          std::vector<std::string>{"--help",         "--set",  "--preset",  "--score",   "--seeds",
                                   "--save-weights", "--x",    "--y",       "--at",      "--force",
                                   "--dry-run",      "--out",  "--threads", "--width",   "--dpi",
                                   "--no-caption",   "--json", "--cite",    "--version", "--quiet"});
    CHECK(texts({"help", "res"}) == std::vector<std::string>{"resume"});
    CHECK(texts({"run", "td", "--thr"}) == std::vector<std::string>{"--threads"});
    CHECK(has(texts({"run", "td", ""}), "--preset"));  // nothing else can follow
    CHECK(texts({"nonsense", "--x", "y", "z"}).empty());
    CHECK(texts({}).size() > 10);
}

TEST_CASE("experiments, figures, presets, claims, papers and sweeps are named") {
    CHECK(texts({"run", "softmax-t"}) == std::vector<std::string>{"softmax-td"});
    CHECK(has(texts({"figure", ""}), "wang-1"));
    CHECK(has(texts({"figure", ""}), "all"));
    CHECK(texts({"run", "--preset", "wang-2", "td"}) == std::vector<std::string>{"td"});
    CHECK(has(texts({"run", "td", "--preset", ""}), "wang-2"));
    CHECK_FALSE(has(texts({"run", "td", "--preset", ""}), "bandit-low"));
    CHECK(has(texts({"run", "--preset=bandit-"}), "--preset=bandit-low"));
    CHECK(has(texts({"verify", "theorem-1", "theorem-"}), "theorem-2"));
    CHECK(texts({"reproduce", "band"}) == std::vector<std::string>{"bandits"});
    CHECK(has(texts({"sweep", "td-"}), "td-depth-and-length"));
    CHECK(texts({"handbook", "wind"}) == std::vector<std::string>{"window"});
    CHECK(texts({"info", "basin"}) == std::vector<std::string>{"basins"});  // experiment, figure and preset
    CHECK(has(texts({"info", ""}), "opening"));
    CHECK(texts({"completion", ""}) == std::vector<std::string>{"bash", "fish", "zsh"});
}

TEST_CASE("files and folders are left to the shell") {
    CHECK(completed({"run", ""}).files);
    CHECK(completed({"run", "td", "--config", ""}).files);
    CHECK(completed({"run", "td", "--weights=x"}).files);
    CHECK(completed({"resume", ""}).folders);
    CHECK_FALSE(completed({"resume", ""}).files);
    CHECK_FALSE(completed({"run", "td", "--threads", ""}).files);
}

TEST_CASE("fields are those of the experiment that the line names") {
    CHECK(texts({"run", "td", "--set", "num_layers="}) == std::vector<std::string>{"num_layers=3"});
    CHECK(texts({"run", "td", "--set", "model="}) ==
          std::vector<std::string>{"model=attention", "model=rnn", "model=two_heads"});
    CHECK(texts({"run", "td", "--set", "sequential="}) ==
          std::vector<std::string>{"sequential=false", "sequential=true"});
    CHECK(has(texts({"run", "td", "--set", "num_layers=2", "--set", ""}), "rnn_width="));
    CHECK(texts({"run", "td", "--set", "num_layers=2", "rnn_w"}) == std::vector<std::string>{"rnn_width="});
    CHECK(texts({"run", "td", "--set", "d=2", "gamma=0.5", "rnn_w"}) == std::vector<std::string>{"rnn_width="});
    CHECK_FALSE(has(texts({"run", "td", "--set", "num_layers=2", "--seeds", "3", ""}), "rnn_width="));
    CHECK_FALSE(has(texts({"run", "bandit-race", "--set", ""}), "rnn_width="));
    CHECK_FALSE(has(texts({"figure", "wang-1", "--set", ""}), "rnn_width="));
    CHECK(has(texts({"run", "--preset", "wang-2", "--set", ""}), "rnn_width="));
    CHECK(has(texts({"run", "--set", ""}), "rnn_width="));  // no experiment yet: all fields
    CHECK_FALSE(has(texts({"resume", "out", "--set", ""}), "num_layers="));
}

TEST_CASE("what a shell reads: the kind, then a word and its help per line") {
    Completion completion;
    completion.candidates = {{"a", "first\nline"}, {"b=", ""}};
    CHECK(printed(completion) == "words\na\tfirst line\nb=\n");
    completion.folders = true;
    CHECK(printed(completion).starts_with("folders\n"));
    completion.files = true;
    CHECK(printed(completion).starts_with("files\n"));
    CHECK(completion_script("bash").find("__complete") != std::string::npos);
    CHECK(testing::message_of<InputError>([] { completion_script("tcsh"); }).find("bash, fish or zsh") !=
          std::string::npos);
}

TEST_CASE("the scripts load in shells that nobody has set up") {
    const testing::Scratch scratch;
    for (const auto& [shell, start, check] :
         {std::tuple("bash", "bash --norc -c", "complete -p emergence-cli"),
          std::tuple("fish", "fish --no-config -c", "complete -C 'emergence-cli ' | string match -q '*'"),
          std::tuple("zsh", "zsh -fc", "[[ ${_comps[emergence-cli]} == _emergence ]]")}) {
        if (std::system(fmt::format("command -v {} >/dev/null", shell).c_str()) != 0) continue;
        const std::string file = (scratch / shell).string();
        testing::spit(file, completion_script(shell));
        for (const char* options : {":", "set -e", "set -u", "set -eu"}) {
            CAPTURE(shell);
            CAPTURE(options);
            CHECK(std::system(fmt::format("HOME={} {} '{}; source <(cat {}); {}' >{}.out 2>&1", scratch.path().string(),
                                          start, options, file, check, file)
                                  .c_str()) == 0);
            CHECK(testing::slurp(file + ".out").find("not found") == std::string::npos);
        }
    }
}

void check_values(const CommandWords& command, std::set<std::string>& unknown) {
    // What completion lists, or leaves to the shell; numbers and free texts.
    const std::set<std::string> known = {
        "EXPERIMENT", "FIGURE", "PRESET",       "SWEEP", "LESSON", "CLAIM", "PAPER", "DIR",  "FILE",
        "W.npz",      "Z.npz",  "FIELD=VALUE",  "K",     "T",      "S",     "L",     "NAME", "CHAPTER",
        "WORDS",      "N",      "WIDTHxHEIGHT", "Q",     "COMMAND"};
    for (const auto* options : {&command.options, &command.arguments})
        for (const OptionWords& option : *options) {
            if (!option.choices.empty()) continue;
            std::string rest = option.value;
            while (!rest.empty()) {
                const std::string part = rest.substr(0, rest.find('|'));
                if (!known.contains(part)) unknown.insert(command.name + " " + option.names.back() + " " + part);
                rest.erase(0, part.size() + 1);
            }
        }
    for (const CommandWords& inner : command.commands) check_values(inner, unknown);
}

TEST_CASE("every option says what it takes, in words that completion knows") {
    std::set<std::string> unknown;
    check_values(cli::command_words(), unknown);
    CHECK(unknown == std::set<std::string>{});
}

}  // namespace
}  // namespace emergence
