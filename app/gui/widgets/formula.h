#pragma once
// Draws a Formula in readable type. Terms have tooltips and can be lit up.

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// Characters at one height.
struct FormulaPiece {
    enum class Level { base, sub, super };
    std::string text;  // UTF-8, Greek as letters
    Level level = Level::base;
    bool operator==(const FormulaPiece&) const = default;
};

/// "w_{l+1}" as w with a lowered l+1: _ and ^ take one character or a group in braces. Greek names become letters, ' a
/// prime, - a minus, "sum" its sign, and a superscript T alone the sign of transposition.
std::vector<FormulaPiece> parse_formula(const std::string& text);

/// Draws at the cursor in lines of `width` pixels, with the terms in `lit` lit up. Returns the term with a meaning under the
/// pointer. Terms are logged as "term INDEX".
std::optional<size_t> draw_formula(const Ui& ui, const Formula& formula, const std::vector<size_t>& lit, float width);

}  // namespace emergence
