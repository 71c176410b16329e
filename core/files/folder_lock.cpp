#include "core/files/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <thread>
#include <vector>

namespace emergence {

std::optional<FolderLock> FolderLock::take(const std::filesystem::path& folder,
                                           std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds kPause{50};
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    FolderLock lock(descriptor);
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        if (patience <= kPause) return std::nullopt;
        std::this_thread::sleep_for(kPause);
        patience -= kPause;
    }
    return lock;
}

std::optional<FolderLock> FolderLock::take_over(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    const fs::path place = folder.has_filename() ? folder : folder.parent_path();
    const fs::path fresh = fmt::format("{}.taken-{}", place.string(), ::getpid());
    std::error_code failed;
    fs::create_directory(fresh, failed);
    std::optional<FolderLock> lock = take(fresh);
    if (!lock) return std::nullopt;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(place, failed)) files.push_back(entry.path());
    for (const fs::path& file : files)
        if (!failed) fs::rename(file, fresh / file.filename(), failed);
    // The empty folder, still locked, disappears.
    if (!failed) fs::rename(fresh, place, failed);
    return failed ? std::nullopt : std::move(lock);
}

bool FolderLock::holds(const std::filesystem::path& folder) const {
    struct stat mine {
    }, there{};
    return ::fstat(descriptor_, &mine) == 0 && ::stat(folder.c_str(), &there) == 0 &&
           mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

FolderLock::~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace emergence
