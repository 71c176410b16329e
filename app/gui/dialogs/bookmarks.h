#pragma once
// States of the window by name, and as text to be copied and pasted.

#include <map>
#include <optional>
#include <string>

#include "app/gui/shell/theme.h"

namespace emergence {

/// What was asked for.
struct BookmarkRequest {
    enum class Kind { open, add, copy, paste } kind = Kind::open;
    std::string name;  // of the bookmark, where there is one
};

class BookmarksPanel {
  public:
    /// `suggested`: a name for the present state.
    void open(std::string suggested);
    void close() { open_ = false; }
    bool is_open() const { return open_; }
    /// Draws the list, in which bookmarks can be deleted.
    std::optional<BookmarkRequest> draw(const Ui& ui, std::map<std::string, std::string>& bookmarks);

  private:
    bool open_ = false;
    std::string name_;
};

}  // namespace emergence
