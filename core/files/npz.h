#pragma once
// NumPy's NPZ archives: named arrays in a ZIP file.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"

namespace emergence {

/// The name under which SVG, PNG and NPZ files hold settings; PDF files hold them in their keywords.
inline constexpr const char* kSettingsKey = "emergence-config";

/// The default limit in bytes, of a file and of its unpacked arrays. Readers check it before they allocate.
inline constexpr size_t kNpzLimit = size_t{1} << 30;

/// Reads every array of an archive, compressed or not; read_npy() lists the element types. Throws InputError, naming
/// the file and the entry, unless it is a sound archive of numeric arrays of at most `limit` bytes.
ArrayMap read_npz(const std::filesystem::path& path, size_t limit = kNpzLimit);
/// The same from memory; messages name `source`.
ArrayMap parse_npz(std::span<const std::byte> bytes, const std::string& source, size_t limit = kNpzLimit);

/// Writes `arrays` as an uncompressed archive that NumPy opens, and replaces `path` once the archive is whole. The
/// same arrays give the same bytes. The settings, an array of character codes here, are a text there. Throws IoError, or InputError for a name that an archive cannot hold.
void write_npz(const std::filesystem::path& path, const ArrayMap& arrays);
/// The bytes of that archive. Throws InputError.
std::vector<std::byte> npz_bytes(const ArrayMap& arrays);

}  // namespace emergence
