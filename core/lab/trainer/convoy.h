#pragma once
// Compared runs advance side by side: each waits for the slowest. Only the waiting depends on this, never a result.

#include <cstdint>
#include <mutex>
#include <vector>

namespace emergence {

/// The members of a comparison, shared by their trainers; each trainer holds one place. Safe on any thread.
class Convoy {
  public:
    /// Adds a member at step 0 and returns its place.
    int join();
    void leave(int place);
    /// Sets the member's step. Others do not wait for a member that has ended (finished or failed).
    void report(int place, int64_t step, bool ended);

    /// The step of the slowest other member that has not ended; the largest int64_t if none.
    int64_t slowest_other(int place) const;
    /// The step of the fastest other member, ended or not; 0 if none.
    int64_t fastest_other(int place) const;

  private:
    struct Member {
        bool present = false;
        bool ended = false;
        int64_t step = 0;
    };
    mutable std::mutex mutex_;
    std::vector<Member> members_;
};

}  // namespace emergence
