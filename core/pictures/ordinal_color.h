#pragma once
// Colours of ordered things, such as layers, along a course of hues.

namespace emergence {

/// A course of hues: from light blue to deep blue, or from orange to deep red.
enum class Course { blues, reds };

/// The number (Series::color) of the `i`-th of `count` ordered things, clamped to 0 <= i < count <= 64. categorical()
/// turns it into a colour.
int ordinal_color(Course course, int i, int count);

/// The number of the same thing along the other course; any other colour stays.
int other_course(int color);

}  // namespace emergence
