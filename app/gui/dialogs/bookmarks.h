#pragma once
// States of the window by name, and as text to be copied and pasted.

#include <map>
#include <string>

#include "app/gui/commands/asks.h"

namespace emergence {

class BookmarksPanel {
  public:
    /// `suggested`: a name for the present state.
    void open(std::string suggested);
    void close() { open_ = false; }
    bool is_open() const { return open_; }
    void draw(const Context& context, const std::map<std::string, std::string>& bookmarks);

  private:
    bool open_ = false;
    std::string name_;
};

}  // namespace emergence
