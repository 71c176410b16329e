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
const std::map<std::string, int> kCeilings = {{"app/cli", 3369},
                                              {"app/export", 2005},
                                              {"app/gui", 1697},
                                              {"app/gui/commands", 592},
                                              {"app/gui/dialogs", 816},
                                              {"app/gui/exports", 709},
                                              {"app/gui/lessons", 744},
                                              {"app/gui/panels", 3312},
                                              {"app/gui/runs", 1251},
                                              {"app/gui/session", 1071},
                                              {"app/gui/shell", 1932},
                                              {"app/gui/sweeps", 737},
                                              {"app/gui/widgets", 3177},
                                              {"app/handbook", 1251},
                                              {"app/install", 112},
                                              {"app/lessons", 559},
                                              {"app/open", 549},
                                              {"app/process", 89},
                                              {"app/python", 957},
                                              {"app/web", 543},
                                              {"core/algorithms", 872},
                                              {"core/base", 1144},
                                              {"core/experiments", 1312},
                                              {"core/experiments/bandits", 1786},
                                              {"core/experiments/in_context_td", 4436},
                                              {"core/experiments/policy_improvement", 1133},
                                              {"core/experiments/regression", 797},
                                              {"core/experiments/softmax_td", 1145},
                                              {"core/files", 1591},
                                              {"core/first", 170},
                                              {"core/lab", 6921},
                                              {"core/lessons", 697},
                                              {"core/measures", 3503},
                                              {"core/models", 3304},
                                              {"core/optim", 318},
                                              {"core/pictures", 3555},
                                              {"core/settings", 877},
                                              {"core/tasks", 1191},
                                              {"core/training", 1458}};

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
