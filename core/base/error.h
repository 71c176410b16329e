#pragma once
// Typed errors. Core throws them; each is handled once, at the edge (a banner in the window, one line and an
// exit code in the command line). Nothing in core prints or exits.

#include <stdexcept>
#include <string>

namespace emergence {

/// Something the user gave is wrong: a name, a value, a file's contents. The message names the field or file,
/// what was found and what is allowed. The command line exits with 2.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The machine refused: a full disk, a missing folder, a permission. The command line exits with 1.
class IoError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace emergence
