#pragma once
// Invariants: conditions that only a programming error can break. For the user's mistakes see error.h.

#include <source_location>
#include <stdexcept>

namespace emergence {

/// A broken invariant.
class InvariantError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(const char* what, const std::source_location& where);

/// Throws InvariantError, with file and line, unless `condition` holds.
inline void check(bool condition, const char* what,
                  const std::source_location& where = std::source_location::current()) {
    if (!condition) [[unlikely]]
        fail_check(what, where);
}

}  // namespace emergence
