#include "core/files/bytes.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/text.h"

namespace emergence {
/// What zlib unpacks: a stream of its own, or with negative `window_bits` bare deflated data.
struct Inflater {
    z_stream stream{};
    size_t given = 0;  // compressed bytes handed to zlib so far
    bool ended = false;

    explicit Inflater(int window_bits) { check(inflateInit2(&stream, window_bits) == Z_OK, "zlib starts"); }
    ~Inflater() { inflateEnd(&stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    // The number of bytes put into `into`, less than its size only if the data end; nullopt if they are damaged.
    std::optional<size_t> inflate_some(std::span<const std::byte> data, std::span<std::byte> into) {
        constexpr size_t kStep = size_t{1} << 30;  // zlib counts in unsigned int
        size_t done = 0;
        while (done < into.size() && !ended) {
            if (stream.avail_in == 0 && given < data.size()) {
                const size_t step = std::min(kStep, data.size() - given);
                // zlib only reads the input, though its interface is not const.
                stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(data.data() + given));
                stream.avail_in = static_cast<uInt>(step);
                given += step;
            }
            const auto room = static_cast<uInt>(std::min(kStep, into.size() - done));
            stream.next_out = reinterpret_cast<Bytef*>(into.data() + done);
            stream.avail_out = room;
            const int result = ::inflate(&stream, Z_NO_FLUSH);
            done += room - stream.avail_out;
            if (result == Z_STREAM_END)
                ended = true;
            else if (result == Z_BUF_ERROR)
                break;  // no data left
            else if (result != Z_OK)
                return std::nullopt;
        }
        return done;
    }
};

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
    if (packed.size() > limit) return std::nullopt;
    Inflater inflater(MAX_WBITS);
    std::string text;
    std::vector<std::byte> piece(size_t{1} << 14);
    for (size_t count = piece.size(); count == piece.size();) {
        const auto unpacked = inflater.inflate_some(as_bytes(packed), piece);
        if (!unpacked) return std::nullopt;
        count = *unpacked;
        text += as_text(std::span(piece).first(count));
        if (text.size() > limit) return std::nullopt;
    }
    return text;
}

namespace {

using Bytes = std::span<const std::byte>;

constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kDirectoryHeader = 0x02014b50;
constexpr uint32_t kEnd = 0x06054b50;
constexpr size_t kLocalHeaderSize = 30;
constexpr size_t kDirectoryHeaderSize = 46;
constexpr size_t kEndSize = 22;
constexpr uint16_t kStored = 0;
constexpr uint16_t kDeflated = 8;
// An archive in the form ZIP64 has these in place of sizes and counts that do not fit.
constexpr uint32_t kIn64 = 0xFFFFFFFF;
constexpr uint16_t kEntriesIn64 = 0xFFFF;
// Deflate packs at most this many bytes into one.
constexpr uint64_t kDeflateLimit = 1032;
constexpr uint16_t kFirstOfJanuary1980 = 0x0021;

// The entries of an archive, and the bytes before them.
struct Directory {
    Bytes headers, before;
    size_t entries = 0;
};

[[noreturn]] void refuse_archive(const std::string& source, std::string_view what) {
    throw InputError("{}: not a readable archive: {}", source, what);
}

bool fits(Bytes bytes, uint64_t offset, uint64_t size) {
    return offset <= bytes.size() && size <= bytes.size() - offset;
}

Directory find_directory(Bytes bytes, const std::string& source) {
    // A comment of up to 65,535 bytes may follow the end record.
    const size_t last = bytes.size() < kEndSize ? 0 : bytes.size() - kEndSize + 1;
    const auto ends_at = [&](size_t at) {
        return load_little<uint32_t>(bytes, at) == kEnd && load_little<uint16_t>(bytes, at + 20) == last - 1 - at;
    };
    size_t end = last;
    while (end > 0 && last - end < 0x10000 && !ends_at(end - 1)) --end;
    if (end == 0 || last - end == 0x10000)
        refuse_archive(source, "the directory at its end is missing (no NPZ file, or cut short)");
    --end;
    const size_t entries = load_little<uint16_t>(bytes, end + 10);
    const uint64_t size = load_little<uint32_t>(bytes, end + 12), offset = load_little<uint32_t>(bytes, end + 16);
    if (entries == kEntriesIn64 || size == kIn64 || offset == kIn64)
        refuse_archive(source, "it is of the form ZIP64, for 4 GiB and more or 65,535 files, which is not read");
    if (load_little<uint16_t>(bytes, end + 4) != 0) refuse_archive(source, "it is one part of several");
    if (!fits(bytes.first(end), offset, size)) refuse_archive(source, "its directory lies outside the file");
    if (entries > size / kDirectoryHeaderSize)
        refuse_archive(source, fmt::format("{} entries do not fit its directory", entries));
    return {bytes.subspan(offset, size), bytes.first(offset), entries};
}

struct Header {
    std::string name;
    uint16_t flags = 0, method = 0;
    uint32_t crc = 0, size = 0, packed_size = 0, offset = 0;
};

// Reads the directory header at `at` and moves on to the next.
Header read_entry_header(Bytes directory, size_t& at, const std::string& source) {
    if (!fits(directory, at, kDirectoryHeaderSize) || load_little<uint32_t>(directory, at) != kDirectoryHeader)
        refuse_archive(source, "its directory is damaged");
    const size_t name_size = load_little<uint16_t>(directory, at + 28);
    const size_t extra_size = load_little<uint16_t>(directory, at + 30);
    const size_t comment_size = load_little<uint16_t>(directory, at + 32);
    const size_t total = kDirectoryHeaderSize + name_size + extra_size + comment_size;
    if (!fits(directory, at, total)) refuse_archive(source, "its directory is damaged");
    Header header;
    header.name = as_text(directory.subspan(at + kDirectoryHeaderSize, name_size));
    header.flags = load_little<uint16_t>(directory, at + 8);
    header.method = load_little<uint16_t>(directory, at + 10);
    header.crc = load_little<uint32_t>(directory, at + 16);
    header.packed_size = load_little<uint32_t>(directory, at + 20);
    header.size = load_little<uint32_t>(directory, at + 24);
    header.offset = load_little<uint32_t>(directory, at + 42);
    at += total;
    return header;
}

// Finds the entry's data in `bytes`, all that precedes the directory. Returns what is wrong with it; "" if nothing is.
std::string locate(Bytes bytes, const Header& header, ZipEntry& entry) {
    if (header.flags & 1) return "it is encrypted";
    if (header.method != kStored && header.method != kDeflated)
        return fmt::format("compression method {} cannot be read, only 0 (stored) and 8 (deflated)", header.method);
    if (!fits(bytes, header.offset, kLocalHeaderSize) || load_little<uint32_t>(bytes, header.offset) != kLocalHeader)
        return "it is not where the directory says";
    const size_t name_size = load_little<uint16_t>(bytes, header.offset + 26);
    const size_t extra_size = load_little<uint16_t>(bytes, header.offset + 28);
    const uint64_t start = header.offset + kLocalHeaderSize + name_size + extra_size;
    if (!fits(bytes, start, header.packed_size)) return "its declared size exceeds the file";
    if (as_text(bytes.subspan(header.offset + kLocalHeaderSize, name_size)) != header.name)
        return "its own header gives another name";
    if (header.method == kStored && header.size != header.packed_size) return "it is stored, but its two sizes differ";
    if (header.method == kDeflated && header.size / kDeflateLimit > header.packed_size)
        return "it declares more bytes than its compressed data can hold";
    entry.data = bytes.subspan(start, header.packed_size);
    return "";
}

// Writes the part that local and directory headers share: version, flags, method, time, date, checksum, sizes, name
// size, extra size.
void append_common(std::vector<std::byte>& bytes, const std::string& name, uint32_t crc, uint32_t size) {
    const bool ascii =
        std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
    const uint16_t flags = ascii ? 0 : 0x0800;  // bit 11: the name is UTF-8
    for (const uint16_t half : {uint16_t{20}, flags, kStored, uint16_t{0}, kFirstOfJanuary1980})
        append_little(bytes, half);
    for (const uint32_t word : {crc, size, size}) append_little(bytes, word);
    append_little(bytes, static_cast<uint32_t>(name.size()));  // no extra field: the upper half
}

}  // namespace

std::vector<ZipEntry> read_zip(Bytes bytes, const std::string& source) {
    const Directory directory = find_directory(bytes, source);
    std::vector<ZipEntry> entries;
    uint64_t packed = 0;
    size_t at = 0;
    for (size_t i = 0; i < directory.entries; ++i) {
        const Header header = read_entry_header(directory.headers, at, source);
        ZipEntry& entry = entries.emplace_back();
        entry.name = shown_text(header.name);
        entry.deflated = header.method == kDeflated;
        entry.crc = header.crc;
        entry.size = header.size;
        entry.fault = locate(directory.before, header, entry);
        packed += entry.data.size();
        // With shared bytes a small archive could unpack to a huge one.
        if (packed > bytes.size()) refuse_archive(source, fmt::format("{}: its data overlap another's", entry.name));
    }
    return entries;
}

ZipReader::ZipReader(const ZipEntry& entry, std::string label) : entry_(entry), label_(std::move(label)) {
    if (!entry.fault.empty()) throw InputError("{}: {}", label_, entry.fault);
    if (entry.deflated) inflater_ = std::make_unique<Inflater>(-MAX_WBITS);
}

ZipReader::~ZipReader() = default;

size_t ZipReader::unpack(std::span<std::byte> into) {
    size_t count = 0;
    if (inflater_) {
        const auto unpacked = inflater_->inflate_some(entry_.data, into);
        if (!unpacked) throw InputError(label_ + ": its compressed data are damaged");
        count = *unpacked;
    } else {
        count = std::min(into.size(), entry_.data.size() - position_);
        std::copy_n(entry_.data.begin() + position_, count, into.begin());
        position_ += count;
    }
    crc_ = crc_of(into.first(count), crc_);
    return count;
}

void ZipReader::read(std::span<std::byte> into) {
    if (unpack(into) != into.size()) throw InputError(label_ + ": it ends too early");
}

void ZipReader::finish() {
    std::byte more{};
    if (unpack({&more, 1}) != 0) throw InputError(label_ + ": it holds more data than its shape needs");
    if (inflater_ && !inflater_->ended) throw InputError(label_ + ": it ends too early");
    if (crc_ != entry_.crc)
        throw InputError("{}: damaged: checksum {:08x} instead of {:08x}", label_, crc_, entry_.crc);
}

void ZipWriter::add(const std::string& name, Bytes contents) {
    check(!name.empty() && name.size() <= 0xFFFF, "an entry has a name that a header can hold");
    if (contents.size() >= kIn64 || bytes_.size() + contents.size() >= kIn64 - kLocalHeaderSize - name.size())
        throw InputError("{}: an archive to write holds less than 4 GiB", name);
    if (entries_ >= kMostArchiveFiles)
        throw InputError("{}: an archive to write has up to {} files", name, kMostArchiveFiles);
    const auto offset = static_cast<uint32_t>(bytes_.size());
    const auto size = static_cast<uint32_t>(contents.size());
    const uint32_t crc = crc_of(contents);
    append_little(bytes_, kLocalHeader);
    append_common(bytes_, name, crc, size);
    append(bytes_, as_bytes(name));
    append(bytes_, contents);

    append_little(directory_, kDirectoryHeader);
    append_little<uint16_t>(directory_, 3U << 8 | 20U);  // made on Unix
    append_common(directory_, name, crc, size);
    append_little<uint32_t>(directory_, 0);                // no comment, first disk
    append_little<uint16_t>(directory_, 0);                // binary
    append_little<uint32_t>(directory_, 0100644U << 16U);  // a regular file, rw-r--r--
    append_little(directory_, offset);
    append(directory_, as_bytes(name));
    ++entries_;
}

std::vector<std::byte> ZipWriter::finish() {
    const auto offset = static_cast<uint32_t>(bytes_.size());
    const auto size = static_cast<uint32_t>(directory_.size());
    append(bytes_, directory_);
    append_little(bytes_, kEnd);
    append_little<uint32_t>(bytes_, 0);  // the only disk
    append_little(bytes_, static_cast<uint16_t>(entries_));
    append_little(bytes_, static_cast<uint16_t>(entries_));
    append_little(bytes_, size);
    append_little(bytes_, offset);
    append_little<uint16_t>(bytes_, 0);  // no comment
    return std::move(bytes_);
}

}  // namespace emergence
