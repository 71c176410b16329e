#include "core/files/bytes.h"

#include <zlib.h>

#include <array>

namespace emergence {
namespace {

struct InflateStream : z_stream {
    InflateStream() : z_stream{} { ready = inflateInit(this) == Z_OK; }
    ~InflateStream() { inflateEnd(this); }
    InflateStream(const InflateStream&) = delete;
    InflateStream& operator=(const InflateStream&) = delete;
    bool ready = false;
};

}  // namespace

uint32_t crc_of(std::span<const std::byte> bytes, uint32_t before) {
    return static_cast<uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::optional<std::string> inflate_text(std::string_view packed, size_t limit) {
    InflateStream stream;
    if (!stream.ready || packed.size() > limit) return std::nullopt;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib does not write there
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string text;
    std::array<char, size_t{1} << 14> piece{};
    for (int status = Z_OK; status == Z_OK;) {
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        status = inflate(&stream, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return std::nullopt;
        text.append(piece.data(), piece.size() - stream.avail_out);
        if (text.size() > limit) return std::nullopt;
    }
    return text;
}

}  // namespace emergence
