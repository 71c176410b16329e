#pragma once
// States of the window by name, and as text to be copied and pasted.

#include <functional>
#include <string>
#include <utility>

#include "app/gui/commands/sheet.h"
#include "app/gui/shell/preferences.h"

namespace emergence {

class BookmarksPanel : public Sheet {
  public:
    using Suggest = std::function<std::string(const Session&)>;
    /// `suggest`: a name for the present state.
    BookmarksPanel(const Preferences& preferences, Suggest suggest)
        : Sheet("bookmarks", Keys::own), preferences_(preferences), suggest_(std::move(suggest)) {}
    void open(const Session& session) override;
    /// The digits open the first nine.
    void draw(const Context& context) override;

  private:
    const Preferences& preferences_;
    Suggest suggest_;
    std::string name_;
};

}  // namespace emergence
