#pragma once
// NumPy's NPY format, versions 1.0 to 3.0: a line of Python that describes an array, and its bytes.

#include <functional>
#include <span>

#include "core/base/array.h"
#include "core/files/npy_header.h"

namespace emergence {

/// Fills a span with the next bytes of a file, or throws.
using ByteSource = std::function<void(std::span<std::byte>)>;

/// Reads an NPY file of `size` bytes, in any byte order; Fortran order becomes C order. Types become:
///
///     f2, f4                          float
///     f8                              double
///     b1, i1, i2, i4, i8, u1, u2, u4  int64_t
///     u8                              uint64_t
///     one S (a text of bytes)         int64_t, one per byte
///
/// Throws InputError, beginning with `label`, for other types (object, other text, complex, records), an invalid header, a
/// shape that disagrees with `size`, or an array of more than `limit` bytes in memory (checked before allocating).
Array read_npy(const ByteSource& next, uint64_t size, size_t limit, const std::string& label);

/// Reads the elements that follow a header in C order; formats with another header share them. `next` must have them
/// all, and they must fit in memory: the caller has checked both.
Array read_npy_data(const ByteSource& next, const NpyHeader& header);

/// The NPY file (version 1.0, little-endian, C order) of `array`, the same bytes for the same array.
std::vector<std::byte> npy_bytes(const Array& array);
/// The NPY file of a text, which NumPy reads as bytes; read_npy() gives the codes of its bytes.
std::vector<std::byte> npy_text_bytes(std::string_view text);

}  // namespace emergence
