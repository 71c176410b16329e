#pragma once
// What a desktop or a page provides: font files, the rasteriser of glyphs, and the dialog for files.

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/gui/shell/jobs.h"

struct ImFontAtlas;

namespace emergence {

enum class FontStyle { regular, bold, mono, slanted };

struct FontFile {
    std::string path;    // "" if the style is not installed
    unsigned flags = 0;  // of the rasteriser
};

FontFile font_file(FontStyle style);
void choose_rasteriser(ImFontAtlas& atlas);

/// The environment variable PATH.
inline std::string programs_path() {
    const char* path = std::getenv("PATH");
    return path != nullptr ? path : "";
}

/// The desktop's own dialog for files: zenity or kdialog, run as a program that a job waits for.
class DesktopFileDialog {
  public:
    /// `path` lists the folders in which the programs are looked for, as PATH does.
    explicit DesktopFileDialog(Jobs& jobs, const std::string& path = programs_path());
    /// Ends the program.
    ~DesktopFileDialog() { job_.cancel(); }
    DesktopFileDialog(const DesktopFileDialog&) = delete;
    DesktopFileDialog& operator=(const DesktopFileDialog&) = delete;

    /// Whether one of the programs is installed.
    bool available() const { return !words_.empty(); }
    bool is_open() const { return job_.active(); }
    /// Opens the dialog for files or for folders, unless it is open already. `chosen` receives the paths; it is not
    /// called after Cancel.
    using Chosen = std::function<void(std::vector<std::filesystem::path>)>;
    void open(bool folders, Chosen chosen);

  private:
    Jobs& jobs_;
    std::vector<std::string> words_;  // the program and its arguments; empty if none is installed
    Job job_;
};

}  // namespace emergence
