#pragma once
// What the user prefers, whatever the experiment.

#include "app/gui/commands/sheet.h"
#include "app/gui/shell/preferences.h"

namespace emergence {

/// What is chosen acts at once.
class PreferencesDialog : public Sheet {
  public:
    explicit PreferencesDialog(Preferences& preferences) : Sheet("preferences", Keys::own), preferences_(preferences) {}
    void draw(const Context& context) override;

  private:
    Preferences& preferences_;
};

}  // namespace emergence
