#pragma once

#include <optional>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/floating.h"

namespace emergence {

/// Begins a window in the middle, above all panels, as large as its content and scrolled where that does not
/// fit; ends it on destruction. Logged as "panel NAME".
class Dialog {
  public:
    /// `width` in lengths of the design: the least it will have.
    Dialog(const Ui& ui, const char* name, float width);

  private:
    std::optional<Floating> window_;
};

}  // namespace emergence
