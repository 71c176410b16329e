#pragma once
// Typed errors. Core throws them and never prints or exits. The programs handle each error once: the window shows a
// banner, the command line prints one line and exits with a code.

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace emergence {

/// An error whose message is a text, or a format with its values.
class FormattedError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    template <class... Values>
    requires(sizeof...(Values) > 0) explicit FormattedError(fmt::format_string<Values...> text, Values&&... values)
        : std::runtime_error(fmt::format(text, std::forward<Values>(values)...)) {}
};

/// The user's input is wrong: a name, a value, a file's contents. The message says what is wrong, where, and what to
/// do. The command line exits with 2.
class InputError : public FormattedError {
  public:
    using FormattedError::FormattedError;
};

/// The machine failed: a full disk, a missing folder, a missing permission. The command line exits with 1.
class IoError : public FormattedError {
  public:
    using FormattedError::FormattedError;
};

// Invariants: conditions that only a programming error can break. For the user's mistakes see above.

class InvariantError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

[[noreturn]] inline void fail_check(const char* what, const char* file, int line) {
    throw InvariantError(std::string(file) + ":" + std::to_string(line) + ": broken invariant: " + what);
}

/// Throws InvariantError, with file and line, unless `condition` holds.
// Not std::source_location, which clang 14 (clang-tidy) cannot read: these are the builtins behind it.
inline void check(bool condition, const char* what, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (!condition) [[unlikely]]
        fail_check(what, file, line);
}

}  // namespace emergence
