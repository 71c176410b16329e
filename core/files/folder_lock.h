#pragma once
// A run's folder is written by one program at a time.

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

namespace emergence {

/// Keeps other programs of this kind out of a folder for as long as it lives; a process that is killed lets
/// go of it. On file systems that know no locks it keeps nobody out.
class FolderLock {
  public:
    /// Nothing where another has it and does not let go of it within `patience`, or where there is no such
    /// folder.
    static std::optional<FolderLock> take(const std::filesystem::path& folder,
                                          std::chrono::milliseconds patience = {});
    /// For how long a process that was killed may not be quite gone.
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
