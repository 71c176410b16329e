#pragma once
// The window's program between its options and its end. The desktop's main() calls turn() in a loop, a browser once per
// frame.

#include <atomic>
#include <memory>
#include <string>

#include "app/gui/options.h"

namespace emergence {

class Program {
  public:
    /// Opens the window and starts the first run. Once `leave` is set, the program ends as if its window were closed;
    /// it may be null. Throws NoDisplayError and InputError.
    explicit Program(Options options, const std::atomic<bool>* leave = nullptr);
    ~Program();

    /// True while the window is open and no requested screenshot has been written.
    bool running() const;
    /// Waits for a reason to draw, handles input, and draws at most one frame. In a browser it never waits.
    void turn();
    /// Saves everything when the window closes. Returns what was saved and how to resume it, or what failed; "" for
    /// neither.
    std::string finish();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace emergence
