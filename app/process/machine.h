#pragma once
// What a machine must give before a program begins.

#include <cstddef>

namespace emergence {

/// Throws IoError that names the limit, unless this process may have so much more memory and so many more threads. For
/// libraries that crash or wait for ever at such a limit.
void require_machine(size_t bytes, int threads);

}  // namespace emergence
