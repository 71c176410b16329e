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
const std::map<std::string, int> kCeilings = {{"app/cli", 3538},
                                              {"app/export", 2039},
                                              {"app/gui", 1712},
                                              {"app/gui/commands", 606},
                                              {"app/gui/dialogs", 866},
                                              {"app/gui/exports", 722},
                                              {"app/gui/lessons", 762},
                                              {"app/gui/panels", 3320},
                                              {"app/gui/runs", 1306},
                                              {"app/gui/session", 1071},
                                              {"app/gui/shell", 1960},
                                              {"app/gui/sweeps", 864},
                                              {"app/gui/widgets", 3112},
                                              {"app/handbook", 1291},
                                              {"app/install", 115},
                                              {"app/lessons", 567},
                                              {"app/open", 554},
                                              {"app/process", 89},
                                              {"app/python", 912},
                                              {"app/web", 570},
                                              {"core/algorithms", 911},
                                              {"core/base", 1221},
                                              {"core/experiments", 1359},
                                              {"core/experiments/bandits", 1919},
                                              {"core/experiments/in_context_td", 4698},
                                              {"core/experiments/policy_improvement", 1251},
                                              {"core/experiments/regression", 904},
                                              {"core/experiments/softmax_td", 1448},
                                              {"core/files", 1733},
                                              {"core/first", 170},
                                              {"core/lab", 7206},
                                              {"core/lessons", 724},
                                              {"core/measures", 3348},
                                              {"core/models", 3592},
                                              {"core/optim", 324},
                                              {"core/pictures", 3636},
                                              {"core/settings", 892},
                                              {"core/tasks", 1194},
                                              {"core/training", 1492}};

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
