#pragma once

#include <imgui.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"
#include "app/handbook/glossary.h"

namespace emergence {

/// Moves the tooltip that is to begin, if a place was set for it, so that all of it is on the display.
void keep_tooltip_on_display();

/// The tooltip that is to begin stands beside the pointer within the present window, left of it if there is no room
/// right: in a presentation it would lie over a lesson's words.
void keep_tooltip_in_window(const Ui& ui);

/// Begins a tooltip whose text is wrapped at `width`, a length of the design (0: not wrapped); ends it on destruction.
class Tooltip {
  public:
    explicit Tooltip(const Ui& ui, float width = 380.0F) {
        keep_tooltip_on_display();
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(width > 0.0F ? ui.px(width) : -1.0F);
    }
    ~Tooltip() {
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    Tooltip(const Tooltip&) = delete;
    Tooltip& operator=(const Tooltip&) = delete;
};

/// Whether the last item is to be explained: it is pointed at, neither held nor pressed since the pointer came, and the
/// window does not present.
bool may_explain_item(const Ui& ui);
/// A sentence for the last item while it is pointed at, beside it.
void explain_item(const Ui& ui, const std::string& text);
/// Logs the last item, and explains it.
void note_item(const Ui& ui, const std::string& name, const std::string& help);
/// A sentence beside a place that is pointed at.
void explain_beside(const Ui& ui, ImVec2 min, ImVec2 max, const std::string& text);
/// The same for whatever is under the pointer.
void explain_now(const Ui& ui, const std::string& text);

// The definition of the glossary's term under the pointer, wherever it stands in the window.

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

// What a term means, said once: the first time that it stands on a screen.

class TermCard {
  public:
    /// Between two terms, and before the first: seconds in which what is to be watched is said.
    static constexpr double kRest = 20.0;

    /// The words that were explained before; only then a card is ever shown. `now` in seconds, here and below.
    void begin(const std::vector<std::string>& known, double now);
    /// Those, and what has been explained since, in the order of the alphabet.
    std::vector<std::string> known() const { return {known_.begin(), known_.end()}; }

    /// Terms in a heading that is on the screen now: the first that is not known yet is explained, if no other is.
    void seen(const std::string& heading);
    /// After all headings of a frame: a term goes once there was time to read it, or when it is not seen any more.
    void turn(double now);
    /// The user has read it. False if no card is shown.
    bool dismiss();
    /// No card is shown any more, of whatever term.
    void dismiss_all();
    /// Not now: it has not been read.
    void put_away() { shown_ = nullptr; }
    const handbook::Term* shown() const { return shown_; }
    /// It has had its time: another frame is needed.
    bool stale(double now) const { return shown_ != nullptr && until_ <= now; }

  private:
    bool on_ = false;
    std::set<std::string> known_;
    const handbook::Term* shown_ = nullptr;
    bool still_seen_ = false;  // its term, in this frame
    double now_ = 0.0, until_ = 0.0, next_ = 0.0;
};

}  // namespace emergence
