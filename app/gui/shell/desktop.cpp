// The fonts of the desktop, drawn by FreeType.
#include "app/gui/shell/desktop.h"

#include <fontconfig/fontconfig.h>
#include <imgui.h>
#include <imgui_freetype.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <optional>
#include <sstream>
#include <stop_token>
#include <utility>

#include "core/base/text.h"

namespace emergence {
namespace {

constexpr const char* kFolder = "/usr/share/fonts/truetype/dejavu/";

// The file that fontconfig finds for a style of DejaVu; nothing if it offers another family instead.
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
    std::error_code ignored;
    if (std::filesystem::is_regular_file(fixed, ignored)) return fixed;
    return ask_fontconfig(style);
}

namespace fs = std::filesystem;

// The words for one path a line; the last one is replaced for folders.
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

// Runs the program until the user has chosen, or until the job is stopped, and returns the chosen paths.
std::vector<fs::path> chosen_in(const std::vector<std::string>& words, const Jobs::Task& task) {
    // In a group of its own, so that what it starts ends with it; the shell says its number first.
    std::string line = "setsid";
    for (const std::string& word : words) line += " " + shell_word(word);
    FILE* pipe = ::popen((line + " & echo $!; wait $!").c_str(), "re");
    if (pipe == nullptr) return {};
    int process = 0;
    std::string text;
    if (std::fscanf(pipe, "%d%*c", &process) == 1) {
        const std::stop_callback end(task.stop_token(), [process] {
            if (::kill(-process, SIGKILL) != 0) ::kill(process, SIGKILL);  // it has no group yet
        });
        for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    }
    std::vector<fs::path> paths;
    std::istringstream lines(::pclose(pipe) == 0 ? text : "");
    for (std::string path; std::getline(lines, path);)
        if (!path.empty()) paths.emplace_back(path);
    return paths;
}

}  // namespace

FontFile font_file(FontStyle style) {
    std::optional<std::string> found = find_font(style);
    if (!found && style == FontStyle::bold) found = find_font(FontStyle::regular);
    // FreeType slants the upright one: not every installation of the family has a file of its own for this.
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
