#pragma once
// A setting's row, with label, control and reset; and its control alone: a slider that also takes typed values, a check
// box or a list.

#include <imgui.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"
#include "core/settings/fields.h"

namespace emergence {

/// What the keyboard does to fields: which field has the keys, what is typed into it, and why that is not allowed. One for
/// all fields of the window.
class FieldEditing {
  public:
    /// Before the first field of a frame.
    void begin_frame();

    /// Gives the keys to the next field in the order of drawing, or to the one before; if no field has them, to the first
    /// or the last.
    void move(int by);
    // The field with the keys: changes it by so many steps, begins to type a value, or resets it to its default.
    void adjust(int steps) { wanted_.steps += steps; }
    void type() { wanted_.type = true; }
    void reset() { wanted_.reset = true; }
    /// Whether a field has the keys.
    bool has_keys() const { return focused_ != 0; }
    /// Takes the keys away from the fields. False if no field had them.
    bool leave();

    // For draw_field.

    /// A field is drawn. True if it has the keys.
    bool enlist(ImGuiID id);
    void focus(ImGuiID id);
    /// Gives it the keys and scrolls it into view.
    void go_to(ImGuiID id) {
        focus(id);
        wanted_.moved = true;
    }
    void start_typing(ImGuiID id, const std::string& text);
    void stop_typing();
    /// The typed value is not allowed: shows this sentence until the user does something else.
    void refuse(const std::string& sentence);
    bool typing() const { return typing_ != 0; }
    bool typing(ImGuiID id) const { return typing_ == id; }
    /// The first frame of typing, in which the text needs the keyboard.
    bool take_started() { return std::exchange(started_, false); }
    std::string& text() { return text_; }
    std::string refusal(ImGuiID id) const { return id == refused_ ? refusal_ : ""; }
    /// What the keys ask of the field that has them. moved: it has to be scrolled into view.
    struct Wanted {
        int steps = 0;
        bool type = false, reset = false, moved = false;
    };
    Wanted take_wanted() { return std::exchange(wanted_, {}); }

  private:
    ImGuiID focused_ = 0;
    ImGuiID typing_ = 0;
    ImGuiID refused_ = 0;
    std::string text_;
    std::string refusal_;
    std::vector<ImGuiID> order_;  // of this frame
    std::vector<ImGuiID> last_order_;
    Wanted wanted_;
    bool started_ = false;
    bool clicked_ = false;  // somewhere, in the last frame
    bool claimed_ = false;  // by a field
};

/// Whether the field is a number, whole or not.
bool is_numeric(const FieldInfo& info);

/// Draws the control, which is the last item afterwards. Returns the value that mouse, keys or typing gave it, within the
/// field's range and other than `value`, or nothing. ui.editing keeps a typed value that is not allowed, under the ID
/// "field". `range` is shaded on a slider; may be null.
std::optional<FieldValue> edit_field(const Ui& ui, const FieldInfo& info, const FieldValue& value, ImVec2 size,
                                     const FieldRange* range = nullptr);

/// Whether the value is a number, whole or not, and that number.
bool is_numeric(const FieldValue& value);
double as_number(const FieldValue& value);

/// Draws label, control and a button that resets to the default, across the remaining width. Returns the value that the
/// user has just chosen, within the field's range, or nothing. `refusal`: a sentence to show below the control, "" for
/// none. `idle`: why the field has no effect now, "" if it has one; such a field is faint but can be set. `range` is shaded
/// on the slider, and the tooltip says whether the value lies in it; null for none. The control is logged under the field's
/// name.
std::optional<FieldValue> draw_field(const Ui& ui, const FieldInfo& info, const FieldValue& value,
                                     const std::string& refusal, const std::string& idle = {},
                                     const FieldRange* range = nullptr);

/// The ImGui identifier of the control that draw_field draws in the present window.
ImGuiID control_id(const FieldInfo& info);

/// The allowed values in words: "1 to 10, default 3".
std::string range_text(const FieldInfo& info);

}  // namespace emergence
