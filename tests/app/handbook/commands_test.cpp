// Commands that the README and the handbook show are commands that the programs take. Those for the window
// are tested in tests/app/gui/handbook_test.cpp.
#include <doctest/doctest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "app/cli/arguments.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/assets.h"
#include "core/lab/sweeps/sweep.h"
#include "core/settings/toml.h"
#include "tests/app/handbook/shown_commands.h"
#include "tests/support/judged.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using testing::ShownCommand;
using testing::source_dir;

fs::path assets_of_checkout() { return source_dir() / "assets"; }

bool looks_like_file(const std::string& name) { return name.find_first_of("/.") != std::string::npos; }

// A file of the checkout must be there; one of the reader's own need not.
void check_file(const std::string& name) {
    for (const char* folder : {"assets/", "tests/", "core/", "app/"})
        if (name.starts_with(folder) && !fs::exists(source_dir() / name)) throw InputError("no file " + name);
}

const ExperimentInfo* experiment_of_figure_named(const std::string& name) {
    const auto is_it = [&name](const auto& figure) { return figure.name == name; };
    for (const ExperimentInfo& info : experiments())
        if (std::any_of(info.figures.begin(), info.figures.end(), is_it)) return &info;
    return nullptr;
}

// Throws InputError if a name in the request names nothing.
struct NamesExist {
    void operator()(const cli::InfoRequest& request) const {
        if (!request.name.empty()) find_experiment(request.name);
    }
    void operator()(const cli::RunRequest& request) const {
        if (looks_like_file(request.name)) return check_file(request.name);
        if (request.is_figure && request.name == "all") return;
        const ExperimentInfo* info =
            request.is_figure ? experiment_of_figure_named(request.name) : &find_experiment(request.name);
        if (info == nullptr) throw InputError("no figure " + request.name);
        Settings settings(info->fields);
        const std::string preset = request.is_figure ? request.name : request.preset.value_or("");
        if (!preset.empty()) {
            const SettingsFile file = read_settings(preset_path(assets_of_checkout(), preset));
            if (file.experiment != info->name)
                throw InputError("preset " + preset + " is one of " + file.experiment);
            apply(file, settings);
        }
        for (const std::string& change : request.changes) {
            const size_t equals = change.find('=');
            if (equals == std::string::npos) throw InputError("'" + change + "' is not FIELD=VALUE");
            settings.set_from_text(change.substr(0, equals), change.substr(equals + 1));
        }
        if (info->check) info->check(settings);
    }
    void operator()(const cli::VerifyRequest& request) const {
        for (const std::string& name : request.names) {
            bool known = experiment_of_figure_named(name) != nullptr;
            for (const Claim& claim : testing::shipped_claims())
                known = known || claim.experiment == name || claim.name == name ||
                        claim.name.starts_with(name + "-");
            if (!known) throw InputError("no claim " + name);
        }
    }
    void operator()(const cli::ReproduceRequest& request) const {
        for (const std::string& name : request.papers)
            if (std::none_of(papers().begin(), papers().end(),
                             [&](const Paper& paper) { return paper.name == name; }))
                throw InputError("no paper " + name);
    }
    void operator()(const cli::SweepRequest& request) const {
        if (looks_like_file(request.file)) return check_file(request.file);
        if (fs::exists(assets_of_checkout() / "sweeps" / (request.file + ".toml"))) return;
        const ExperimentInfo& info = find_experiment(request.file);
        const Settings settings(info.fields);
        for (const std::string& change : request.changes) {
            const size_t equals = change.find('=');
            parse_axis(settings.info(change.substr(0, equals)), change.substr(equals + 1));
        }
    }
    void operator()(const cli::HandbookRequest& request) const {
        const auto& names = handbook::chapter_names();
        if (!request.chapter.empty() && std::find(names.begin(), names.end(), request.chapter) == names.end())
            throw InputError("no chapter " + request.chapter);
    }
    void operator()(const cli::ImportRequest& request) const { check_file(request.path); }
    void operator()(const cli::ExportRequest& request) const { check_file(request.name); }
    template <class Other>
    void operator()(const Other&) const {}
};

// Options that a script does not read are wrong, too.
void check_script(const std::vector<std::string>& words) {
    if (words.size() < 2) throw InputError("sh needs a script");
    if (words[1].starts_with("-")) return;
    const std::string script = testing::slurp(source_dir() / words[1]);
    if (script.empty()) throw InputError("no script " + words[1]);
    for (size_t i = 2; i < words.size(); ++i)
        if (words[i].starts_with("--") && script.find(words[i]) == std::string::npos)
            throw InputError(words[1] + " has no option " + words[i]);
}

void check_presets_of_cmake(const std::vector<std::string>& words) {
    const std::string presets = testing::slurp(source_dir() / "CMakePresets.json");
    for (size_t i = 1; i < words.size(); ++i)
        if (words[i - 1] == "--preset" && presets.find("\"name\": \"" + words[i] + "\"") == std::string::npos)
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
    static const std::set<std::string> ours = {"emergence",           "emergence_bench",
                                               "emergence_tests",     "emergence_fuzz",
                                               "emergence_gui_tests", "emergence_thread_tests"};
    static const std::set<std::string> others = {
        "cat",   "cd",  "cp",     "dpkg", "git",  "head",    "ls", "man",    "mkdir", "apt",     "python3",
        "rsync", "scp", "source", "ssh",  "sudo", "apt-get", "wc", "export", "nice",  "xdg-open"};
    const std::vector<std::string>& words = command.words;
    const std::string program = command.program();
    try {
        if (program == "emergence-cli")
            std::visit(NamesExist{}, cli::parse_arguments({words.begin() + 1, words.end()}));
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

std::string fault_of_line(const std::string& line) {
    std::string faults;
    for (const ShownCommand& command : testing::shown_commands({"x.md", "```sh\n" + line + "\n```\n"}))
        faults += command_fault(command);
    return faults;
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

TEST_CASE("wrong commands are found") {
    CHECK(fault_of_line("build/app/emergence-cli run td --set num_layers=4 --seeds 8  # a comment") == "");
    CHECK(fault_of_line("build/app/emergence-cli run td --set layers=4") != "");
    CHECK(fault_of_line("build/app/emergence-cli run td --set num_layers=4000") != "");
    CHECK(fault_of_line("build/app/emergence-cli run td --preset bandit-low") != "");
    CHECK(fault_of_line("build/app/emergence-cli run td --steps 4") != "");
    CHECK(fault_of_line("build/app/emergence-cli figure wang-3") != "");
    CHECK(fault_of_line("build/app/emergence-cli figure wang-2 && emergence-cli figure wang-9") != "");
    CHECK(fault_of_line("build/app/emergence-cli verify theorem-1 lemma") == "");
    CHECK(fault_of_line("build/app/emergence-cli verify theorem-100") != "");
    CHECK(fault_of_line("build/app/emergence-cli reproduce wang") != "");
    CHECK(fault_of_line("build/app/emergence-cli sweep td-sleep") != "");
    CHECK(fault_of_line("build/app/emergence-cli handbook windows") != "");
    CHECK(fault_of_line("EMERGENCE_ASSETS=here build/app/emergence-cli list | head -3 > list.txt") == "");
    CHECK(fault_of_line("source <(build/app/emergence-cli completion bash)") == "");
    CHECK(fault_of_line("build/app/emergence-cli run assets/worlds/corridor.toml") == "");
    CHECK(fault_of_line("build/app/emergence-cli run assets/worlds/nowhere.toml") != "");
    CHECK(fault_of_line("sh tests/golden.sh --record") == "");
    CHECK(fault_of_line("sh tests/golden.sh --forget") != "");
    CHECK(fault_of_line("sh tests/silver.sh") != "");
    CHECK(fault_of_line("cmake --preset dev && ctest --preset dev") == "");
    CHECK(fault_of_line("cmake --preset fast") != "");
    CHECK(fault_of_line("rm -rf out") != "");
}

TEST_CASE("short commands (sh run) do what the handbook says") {
    for (const testing::Page& page : testing::handbook_pages())
        for (const handbook::Block& block : document_of(page).blocks) {
            if (block.kind != handbook::Block::Kind::code || block.info != "sh run") continue;
            const testing::Scratch scratch;
            make_build_tree(scratch.path());
            testing::spit(scratch / "commands.sh", block.text);
            const std::string command = "cd '" + scratch.path().string() +
                                        "' && HOME=\"$PWD\" XDG_DATA_HOME= " +
                                        "timeout 120 sh -e commands.sh >printed.txt 2>&1 </dev/null";
            const int status = std::system(command.c_str());
            CHECK_MESSAGE((WIFEXITED(status) && WEXITSTATUS(status) == 0),
                          page.name << ":" << block.line << " failed:\n"
                                    << testing::slurp(scratch / "printed.txt"));
        }
}

}  // namespace emergence
