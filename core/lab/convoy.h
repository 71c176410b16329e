#pragma once
// Runs that are to be compared advance side by side: none may leave the slowest behind. Results never depend
// on it, only who waits for whom.

#include <cstdint>
#include <mutex>
#include <vector>

namespace emergence {

/// Shared by the trainers of a comparison; safe on any thread. Each holds a place of its own.
class Convoy {
  public:
    /// A new member at step 0. Returns its place.
    int join();
    void leave(int place);
    /// The member is at `step`; nobody waits for one that has ended (finished or failed).
    void report(int place, int64_t step, bool ended);

    /// Where the slowest of the other members is that has not ended; the largest number where there is none.
    int64_t slowest_other(int place) const;
    /// Where the fastest of the other members is, ended or not; 0 where there is none.
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
