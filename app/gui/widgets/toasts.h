#pragma once
// Short good news in a corner, "Saved ...", that goes by itself. Bad news stays, in a banner.

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

    void clear() { toasts_.clear(); }

    /// Draws them where they cover nothing that is operated: the newest at the right end of `line`, the
    /// window's line of status, where that is shown; else upwards from the lower right corner of `area`, the
    /// newest lowest. Logged as "panel toast 0" and on.
    void draw(const Ui& ui, const Box& area, const Box& line);
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
    };
    void draw_one(const Ui& ui, Toast& toast, size_t index, ImVec2 corner, float& height);
    void draw_in_line(const Ui& ui, const Box& line);
    static void react(Toast& toast);

    std::vector<Toast> toasts_;
};

}  // namespace emergence
