#pragma once
// What lies on top of the panels: dialogs, lists, the handbook. The workbench has them in one list; what has the keys,
// what Esc closes and what a command shows or hides follow from it.

#include <functional>
#include <string>
#include <vector>

#include "app/gui/commands/asks.h"

namespace emergence {

class Sheet {
  public:
    enum class Keys { shared, own };

    /// `name`: of its ImGui window. `keys`: while it is open they are its own, or go to the panels when the user clicks
    /// there.
    explicit Sheet(const char* name, Keys keys = Keys::shared) : name_(name), keys_(keys) {}
    virtual ~Sheet() = default;
    Sheet(const Sheet&) = delete;
    Sheet& operator=(const Sheet&) = delete;

    const char* name() const { return name_; }
    bool is_modal() const { return keys_ == Keys::own; }
    bool is_open() const { return open_; }
    /// As its command does it.
    virtual void open(const Session&) { show(); }
    virtual void close() { open_ = false; }
    void toggle(const Session& session) { open_ ? close() : open(session); }
    /// Once a frame, also while it is closed. Logged as "panel NAME".
    virtual void draw(const Context& context) = 0;

  protected:
    /// Open, and to the front in the next frame.
    void show() { open_ = raise_ = true; }
    bool open_ = false, raise_ = false;

  private:
    const char* name_;
    Keys keys_;
};

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
