#pragma once
// The definition of the glossary's term under the pointer, wherever it stands in the window.

#include <imgui.h>

#include <optional>
#include <string>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"
#include "app/handbook/glossary.h"

namespace emergence {

/// Receives all text that stands under the pointer while it is drawn, and shows the term in it at the end of
/// the frame: below the tooltip that is there already, else in a tooltip of its own.
class TermHover : public TextListener {
  public:
    void begin_frame();
    void under_pointer(const ImFont* font, ImVec2 at, const std::string& text) override;
    /// The item under the pointer is labelled so: a term in it counts wherever the pointer is on the item.
    void labelled(const std::string& text);
    /// To be told of every item that has a tooltip, while it is the last one. False if the tooltip would be in the way:
    /// the item is held, or was pressed since the pointer came.
    bool may_explain();
    /// Shows the term, unless something is held with the mouse or the window presents.
    void draw(const Ui& ui);

    /// The term that was shown last, as long as the pointer rests on it; null for none.
    const handbook::Term* term() const { return shown_; }
    /// Pixels by which the term lengthened a tooltip in the last frame: its place has to allow for them.
    float added_height() const { return added_height_; }

  private:
    const handbook::Term* found_ = nullptr;  // in this frame
    ImVec2 word_min_, word_max_;             // where it stands
    const handbook::Term* shown_ = nullptr;
    float added_height_ = 0.0F;
    std::optional<Box> pressed_;  // the item that was pressed last, until the pointer leaves it
};

}  // namespace emergence
