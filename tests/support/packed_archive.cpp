#include "tests/support/packed_archive.h"

#include <zlib.h>

#include "core/files/atomic_write.h"
#include "core/files/bytes.h"

namespace emergence::testing {
namespace {

class ArchiveBuilder {
  public:
    explicit ArchiveBuilder(const Bend& bend) : bend_(bend) {}

    void add(const PackedFile& file) {
        const std::string packed = file.deflated ? deflated_text(file.contents, true) : file.contents;
        const uint32_t crc = checksum_of_text(file.contents);
        const uint64_t offset = bytes_.size();
        number<uint32_t>(bytes_, 0x04034b50);
        // With a descriptor, checksum and sizes are not known yet.
        const bool later = file.descriptor;
        head(bytes_, file, later ? 0 : crc, later ? 0 : packed.size(), later ? 0 : file.contents.size());
        number<uint16_t>(bytes_, 0);  // no extra field
        text(bytes_, file.name);
        text(bytes_, packed);
        if (file.descriptor) {
            number<uint32_t>(bytes_, 0x08074b50);
            for (const uint64_t value : {uint64_t{crc}, uint64_t{packed.size()}, file.contents.size()})
                number<uint32_t>(bytes_, value);
        }
        number<uint32_t>(directory_, 0x02014b50);
        number<uint16_t>(directory_, 45);
        head(directory_, file, crc, packed.size(), file.contents.size());
        for (int i = 0; i < 4; ++i) number<uint16_t>(directory_, 0);  // extra field, comment, disk, kind
        number<uint32_t>(directory_, 0);                              // attributes
        number<uint32_t>(directory_, offset);
        text(directory_, file.name);
        ++count_;
    }

    std::vector<std::byte> finish(const std::string& comment) {
        const uint64_t offset = bytes_.size(), size = directory_.size();
        bytes_.insert(bytes_.end(), directory_.begin(), directory_.end());
        number<uint32_t>(bytes_, 0x06054b50);
        for (int i = 0; i < 2; ++i) number<uint16_t>(bytes_, 0);
        for (int i = 0; i < 2; ++i) number<uint16_t>(bytes_, count_);
        number<uint32_t>(bytes_, size);
        number<uint32_t>(bytes_, offset);
        number<uint16_t>(bytes_, comment.size());
        text(bytes_, comment);
        return std::move(bytes_);
    }

  private:
    template <class T>
    void number(std::vector<std::byte>& to, uint64_t value) const {
        append_little(to, static_cast<T>(bend_ ? bend_(value) : value));
    }
    static void text(std::vector<std::byte>& to, const std::string& text) {
        const auto bytes = as_bytes(text);
        to.insert(to.end(), bytes.begin(), bytes.end());
    }
    // Version, flags, method, time, date, checksum, sizes, length of the name.
    void head(std::vector<std::byte>& to, const PackedFile& file, uint64_t crc, uint64_t packed, uint64_t size) const {
        number<uint16_t>(to, 45);
        number<uint16_t>(to, file.descriptor ? 8 : 0);
        number<uint16_t>(to, file.deflated ? 8 : 0);
        number<uint16_t>(to, 0);
        number<uint16_t>(to, 0x21);
        number<uint32_t>(to, crc);
        number<uint32_t>(to, packed);
        number<uint32_t>(to, size);
        number<uint16_t>(to, file.name.size());
    }
    const Bend& bend_;
    std::vector<std::byte> bytes_, directory_;
    uint64_t count_ = 0;
};

}  // namespace

std::vector<std::byte> packed_archive(const std::vector<PackedFile>& files, const std::string& comment,
                                      const Bend& bend) {
    ArchiveBuilder builder(bend);
    for (const PackedFile& file : files) builder.add(file);
    return builder.finish(comment);
}

std::string npy_text(const std::string& header, const std::string& data) {
    std::string npy("\x93NUMPY\x01\x00", 8);
    npy += static_cast<char>(header.size() & 0xFF);
    npy += static_cast<char>(header.size() >> 8 & 0xFF);
    return npy + header + data;
}

std::string npy_header_of(const std::string& descr, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n";
}

std::string deflated_text(std::string_view text, bool raw) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, raw ? -MAX_WBITS : MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib does not write there
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

uint32_t checksum_of_text(std::string_view text) {
    return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

}  // namespace emergence::testing
