#pragma once
// NumPy's NPY format, versions 1.0 to 3.0: a line of Python that describes an array, then its bytes.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"

namespace emergence {

/// Fills a span with the next bytes of a file, or throws.
using ByteSource = std::function<void(std::span<std::byte>)>;

/// Reads an NPY file of `size` bytes. Floats of 2 and 4 bytes become float, of 8 double; booleans and signed
/// integers int64, unsigned ones up to 4 bytes int64 too, of 8 uint64. Any byte order; Fortran order becomes
/// C order. Throws InputError, beginning with `label`, for other types (object, text, complex, records), a
/// header that is not one, a shape that does not make `size`, or more than `limit` bytes in memory, which is
/// checked before allocating.
Array read_npy(const ByteSource& next, uint64_t size, size_t limit, const std::string& label);

/// The NPY file (version 1.0, little-endian, C order) of `array`, the same bytes for the same array.
std::vector<std::byte> npy_bytes(const Array& array);

}  // namespace emergence
