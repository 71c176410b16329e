#pragma once
// Dialogs, lists and the handbook, which lie on top of the panels. The workbench has them in one list, from which it
// follows who has the keys and what Esc closes.

#include <string>
#include <vector>

#include "app/gui/commands/asks.h"

namespace emergence {

class Sheet {
  public:
    enum class Keys { shared, own };

    /// `name` is its ImGui window's. With Keys::own an open sheet keeps the keys; with Keys::shared a click on the
    /// panels gives the keys to them.
    explicit Sheet(const char* name, Keys keys = Keys::shared) : name_(name), keys_(keys) {}
    virtual ~Sheet() = default;
    Sheet(const Sheet&) = delete;
    Sheet& operator=(const Sheet&) = delete;

    const char* name() const { return name_; }
    bool is_modal() const { return keys_ == Keys::own; }
    bool is_open() const { return open_; }
    /// Opens it as its command does.
    virtual void open(const Session&) { show(); }
    virtual void close() { open_ = false; }
    void toggle(const Session& session) { open_ ? close() : open(session); }
    /// Call once per frame, even while it is closed. Logged as "panel NAME".
    virtual void draw(const Context& context) = 0;

  protected:
    /// Opens it and brings it to the front in the next frame.
    void show() { open_ = raise_ = true; }
    bool open_ = false, raise_ = false;

  private:
    const char* name_;
    Keys keys_;
};

/// The open sheets, stacked.
class Layers {
  public:
    /// `sheets` must outlive this object.
    explicit Layers(const std::vector<Sheet*>& sheets) : sheets_(sheets) {}

    /// Puts newly opened sheets on top and removes closed ones.
    void follow();
    /// Handles a click in the ImGui window of this name: a sheet comes to the top; panels and "" get the keys.
    void clicked(const std::string& window);

    /// The sheet that has the keys; nullptr if the panels have them.
    Sheet* top() const;
    bool any_open() const { return !order_.empty(); }
    /// Closes the sheet that has the keys, or the topmost one if the panels have them. Returns false if none is open.
    bool close_top();

  private:
    const std::vector<Sheet*>& sheets_;
    std::vector<Sheet*> order_;  // open sheets, topmost last
    bool panels_have_keys_ = false;
};

}  // namespace emergence
