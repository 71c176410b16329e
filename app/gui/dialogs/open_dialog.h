#pragma once
// Open… (Ctrl + Shift + O): the desktop's own dialog, a path, or one of the last files.

#include <string>

#include "app/gui/commands/sheet.h"
#include "app/gui/shell/desktop_file_dialog.h"
#include "app/gui/shell/preferences.h"

namespace emergence {

class OpenDialog : public Sheet {
  public:
    OpenDialog(Jobs& jobs, const Preferences& preferences);

    void open(const Session& session) override;
    /// The last files are logged as "recent 0" and on.
    void draw(const Context& context) override;

  private:
    const Preferences& preferences_;
    bool focus_ = false;
    std::string path_;
    DesktopFileDialog desktop_;
};

}  // namespace emergence
