#pragma once
// The safetensors format, in which many trained networks are published:
//
//     8 bytes        length of the header, little-endian
//     header         JSON: {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, ...}
//     data           the tensors' bytes, little-endian, row-major, without gaps

#include <cstddef>
#include <span>
#include <string>

#include "core/base/array.h"

namespace emergence {

/// True if the bytes may be a safetensors file: a length that fits, and a JSON object.
bool is_safetensors(std::span<const std::byte> bytes);

/// Reads every tensor. Types become:
///
///     F16, BF16, F32                            float
///     F64                                       double
///     BOOL, I8, I16, I32, I64, U8, U16, U32     int64_t
///     U64                                       uint64_t
///
/// Throws InputError, naming `source` and the tensor, for other types, a header that is damaged, has more than 1 MiB or
/// names a tensor twice, shapes that disagree with their offsets, offsets that overlap, leave gaps or leave the file,
/// and arrays of more than `limit` bytes in memory (checked before allocating).
ArrayMap parse_safetensors(std::span<const std::byte> bytes, const std::string& source, size_t limit);

}  // namespace emergence
