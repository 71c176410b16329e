#pragma once
// The arrays of a file, each read when it is asked for: one that cannot be read refuses only itself.

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "core/base/array.h"

namespace emergence {

/// Reads one array that takes at most `limit` bytes of memory. Throws InputError, naming file and array.
using ArrayReader = std::function<Array(size_t limit)>;
/// By the names of the arrays.
using ArrayReaders = std::map<std::string, ArrayReader>;

/// All arrays, which together take at most `limit` bytes of memory. Throws InputError if one cannot be read.
ArrayMap read_all(const ArrayReaders& readers, size_t limit);

/// What the values of an array take in memory.
size_t bytes_in_memory(const Array& array);

}  // namespace emergence
