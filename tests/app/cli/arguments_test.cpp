#include "app/cli/arguments.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/base/version.h"
#include "tests/support/scratch.h"

namespace emergence::cli {
namespace {

std::string argument_refusal(const std::vector<std::string>& arguments) {
    const std::string message = testing::message_of<InputError>([&] { parse_arguments(arguments); });
    CHECK(!message.empty());
    CHECK(message.find('\n') == std::string::npos);
    return message;
}

TEST_CASE("run and figure take settings, seeds, threads and a folder") {
    const auto run =
        std::get<RunRequest>(parse_arguments({"run", "--set", "gamma=0.5", "td", "--set", "n=4", "--seeds",
                                              "3", "--threads", "2", "--out", "x", "--preset", "wang-2"}));
    CHECK(!run.is_figure);
    CHECK(run.name == "td");
    CHECK(run.changes == std::vector<std::string>{"gamma=0.5", "n=4"});
    CHECK(run.seeds == "3");
    CHECK(run.threads == 2);
    CHECK(run.out == "x");
    CHECK(run.preset == "wang-2");
    CHECK(!run.config);
    const auto figure = std::get<RunRequest>(parse_arguments({"figure", "wang-2"}));
    CHECK(figure.is_figure);
    CHECK(figure.name == "wang-2");
    CHECK(!figure.out);
    CHECK(!figure.threads);
}

TEST_CASE("several changes may follow one --set") {
    const auto run =
        std::get<RunRequest>(parse_arguments({"run", "--set", "gamma=0.5", "td", "--set", "n=4", "d=2",
                                              "bank_size=16", "--force", "--json", "--moments", "7"}));
    CHECK(run.name == "td");
    CHECK(run.changes == std::vector<std::string>{"gamma=0.5", "n=4", "d=2", "bank_size=16"});
    CHECK(run.existing == Existing::replace);
    CHECK(run.json);
    CHECK(run.moments == 7);
    CHECK_THROWS_AS(parse_arguments({"run", "td", "n=4"}), InputError);
    CHECK(std::get<RunRequest>(parse_arguments({"run", "td"})).existing == Existing::refuse);
}

TEST_CASE("value, info, verify and list") {
    const auto value =
        std::get<ValueRequest>(parse_arguments({"value", "--weights", "w", "--prompts", "z", "--layers", "3",
                                                "--activation", "identity", "--seed", "2"}));
    CHECK(value.weights == "w");
    CHECK(value.prompts == "z");
    CHECK(value.layers == 3);
    CHECK(value.seed == 2);
    CHECK(std::get<InfoRequest>(parse_arguments({"info", "td"})).name == "td");
    CHECK(std::get<InfoRequest>(parse_arguments({"info"})).name.empty());
    const auto verify = std::get<VerifyRequest>(parse_arguments({"verify", "theorem-1", "theorem-2"}));
    CHECK(verify.names == std::vector<std::string>{"theorem-1", "theorem-2"});
    CHECK_FALSE(verify.list);
    CHECK(std::get<VerifyRequest>(parse_arguments({"verify", "--list"})).list);
    CHECK(std::holds_alternative<ListRequest>(parse_arguments({"list"})));
    const auto networks = std::get<NetworksRequest>(parse_arguments(
        {"networks", "bandit-low", "--seeds", "2", "--set", "width=8", "batch=2", "--force"}));
    CHECK(networks.presets == std::vector<std::string>{"bandit-low"});
    CHECK(networks.seeds == 2);
    CHECK(networks.changes == std::vector<std::string>{"width=8", "batch=2"});
    CHECK(networks.existing == Existing::replace);
    CHECK(std::get<NetworksRequest>(parse_arguments({"networks"})).out == "out/networks");
}

TEST_CASE("version and help are texts") {
    CHECK(std::get<TextRequest>(parse_arguments({"--version"})).text ==
          "emergence " + version_with_commit() + "\n");
    CHECK(std::get<TextRequest>(parse_arguments({"--help"})).text.find("figure") != std::string::npos);
    CHECK(std::get<TextRequest>(parse_arguments({"run", "--help"})).text.find("--set") != std::string::npos);
}

TEST_CASE("what is wrong is named, on one line, with what is allowed") {
    CHECK(
        argument_refusal({}) ==
        "a command is needed, there are: list, info, run, figure, resume, value, verify, reproduce, "
        "networks, sweep, compare, read, structure, identify, describe, import, export, handbook, claims, lesson, film, man, completion");
    CHECK(
        argument_refusal({"train"}) ==
        "unknown command 'train', there are: list, info, run, figure, resume, value, verify, reproduce, "
        "networks, sweep, compare, read, structure, identify, describe, import, export, handbook, claims, lesson, film, man, completion");
    CHECK(argument_refusal({"run"}).find("experiment is required") == 0);
    CHECK(argument_refusal({"run", "td", "--fast"}).find("--fast") != std::string::npos);
    CHECK(argument_refusal({"run", "td", "--threads", "0"}) ==
          "--threads: '0' is not a whole number from 1 to 256");
    for (const auto& out : {std::vector<std::string>{"--out", "o\xE9"}, {"--out=o\xE9"}}) {
        std::vector<std::string> sweep = {"sweep", "s.toml"};
        sweep.insert(sweep.end(), out.begin(), out.end());
        CHECK(argument_refusal(sweep).find("o\\xE9' is not UTF-8. Choose another name") != std::string::npos);
    }
    CHECK(argument_refusal({"run", "td", "--threads", "2x"}).find("'2x' is not") != std::string::npos);
    CHECK(argument_refusal({"run", "td", "--preset", "a", "--config", "b"}).find("excludes") !=
          std::string::npos);
    CHECK(argument_refusal({"value", "--weights", "w", "--prompts", "z", "--layers", "-1"})
              .find("--layers: '-1' is not") == 0);
    CHECK(argument_refusal({"value", "--weights", "w", "--prompts", "z"}).find("--layers is required") == 0);
}

}  // namespace
}  // namespace emergence::cli
