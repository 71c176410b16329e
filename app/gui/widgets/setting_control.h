#pragma once
// The control of a field, without its label: a slider that also takes typed values, a check box or a list.

#include <imgui.h>

#include <optional>

#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"
#include "core/settings/fields.h"

namespace emergence {

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

}  // namespace emergence
