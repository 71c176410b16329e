#pragma once

#include <algorithm>
#include <array>
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

/// What a screen has for windows, without the desktop's own bars.
struct ScreenRoom {
    int x = 0, y = 0, width = 0, height = 0;
};

/// The place, as large and as far to the right and below as the room allows, with the desktop's border around a window
/// (left, top, right, bottom).
inline WindowPlace fitted(WindowPlace place, const ScreenRoom& room, const std::array<int, 4>& border = {}) {
    const auto [left, top, right, bottom] = border;
    place.width = std::min(place.width, std::max(kSmallestWidth, room.width - left - right));
    place.height = std::min(place.height, std::max(kSmallestHeight, room.height - top - bottom));
    if (!place.corner) return place;
    auto& [x, y] = *place.corner;
    x = std::max(room.x + left, std::min(x, room.x + room.width - right - place.width));
    y = std::max(room.y + top, std::min(y, room.y + room.height - bottom - place.height));
    return place;
}

}  // namespace emergence
