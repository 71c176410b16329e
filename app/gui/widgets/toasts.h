#pragma once
// Short good news, "Saved ...", that goes by itself. Bad news stays, as a banner.

#include <chrono>
#include <string>
#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

class Toasts {
  public:
    /// A click on it copies `copied` where that is given.
    void add(std::string text, std::string copied = {});

    /// How far something is: takes the place of what was told before it.
    void tell_progress(std::string text);

    void clear() { toasts_.clear(); }

    /// Draws the newest. Logged as "panel toast N", with its place in texts(). False without any.
    bool draw(const Ui& ui, const Box& slot);
    /// One has had its time but is still on the screen: another frame is needed.
    bool stale() const;
    /// What is shown, oldest first.
    std::vector<std::string> texts() const;

  private:
    using Clock = std::chrono::steady_clock;
    struct Toast {
        std::string text;
        std::string copied;
        Clock::time_point until;
        bool was_copied = false;
        bool progress = false;
    };

    std::vector<Toast> toasts_;
};

}  // namespace emergence
