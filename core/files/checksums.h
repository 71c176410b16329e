#pragma once
// Checksums: they detect damage, not forgery.

#include <cstddef>
#include <cstdint>
#include <span>

namespace emergence {

/// CRC-32 as in ZIP and PNG; `before`: that of the bytes before these.
uint32_t crc_of(std::span<const std::byte> bytes, uint32_t before = 0);

/// FNV-1a with 64 bits; `before`: that of the bytes before these.
constexpr uint64_t fnv_of(std::span<const std::byte> bytes, uint64_t before = 14695981039346656037U) {
    for (const std::byte byte : bytes) before = (before ^ std::to_integer<uint64_t>(byte)) * 1099511628211U;
    return before;
}

}  // namespace emergence
