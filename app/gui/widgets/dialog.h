#pragma once

#include "app/gui/shell/theme.h"

namespace emergence {

/// Begins a window in the middle, above all panels, as large as its content and scrolled where that does not
/// fit; ends it on destruction. Logged as "panel NAME".
class Dialog {
  public:
    /// `width` in lengths of the design: the least it will have.
    Dialog(const Ui& ui, const char* name, float width);
    ~Dialog();
    Dialog(const Dialog&) = delete;
    Dialog& operator=(const Dialog&) = delete;
};

}  // namespace emergence
