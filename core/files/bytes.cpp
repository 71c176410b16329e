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

std::string base64(std::span<const std::byte> bytes) {
    constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const size_t count = std::min<size_t>(3, bytes.size() - i);
        unsigned three = 0;
        for (size_t k = 0; k < 3; ++k) three = three << 8 | (k < count ? std::to_integer<unsigned>(bytes[i + k]) : 0U);
        for (size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[three >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
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
