#pragma once
// One door for files of arrays, whatever program wrote them: NPZ, NPY or safetensors.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/array.h"
#include "core/files/npz.h"

namespace emergence {

/// Reads the arrays of a file. Its first bytes, not its name, tell the format. The array of an NPY file has no name of
/// its own and takes the stem of the file's: "P" for P.npy. Throws InputError, naming the file, as the readers of the
/// formats do, or if its format is unknown; at most `limit` bytes are read, and as many allocated.
ArrayMap read_arrays(const std::filesystem::path& path, size_t limit = kNpzLimit);
/// The same from memory; messages name `source`.
ArrayMap parse_arrays(std::span<const std::byte> bytes, const std::string& source, size_t limit = kNpzLimit);

/// True if the bytes begin as an NPY file or are a safetensors file: formats that never hold our settings.
bool is_foreign_array_file(std::span<const std::byte> bytes);

}  // namespace emergence
