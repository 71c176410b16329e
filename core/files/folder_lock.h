#pragma once
// Ensures that one program at a time writes a run's folder.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace emergence {

/// Host, namespace of processes, number and start of this process: no two are the same. "" if the system does not tell
/// when a process started.
std::string this_process();

/// A file in a locked folder that names its owner, on file systems without locks.
inline constexpr const char* kLockFile = ".emergence-lock";

/// Locks a folder against other Emergence programs while this object lives. The lock of a killed process is free.
class FolderLock {
  public:
    /// Takes the lock; nullopt if another program holds it for longer than `patience`, or if the folder does not exist.
    /// Throws IoError if the folder cannot be opened.
    static std::optional<FolderLock> take(const std::filesystem::path& folder, std::chrono::milliseconds patience = {});
    /// True if the folder at this path is still the locked one, and no other process has locked it by its file.
    bool holds(const std::filesystem::path& folder) const;
    /// Where the locked folder is now; nullopt if it has been removed.
    std::optional<std::filesystem::path> place() const;
    /// The longest time that a killed process needs to disappear.
    static constexpr std::chrono::milliseconds kLastBreath{1500};

    FolderLock(FolderLock&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), by_file_(other.by_file_) {}
    FolderLock& operator=(FolderLock&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        std::swap(by_file_, other.by_file_);
        return *this;
    }
    ~FolderLock();

  private:
    explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
    bool lock();

    int descriptor_ = -1;   // of the folder
    bool by_file_ = false;  // held by kLockFile
};

}  // namespace emergence
