#include "core/files/checksums.h"

#include <zlib.h>

namespace emergence {

uint32_t crc_of(std::span<const std::byte> bytes, uint32_t before) {
    return static_cast<uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace emergence
