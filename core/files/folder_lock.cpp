#include "core/files/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

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

FolderLock::~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace emergence
