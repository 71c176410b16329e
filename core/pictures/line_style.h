#pragma once
// Dash patterns: what tells lines of one colour apart.

#include <span>

namespace emergence {

/// Numbers from here on say a pattern besides the colour, which is the rest of the division by this.
inline constexpr int kDashedColors = 100'000;

/// The number (Series::color) of dashed lines in a colour and a dash pattern; 0 is the usual one, which the
/// plain colour has too. categorical() gives the colour.
int in_dashes(int color, int dashes);
/// The pattern that such a number asks for.
int dashes_of(int color);

/// What a dashed line draws and leaves out in turns: an even number of lengths, in a unit that is the
/// drawer's.
std::span<const double> dash_pattern(int dashes);

}  // namespace emergence
