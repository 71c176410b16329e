// The desktop's fonts, drawn by FreeType, and its dialog for files.
#include "app/gui/shell/desktop.h"

#include <fcntl.h>
#include <fontconfig/fontconfig.h>
#include <imgui.h>
#include <imgui_freetype.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <optional>
#include <sstream>
#include <stop_token>
#include <utility>

#include "core/files/folders.h"

namespace emergence {
namespace {

constexpr const char* kFolder = "/usr/share/fonts/truetype/dejavu/";

// The file that fontconfig finds for a style of DejaVu; nullopt if it offers another family instead.
std::optional<std::string> ask_fontconfig(FontStyle style) {
    FcConfig* config = FcInitLoadConfigAndFonts();
    if (config == nullptr) return std::nullopt;
    const std::string family = style == FontStyle::mono ? "DejaVu Sans Mono" : "DejaVu Sans";
    FcPattern* wanted = FcPatternCreate();
    FcPatternAddString(wanted, FC_FAMILY, reinterpret_cast<const FcChar8*>(family.c_str()));
    FcPatternAddInteger(wanted, FC_WEIGHT, style == FontStyle::bold ? FC_WEIGHT_BOLD : FC_WEIGHT_NORMAL);
    FcConfigSubstitute(config, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    FcPattern* match = FcFontMatch(config, wanted, &result);
    std::optional<std::string> found;
    FcChar8* offered = nullptr;
    FcChar8* file = nullptr;
    if (match != nullptr && FcPatternGetString(match, FC_FAMILY, 0, &offered) == FcResultMatch &&
        FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch &&
        family == reinterpret_cast<const char*>(offered))
        found = reinterpret_cast<const char*>(file);
    if (match != nullptr) FcPatternDestroy(match);
    FcPatternDestroy(wanted);
    FcConfigDestroy(config);
    return found;
}

std::optional<std::string> find_font(FontStyle style) {
    constexpr std::array kFiles = {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSans.ttf"};
    const std::string fixed = std::string(kFolder) + kFiles[static_cast<size_t>(style)];
    if (is_file(fixed)) return fixed;
    return ask_fontconfig(style);
}

namespace fs = std::filesystem;

// The arguments that make the program print one path per line. DesktopFileDialog::open() adds those for folders.
std::vector<std::string> words_for(const fs::path& program) {
    if (program.filename() == "zenity")
        return {program.string(), "--file-selection", "--title=Open", "--multiple", "--separator=\n"};
    return {program.string(), "--title", "Open", "--multiple", "--separate-output"};
}

std::vector<std::string> installed_program(const std::string& path) {
    for (const char* name : {"zenity", "kdialog"}) {
        std::istringstream folders(path);
        for (std::string folder; std::getline(folders, folder, ':');) {
            const fs::path program = fs::path(folder) / name;
            if (!folder.empty() && ::access(program.c_str(), X_OK) == 0) return words_for(program);
        }
    }
    return {};
}

// Starts the program, whose standard output can be read from `output`. Returns 0 if it cannot be started.
pid_t start_program(std::vector<std::string> words, int& output) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    // The program gets a group of its own, so its children end with it, and the usual reaction to signals that we
    // ignore.
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
    posix_spawnattr_setsigdefault(&how, &usual);
    pid_t process = 0;
    if (::posix_spawn(&process, arguments.front(), &actions, &how, arguments.data(), environ) != 0) process = 0;
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    output = pipe[0];
    if (process == 0) ::close(pipe[0]);
    return process;
}

std::string read_to_end(int output) {
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t count = 0; (count = ::read(output, part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<size_t>(count));
    ::close(output);
    return text;
}

// Runs the program until the user has chosen or the job is stopped. Returns the chosen paths.
std::vector<fs::path> chosen_in(std::vector<std::string> words, const Jobs::Task& task) {
    int output = 0, status = 0;
    const pid_t process = start_program(std::move(words), output);
    if (process == 0) return {};
    std::string text;
    {
        // SIGKILL also ends a program that was suspended and cannot react.
        const std::stop_callback end(task.stop_token(), [process] { ::kill(-process, SIGKILL); });
        text = read_to_end(output);
        // Wait without releasing the process number, because until here the callback may still kill this process.
        siginfo_t ended{};
        ::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT);
    }
    ::waitpid(process, &status, 0);
    std::vector<fs::path> paths;
    std::istringstream lines(text);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        for (std::string line; std::getline(lines, line);)
            if (!line.empty()) paths.emplace_back(line);
    return paths;
}

}  // namespace

FontFile font_file(FontStyle style) {
    std::optional<std::string> found = find_font(style);
    if (!found && style == FontStyle::bold) found = find_font(FontStyle::regular);
    // FreeType slants the upright font, because not every installation has a file for this style.
    const unsigned flags = style == FontStyle::slanted ? static_cast<unsigned>(ImGuiFreeTypeBuilderFlags_Oblique) : 0U;
    return {found.value_or(""), flags};
}

void choose_rasteriser(ImFontAtlas& atlas) {
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
}

DesktopFileDialog::DesktopFileDialog(Jobs& jobs, const std::string& path)
    : jobs_(jobs), words_(installed_program(path)) {}

void DesktopFileDialog::open(bool folders, Chosen chosen) {
    if (is_open() || words_.empty()) return;
    std::vector<std::string> words = words_;
    const bool kdialog = fs::path(words.front()).filename() == "kdialog";
    if (kdialog) words.emplace_back(folders ? "--getexistingdirectory" : "--getopenfilename");
    if (folders && !kdialog) words.emplace_back("--directory");
    job_ = jobs_.post(
        Lane::desktop_dialog, [words = std::move(words)](const Jobs::Task& task) { return chosen_in(words, task); },
        [chosen = std::move(chosen)](std::vector<fs::path> paths) {
            if (!paths.empty()) chosen(std::move(paths));
        });
}

}  // namespace emergence
