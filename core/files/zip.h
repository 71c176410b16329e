#pragma once
// The part of the ZIP format that NPZ archives use: entries stored or deflated, ZIP64, no encryption. Nothing
// in an archive is believed before it has been checked against the bytes that are there.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emergence {

/// One file in an archive, still compressed.
struct ZipEntry {
    std::string name;
    bool deflated = false;
    uint32_t crc = 0;
    uint64_t size = 0;  // as declared, when unpacked
    std::span<const std::byte> data;
};

/// The entries of the archive in `bytes`, which must outlive them. Throws InputError, naming `source` and the
/// entry, for anything but a sound single-part archive whose entries can be unpacked: sizes that do not fit
/// the file or that no compression reaches, names that leave the archive or occur twice, unknown methods.
std::vector<ZipEntry> read_zip(std::span<const std::byte> bytes, const std::string& source);

/// Unpacks an entry piece by piece, so that a reader takes no more than it wants.
class ZipReader {
  public:
    ZipReader(const ZipEntry& entry, std::string label);
    ~ZipReader();
    ZipReader(const ZipReader&) = delete;
    ZipReader& operator=(const ZipReader&) = delete;

    /// Fills `into`. Throws InputError, beginning with the label, where the entry ends before or is damaged.
    void read(std::span<std::byte> into);
    /// Checks that the entry ends here, with the right checksum. Throws InputError.
    void finish();

  private:
    struct Inflater;
    size_t unpack(std::span<std::byte> into);

    const ZipEntry& entry_;
    std::string label_;
    size_t position_ = 0;  // in a stored entry
    uint32_t crc_ = 0;
    std::unique_ptr<Inflater> inflater_;
};

/// Throws InputError, naming `source`, unless `name` can stand in an archive: not empty, relative, nothing
/// that climbs
/// (".."), no backslash, no control characters.
void check_entry_name(std::string_view name, const std::string& source);

/// An archive of stored (not compressed) files in the given order. The same files give the same bytes: every
/// entry is dated 1980-01-01. Throws InputError where it would need ZIP64 (4 GiB or 65,535 files).
class ZipWriter {
  public:
    /// Adds a file. Throws InputError for a name that check_entry_name refuses.
    void add(const std::string& name, std::span<const std::byte> contents);
    /// The archive. Nothing can be added after.
    std::vector<std::byte> finish();

  private:
    std::vector<std::byte> bytes_;
    std::vector<std::byte> directory_;
    size_t entries_ = 0;
};

}  // namespace emergence
