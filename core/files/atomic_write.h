#pragma once
// Files that are whole or absent. The bytes go to a temporary file beside the target, are synced to the disk, and the
// file is then renamed. If any step fails, the old file stays.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emergence {

/// An unfinished file. Without commit() it leaves nothing behind.
class AtomicFile {
  public:
    /// Opens a temporary file in `target`'s folder. Throws IoError, naming `target`, if the folder is missing or
    /// read-only, or if `target` exists and is not a regular file.
    explicit AtomicFile(const std::filesystem::path& target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends `bytes`. Throws IoError, e.g. if the disk is full.
    void write(std::string_view bytes);
    /// Makes the file appear as `target` and replaces an old one. Throws IoError. No write may follow.
    void commit();

  private:
    [[noreturn]] void fail(const char* what) const;
    void flush();

    // With symbolic links resolved, so that a link stays a link.
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    std::string buffer_;
    int descriptor_ = -1;
};

/// Writes `bytes` as the whole of `target`. Throws IoError.
void write_file(const std::filesystem::path& target, std::string_view bytes);
void write_file(const std::filesystem::path& target, std::span<const std::byte> bytes);

/// The whole of a regular file, at most `limit` bytes. Throws InputError if the file is missing, unreadable, not
/// regular or too large, because the user named it, and IoError if the disk fails.
std::vector<std::byte> read_file(const std::filesystem::path& path, size_t limit);

/// Bytes as text, and text as bytes, without a copy.
std::string_view as_text(std::span<const std::byte> bytes);
std::span<const std::byte> as_bytes(std::string_view text);

}  // namespace emergence
