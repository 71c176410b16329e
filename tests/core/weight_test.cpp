// Core stays light: no room outgrows its ceiling in lines of code.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "tests/support/places.h"

namespace fs = std::filesystem;

namespace {

// Lower a number when a room has shrunk. To raise one, say in assets/handbook/lab/changes.md what was worth it.
const std::map<std::string, int> kCeilings = {{"algorithms", 912},
                                              {"base", 1322},
                                              {"experiments", 1346},
                                              {"experiments/bandits", 2059},
                                              {"experiments/in_context_td", 4988},
                                              {"experiments/policy_improvement", 1315},
                                              {"experiments/regression", 946},
                                              {"experiments/softmax_td", 1539},
                                              {"files", 1810},
                                              {"first", 170},
                                              {"lab", 7465},
                                              {"lessons", 746},
                                              {"measures", 3553},
                                              {"models", 3737},
                                              {"optim", 324},
                                              {"pictures", 3811},
                                              {"settings", 915},
                                              {"tasks", 1202},
                                              {"training", 1549}};

// Neither blank nor a comment, lone braces, an include, or the frame of a namespace.
bool is_code(const std::string& line) {
    static const std::regex other(
        R"(\s*(//.*|[{}();,]*|#(include|pragma once).*|namespace [a-z_:]* *\{|\} *// namespace.*)?\s*)");
    return !std::regex_match(line, other);
}

// The folder below core, of a paper's experiments with the paper's.
std::string weighed_room(const fs::path& file) {
    const fs::path folder = file.parent_path();
    auto part = folder.begin();
    std::string room = part->string();
    if (room == "experiments" && ++part != folder.end()) room += "/" + part->string();
    return room;
}

}  // namespace

TEST_CASE("no room of core outgrows its ceiling in lines of code") {
    const fs::path core = emergence::testing::source_dir() / "core";
    std::map<std::string, int> weights;
    for (const auto& entry : fs::recursive_directory_iterator(core)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h" && extension != ".cpp") continue;
        int& weight = weights[weighed_room(fs::relative(entry.path(), core))];
        std::ifstream in(entry.path());
        for (std::string line; std::getline(in, line);) weight += is_code(line);
    }
    for (const auto& [room, weight] : weights) {
        const auto ceiling = kCeilings.find(room);
        REQUIRE_MESSAGE(ceiling != kCeilings.end(), "core/" << room << " has no ceiling. Add it to kCeilings");
        CHECK_MESSAGE(weight <= ceiling->second,
                      "core/" << room << " has " << weight << " lines of code, its ceiling is " << ceiling->second
                              << ". Take something away, or raise it and say why in assets/handbook/lab/changes.md");
    }
}
