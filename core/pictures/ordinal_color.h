#pragma once
// Colours of things that have an order, such as layers: one course of hues each, however many they are.

namespace emergence {

/// Which course: from a light blue to a deep one, or from orange to a deep red.
enum class Course { blues, reds };

/// The number (Series::color) of the `i`-th of `count` ordered things, 0 <= i < count <= 64; what lies
/// outside is taken as the nearest. categorical() turns it into a colour.
int ordinal_color(Course course, int i, int count);

}  // namespace emergence
