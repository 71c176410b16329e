#pragma once
// The control of a field, without its label: a slider that also takes typed values, a check box or a list.

#include <imgui.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"
#include "core/settings/fields.h"

namespace emergence {

// What is being done to fields with the keyboard: which one the keys are for, what is being typed into it,
// and what was typed but is not allowed. One for all fields of the window; draw_field does the rest.

class FieldEditing {
  public:
    /// Before the first field of a frame.
    void begin_frame();

    /// The next field in the order in which they are drawn, or the one before. Where none has the keys, the
    /// first or the last.
    void move(int by);
    /// Changes the field that has the keys by so many steps.
    void adjust(int steps) { wanted_.steps += steps; }
    /// Begins to type a value into the field that has the keys.
    void type() { wanted_.type = true; }
    /// Puts the field that has the keys back to its default.
    void reset() { wanted_.reset = true; }
    /// A click is held back: frames are needed although nothing else may happen.
    bool waiting() const { return held_.has_value(); }
    /// Whether one of them has the keys.
    bool has_keys() const { return focused_ != 0; }
    /// Takes the keys away from the fields. False where none had them.
    bool leave();

    // For draw_field.

    /// A field is drawn. True where it has the keys.
    bool enlist(ImGuiID id);
    void focus(ImGuiID id);
    /// The same from elsewhere in the window: the field is scrolled into view.
    void go_to(ImGuiID id) {
        focus(id);
        wanted_.moved = true;
    }
    void start_typing(ImGuiID id, const std::string& text);
    /// What was typed is dealt with, and what was wrong with it forgotten.
    void stop_typing();
    /// What was typed is not allowed: a sentence to be shown until something else is done.
    void refuse(const std::string& sentence);
    bool typing() const { return typing_ != 0; }
    bool typing(ImGuiID id) const { return typing_ == id; }
    /// The first frame of typing: the keyboard has to be asked for.
    bool take_started() { return std::exchange(started_, false); }
    std::string& text() { return text_; }
    std::string refusal(ImGuiID id) const { return id == refused_ ? refusal_ : ""; }
    /// A slider was clicked, not dragged: what it would have from that. Kept back until it is known that no
    /// second click follows, which would ask to type.
    void hold_click(ImGuiID id, const FieldValue& value);
    /// The value held back for this slider once its time has come; given once.
    std::optional<FieldValue> take_click(ImGuiID id);
    /// The value that is still held back for it.
    std::optional<FieldValue> held_click(ImGuiID id) const;
    void forget_click() { held_.reset(); }
    /// What is asked of the field that has the keys; moved: they have come from elsewhere, so that it has to be
    /// scrolled into view.
    struct Wanted {
        int steps = 0;
        bool type = false, reset = false, moved = false;
    };
    Wanted take_wanted() { return std::exchange(wanted_, {}); }

  private:
    struct HeldClick {
        ImGuiID slider = 0;
        FieldValue value;
        double until = 0.0;  // seconds of ImGui's clock
    };

    ImGuiID focused_ = 0;
    ImGuiID typing_ = 0;
    ImGuiID refused_ = 0;
    std::string text_;
    std::string refusal_;
    std::optional<HeldClick> held_;
    std::vector<ImGuiID> order_;  // of this frame
    std::vector<ImGuiID> last_order_;
    Wanted wanted_;
    bool started_ = false;
    bool clicked_ = false;  // somewhere, in the last frame
    bool claimed_ = false;  // by a field
};

/// Whether the field is a number, whole or not.
bool is_numeric(const FieldInfo& info);

/// Draws the control; its last item is the control itself. Returns the value that mouse, keys or typing have
/// just given it, always allowed by the field's own range and other than `value`, or nothing. What was typed
/// but is not allowed is kept in ui.editing, under the ID "field". `range` is shaded on a slider; may be
/// null.
std::optional<FieldValue> edit_field(const Ui& ui, const FieldInfo& info, const FieldValue& value, ImVec2 size,
                                     const FieldRange* range = nullptr);

/// Whether it is a number, and which, whole or not.
bool is_numeric(const FieldValue& value);
double as_number(const FieldValue& value);

// One setting as a slider, a check box or a list, made from its FieldInfo.

/// Draws label, control and a button that resets to the default, across the width that is left. Returns the
/// value that the user has just chosen, always within the field's range, or nothing. `refusal` is a sentence
/// to be shown over what is under the control ("" for none). `idle` says why the field has no effect just now
/// ("" where it has): then it is drawn faint, and can be set nevertheless. `range`, a stretch of a number's
/// slider, is shaded, and the help says whether the value lies in it; null for none. The control is logged
/// under the field's name.
std::optional<FieldValue> draw_field(const Ui& ui, const FieldInfo& info, const FieldValue& value,
                                     const std::string& refusal, const std::string& idle = {},
                                     const FieldRange* range = nullptr);

/// The ImGui identifier of the control that draw_field draws at this place of the window.
ImGuiID control_id(const FieldInfo& info);

/// What is allowed, in words: "1 to 10, default 3".
std::string range_text(const FieldInfo& info);

}  // namespace emergence
