#pragma once
// The header of an NPY file: a dictionary in Python's notation.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace emergence {

struct NpyHeader {
    /// '<' little-endian, '>' big-endian, '|' single bytes.
    char byte_order = '<';
    /// 'f' float, 'i' signed, 'u' unsigned, 'b' boolean, 'S' a text of item_size bytes.
    char kind = 'f';
    size_t item_size = 4;  // bytes
    bool fortran_order = false;
    std::vector<size_t> shape;
};

/// Reads a header such as
///
///     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
///
/// Throws InputError, beginning with `label`, for anything else and for types that are neither numbers nor a single text of bytes.
NpyHeader parse_npy_header(std::string_view text, const std::string& label);

/// The header as NumPy writes it.
std::string npy_header_text(const NpyHeader& header);

}  // namespace emergence
