#pragma once
// The settings of somebody else's file may be valid and yet take hours or all memory before anything is shown. Where
// nobody sees that a program still gets ready, as on a command line, opening is bounded.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "core/settings/fields.h"

namespace emergence {

/// From now on every BoundedOpening that costs more than kMostShowSeconds of processor time or kMostRunBytes calls
/// `refuse` with a sentence. It does not return.
void bound_openings(std::function<void(const std::string&)> refuse);

/// Opening or showing one thing, as long as this lives; the time counts on if one of the same name comes next. Bounded only
/// if there are large settings: a slow machine may take long over usual ones.
class BoundedOpening {
  public:
    BoundedOpening(const std::string& name, const Settings& settings);
    ~BoundedOpening();
    BoundedOpening(const BoundedOpening&) = delete;
    BoundedOpening& operator=(const BoundedOpening&) = delete;

  private:
    void watch(const std::string& name, const std::string& large);

    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::thread watcher_;
};

}  // namespace emergence
