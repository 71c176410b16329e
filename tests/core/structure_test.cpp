// The house's one-way rule, read off the include lines. The science: base -> tasks -> models -> algorithms -> measures
// -> training -> experiments, and optim beside tasks. A network that plays is one of the players, so algorithms see
// models. The laboratory, which knows no science: base -> {files, pictures}, files -> settings (they are read out of
// pictures and archives), all of them -> lab -> experiments. app sees the laboratory and the registry; app/python all
// of core.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace fs = std::filesystem;

namespace {

const std::map<std::string, std::set<std::string>> kMaySee = {
    {"first", {}},
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
    {"lessons", {"base", "files", "settings", "pictures", "lab"}},
    {"experiments",
     {"base", "tasks", "optim", "models", "algorithms", "measures", "training", "files", "settings", "pictures",
      "lab"}},
};

// The rooms of the window: shell -> widgets -> session -> commands -> exports -> the others, which are peers: they
// reach each other by asking (commands/asks.h). What lies in app/gui itself puts them together.
const std::map<std::string, std::set<std::string>> kRoomMaySee = {
    {"shell", {}},
    {"widgets", {"shell"}},
    {"session", {"shell", "widgets"}},
    {"commands", {"shell", "widgets", "session"}},
    {"exports", {"shell", "widgets", "session", "commands"}},
    {"runs", {"shell", "widgets", "session", "commands", "exports"}},
    {"sweeps", {"shell", "widgets", "session", "commands"}},
    {"panels", {"shell", "widgets", "session", "commands"}},
    {"lessons", {"shell", "widgets", "session", "commands"}},
    {"dialogs", {"shell", "widgets", "session", "commands", "exports"}},
    // Those of experiment td, the only one that has folders of its own.
    {"settings", {}},
    {"seed", {"settings"}},
    {"pictures", {"settings", "seed"}},
};

// A file of two rooms of one house, which ends with "/". What lies in the house itself sees all its rooms.
std::string room_fault(const std::string& house, const std::string& file, const std::string& target) {
    if (!file.starts_with(house) || !target.starts_with(house)) return "";
    const auto room_of = [&](const std::string& path) {
        const size_t end = path.find('/', house.size());
        return end == std::string::npos ? "" : path.substr(house.size(), end - house.size());
    };
    const std::string from = room_of(file), to = room_of(target);
    if (from.empty() || from == to || kRoomMaySee.at(from).count(to) != 0) return "";
    return house + from + " does not see " + house + to;
}

// What is wrong with `file` (relative to the root) including `target`, "" where nothing is.
std::string fault(const std::string& file, const std::string& target) {
    static const std::regex foreign("(imgui.*|backends/.*|GLFW/.*|GL/.*|cairo.*)");
    const bool in_core = file.rfind("core/", 0) == 0;
    if (in_core && std::regex_match(target, foreign)) return "core knows no window and no Cairo";
    if (in_core && target.rfind("app/", 0) == 0) return "core does not see app";
    if (file.rfind("app/cli/", 0) == 0 && (std::regex_match(target, foreign) || target.rfind("app/gui/", 0) == 0))
        return "the command line links no GUI library";
    for (const char* house : {"app/gui/", "core/experiments/in_context_td/"})
        if (const std::string wrong = room_fault(house, file, target); !wrong.empty()) return wrong;
    // The page of a browser is the same window on another ground.
    const bool page = file.rfind("app/web/", 0) == 0;
    if (!page && file.rfind("app/", 0) == 0 && file.rfind("app/gui/", 0) != 0 && target.rfind("app/gui/", 0) == 0)
        return "only the window sees app/gui";
    if (file.rfind("app/handbook/", 0) == 0 && target.rfind("app/", 0) == 0 && target.rfind("app/handbook/", 0) != 0)
        return "the handbook sees no other room of app";
    if (target.rfind("core/", 0) != 0) {
        static const std::regex window("app/gui/shell/(key_press|window.*)\\.(h|cpp)");
        // GLFW also names the keys that the table of shortcuts binds.
        const bool keys = target == "GLFW/glfw3.h" && file == "app/gui/workbench_commands.cpp";
        static const std::regex gl("(GLFW/.*|GL/.*|backends/.*)");
        if (std::regex_match(target, gl) && !std::regex_match(file, window) && !keys && !page)
            return "only the window touches GL";
        return "";
    }
    const std::string to = target.substr(5, target.find('/', 5) - 5);
    if (!in_core) {
        // It hands the library itself to those who write programs with it.
        if (file.rfind("app/python/", 0) == 0) return "";
        static const std::set<std::string> seen = {"base", "files", "settings", "pictures", "lab", "lessons"};
        // The published code's runs and figure files are opened.
        static const std::regex also(
            "core/(experiments/registry|experiments/identify|experiments/figure_file|experiments/in_context_td/settings/published_run)\\.h");
        return seen.count(to) != 0 || std::regex_match(target, also) ? "" : "app sees the laboratory and the registry";
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
                INFO(name, ", ", match[1].str());
                CHECK(fault(name, match[1].str()) == "");
            }
        }
    CHECK(files > 50);
}

namespace {

// Lines of the sources below `top` that `wrong` finds, as "FILE:LINE".
std::vector<std::string> lines_with(const std::vector<std::string>& tops, const std::regex& wrong) {
    const fs::path root = emergence::testing::source_dir();
    std::vector<std::string> found;
    for (const std::string& top : tops)
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            std::ifstream in(entry.path());
            int number = 0;
            for (std::string line; std::getline(in, line);) {
                ++number;
                const std::string code = line.substr(0, line.find("//"));
                if (std::regex_search(code, wrong))
                    found.push_back(fs::relative(entry.path(), root).generic_string() + ":" + std::to_string(number));
            }
        }
    return found;
}

const std::regex kLosesNan("std::(max|min|fmax|fmin|minmax)\\s*[(<]|[^_]f(max|min)\\(");
// But Mat's keep it.
const std::regex kLosesNanOfEigen("\\b(eigen\\(|Eigen::).*(max|min)Coeff\\(\\)");
const std::regex kEigen("\\bEigen::|<Eigen/|base/eigen\\.h");
const std::regex kLists("\\bdirectory_iterator\\b|\\brecursive_directory_iterator\\b");
const std::regex kAsksLocale("\\b(strto[df]|strtold|sto[df]|stold|atof|setlocale)\\s*\\(");

}  // namespace

TEST_CASE("the sciences take larger() and smaller(), which keep NaN: std::max loses a start that diverged") {
    CHECK(lines_with({"core/measures", "core/experiments", "core/training", "tests/claims"}, kLosesNan) ==
          std::vector<std::string>());
    CHECK(lines_with({"core/measures", "core/experiments", "core/training", "tests/claims"}, kLosesNanOfEigen) ==
          std::vector<std::string>());
    CHECK(std::regex_search(std::string("x = std::max(x, y);"), kLosesNan));
    CHECK(std::regex_search(std::string("eigen(x).cwiseAbs().maxCoeff()"), kLosesNanOfEigen));
}

TEST_CASE("Eigen stays behind Mat: a source that sees it takes longer to compile") {
    const std::regex may_see(
        "core/(base/(eigen.h|matrix.cpp|linear_algebra.cpp)|algorithms/policy_agent.(h|cpp)|"
        "models/(attention_naive.h|softmax_td.cpp)|optim/descent.cpp|measures/network_evaluator.cpp|"
        "training/teacher_mimicking.cpp|experiments/policy_improvement/driven_mdp.cpp):.*");
    std::vector<std::string> found = lines_with({"core", "app"}, kEigen);
    std::erase_if(found, [&](const std::string& line) { return std::regex_match(line, may_see); });
    CHECK(found == std::vector<std::string>());
    CHECK(std::regex_search(std::string("const Eigen::VectorXd x = eigen(y);"), kEigen));
    CHECK(std::regex_search(std::string("#include \"core/base/eigen.h\""), kEigen));
}

TEST_CASE("folders are listed in one place: a listing whose error is dropped is half a list") {
    std::vector<std::string> found = lines_with({"core", "app"}, kLists);
    std::erase_if(found, [](const std::string& line) {
        return line.starts_with("core/files/folders.cpp:") || line.starts_with("app/web/");  // a browser's own memory
    });
    CHECK(found == std::vector<std::string>());
    CHECK(std::regex_search(std::string("for (const auto& e : fs::directory_iterator(x, ignored))"), kLists));
}

TEST_CASE("a command that claims a folder locks it") {
    for (const auto& entry : fs::directory_iterator(emergence::testing::source_dir() / "app/cli")) {
        if (!entry.path().string().ends_with("_command.cpp")) continue;
        std::stringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        const auto has = [&](const char* call) { return emergence::testing::holds(text.str(), call); };
        CHECK_MESSAGE((!has("claim_folder(") || has("enter_folder(")), entry.path().string());
        CHECK_MESSAGE((!has("write_file(") || has("begin_in(") || has("enter_folder(")), entry.path().string());
    }
}

TEST_CASE("numbers are read the same in any locale") {
    CHECK(lines_with({"core", "app"}, kAsksLocale) == std::vector<std::string>());
    CHECK(std::regex_search(std::string("std::stod(text)"), kAsksLocale));
}

TEST_CASE("a file that a comment or a page of a folder names is there") {
    const fs::path root = emergence::testing::source_dir();
    std::set<std::string> names = {"mpi.h"};
    for (const char* top : {"core", "app", "tests", "third_party"})
        for (const auto& entry : fs::recursive_directory_iterator(root / top))
            names.insert(entry.path().filename().string());
    const std::regex named("\\b([A-Za-z0-9]\\w*\\.(h|cpp|hpp))\\b");
    std::set<std::string> gone;
    for (const char* top : {"core", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension().string();
            const bool page = extension == ".md";
            if (extension != ".h" && extension != ".cpp" && !page) continue;
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);) {
                const size_t comment = page ? 0 : line.find("// ");
                if (comment == std::string::npos) continue;
                const std::string words = line.substr(comment);
                for (std::sregex_iterator at(words.begin(), words.end(), named), end; at != end; ++at)
                    if (names.count((*at)[1].str()) == 0)
                        gone.insert(fs::relative(entry.path(), root).generic_string() + ": " + (*at)[1].str());
            }
        }
    for (const std::string& name : gone) FAIL_CHECK(name << " is not there");
}
