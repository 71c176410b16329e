// A name in an anonymous namespace stands in only one file of its library. Joined builds compile many files as one: two
// functions of one name would then be redefined, or worse, become overloads of which another is called than the file
// means. Namespaces are not indented here, so every declaration in one begins a line.
#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
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

struct Declared {
    std::string name;
    int line = 0;
};

// The names that a line declares, of several variables all.
std::vector<std::string> declared_by(const std::string& line) {
    static const std::regex none(R"((template|namespace|static_assert|TEST_CASE|using \w+::|using namespace)\b.*)");
    static const std::regex type(
        R"((struct|class|enum|enum class|union|using(?=.* = )) (\w+)( final)?( ?:.*| =.*| \{.*|;.*)?)");
    static const std::regex other(R"((\[\[\w+\]\] )?[A-Za-z_].*?[ &*>](\w+)(\[\w*\])?( =.*|\(.*|\{.*|;.*))");
    static const std::regex below_its_type(R"((\w+)\(.*)");
    static const std::regex next(R"(, (\w+)( = |\{|\[))");
    std::smatch found;
    if (std::regex_match(line, none)) return {};
    if (std::regex_match(line, found, type)) return {found[2]};
    if (!std::regex_match(line, found, other))
        return std::regex_match(line, found, below_its_type) ? std::vector<std::string>{found[1]}
                                                             : std::vector<std::string>{};
    std::vector<std::string> names;
    if (found[2] != "operator") names.push_back(found[2]);
    if (line.starts_with("const"))
        for (std::sregex_iterator more(line.begin(), line.end(), next); more != std::sregex_iterator(); ++more)
            names.push_back((*more)[1]);
    return names;
}

std::vector<Declared> anonymous_names(const std::string& source) {
    static const std::regex raw_text(R"(\bR"(\w*)\()");
    std::vector<Declared> names;
    std::istringstream lines(source);
    bool inside = false;
    int number = 0;
    std::string raw_end;  // of a raw text that is open
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (!raw_end.empty()) {
            if (testing::holds(line, raw_end)) raw_end.clear();
            continue;
        }
        if (line == "namespace {" || line == "}  // namespace") inside = line.front() == 'n';
        if (inside && !line.empty() && (std::isalpha(line[0]) != 0 || line[0] == '['))
            for (const std::string& name : declared_by(line)) names.push_back({name, number});
        if (std::smatch raw; testing::holds(line, "R\"") && std::regex_search(line, raw, raw_text)) {
            const std::string end = ")" + raw[1].str() + "\"";
            if (!testing::holds(raw.suffix().str(), end)) raw_end = end;
        }
    }
    return names;
}

// Which files may be compiled as one: those of a library. "" for what is always compiled by itself.
std::string library_of(const std::string& file) {
    const auto in = [&file](std::string_view folder) { return file.starts_with(folder); };
    if (in("core/")) return file.ends_with("_kernels.cpp") ? "core's lane kernels" : "core";
    for (const char* app :
         {"app/gui", "app/open", "app/export", "app/cli", "app/handbook", "app/install", "app/python"})
        if (in(std::string(app) + "/")) return app;
    if (in("tests/app/gui/") || in("tests/fuzz/window_")) return "the window's tests";
    return in("tests/bench/") ? "" : "tests";
}

// What is wrong with these sources, a line for each name and file.
std::set<std::string> clashes(const std::map<std::string, std::string>& sources) {
    std::map<std::pair<std::string, std::string>, std::map<std::string, int>> places;  // library, name; file, line
    for (const auto& [file, source] : sources)
        for (const Declared& declared : anonymous_names(source))
            places[{library_of(file), declared.name}].emplace(file, declared.line);
    std::set<std::string> found;
    for (const auto& [of, files] : places)
        for (const auto& [file, line] : files)
            if (files.size() > 1 && !of.first.empty()) {
                const std::string& other = files.begin()->first == file ? files.rbegin()->first : files.begin()->first;
                found.insert(file + ":" + std::to_string(line) + ": " + of.second +
                             " is also in the anonymous namespace of " + other +
                             ". Rename one, or move the shared code to one place.");
            }
    return found;
}

}  // namespace

TEST_CASE("a name in an anonymous namespace stands in only one file of its library") {
    const fs::path root = emergence::testing::source_dir();
    std::map<std::string, std::string> sources;
    for (const char* top : {"core", "app", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(root / top))
            if (entry.path().extension() == ".cpp")
                sources[fs::relative(entry.path(), root).generic_string()] = emergence::testing::slurp(entry.path());
    CHECK(sources.size() > 400);
    size_t names = 0;
    for (const auto& [file, source] : sources) names += anonymous_names(source).size();
    CHECK(names > 1500);
    for (const std::string& clash : clashes(sources)) FAIL_CHECK(clash);
}
