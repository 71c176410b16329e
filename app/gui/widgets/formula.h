#pragma once
// Draws a Formula in readable type; its terms can be pointed at, and lit up.

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// A run of characters at one height.
struct FormulaPiece {
    enum class Level { base, sub, super };
    std::string text;  // UTF-8, Greek as letters
    Level level = Level::base;
    bool operator==(const FormulaPiece&) const = default;
};

/// "w_{l+1}" as w with a lowered l+1: one character or a braced group behind _ or ^; Greek names become
/// letters, ' a prime, - a minus, "sum" the sign, a lone superscript T that of transposition.
std::vector<FormulaPiece> parse_formula(const std::string& text);

struct FormulaResponse {
    std::optional<size_t> hovered;  // a term that has a meaning
    float height = 0.0F;            // pixels that it took
};

/// Draws at the cursor, in as many lines of `width` pixels as it takes; the terms in `lit` light up. What a
/// term means is said where it is pointed at. Logged as "term INDEX".
FormulaResponse draw_formula(const Ui& ui, const Formula& formula, const std::vector<size_t>& lit, float width);

}  // namespace emergence
