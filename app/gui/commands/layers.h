#pragma once
// What lies on top of the panels: dialogs, lists, questions. Keys go to the topmost only.

#include <functional>
#include <string>
#include <vector>

namespace emergence {

struct Layer {
    std::string window;  // the name of its ImGui window
    std::function<bool()> is_open;
    std::function<void()> close;
    /// Keeps the keys while it is open. Others give them to the panels when the user clicks there.
    bool modal = false;
};

class Layers {
  public:
    explicit Layers(std::vector<Layer> layers) : layers_(std::move(layers)) {}

    /// Puts what was opened since the last call on top, and takes out what was closed.
    void follow();
    /// A click in the ImGui window of this name: a layer comes to the top, panels ("" too) get the keys.
    void clicked(const std::string& window);

    /// The layer that has the keys; nullptr if the panels have them.
    const Layer* top() const;
    bool any_open() const { return !order_.empty(); }
    /// Closes the layer that has the keys or, if the panels have them, the last one that is open. False if none is.
    bool close_top();

  private:
    std::vector<Layer> layers_;
    std::vector<size_t> order_;  // of the open ones, the topmost last
    bool panels_have_keys_ = false;
};

}  // namespace emergence
