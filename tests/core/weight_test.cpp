// The house stays light: no room outgrows its ceiling in lines of code.
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
const std::map<std::string, int> kCeilings = {{"app/cli", 3048},
                                              {"app/export", 1995},
                                              {"app/gui", 1617},
                                              {"app/gui/commands", 470},
                                              {"app/gui/dialogs", 695},
                                              {"app/gui/exports", 661},
                                              {"app/gui/lessons", 741},
                                              {"app/gui/panels", 3200},
                                              {"app/gui/runs", 1147},
                                              {"app/gui/session", 1005},
                                              {"app/gui/shell", 1896},
                                              {"app/gui/sweeps", 686},
                                              {"app/gui/widgets", 2845},
                                              {"app/handbook", 716},
                                              {"app/install", 82},
                                              {"app/lessons", 548},
                                              {"app/open", 481},
                                              {"app/process", 88},
                                              {"app/python", 934},
                                              {"app/web", 539},
                                              {"core/algorithms", 898},
                                              {"core/base", 1502},
                                              {"core/experiments", 1243},
                                              {"core/experiments/bandits", 1642},
                                              {"core/experiments/in_context_td", 3865},
                                              {"core/experiments/matrices", 255},
                                              {"core/experiments/policy_improvement", 1042},
                                              {"core/experiments/regression", 673},
                                              {"core/experiments/softmax_td", 1017},
                                              {"core/files", 1384},
                                              {"core/first", 170},
                                              {"core/lab", 6035},
                                              {"core/lessons", 638},
                                              {"core/measures", 3054},
                                              {"core/models", 2893},
                                              {"core/optim", 306},
                                              {"core/pictures", 3284},
                                              {"core/settings", 828},
                                              {"core/tasks", 935},
                                              {"core/training", 1292}};

// Neither blank nor a comment, lone braces, an include, or the frame of a namespace.
bool is_code(const std::string& line) {
    static const std::regex other(
        R"(\s*(//.*|[{}();,]*|#(include|pragma once).*|namespace [a-z_:]* *\{|\} *// namespace.*)?\s*)");
    return !std::regex_match(line, other);
}

// The folder in app or core; of the window and of the experiments the folder below.
std::string weighed_room(const fs::path& file) {
    const fs::path folder = file.parent_path();
    size_t depth = 0, most = 2;
    fs::path room;
    for (auto part = folder.begin(); part != folder.end() && depth < most; ++part, ++depth) {
        room /= *part;
        if (room == "app/gui" || room == "core/experiments") most = 3;
    }
    return room.generic_string();
}

}  // namespace

TEST_CASE("no source uses what the page's compiler lacks") {
    static const std::regex lacking(R"(std::(ranges|views|format|source_location|atomic_ref)\b)");
    for (const char* top : {"app", "core"})
        for (const auto& entry : fs::recursive_directory_iterator(emergence::testing::source_dir() / top)) {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);)
                CHECK_MESSAGE((!is_code(line) || !std::regex_search(line, lacking)), entry.path().string()
                                                                                         << ": " << line);
        }
}

TEST_CASE("no room outgrows its ceiling in lines of code") {
    std::map<std::string, int> weights;
    for (const char* top : {"app", "core"})
        for (const auto& entry : fs::recursive_directory_iterator(emergence::testing::source_dir() / top)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            int& weight = weights[weighed_room(fs::relative(entry.path(), emergence::testing::source_dir()))];
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);) weight += is_code(line);
        }
    for (const auto& [room, weight] : weights) {
        const auto ceiling = kCeilings.find(room);
        REQUIRE_MESSAGE(ceiling != kCeilings.end(), room << " has no ceiling. Add it to kCeilings");
        CHECK_MESSAGE(weight <= ceiling->second,
                      room << " has " << weight << " lines of code, its ceiling is " << ceiling->second
                           << ". Take something away, or raise it and say why in assets/handbook/lab/changes.md");
    }
}
