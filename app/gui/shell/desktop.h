#pragma once
// What the desktop brings, or the page: where the fonts are and what draws their glyphs; the dialog for files.

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

/// $PATH.
inline std::string programs_path() {
    const char* path = std::getenv("PATH");
    return path != nullptr ? path : "";
}

/// The desktop's own dialog for files, a program of its own (zenity or kdialog), waited for by a job.
class DesktopFileDialog {
  public:
    /// `path`: the folders in which programs are looked for, as in PATH.
    explicit DesktopFileDialog(Jobs& jobs, const std::string& path = programs_path());
    /// Ends the program.
    ~DesktopFileDialog() { job_.cancel(); }
    DesktopFileDialog(const DesktopFileDialog&) = delete;
    DesktopFileDialog& operator=(const DesktopFileDialog&) = delete;

    /// Whether one of the programs is installed.
    bool available() const { return !words_.empty(); }
    bool is_open() const { return job_.active(); }
    /// Starts it, for files or for folders; nothing if it is open already. `chosen` receives what the user has chosen,
    /// and is not called after Cancel.
    using Chosen = std::function<void(std::vector<std::filesystem::path>)>;
    void open(bool folders, Chosen chosen);

  private:
    Jobs& jobs_;
    std::vector<std::string> words_;  // the program and its arguments; empty if none is installed
    Job job_;
};

}  // namespace emergence
