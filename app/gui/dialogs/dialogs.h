#pragma once
// The small dialogs: Open… and preferences.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "app/gui/shell/desktop.h"
#include "app/gui/shell/preferences.h"

namespace emergence {

/// Opens by the desktop's own dialog, by a typed path, or by a list of the last files.
class OpenDialog : public Sheet {
  public:
    OpenDialog(Jobs& jobs, const Preferences& preferences);

    void open(const Session& session) override;
    /// The last files are logged as "recent 0" and on. Arrows choose, Enter opens.
    void draw(const Context& context) override;

  private:
    using OpenAll = std::function<void(std::vector<std::filesystem::path>)>;
    void draw_buttons(const Context& context, const OpenAll& open_all);
    void draw_recent(const Ui& ui, const OpenAll& open_all, bool entered);

    const Preferences& preferences_;
    bool focus_ = false;
    std::string path_;
    int chosen_ = 0;
    DesktopFileDialog desktop_;
};

/// Every choice acts at once.
class PreferencesDialog : public Sheet {
  public:
    explicit PreferencesDialog(Preferences& preferences) : Sheet("preferences", Keys::own), preferences_(preferences) {}
    void draw(const Context& context) override;

  private:
    Preferences& preferences_;
};

}  // namespace emergence
