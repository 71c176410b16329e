#pragma once
// The desktop's own dialog for files, a program of its own (zenity or kdialog), waited for on a thread.

#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace emergence {

class DesktopFileDialog {
  public:
    /// `on_change` is called from the thread when the user has chosen. `path`: the folders in which programs are looked
    /// for, as in PATH.
    DesktopFileDialog(std::function<void()> on_change, const std::string& path);
    /// Ends the program.
    ~DesktopFileDialog();
    DesktopFileDialog(const DesktopFileDialog&) = delete;
    DesktopFileDialog& operator=(const DesktopFileDialog&) = delete;

    /// Whether one of the programs is installed.
    bool available() const { return !words_.empty(); }
    bool is_open() const { return open_; }
    /// Starts it, for files or for folders; nothing if it is open already.
    void open(bool folders);
    /// What the user has chosen, once; nothing after Cancel.
    std::vector<std::filesystem::path> take_chosen();

  private:
    void end();

    std::function<void()> on_change_;
    std::vector<std::string> words_;  // the program and its arguments; empty if none is installed
    std::atomic<bool> open_ = false;
    std::atomic<pid_t> process_ = 0;
    std::mutex mutex_;
    std::vector<std::filesystem::path> chosen_;
    std::thread thread_;
};

}  // namespace emergence
