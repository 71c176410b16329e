#pragma once
// Typed errors. Core throws them and never prints or exits. The programs handle each error once: the window shows a
// banner, the command line prints one line and exits with a code.

#include <stdexcept>
#include <string>

namespace emergence {

/// The user's input is wrong: a name, a value, a file's contents. The message says what is wrong, where, and what to
/// do. The command line exits with 2.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The machine failed: a full disk, a missing folder, a missing permission. The command line exits with 1.
class IoError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace emergence
