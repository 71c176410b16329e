#pragma once
// Open… (Ctrl + Shift + O): the desktop's own dialog, a path, or one of the last files.

#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/desktop_file_dialog.h"

namespace emergence {

class OpenDialog {
  public:
    explicit OpenDialog(Jobs& jobs);

    void open();
    void close() { open_ = false; }
    bool is_open() const { return open_; }

    /// `recent`: the last files, the last one first. Logged as "panel open", the files as "recent 0" and on.
    void draw(const Context& context, const std::vector<std::string>& recent);

  private:
    bool open_ = false, focus_ = false;
    std::string path_;
    DesktopFileDialog desktop_;
};

}  // namespace emergence
