#pragma once
// Files that are either whole or not there: everything is written beside the target under a temporary name,
// brought to the disk and then renamed. Whatever fails on the way, the old file stays.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emergence {

/// A file in the making. Without commit() nothing of it remains.
class AtomicFile {
  public:
    /// Opens a temporary file in `target`'s folder. Throws IoError, naming `target`, where the folder is
    /// missing or read-only, or where `target` is something other than a regular file.
    explicit AtomicFile(const std::filesystem::path& target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends `bytes`. Throws IoError (a full disk, say).
    void write(std::string_view bytes);
    /// Makes the file appear as `target`, replacing what was there. Throws IoError; nothing may be written
    /// after.
    void commit();

  private:
    [[noreturn]] void fail(const char* what) const;
    void flush();

    std::filesystem::path target_;  // symbolic links followed, so that a link stays a link
    std::filesystem::path temporary_;
    std::string buffer_;
    int descriptor_ = -1;
};

/// Writes `bytes` as the whole of `target`. Throws IoError.
void write_file(const std::filesystem::path& target, std::string_view bytes);
void write_file(const std::filesystem::path& target, std::span<const std::byte> bytes);

/// The whole of a regular file. Throws InputError where it is missing, cannot be read, is no regular file or
/// has more than `limit` bytes: a file to read is something the user named. Throws IoError where the disk
/// fails.
std::vector<std::byte> read_file(const std::filesystem::path& path, size_t limit);

/// Bytes as text, and text as bytes, without a copy.
std::string_view as_text(std::span<const std::byte> bytes);
std::span<const std::byte> as_bytes(std::string_view text);

}  // namespace emergence
