#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"
#include "app/handbook/glossary.h"

namespace emergence {

/// The size of the tooltip in the last frame. ImGui does not show a tooltip in its first frame.
ImVec2 tooltip_size(const Ui& ui);

/// The next tooltip stands beside the pointer within the present window, so that in a presentation it does not cover a
/// lesson's words.
void keep_tooltip_in_window(const Ui& ui);

/// Begins a tooltip that lies whole on the display. Its text is wrapped at `width`, a length of the design (0: not
/// wrapped). Ends it on destruction.
class Tooltip {
  public:
    explicit Tooltip(const Ui& ui, float width = 380.0F);
    ~Tooltip();
    Tooltip(const Tooltip&) = delete;
    Tooltip& operator=(const Tooltip&) = delete;
};

/// Whether to explain the last item: the pointer is on it, it is neither held nor was pressed since the pointer came, and
/// the window does not present.
bool may_explain_item(const Ui& ui);
/// Shows a sentence beside the last item while the pointer is on it.
void explain_item(const Ui& ui, const std::string& text);
/// Logs the last item, and explains it.
void note_item(const Ui& ui, const std::string& name, const std::string& help);
/// Shows a sentence beside a place.
void explain_beside(const Ui& ui, ImVec2 min, ImVec2 max, const std::string& text);
/// Shows a sentence at the pointer.
void explain_now(const Ui& ui, const std::string& text);

/// Shows the definition of the glossary's term under the pointer, wherever it stands in the window: in the tooltip that is
/// shown already, or in one of its own.
class TermHover {
  public:
    void begin_frame();
    /// A line of text that begins at `at` lies under the pointer.
    void under_pointer(const ImFont* font, ImVec2 at, const std::string& text);
    /// The label of the item under the pointer. A term in it counts wherever the pointer is on the item.
    void labelled(const std::string& text);
    /// Called for every item that has a tooltip, while it is the last item. False if the item is held or was pressed since
    /// the pointer came.
    bool may_explain();
    /// Shows the term, unless something is held with the mouse or the window presents.
    void draw(const Ui& ui);

    /// The term under the pointer; null for none.
    const handbook::Term* term() const { return shown_; }

  private:
    const handbook::Term* found_ = nullptr;  // in this frame
    ImVec2 word_min_, word_max_;             // its place
    const handbook::Term* shown_ = nullptr;
    std::optional<Box> pressed_;  // the item that was pressed last, until the pointer leaves it
};

}  // namespace emergence
