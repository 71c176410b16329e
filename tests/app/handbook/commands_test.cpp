// Commands that the README and the handbook show are commands that the programs take. Those for the window
// are tested in tests/app/gui/handbook_test.cpp.
#include <doctest/doctest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "tests/app/cli/told.h"
#include "tests/app/handbook/shown_commands.h"
#include "tests/support/scratch.h"

TEST_SUITE_BEGIN("release");

namespace emergence {
namespace {

namespace fs = std::filesystem;
using namespace testing;

fs::path assets_of_checkout() { return source_dir() / "assets"; }

bool looks_like_file(const std::string& name) { return name.find_first_of("/.") != std::string::npos; }

// A file of the checkout must be there; one of the reader's own need not.
void check_file(const std::string& name) {
    for (const char* folder : {"assets/", "tests/", "core/", "app/"})
        if (name.starts_with(folder) && !fs::exists(source_dir() / name)) throw InputError("no file " + name);
}

// Words that name files which only the reader has.
bool names_missing_file(const std::vector<std::string>& words) {
    return std::any_of(words.begin() + 1, words.end(), [](const std::string& word) {
        const std::string name = word.substr(word.find('=') + 1);
        return looks_like_file(name) && name.find_first_not_of("-.0123456789,:e") != std::string::npos &&
               name.find('(') == std::string::npos && !fs::exists(name);
    });
}

// Throws InputError if the line names nothing: what it would train, draw or read is looked up without being done.
void check_command_line(std::vector<std::string> words) {
    const cli::ParsedLine line = cli::parse_line(words);
    if (words.size() > 1 && words[1] == "tabular-td") return;  // the experiment that a page adds: see tutorial.sh
    for (const std::string& word : words) check_file(word);
    const testing::Scratch scratch;
    for (size_t i = 0; i + 1 < words.size(); ++i)
        if (words[i] == "--out") words[i + 1] = scratch.path().string();
    static const std::set<std::string> kDry = {"run", "figure", "sweep"};
    static const std::set<std::string> kShort = {"info", "list", "handbook", "verify"};
    if (kDry.contains(line.command))
        words.emplace_back("--dry-run");
    else if (line.command == "verify")
        words.emplace_back("--list");
    else if (!kShort.contains(line.command) || line.asked.dry_run)
        return;
    if (names_missing_file(words)) return;
    const cli::Told told = cli::tell(words, experiments(), assets_of_checkout());
    if (told.code != cli::kDone) throw InputError(told.err);
}

// Options that a script does not read are wrong, too.
void check_script(const std::vector<std::string>& words) {
    if (words.size() < 2) throw InputError("sh needs a script");
    if (words[1].starts_with("-")) return;
    const std::string script = testing::slurp(source_dir() / words[1]);
    if (script.empty()) throw InputError("no script " + words[1]);
    for (size_t i = 2; i < words.size(); ++i)
        if (words[i].starts_with("--") && !holds(script, words[i]))
            throw InputError(words[1] + " has no option " + words[i]);
}

void check_presets_of_cmake(const std::vector<std::string>& words) {
    const std::string presets = testing::slurp(source_dir() / "CMakePresets.json");
    for (size_t i = 1; i < words.size(); ++i)
        if (words[i - 1] == "--preset" && !holds(presets, "\"name\": \"" + words[i] + "\""))
            throw InputError("no CMake preset " + words[i]);
}

// Commands name files as seen from the root of the checkout, and checks of settings read them.
class InCheckout {
  public:
    InCheckout() { fs::current_path(source_dir()); }
    ~InCheckout() { fs::current_path(before_); }
    InCheckout(const InCheckout&) = delete;
    InCheckout& operator=(const InCheckout&) = delete;

  private:
    fs::path before_ = fs::current_path();
};

// "" or why the command would be refused.
std::string command_fault(const ShownCommand& command) {
    static const std::set<std::string> ours = {"emergence",       "emergence_bench",     "emergence_tests",
                                               "emergence_fuzz",  "emergence_gui_tests", "emergence_thread_tests",
                                               "emergence-verify"};
    static const std::set<std::string> others = {
        "cat",   "cd",  "cp",     "dpkg", "git", "head", "ls",      "man", "mkdir",  "apt",  "python3",
        "rsync", "scp", "source", "sed",  "ssh", "sudo", "apt-get", "wc",  "export", "nice", "xdg-open"};
    const std::vector<std::string>& words = command.words;
    const std::string program = command.program();
    try {
        if (program == "emergence-cli")
            check_command_line({words.begin() + 1, words.end()});
        else if (program == "sh")
            check_script(words);
        else if (program == "cmake" || program == "ctest" || program == "cpack")
            check_presets_of_cmake(words);
        else if (!ours.contains(program) && !others.contains(program))
            throw InputError("unknown program " + program);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

// What a reader of the build tree has around: the program, and the files of the checkout.
void make_build_tree(const fs::path& folder) {
    fs::create_directories(folder / "build/app");
    fs::create_symlink(testing::cli_program(), folder / "build/app/emergence-cli");
    for (const char* name : {"assets", "tests"}) fs::create_symlink(source_dir() / name, folder / name);
}

}  // namespace

TEST_CASE("every command that the handbook shows is one that its program takes") {
    const InCheckout in_checkout;
    for (const testing::Page& page : testing::handbook_pages())
        for (const ShownCommand& command : testing::shown_commands(page))
            CHECK_MESSAGE(command_fault(command) == "", command.where() << ": " << command_fault(command));
}

// "Write these lines to `depth.toml`:" before a block makes the file: names and lines.
std::map<std::string, std::string> files_written_by_readers(const testing::Page& page) {
    static const std::regex told("`([A-Za-z_-]+\\.[a-z]+)`:\\s*\n+```[a-z]*\n([^`]*)```");
    std::map<std::string, std::string> files;
    for (std::sregex_iterator at(page.text.begin(), page.text.end(), told), end; at != end; ++at)
        files[(*at)[1]] = (*at)[2];
    return files;
}

// The words that name what an earlier command should have written, and none has.
std::string reads_in_vain(const std::vector<std::string>& words, const std::set<std::string>& written) {
    static const std::regex own("[A-Za-z_-]+\\.(toml|npz|txt|html|csv)");
    for (size_t i = 1; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (words[i - 1] == "--out" || words[i - 1] == "--screenshot") continue;
        const bool needs = word.starts_with("out/") || std::regex_match(word, own);
        const bool there = std::any_of(written.begin(), written.end(), [&](const std::string& one) {
            return word == one || word.starts_with(one + "/");
        });
        if (needs && !there) return word;
    }
    return "";
}

TEST_CASE("what a command of the handbook reads, an earlier one has written") {
    std::set<std::string> written = {"out/td-depth-and-length"};  // a sweep's folder has its name
    for (const testing::Page& page : testing::handbook_pages()) {
        for (const auto& [file, lines] : files_written_by_readers(page)) written.insert(file);
        for (const ShownCommand& command : testing::shown_commands(page)) {
            const std::vector<std::string>& words = command.words;
            CHECK_MESSAGE(reads_in_vain(words, written) == "",
                          command.where() << ": nobody has written " << reads_in_vain(words, written));
            for (size_t i = 1; i < words.size(); ++i)
                if (words[i - 1] == "--out") written.insert(words[i]);
        }
    }
}

TEST_CASE("short commands (sh run) do what the handbook says") {
    for (const testing::Page& page : testing::handbook_pages())
        for (const handbook::Block& block : document_of(page).blocks) {
            if (block.kind != handbook::Block::Kind::code || block.info != "sh run") continue;
            const testing::Scratch scratch;
            make_build_tree(scratch.path());
            for (const auto& [file, lines] : files_written_by_readers(page)) testing::spit(scratch / file, lines);
            testing::spit(scratch / "commands.sh", block.text);
            const std::string command = "cd '" + scratch.path().string() + "' && HOME=\"$PWD\" XDG_DATA_HOME= " +
                                        "timeout 120 sh -e commands.sh >printed.txt 2>&1 </dev/null";
            const int status = std::system(command.c_str());
            CHECK_MESSAGE((WIFEXITED(status) && WEXITSTATUS(status) == 0),
                          page.name << ":" << block.line << " failed:\n"
                                    << testing::slurp(scratch / "printed.txt"));
        }
}

}  // namespace emergence

TEST_SUITE_END();
