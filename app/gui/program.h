#pragma once
// The window's program between its options and its end. The desktop's main() turns it in a loop; a browser calls
// turn() once per frame.

#include <atomic>
#include <memory>
#include <string>

#include "app/gui/options.h"

namespace emergence {

class Program {
  public:
    /// Opens the window and starts the first run. `leave`: once it is set, the program ends as if its window were
    /// closed; may be null. Throws NoDisplayError, InputError.
    explicit Program(Options options, const std::atomic<bool>* leave = nullptr);
    ~Program();

    /// The window is open, and no requested screenshot has been written yet.
    bool running() const;
    /// Waits for a reason to draw (a browser's window never waits), obeys what came in, and draws at most one frame.
    void turn();
    /// Saves what is to be saved when the window closes. Returns what that was and how to go on, or what failed; "" for
    /// nothing.
    std::string finish();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace emergence
