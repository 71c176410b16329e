// The house's one-way rule, read off the include lines. The science: base -> tasks -> models -> algorithms -> measures ->
// training -> experiments, and optim beside tasks. A network that plays is one of the players, so algorithms see models.
// The laboratory, which knows no science: base -> {files, pictures}, files -> settings (they are read out of pictures
// and archives), all of them -> lab -> experiments. app sees the laboratory and the registry.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/support/places.h"

namespace fs = std::filesystem;

namespace {

const std::map<std::string, std::set<std::string>> kMaySee = {
    {"base", {}},
    {"tasks", {"base"}},
    {"optim", {"base"}},
    {"models", {"base", "tasks"}},
    {"algorithms", {"base", "tasks", "models", "optim"}},
    {"measures", {"base", "tasks", "optim", "models", "algorithms"}},
    {"training", {"base", "tasks", "optim", "models", "algorithms", "measures"}},
    {"files", {"base"}},
    {"settings", {"base", "files"}},
    {"pictures", {"base"}},
    {"lab", {"base", "files", "settings", "pictures"}},
    {"experiments",
     {"base", "tasks", "optim", "models", "algorithms", "measures", "training", "files", "settings",
      "pictures", "lab"}},
};

// What is wrong with `file` (relative to the root) including `target`, "" where nothing is.
std::string fault(const std::string& file, const std::string& target) {
    static const std::regex foreign("(imgui.*|backends/.*|GLFW/.*|GL/.*|cairo.*)");
    const bool in_core = file.rfind("core/", 0) == 0;
    if (in_core && std::regex_match(target, foreign)) return "core knows no window and no Cairo";
    if (in_core && target.rfind("app/", 0) == 0) return "core does not see app";
    if (file.rfind("app/cli/", 0) == 0 &&
        (std::regex_match(target, foreign) || target.rfind("app/gui/", 0) == 0))
        return "the command line links no GUI library";
    if (target.rfind("core/", 0) != 0) {
        static const std::regex window("app/gui/(main|shell/(theme|window.*)|widgets/heatmap.*)\\.(h|cpp)");
        // GLFW also names the keys that the table of shortcuts binds.
        const bool keys = target == "GLFW/glfw3.h" && file == "app/gui/commands/shortcuts.cpp";
        static const std::regex gl("(GLFW/.*|GL/.*|backends/.*)");
        if (std::regex_match(target, gl) && !std::regex_match(file, window) && !keys)
            return "only window, theme and heatmap touch GL";
        return "";
    }
    const std::string to = target.substr(5, target.find('/', 5) - 5);
    if (!in_core) {
        static const std::set<std::string> seen = {"base", "files", "settings", "pictures", "lab"};
        // The published code's runs are read and written as such; `value` evaluates prompts from a file.
        static const std::regex also(
            "core/(experiments/registry|experiments/in_context_td/published_\\w+|models/evaluate_prompts)\\.h");
        return seen.count(to) != 0 || std::regex_match(target, also)
                   ? ""
                   : "app sees the laboratory and the registry";
    }
    const std::string from = file.substr(5, file.find('/', 5) - 5);
    return from == to || kMaySee.at(from).count(to) != 0 ? "" : from + " does not see " + to;
}

}  // namespace

TEST_CASE("includes run one way") {
    const fs::path root = emergence::testing::source_dir();
    const std::regex include("\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"].*");
    int files = 0;
    for (const char* top : {"core", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            ++files;
            const std::string name = fs::relative(entry.path(), root).generic_string();
            std::ifstream in(entry.path());
            std::smatch match;
            for (std::string line; std::getline(in, line);) {
                if (!std::regex_match(line, match, include)) continue;
                CAPTURE(name);
                CAPTURE(match[1].str());
                CHECK(fault(name, match[1].str()) == "");
            }
        }
    CHECK(files > 50);
}

TEST_CASE("the rule itself catches what it is for") {
    CHECK(fault("core/tasks/mrp.cpp", "core/models/constructions.h") != "");
    CHECK(fault("core/models/a.cpp", "core/algorithms/batch_td.h") != "");
    CHECK(fault("core/lab/run.cpp", "core/training/multi_task_td.h") != "");
    CHECK(fault("core/base/types.h", "imgui.h") != "");
    CHECK(fault("app/gui/panels/status.cpp", "core/experiments/in_context_td/td.h") != "");
    CHECK(fault("app/cli/main.cpp", "app/gui/shell/window.h") != "");
    CHECK(fault("app/gui/panels/status.cpp", "GLFW/glfw3.h") != "");
    CHECK(fault("core/training/multi_task_td.cpp", "core/tasks/boyan_chain.h") == "");
}
