#pragma once
// NumPy's NPZ archives: named arrays in a ZIP file.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/files/array_readers.h"
#include "core/files/limits.h"

namespace emergence {

/// The name under which SVG, PNG and NPZ files hold settings; PDF files hold them in their keywords.
inline constexpr const char* kSettingsKey = "emergence-config";

/// The arrays of an archive, compressed or not, in `bytes`, which must outlive the readers; read_npy() lists the element
/// types. What is not called <array>.npy is passed over. Throws InputError, naming `source`, unless it is an archive.
ArrayReaders npz_readers(std::span<const std::byte> bytes, const std::string& source);

/// Reads every array of such an archive. Throws InputError, naming the file and the entry, unless all are sound and
/// take at most `limit` bytes, the file and the arrays each. Limits are checked before anything is allocated.
ArrayMap read_npz(const std::filesystem::path& path, size_t limit = kMostArrayBytes);
/// The same from memory; messages name `source`.
ArrayMap parse_npz(std::span<const std::byte> bytes, const std::string& source,
                   size_t limit = kMostArrayBytes);

/// Writes `arrays` as an uncompressed archive that NumPy opens, and replaces `path` once the archive is whole. The
/// same arrays give the same bytes. The settings, an array of character codes here, are a text there. Throws IoError, or InputError for a name that an archive cannot hold.
void write_npz(const std::filesystem::path& path, const ArrayMap& arrays);
/// The bytes of that archive. Throws InputError.
std::vector<std::byte> npz_bytes(const ArrayMap& arrays);

}  // namespace emergence
