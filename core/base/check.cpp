#include "core/base/check.h"

#include <string>

namespace emergence {

void fail_check(const char* what, const char* file, int line) {
    throw InvariantError(std::string(file) + ":" + std::to_string(line) + ": broken invariant: " + what);
}

}  // namespace emergence
