#pragma once

#include <optional>
#include <utility>

namespace emergence {

/// Where a window is on the screen, in pixels.
struct WindowPlace {
    int width = 1600;  // when it is not maximised
    int height = 1000;
    std::optional<std::pair<int, int>>
        corner;  // upper left, in the screen's coordinates; nothing: the desktop chooses
    bool maximised = false;
    bool operator==(const WindowPlace&) const = default;
};

inline constexpr int kSmallestWidth = 640;
inline constexpr int kSmallestHeight = 400;
inline constexpr int kLargestSide = 16384;

}  // namespace emergence
