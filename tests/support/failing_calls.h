#pragma once
// Calls of the system that fail at a chosen time, as on a full or broken disk. The test program's own rename, write,
// fsync, open, close, mkdir and flock stand before the system's.

#include <cstddef>

namespace emergence::testing {

enum class SystemCall { rename, write, fsync, open, close, mkdir, flock };
/// Those that files depend on.
inline constexpr SystemCall kFileCalls[] = {SystemCall::rename, SystemCall::write, SystemCall::fsync,
                                            SystemCall::open,   SystemCall::close, SystemCall::mkdir};

/// While it lives, the `first`-th of these calls fails, counted from 1, and those after it too if `all_after`; 0: none,
/// the calls are only counted. One at a time.
class FailingCalls {
  public:
    FailingCalls(SystemCall call, size_t first, int error, bool all_after = false);
    ~FailingCalls();
    FailingCalls(const FailingCalls&) = delete;
    FailingCalls& operator=(const FailingCalls&) = delete;

    /// How often it has been called.
    size_t count() const;
    bool failed() const;
};

/// While it lives, the order of fsync and rename is noted: an 's' and an 'r' each.
class CallOrder {
  public:
    CallOrder();
    ~CallOrder();
    CallOrder(const CallOrder&) = delete;
    CallOrder& operator=(const CallOrder&) = delete;
    const char* text() const;
};

}  // namespace emergence::testing
