#pragma once
// What lies on top of the panels: dialogs, lists, the handbook. The workbench has them in one list; what has the keys,
// what Esc closes and what a command shows or hides follow from it.

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

/// The sheets that are open, one on top of another.
class Layers {
  public:
    /// `sheets` stay as they are.
    explicit Layers(const std::vector<Sheet*>& sheets) : sheets_(sheets) {}

    /// Puts what was opened since the last call on top, and takes out what was closed.
    void follow();
    /// A click in the ImGui window of this name: a sheet comes to the top, panels ("" too) get the keys.
    void clicked(const std::string& window);

    /// The sheet that has the keys; nullptr if the panels have them.
    Sheet* top() const;
    bool any_open() const { return !order_.empty(); }
    /// Closes the sheet that has the keys or, if the panels have them, the last one that is open. False if none is.
    bool close_top();

  private:
    const std::vector<Sheet*>& sheets_;
    std::vector<Sheet*> order_;  // the open ones, the topmost last
    bool panels_have_keys_ = false;
};

}  // namespace emergence
