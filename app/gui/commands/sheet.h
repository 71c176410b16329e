#pragma once
// What lies on top of the panels: a dialog, a list, the handbook. The workbench has them in one list; what has the keys,
// what Esc closes and what a command shows or hides follow from it.

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

}  // namespace emergence
