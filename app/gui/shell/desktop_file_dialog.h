#pragma once
// The desktop's own dialog for files, a program of its own (zenity or kdialog), waited for by a job.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "app/gui/shell/jobs.h"

namespace emergence {

/// $PATH.
inline std::string programs_path() {
    const char* path = std::getenv("PATH");
    return path != nullptr ? path : "";
}

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
    /// Starts it, for files or for folders; nothing if it is open already.
    void open(bool folders);
    /// What the user has chosen, once; nothing after Cancel.
    std::vector<std::filesystem::path> take_chosen();

  private:
    Jobs& jobs_;
    std::vector<std::string> words_;  // the program and its arguments; empty if none is installed
    Job job_;
    std::vector<std::filesystem::path> chosen_;
};

}  // namespace emergence
