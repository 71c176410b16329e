#pragma once
// Byte strings of file formats: their numbers, their checksums, and what zlib has packed.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"

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
    check(offset <= bytes.size() && sizeof(T) <= bytes.size() - offset, "a number is inside its bytes");
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) value = value << 8 | std::to_integer<uint64_t>(bytes[offset + i]);
    return static_cast<T>(value);
}

/// Appends the bytes of `value`, least significant first.
template <std::unsigned_integral T>
void append_little(std::vector<std::byte>& bytes, T value) {
    for (size_t i = 0; i < sizeof(T); ++i)
        bytes.push_back(static_cast<std::byte>(static_cast<uint64_t>(value) >> (8 * i) & 0xFF));
}

/// CRC-32 as in ZIP and PNG; `before`: that of the bytes before these.
uint32_t crc_of(std::span<const std::byte> bytes, uint32_t before = 0);

/// FNV-1a with 64 bits; `before`: that of the bytes before these.
constexpr uint64_t fnv_of(std::span<const std::byte> bytes, uint64_t before = 14695981039346656037U) {
    for (const std::byte byte : bytes) before = (before ^ std::to_integer<uint64_t>(byte)) * 1099511628211U;
    return before;
}

/// RFC 4648, with padding.
std::string base64(std::span<const std::byte> bytes);

/// Unpacks the zlib stream at the start of `packed`; a stream that is cut off gives its beginning. nullopt if the
/// stream is damaged, or if it or its text has more than `limit` bytes.
std::optional<std::string> inflate_text(std::string_view packed, size_t limit);

}  // namespace emergence
