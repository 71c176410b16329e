#pragma once

#include <string>

#include "app/gui/shell/theme.h"

namespace emergence {

/// − VALUE +, with `width` (lengths of the design) for the value. The steps that were asked for: -1, 0 or 1.
/// Logged as "less ID" and "more ID".
int draw_stepper(const Ui& ui, const std::string& id, const std::string& value, float width);

}  // namespace emergence
