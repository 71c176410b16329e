#pragma once
// When something that is shown has to be built anew.

#include <utility>

#include "app/gui/shell/clock.h"

namespace emergence {

/// What something shown was last built from. It is built anew if that has changed, or later if building may wait: it then
/// takes no more than its share of the window's time.
template <class Source>
class BuiltFrom {
  public:
    explicit BuiltFrom(double share = 1.0) : share_(share) {}

    /// A default one before the first building.
    const Source& source() const { return source_; }
    /// The next update() builds, as if what is there had been built from `source`.
    void forget(Source source = {}) {
        source_ = std::move(source);
        built_ = false;
    }
    /// Calls `build` if `source` is not what was built from. `may_wait`: only once the share allows it.
    template <class Build>
    void update(Source source, const Build& build, bool may_wait = false) {
        if (built_ && source == source_) return;
        if (built_ && may_wait && seconds_now() - built_at_ <= cost_ / share_) return;
        const double start = seconds_now();
        build();
        source_ = std::move(source);
        built_ = true;
        built_at_ = seconds_now();
        cost_ = built_at_ - start;
    }

  private:
    double share_;
    bool built_ = false;
    Source source_{};
    double built_at_ = 0.0;
    double cost_ = 0.0;  // seconds that the last building took
};

}  // namespace emergence
