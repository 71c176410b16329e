#pragma once
// Where each widget was last drawn, by name: tests, the window's trace and the keyboard find a slider with it.

#include <imgui.h>

#include <map>
#include <string>

namespace emergence {

class WidgetLog {
  public:
    struct Place {
        ImVec2 min;
        ImVec2 max;
        bool visible = true;  // false where it is scrolled or clipped away
        int frame = 0;
        /// Of the control that can be pressed there; 0 if none.
        ImGuiID id = 0;
        /// In which order the widgets of a frame were drawn.
        int order = 0;
        /// It stands in an open list or menu.
        bool popup = false;
    };

    /// Notes the rectangle of a widget in this frame.
    void record(const std::string& name, ImVec2 min, ImVec2 max, ImGuiID id = 0);
    /// The centre of a widget of the last frame. Throws InvariantError where it was not drawn then, or is
    /// clipped.
    ImVec2 centre(const std::string& name) const;
    const Place& place(const std::string& name) const;
    bool drawn(const std::string& name) const;
    const std::map<std::string, Place>& places() const { return places_; }

  private:
    std::map<std::string, Place> places_;
    int next_ = 0;
};

}  // namespace emergence
