#pragma once
// Where each widget was last drawn, by name: tests and the window's trace find a slider with it.

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
    };

    /// Notes the rectangle of a widget in this frame.
    void record(const std::string& name, ImVec2 min, ImVec2 max);
    /// The centre of a widget of the last frame. Throws InvariantError where it was not drawn then, or is
    /// clipped.
    ImVec2 centre(const std::string& name) const;
    const Place& place(const std::string& name) const;
    bool drawn(const std::string& name) const;
    const std::map<std::string, Place>& places() const { return places_; }

  private:
    std::map<std::string, Place> places_;
};

}  // namespace emergence
