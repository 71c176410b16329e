// A name in an anonymous namespace stands in only one file of its library. Joined builds compile many files
// as one: two functions of one name would then be redefined, or worse, become overloads of which another is
// called than the file means. The sources are read here without a compiler: namespaces, then the declarations
// inside of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace fs = std::filesystem;

namespace {

struct Token {
    std::string
        text;  // an identifier, "::", one other character; "0" for any number and "\"" for any literal
    int line = 0;
};

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_word(const std::string& text) { return begins_word(text.front()); }

// Comments, preprocessor lines, literals' contents and white space are left out.
class SourceReader {
  public:
    explicit SourceReader(std::string_view source) : source_(source) {}

    std::vector<Token> tokens() {
        while (at_ < source_.size()) take();
        return std::move(tokens_);
    }

  private:
    char here(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
    void skip_to(size_t end) {
        end = std::min(end, source_.size());
        line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                             source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end;
    }
    void add(std::string text, size_t end) {
        tokens_.push_back({std::move(text), line_});
        skip_to(end);
        line_begins_ = false;
    }
    void take() {
        const char c = here();
        if (c == '\n') line_begins_ = true;
        if (std::isspace(static_cast<unsigned char>(c)) != 0) return skip_to(at_ + 1);
        if (c == '#' && line_begins_) return skip_directive();
        if (c == '/' && here(1) == '/') return skip_to(source_.find('\n', at_));
        if (c == '/' && here(1) == '*') return skip_to(source_.find("*/", at_) + 2);
        if (c == '"' || c == '\'') return take_literal(c);
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) return take_number();
        if (begins_word(c)) return take_word();
        if (c == ':' && here(1) == ':') return add("::", at_ + 2);
        add(std::string(1, c), at_ + 1);
    }
    void skip_directive() {
        size_t end = source_.find('\n', at_);
        while (end != std::string_view::npos && source_[end - 1] == '\\') end = source_.find('\n', end + 1);
        skip_to(end);
    }
    void take_literal(char quote) {
        size_t end = at_ + 1;
        while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
        add("\"", end + 1);
    }
    void take_number() {
        size_t end = at_;
        while (end < source_.size() && (std::isalnum(static_cast<unsigned char>(source_[end])) != 0 ||
                                        source_[end] == '.' || source_[end] == '\''))
            ++end;
        add("0", end);
    }
    void take_word() {
        size_t end = at_;
        while (end < source_.size() &&
               (begins_word(source_[end]) || std::isdigit(static_cast<unsigned char>(source_[end])) != 0))
            ++end;
        const std::string word(source_.substr(at_, end - at_));
        if (word.back() != 'R' || word.size() > 3 || end == source_.size() || source_[end] != '"')
            return add(word, end);
        const size_t open = source_.find('(', end);  // R"mark(...)mark"
        const std::string close = ")" + std::string(source_.substr(end + 1, open - end - 1)) + "\"";
        add("\"", source_.find(close, open) + close.size());
    }

    std::string_view source_;
    size_t at_ = 0;
    int line_ = 1;
    bool line_begins_ = true;
    std::vector<Token> tokens_;
};

struct Declared {
    std::string name;
    int line = 0;
};

class AnonymousNames {
  public:
    explicit AnonymousNames(std::string_view source) : tokens_(SourceReader(source).tokens()) {
        tokens_.push_back({"end", 0});
        std::vector<bool> anonymous;  // of the namespaces that are open
        while (!done()) {
            if (is("namespace")) {
                const bool unnamed = text(1) == "{";
                while (!done() && !is("{") && !is(";")) ++at_;
                if (is("{")) anonymous.push_back(unnamed);
                ++at_;
            } else if (is("}") && !anonymous.empty()) {
                anonymous.pop_back();
                ++at_;
            } else if (std::find(anonymous.begin(), anonymous.end(), true) != anonymous.end()) {
                declaration();
            } else if (is("{")) {
                skip_brackets();
            } else {
                ++at_;
            }
        }
    }

    std::vector<Declared> names() const { return names_; }

  private:
    bool done() const { return at_ + 1 >= tokens_.size(); }
    const std::string& text(size_t ahead = 0) const {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)].text;
    }
    const std::string& before(size_t back) const { return tokens_[at_ < back ? 0 : at_ - back].text; }
    bool is(std::string_view what) const { return text() == what; }
    void add(size_t ahead) { names_.push_back({text(ahead), tokens_[at_ + ahead].line}); }
    // From an opening bracket to behind its closing one.
    void skip_brackets() {
        const std::string open = text();
        const std::string close = open == "(" ? ")" : open == "[" ? "]" : open == "{" ? "}" : ">";
        int depth = 0;
        while (!done()) {
            if (open == "<" && is("(")) {  // may compare
                skip_brackets();
                continue;
            }
            if (is(open)) ++depth;
            const bool closed = is(close) && --depth == 0;
            ++at_;
            if (closed) return;
        }
    }
    void skip_statement() {
        while (!done() && !is(";"))
            if (is("{"))
                skip_brackets();
            else
                ++at_;
        ++at_;
    }

    void declaration() {
        while (is("template")) {
            ++at_;
            skip_brackets();
        }
        if (is("using") || is("static_assert")) {
            if (is("using") && text(2) == "=") add(1);
            return skip_statement();
        }
        if (is("struct") || is("class") || is("enum") || is("union")) {
            const size_t named = is("enum") && (text(1) == "class" || text(1) == "struct") ? 2 : 1;
            const std::string& after = text(named + 1);
            if (after == "{" || after == ";" || after == ":" || after == "final") {
                add(named);
                return skip_statement();
            }
        }
        function_or_variables();
    }

    void function_or_variables() {
        bool named = false, function = false, value = false;
        for (; !done(); ++at_) {
            if (is(";")) {
                if (!named) add_before();
                ++at_;
                return;
            }
            if (is("operator")) named = function = true;  // nothing to rename
            const bool attribute = is("[") && text(1) == "[";
            const bool of_type = is("(") && (before(1) == "decltype" || before(1) == "alignas");
            if (!named && !attribute && !of_type && (is("(") || is("=") || is("{") || is("["))) {
                named = true;
                function = is("(");
                add_before();
            }
            if (is("=")) {
                value = true;
                function = false;
            }
            if (value && is(",") && is_word(text(1)) && (text(2) == "=" || text(2) == "{")) add(1);
            const bool arguments = is("<") && !value && before(1) != "operator";
            if (is("(") || is("[") || is("{") || arguments) {
                const bool body = is("{") && function;
                skip_brackets();
                if (body) return;
                --at_;
            }
        }
    }
    // The word before this place is a name, unless it is a macro (TEST_CASE) or another scope's member.
    void add_before() {
        const Token& token = tokens_[at_ - 1];
        const bool macro =
            token.text.size() > 1 && std::all_of(token.text.begin(), token.text.end(), [](char c) {
                return std::isupper(static_cast<unsigned char>(c)) != 0 || c == '_' ||
                       std::isdigit(static_cast<unsigned char>(c)) != 0;
            });
        if (is_word(token.text) && !macro && before(2) != "::") names_.push_back({token.text, token.line});
    }

    std::vector<Token> tokens_;
    size_t at_ = 0;
    std::vector<Declared> names_;
};

// Which files may be compiled as one: those of a library. "" for what is always compiled by itself.
std::string library_of(const std::string& file) {
    const auto in = [&file](std::string_view folder) { return file.starts_with(folder); };
    if (in("core/")) return file.ends_with("_kernels.cpp") ? "core's lane kernels" : "core";
    for (const char* app : {"app/gui", "app/open", "app/export", "app/cli", "app/handbook", "app/install"})
        if (in(std::string(app) + "/")) return app;
    if (in("tests/app/gui/") || in("tests/fuzz/window_")) return "the window's tests";
    return in("tests/bench/") ? "" : "tests";
}

// What is wrong with these sources, a line for each name and file.
std::set<std::string> clashes(const std::map<std::string, std::string>& sources) {
    std::map<std::pair<std::string, std::string>, std::map<std::string, int>>
        places;  // library, name; file, line
    for (const auto& [file, source] : sources)
        for (const Declared& declared : AnonymousNames(source).names())
            places[{library_of(file), declared.name}].emplace(file, declared.line);
    std::set<std::string> found;
    for (const auto& [of, files] : places)
        for (const auto& [file, line] : files)
            if (files.size() > 1 && !of.first.empty()) {
                const std::string& other =
                    files.begin()->first == file ? files.rbegin()->first : files.begin()->first;
                found.insert(file + ":" + std::to_string(line) + ": " + of.second +
                             " is also in the anonymous namespace of " + other +
                             ". Rename one, or move the shared code to one place.");
            }
    return found;
}

std::string in_anonymous_namespace(const std::string& code) {
    return "namespace emergence {\nnamespace {\n" + code + "\n}  // namespace\n}  // namespace emergence\n";
}

std::vector<std::string> names_in(const std::string& code) {
    std::vector<std::string> names;
    for (const Declared& declared : AnonymousNames(in_anonymous_namespace(code)).names())
        names.push_back(declared.name);
    return names;
}

}  // namespace

TEST_CASE("a name in an anonymous namespace stands in only one file of its library") {
    const fs::path root = emergence::testing::source_dir();
    std::map<std::string, std::string> sources;
    for (const char* top : {"core", "app", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(root / top))
            if (entry.path().extension() == ".cpp")
                sources[fs::relative(entry.path(), root).generic_string()] =
                    emergence::testing::slurp(entry.path());
    CHECK(sources.size() > 400);
    size_t names = 0;
    for (const auto& [file, source] : sources) names += AnonymousNames(source).names().size();
    CHECK(names > 1500);
    for (const std::string& clash : clashes(sources)) FAIL_CHECK(clash);
}

TEST_CASE("names are found in every kind of declaration") {
    using Names = std::vector<std::string>;
    CHECK(names_in("double mean(const std::vector<double>& values) { return values[0]; }") == Names{"mean"});
    CHECK(names_in(
              "template <class T, std::enable_if_t<(sizeof(T) > 1)>* = nullptr>\n"
              "[[nodiscard]] std::function<T(int)> shown(\n    T value,\n    int more = 2) {\n}\nint b();") ==
          Names{"shown", "b"});
    CHECK(names_in(
              "struct A { int x; void f() {} };\nclass B final : public A {\n};\nenum class C : int { d };\n"
              "enum E { f, g };\nstruct H;") == Names{"A", "B", "C", "E", "H"});
    CHECK(names_in("using Map = std::map<int, int>;\nusing Eigen::MatrixXd;\nusing namespace std;") ==
          Names{"Map"});
    CHECK(
        names_in(
            "constexpr int kA = 1, kB = f(2, 3);\nconst char* const kText =\n    \"; int x;\";\n"
            "const Case kCases[] = {{1, 2}, {3}};\nstd::atomic<int> count{0};\nconst auto kF = [](int i) {\n"
            "    return i < 2;\n};\nint plain;") ==
        Names{"kA", "kB", "kText", "kCases", "count", "kF", "plain"});
    CHECK(names_in("const std::string kRaw = R\"toml(\n} namespace { int no; \")toml\";\n// int never() {}\n"
                   "#define F int nowhere()\n/* int nor(); */ char c = '{';") == Names{"kRaw", "c"});
    CHECK(names_in("bool operator==(const A& a, const A& b) { return a.x == b.x; }\n"
                   "TEST_CASE(\"x\") { int i = 0; }\nvoid A::f() {}")
              .empty());
    CHECK(AnonymousNames("namespace emergence {\nint shared() { return 1; }\n}\n").names().empty());
}

TEST_CASE("two files of a library with one name are reported, overloads too") {
    const std::string one = in_anonymous_namespace("void draw(int x) {\n}"),
                      other = in_anonymous_namespace("int a;\n\nvoid draw(double x, int y);");
    CHECK(clashes({{"core/a.cpp", one}, {"core/base/b.cpp", other}}) ==
          std::set<std::string>{"core/a.cpp:3: draw is also in the anonymous namespace of core/base/b.cpp. "
                                "Rename one, or move the shared code to one place.",
                                "core/base/b.cpp:5: draw is also in the anonymous namespace of core/a.cpp. "
                                "Rename one, or move the shared code to one place."});
    CHECK(clashes({{"core/a.cpp", one}, {"app/gui/b.cpp", other}}).empty());
    CHECK(clashes({{"tests/core/a_test.cpp", one}, {"tests/app/gui/b_test.cpp", other}}).empty());
    CHECK(clashes({{"core/a_kernels.cpp", one}, {"core/b_kernels.cpp", other}}).size() == 2);
    CHECK(clashes({{"core/a.cpp", one + one}}).empty());
}
