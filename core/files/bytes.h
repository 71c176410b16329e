#pragma once
// Little-endian and big-endian numbers in byte strings, for the file formats.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
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

}  // namespace emergence
