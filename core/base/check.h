#pragma once
// Invariants: conditions that only a programming error can break. For the user's mistakes see error.h.

#include <stdexcept>

namespace emergence {

/// A broken invariant.
class InvariantError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(const char* what, const char* file, int line);

/// Throws InvariantError, with file and line, unless `condition` holds.
// Not std::source_location, which clang 14 (clang-tidy) cannot read: these are the builtins behind it.
inline void check(bool condition, const char* what, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (!condition) [[unlikely]]
        fail_check(what, file, line);
}

}  // namespace emergence
