#pragma once
// The window: GLFW, OpenGL, ImGui and keys. It draws a frame only if there is something new.

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
    int width = 1600;  // size while it is not maximised
    int height = 1000;
    std::optional<std::pair<int, int>> corner;  // upper left, in screen coordinates; nullopt: the desktop chooses
    bool maximised = false;
    bool operator==(const WindowPlace&) const = default;
};

/// Smaller windows do not have room for all panels.
inline constexpr int kSmallestWidth = 960;
inline constexpr int kSmallestHeight = 600;
inline constexpr int kLargestSide = 16384;

/// The part of a screen that windows may use.
struct ScreenRoom {
    int x = 0, y = 0, width = 0, height = 0;
};

/// The place moved and shrunk so that it fits into the room, with the desktop's border around the window (left, top,
/// right, bottom).
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

/// There is no display, or it cannot show OpenGL 3.3.
class NoDisplayError : public IoError {
  public:
    using IoError::IoError;
};

class Window {
  public:
    struct Options {
        WindowPlace place;
        bool exact_size = false;  // keep the size even on a smaller screen
        bool log_widgets = false;
        const std::atomic<bool>* leave = nullptr;  // once it is set, the window closes in order
    };

    /// Opens the window. Throws NoDisplayError.
    explicit Window(const Options& options);
    ~Window();

    /// Requests a frame, from any thread.
    void wake();
    /// Waits at most `longest` seconds for a reason to draw: input, with three more frames at up to 60 per second, or
    /// wake(), at up to 30 per second. Returns false if there was none.
    bool wait_for_frame(double longest);
    /// The keys that were pressed or held since the last call.
    std::vector<KeyPress> take_keys();
    /// The files that were dropped on the window since the last call.
    std::vector<std::filesystem::path> take_dropped();

    /// Switches between the whole screen and the previous place.
    void set_full_screen(bool on);
    /// Sets the title in the desktop's list of windows.
    void set_title(const std::string& title);

    /// Draw everything between these two. With `photograph` the frame is returned, otherwise an empty image.
    const Ui& begin_frame(const Look& look);
    PixelImage end_frame(bool photograph = false);

    const Timing& timing() const;
    WindowPlace place() const;
    bool closing() const;
    /// True if the window is iconified, so nobody would see a frame.
    bool hidden() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace emergence
