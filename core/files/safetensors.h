#pragma once
// The safetensors format, in which many trained networks are published:
//
//     8 bytes        length of the header, little-endian
//     header         JSON: {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, ...}
//     data           the tensors' bytes, little-endian, row-major, without gaps

#include "core/base/array.h"
#include "core/files/array_files.h"

namespace emergence {

/// True if the bytes may be a safetensors file: a length that fits, and a JSON object.
bool is_safetensors(std::span<const std::byte> bytes);

/// The tensors in `bytes`, which must outlive the readers. Types become:
///
///     F16, BF16, F32                            float
///     F64                                       double
///     BOOL, I8, I16, I32, I64, U8, U16, U32     int64_t
///     U64                                       uint64_t
///
/// A tensor of another type, whose shape disagrees with its offsets, or whose offsets leave the file, refuses itself.
/// Throws InputError, naming `source`, for a header that is damaged, too large or names a tensor twice, and for offsets
/// that overlap or leave gaps.
ArrayReaders safetensors_readers(std::span<const std::byte> bytes, const std::string& source);

}  // namespace emergence
