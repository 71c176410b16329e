#pragma once
// Every control by the keyboard: a ring goes from one control to the next in the order in which they are drawn, the
// pointer goes with it, and a key presses the one that has the ring.

#include <imgui.h>

#include <string>

#include "app/gui/shell/theme.h"
#include "app/gui/shell/widget_log.h"

namespace emergence {

class ControlWalk {
  public:
    /// To the next control, or the one before; begins with the first or the last.
    void move(int by);
    /// Presses the control that has the ring. False if none has it.
    bool press();
    /// Takes the ring away. False if there was none.
    bool leave();
    /// The log is needed in this frame.
    bool active() const { return on_; }
    /// As logged; "" if no control has the ring.
    const std::string& name() const { return name_; }
    /// After everything is drawn: moves and draws the ring. Only what lies inside the panel `top`, and is drawn after
    /// it, can have it; "" for the whole window. While a list or menu is open, its entries alone.
    void draw(const Ui& ui, const WidgetLog& log, const std::string& top);

  private:
    bool on_ = false;
    int steps_ = 0;
    ImGuiID id_ = 0;
    std::string name_;
};

}  // namespace emergence
