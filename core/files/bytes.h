#pragma once
// Bytes of file formats: numbers, checksums, zlib's streams and ZIP archives.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace emergence {

/// The unsigned number in the sizeof(T) bytes at `offset`, least significant byte first. Throws InvariantError if
/// `bytes` end before.
template <std::unsigned_integral T>
T load_little(std::span<const std::byte> bytes, size_t offset) {
    check(offset <= bytes.size() && sizeof(T) <= bytes.size() - offset, "a number is inside its bytes");
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) value |= std::to_integer<uint64_t>(bytes[offset + i]) << (8 * i);
    return static_cast<T>(value);
}

/// The same number, most significant byte first.
template <std::unsigned_integral T>
T load_big(std::span<const std::byte> bytes, size_t offset) {
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) value = value << 8 | load_little<uint8_t>(bytes, offset + i);
    return static_cast<T>(value);
}

/// Appends the bytes of `value`, least significant first.
template <std::unsigned_integral T>
void append_little(std::vector<std::byte>& bytes, T value) {
    for (size_t i = 0; i < sizeof(T); ++i)
        bytes.push_back(static_cast<std::byte>(static_cast<uint64_t>(value) >> (8 * i) & 0xFF));
}

inline void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
}

/// CRC-32 as in ZIP and PNG. before: the checksum of the bytes before these.
uint32_t crc_of(std::span<const std::byte> bytes, uint32_t before = 0);

/// FNV-1a with 64 bits. before: the hash of the bytes before these.
constexpr uint64_t fnv_of(std::span<const std::byte> bytes, uint64_t before = 14695981039346656037U) {
    for (const std::byte byte : bytes) before = (before ^ std::to_integer<uint64_t>(byte)) * 1099511628211U;
    return before;
}

/// RFC 4648, with padding.
std::string base64(std::span<const std::byte> bytes);

/// Unpacks the zlib stream at the start of `packed`; a stream that is cut off gives its beginning. nullopt if the
/// stream is damaged, or if it or its text has more than `limit` bytes.
std::optional<std::string> inflate_text(std::string_view packed, size_t limit);

// The part of the ZIP format that NPZ archives use: entries stored or deflated; no ZIP64, no encryption. The reader
// checks every declaration of an archive against the bytes of the file before it relies on it.

/// One file in an archive, still compressed.
struct ZipEntry {
    std::string name;   // as shown_text() shows it
    std::string fault;  // why it cannot be unpacked; "" if it can
    bool deflated = false;
    uint32_t crc = 0;
    uint64_t size = 0;  // unpacked, as declared, in bytes
    std::span<const std::byte> data;
};

/// The entries of the archive in `bytes`, which must outlive them. Throws InputError, naming `source`, unless it is a
/// sound archive in one part. Faults of single entries are sizes that do not fit the file or that no compression
/// reaches, unknown methods, and encryption.
std::vector<ZipEntry> read_zip(std::span<const std::byte> bytes, const std::string& source);

struct Inflater;

/// Unpacks an entry piece by piece, so that a reader takes only the bytes that it needs.
class ZipReader {
  public:
    /// Throws InputError, beginning with the label, if the entry has a fault.
    ZipReader(const ZipEntry& entry, std::string label);
    ~ZipReader();
    ZipReader(const ZipReader&) = delete;
    ZipReader& operator=(const ZipReader&) = delete;

    /// Fills `into`. Throws InputError, beginning with the label, if the entry is damaged or too short.
    void read(std::span<std::byte> into);
    /// Checks that the entry ends here, with the right checksum. Throws InputError.
    void finish();

  private:
    size_t unpack(std::span<std::byte> into);

    const ZipEntry& entry_;
    std::string label_;
    size_t position_ = 0;  // in a stored entry
    uint32_t crc_ = 0;
    std::unique_ptr<Inflater> inflater_;
};

/// Writes an archive of stored (not compressed) files in the order of add(). The same files give the same bytes: every
/// entry is dated 1980-01-01. Throws InputError if the archive would need ZIP64 (4 GiB or 65,535 files).
class ZipWriter {
  public:
    /// Adds a file, whose name has 1 to 65,535 bytes.
    void add(const std::string& name, std::span<const std::byte> contents);
    /// The archive. No add() may follow.
    std::vector<std::byte> finish();

  private:
    std::vector<std::byte> bytes_;
    std::vector<std::byte> directory_;
    size_t entries_ = 0;
};

}  // namespace emergence
