#pragma once
// The window: GLFW, OpenGL and ImGui from start to end, frames drawn only when there is something new, keys.

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/export/export.h"
#include "app/gui/shell/clock.h"
#include "app/gui/shell/key_press.h"
#include "app/gui/shell/theme.h"
#include "core/base/error.h"

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

/// There is no display, or none that can show OpenGL 3.3.
class NoDisplayError : public IoError {
  public:
    using IoError::IoError;
};

class Window {
  public:
    struct Options {
        WindowPlace place;
        bool exact_size = false;  // also if the screen is smaller
        bool log_widgets = false;
        const std::atomic<bool>* leave = nullptr;  // once it is set the window closes as if told to
    };

    /// Opens the window. Throws NoDisplayError.
    explicit Window(const Options& options);
    ~Window();

    /// There is something new to be drawn. From any thread.
    void wake();
    /// Waits at most `longest` seconds for a reason to draw: input (and three frames after it, at up to 60 a
    /// second) or wake() (at up to 30 a second). False where there was none.
    bool wait_for_frame(double longest);
    /// The keys that were pressed or held since it was last asked.
    std::vector<KeyPress> take_keys();
    /// The files that were dropped on the window since it was last asked.
    std::vector<std::filesystem::path> take_dropped();

    /// The window takes the whole screen that it is on, or goes back to where it was.
    void set_full_screen(bool on);
    /// As it stands in the desktop's list of windows.
    void set_title(const std::string& title);

    /// Between the two everything is drawn. Returns the frame where `photograph` asks for it, an empty image
    /// otherwise.
    const Ui& begin_frame(const Look& look);
    PixelImage end_frame(bool photograph = false);

    const Timing& timing() const;
    WindowPlace place() const;
    bool closing() const;
    /// Iconified: nobody would see a frame.
    bool hidden() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace emergence
