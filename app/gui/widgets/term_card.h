#pragma once
// What a term means, said once: the first time that it stands on a screen.

#include <set>
#include <string>
#include <vector>

#include "app/handbook/glossary.h"

namespace emergence {

class TermCard {
  public:
    /// Between two terms, and before the first: seconds in which what is to be watched is said.
    static constexpr double kRest = 20.0;

    /// The words that were explained before; only then a card is ever shown. `now` in seconds, here and below.
    void begin(const std::vector<std::string>& known, double now);
    /// Those, and what has been explained since, in the order of the alphabet.
    std::vector<std::string> known() const { return {known_.begin(), known_.end()}; }

    /// Terms in a heading that is on the screen now: the first that is not known yet is explained, if no other is.
    void seen(const std::string& heading);
    /// After all headings of a frame: a term goes once there was time to read it, or when it is not seen any more.
    void turn(double now);
    /// The user has read it. False if no card is shown.
    bool dismiss();
    /// No card is shown any more, of whatever term.
    void dismiss_all();
    /// Not now: it has not been read.
    void put_away() { shown_ = nullptr; }
    const handbook::Term* shown() const { return shown_; }
    /// It has had its time: another frame is needed.
    bool stale(double now) const { return shown_ != nullptr && until_ <= now; }

  private:
    bool on_ = false;
    std::set<std::string> known_;
    const handbook::Term* shown_ = nullptr;
    bool still_seen_ = false;  // its term, in this frame
    double now_ = 0.0, until_ = 0.0, next_ = 0.0;
};

}  // namespace emergence
