#pragma once

#include <optional>
#include <utility>

namespace emergence {

/// Where a window is on the screen, in pixels.
struct WindowPlace {
    int width = 1600;  // when it is not maximised
    int height = 1000;
    std::optional<std::pair<int, int>> corner;  // upper left, in the screen's coordinates; nothing: the desktop chooses
    bool maximised = false;
    bool operator==(const WindowPlace&) const = default;
};

/// Smaller windows have no room for all panels.
inline constexpr int kSmallestWidth = 960;
inline constexpr int kSmallestHeight = 600;
inline constexpr int kLargestSide = 16384;

}  // namespace emergence
