#pragma once
// Ensures that one program at a time writes a run's folder.

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

namespace emergence {

/// Locks a folder against other Emergence programs while this object lives; the system releases the lock of a killed
/// process. On file systems without locks it excludes nobody.
class FolderLock {
  public:
    /// Takes the lock; nullopt if another program holds it for longer than `patience`, or if the folder does not exist.
    static std::optional<FolderLock> take(const std::filesystem::path& folder,
                                          std::chrono::milliseconds patience = {});
    /// Takes the lock from another program, which has stopped: a new folder with the same files takes the place of
    /// the locked one. nullopt if that fails. Only for one process at a time.
    static std::optional<FolderLock> take_over(const std::filesystem::path& folder);
    /// True if the lock is still that of the folder at this path: no other process has taken it over.
    bool holds(const std::filesystem::path& folder) const;
    /// The longest time that a killed process needs to disappear.
    static constexpr std::chrono::milliseconds kLastBreath{1500};

    FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~FolderLock();

  private:
    explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_ = -1;
};

}  // namespace emergence
