#include "core/base/check.h"

#include <string>

namespace emergence {

void fail_check(const char* what, const std::source_location& where) {
    throw InvariantError(std::string(where.file_name()) + ":" + std::to_string(where.line()) +
                         ": broken invariant: " + what);
}

}  // namespace emergence
