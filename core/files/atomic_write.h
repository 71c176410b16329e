#pragma once
// Files that are whole or absent. The bytes go to a temporary file beside the target, are synced to the disk, and the
// file is then renamed. If any step fails, the old file stays.

#include <cstddef>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace emergence {

/// Whether a file is written through a symbolic link with its name. Follow only links that the user has made on
/// purpose: in a folder from somebody else a link could lead to any file.
enum class Links { refuse, follow };

/// An unfinished file. Without commit() it leaves nothing behind.
class AtomicFile {
  public:
    /// Opens a temporary file in `target`'s folder. Throws IoError, naming `target`, if the folder is missing or
    /// read-only, or if `target` exists and is not a regular file.
    explicit AtomicFile(const std::filesystem::path& target, Links links = Links::refuse);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends `bytes`. Throws IoError, e.g. if the disk is full.
    void write(std::string_view bytes);
    /// Brings the bytes to the disk, so that only the renaming can still fail. Throws IoError. No write may follow.
    void sync();
    /// Makes the file appear as `target` and replaces an old one. Throws IoError. No write may follow.
    void commit();

  private:
    [[noreturn]] void fail(const char* what) const;
    void open_temporary();

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
};

/// Whether this is the name of an unfinished file, which a killed program leaves.
bool is_unfinished_file(const std::filesystem::path& file);
/// Removes the unfinished files in `folder` that no living program writes. Throws IoError if it cannot be listed.
void remove_unfinished_files(const std::filesystem::path& folder);

/// Writes `bytes` as the whole of `target`. Throws IoError.
void write_file(const std::filesystem::path& target, std::string_view bytes, Links links = Links::refuse);
void write_file(const std::filesystem::path& target, std::span<const std::byte> bytes);

/// The whole of a regular file, at most `limit` bytes. Throws InputError if the file is missing, unreadable, not
/// regular or too large, because the user named it, and IoError if the machine or a permission is why.
std::vector<std::byte> read_file(const std::filesystem::path& path, size_t limit);

/// Bytes as text, and text as bytes, without a copy.
std::string_view as_text(std::span<const std::byte> bytes);
std::span<const std::byte> as_bytes(std::string_view text);

// Messages for errors of the system. At a limit they name the limit and say what to do.

/// For an errno: "the limit on open files is reached: 4 (ulimit -n). Raise it", else the system's own words.
std::string error_text(int error);
inline std::string error_text(const std::error_code& error) { return error_text(error.value()); }

/// For std::bad_alloc.
std::string out_of_memory_text();

/// "3 of 64 threads were started: the limit ...".
std::string fewer_threads_text(int started, int asked);

/// The message of `error` for a person: its own words, or those above if the system threw it.
std::string reason_of(const std::exception& error);

}  // namespace emergence
