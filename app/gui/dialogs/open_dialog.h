#pragma once
// Open… (Ctrl + Shift + O): the desktop's own dialog, a path, or one of the last files.

#include <filesystem>
#include <string>
#include <vector>

#include "app/gui/shell/desktop_file_dialog.h"
#include "app/gui/shell/theme.h"

namespace emergence {

class OpenDialog {
  public:
    explicit OpenDialog(Jobs& jobs);

    void open();
    void close() { open_ = false; }
    bool is_open() const { return open_; }

    /// Draws it and returns what is to be opened. `recent`: the last files, the last one first. Logged as "panel open",
    /// the files as "recent 0" and on.
    std::vector<std::filesystem::path> draw(const Ui& ui, const std::vector<std::string>& recent);

  private:
    bool open_ = false, focus_ = false;
    std::string path_;
    DesktopFileDialog desktop_;
};

}  // namespace emergence
