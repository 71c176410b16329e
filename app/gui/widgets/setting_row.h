#pragma once
// One setting as a slider, a check box or a list, made from its FieldInfo.

#include <optional>
#include <string>

#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"
#include "core/settings/fields.h"

namespace emergence {

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
