#pragma once
// Dash patterns, which distinguish lines of one colour.

#include <span>

namespace emergence {

/// Series::color holds colour + kDashedColors * pattern.
inline constexpr int kDashedColors = 100'000;

/// How many patterns differ; larger numbers start over.
inline constexpr int kDashPatterns = 32;

/// The number (Series::color) of dashed lines in a colour and a dash pattern; 0 is the usual pattern, which a plain
/// colour has too. categorical() gives the colour.
int in_dashes(int color, int dashes);
/// The pattern in such a number.
int dashes_of(int color);

/// The lengths that a dashed line draws and skips in turn: an even number, in the unit of the drawing code.
std::span<const double> dash_pattern(int dashes);

}  // namespace emergence
