#include "core/files/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/process_name.h"
#include "core/files/system_errors.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

enum class Flock { ours, anothers, unavailable };

Flock flock_of(int folder) {
    while (::flock(folder, LOCK_EX | LOCK_NB) != 0)
        if (errno != EINTR) return errno == EWOULDBLOCK ? Flock::anothers : Flock::unavailable;
    return Flock::ours;
}

// Instead of an owner, while a stopped process could still write there.
constexpr std::string_view kReleased = "released";

// The process that kLockFile names, "" for an empty file; nullopt without a file.
std::optional<std::string> named_owner(int folder) {
    const int descriptor = ::openat(folder, kLockFile, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    std::array<char, 512> text{};
    const ssize_t length = ::read(descriptor, text.data(), text.size());
    ::close(descriptor);
    return std::string(text.data(), length > 0 ? static_cast<size_t>(length) : 0);
}

// An owner that was killed before it wrote its name has ended, too.
bool owner_has_ended(int folder, const std::string& owner) {
    constexpr std::time_t kLongestWriting = 5;  // seconds
    if (!owner.empty()) return owner == kReleased || has_ended(owner);
    struct stat status {};
    return ::fstatat(folder, kLockFile, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           std::time(nullptr) - status.st_mtime > kLongestWriting;
}

enum class Made { ours, anothers, failed };

// Makes kLockFile, unless it exists, or writes over it.
Made write_lock_file(int folder, int make_or_replace, std::string_view text) {
    const int descriptor =
        ::openat(folder, kLockFile, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | make_or_replace, 0644);
    if (descriptor < 0) return errno == EEXIST ? Made::anothers : Made::failed;
    const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(descriptor);
    if (written) return Made::ours;
    ::unlinkat(folder, kLockFile, 0);
    return Made::failed;
}

}  // namespace

// Once kLockFile names an owner, that decides: the system's lock may be that of a stopped process from which the folder
// was taken. False if another process holds the folder.
bool FolderLock::lock() {
    const Flock system = flock_of(descriptor_);
    if (this_process().empty()) return system != Flock::anothers;
    const std::optional<std::string> owner = named_owner(descriptor_);
    if (!owner && system == Flock::anothers) return false;
    if (owner && !owner_has_ended(descriptor_, *owner)) return false;
    if (owner) ::unlinkat(descriptor_, kLockFile, 0);
    if (system == Flock::ours) return true;
    const Made made = write_lock_file(descriptor_, O_CREAT | O_EXCL, this_process());
    by_file_ = made == Made::ours;
    // Without any way to lock, as on a full disk without the system's locks, nobody is excluded.
    return by_file_ || (made == Made::failed && system == Flock::unavailable);
}

std::optional<FolderLock> FolderLock::take(const fs::path& folder, std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds kPause{50};
    while (true) {
        const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0 && (is_of_machine(errno) || errno == EIO))
            throw IoError(fmt::format("{}: cannot be opened: {}", folder.string(), error_text(errno)));
        if (descriptor < 0) return std::nullopt;
        FolderLock mine(descriptor);
        if (mine.lock()) return mine;
        if (patience <= kPause) return std::nullopt;
        std::this_thread::sleep_for(kPause);
        patience -= kPause;
    }
}

std::optional<FolderLock> FolderLock::take_over(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    FolderLock mine(descriptor);
    try {
        write_file(folder / kLockFile, std::string_view(this_process()));
    } catch (const IoError&) {
        return std::nullopt;
    }
    mine.by_file_ = true;
    return mine;
}

bool FolderLock::holds(const fs::path& folder) const {
    struct stat mine {
    }, there{};
    if (::fstat(descriptor_, &mine) != 0 || ::stat(folder.c_str(), &there) != 0 ||
        mine.st_dev != there.st_dev || mine.st_ino != there.st_ino)
        return false;
    const std::optional<std::string> owner = named_owner(descriptor_);
    return by_file_ ? owner == this_process() : !owner;
}

std::optional<fs::path> FolderLock::place() const {
    struct stat mine {
    }, there{};
    std::error_code failed;
    const fs::path now = fs::read_symlink(fmt::format("/proc/self/fd/{}", descriptor_), failed);
    if (failed || ::fstat(descriptor_, &mine) != 0 || ::stat(now.c_str(), &there) != 0 ||
        mine.st_dev != there.st_dev || mine.st_ino != there.st_ino)
        return std::nullopt;
    return now;
}

FolderLock::~FolderLock() {
    if (descriptor_ < 0) return;
    if (by_file_ && named_owner(descriptor_) == this_process()) {
        if (flock_of(descriptor_) == Flock::anothers)
            write_lock_file(descriptor_, O_TRUNC, kReleased);
        else
            ::unlinkat(descriptor_, kLockFile, 0);
    }
    ::close(descriptor_);
}

}  // namespace emergence
