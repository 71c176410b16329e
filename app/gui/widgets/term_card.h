#pragma once
// What a term means, said once: the first time that it stands on a screen.

#include <set>
#include <string>
#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "app/handbook/glossary.h"

namespace emergence {

class TermCard {
  public:
    /// The words that were explained before; only then a card is ever shown.
    void begin(const std::vector<std::string>& known);
    /// Those, and what has been explained since, in the order of the alphabet.
    std::vector<std::string> known() const { return {known_.begin(), known_.end()}; }

    /// Terms in a heading that is on the screen now: the first that is not known yet is explained, if no other is.
    void seen(const std::string& heading);
    /// At the lower edge of `room`, until its cross is clicked or Esc pressed, or its term was not seen since the last
    /// time. Logged as "panel term".
    void draw(const Ui& ui, const Box& room);
    /// The user has read it. False if no card is shown.
    bool dismiss();
    /// Not now: it has not been read.
    void put_away() { shown_ = nullptr; }
    const handbook::Term* shown() const { return shown_; }

  private:
    bool on_ = false;
    std::set<std::string> known_;
    const handbook::Term* shown_ = nullptr;
    bool still_seen_ = false;  // its term, since it was last drawn
    float height_ = 0.0F;      // as last drawn
};

}  // namespace emergence
