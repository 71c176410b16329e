#pragma once
// NumPy's NPZ archives: named arrays in a ZIP file.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"

namespace emergence {

/// The name under which SVG, PNG and NPZ files carry settings; PDF has them in its keywords.
inline constexpr const char* kSettingsKey = "emergence-config";

/// More than this, in the file or unpacked, is refused before it is allocated, unless a reader asks for less.
inline constexpr size_t kNpzLimit = size_t{1} << 30;

/// Reads every array of an archive, compressed or not; element types as read_npy() says. Throws InputError,
/// naming the file and the entry, for whatever is not a sound archive of numeric arrays of up to `limit`
/// bytes.
ArrayMap read_npz(const std::filesystem::path& path, size_t limit = kNpzLimit);
/// The same from memory; `source` stands in the messages.
ArrayMap parse_npz(std::span<const std::byte> bytes, const std::string& source, size_t limit = kNpzLimit);

/// Writes `arrays` as an archive that NumPy opens, not compressed, replacing `path` only when it is whole.
/// The same arrays give the same bytes. Throws IoError, or InputError for a name that cannot stand in an
/// archive.
void write_npz(const std::filesystem::path& path, const ArrayMap& arrays);
/// The same into memory.
std::vector<std::byte> npz_bytes(const ArrayMap& arrays);

}  // namespace emergence
