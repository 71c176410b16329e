#include "core/files/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <functional>
#include <sstream>
#include <system_error>
#include <thread>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/system_errors.h"

namespace emergence {
namespace {

// The start of a process, in clock ticks since the machine's; "" if no such process lives.
std::string start_of(const std::string& pid) {
    std::ifstream stream("/proc/" + pid + "/stat");
    std::string stat;
    std::getline(stream, stat);
    const size_t name_end = stat.rfind(')');  // the program's name may hold spaces
    if (name_end == std::string::npos) return "";
    std::istringstream rest(stat.substr(name_end + 1));
    std::string state, word;
    constexpr int kStartTime = 20;  // of the words after the name
    rest >> state;
    for (int i = 1; i < kStartTime; ++i) rest >> word;
    return state == "Z" || state == "X" ? "" : word;  // dead, only its parent has not asked for it
}

// Host and namespace of this process, within which numbers of processes are unique.
std::string this_place() {
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    std::error_code ignored;
    const std::filesystem::path space = std::filesystem::read_symlink("/proc/self/ns/pid", ignored);
    return fmt::format("{} {}", host, space.empty() ? "?" : space.string());
}

// Whether the process of that name has ended. False if it is of another machine, where nobody can look.
bool has_ended(const std::string& process) {
    const std::string place = this_place() + ' ';
    if (!process.starts_with(place)) return false;
    std::istringstream words(process.substr(place.size()));
    std::string pid, start;
    words >> pid >> start;
    // A number, so that a name from somebody else leads to no other file.
    return pid.find_first_not_of("0123456789") == std::string::npos && start_of(pid) != start;
}

namespace fs = std::filesystem;

enum class Flock { ours, anothers, unavailable };

Flock flock_of(int folder) {
    while (::flock(folder, LOCK_EX | LOCK_NB) != 0)
        if (errno != EINTR) return errno == EWOULDBLOCK ? Flock::anothers : Flock::unavailable;
    return Flock::ours;
}

// The process that this file in the folder names, "" if it was killed while it wrote its name; nullopt without a file.
std::optional<std::string> named_owner(int folder, const std::string& file = kLockFile) {
    const int descriptor = ::openat(folder, file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    std::array<char, 512> bytes{};
    const ssize_t length = ::read(descriptor, bytes.data(), bytes.size());
    ::close(descriptor);
    const std::string text(bytes.data(), length > 0 ? static_cast<size_t>(length) : 0);
    const size_t end = text.find('\n');
    return end == std::string::npos ? "" : text.substr(0, end);
}

bool owner_has_ended(int folder, const std::string& file, const std::string& owner) {
    constexpr std::time_t kLongestWriting = 5;  // seconds
    if (!owner.empty()) return has_ended(owner);
    struct stat status {};
    return ::fstatat(folder, file.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           std::time(nullptr) - status.st_mtime > kLongestWriting;
}

enum class Made { ours, anothers, failed };

// Makes a file that names us, unless it exists.
Made make_lock_file(int folder, const std::string& file) {
    constexpr int kMake = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const int descriptor = ::openat(folder, file.c_str(), kMake, 0644);
    if (descriptor < 0) return errno == EEXIST ? Made::anothers : Made::failed;
    const std::string line = this_process() + '\n';
    const bool written = ::write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    ::close(descriptor);
    if (written) return Made::ours;
    ::unlinkat(folder, file.c_str(), 0);
    return Made::failed;
}

// Makes a file that names us, also in place of one whose owner has ended. Of several processes that find such a file one
// alone replaces it: the one that has made, by the same rule, a file with the dead owner in its name. Nobody else removes
// the dead owner's file, so that it cannot be another's by the time that ours is renamed to it.
Made make_ours(int folder, const std::string& file, int deaths = 0) {
    constexpr int kMostDeaths = 8;
    const Made made = make_lock_file(folder, file);
    if (made != Made::anothers || deaths == kMostDeaths) return made;
    const std::optional<std::string> owner = named_owner(folder, file);
    if (!owner || !owner_has_ended(folder, file, *owner)) return Made::anothers;
    const std::string heir = fmt::format("{}-{:x}", file, std::hash<std::string>()(*owner));
    if (const Made right = make_ours(folder, heir, deaths + 1); right != Made::ours) return right;
    if (named_owner(folder, file) == owner && owner_has_ended(folder, file, *owner) &&
        ::renameat(folder, heir.c_str(), folder, file.c_str()) == 0)
        return Made::ours;
    ::unlinkat(folder, heir.c_str(), 0);
    return Made::anothers;
}

}  // namespace

std::string this_process() {
    const std::string pid = std::to_string(::getpid()), start = start_of(pid);
    return start.empty() ? "" : fmt::format("{} {} {}", this_place(), pid, start);
}

// The system's lock decides where there is one. False if another process holds the folder.
bool FolderLock::lock() {
    const Flock system = flock_of(descriptor_);
    if (system == Flock::anothers || this_process().empty()) return system != Flock::anothers;
    if (system == Flock::ours && !named_owner(descriptor_)) return true;
    const Made made = make_ours(descriptor_, kLockFile);
    if (system == Flock::ours && made != Made::anothers) ::unlinkat(descriptor_, kLockFile, 0);
    by_file_ = made == Made::ours && system != Flock::ours;
    // Without any way to lock, as on a full disk without the system's locks, nobody is excluded.
    return made != Made::anothers;
}

std::optional<FolderLock> FolderLock::take(const fs::path& folder, std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds kPause{50};
    while (true) {
        const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0 && errno != ENOENT && errno != ENOTDIR)
            throw IoError(fmt::format("{}: cannot be opened: {}", folder.string(), error_text(errno)));
        if (descriptor < 0) return std::nullopt;
        FolderLock mine(descriptor);
        if (mine.lock()) return mine;
        if (patience <= kPause) return std::nullopt;
        std::this_thread::sleep_for(kPause);
        patience -= kPause;
    }
}

bool FolderLock::holds(const fs::path& folder) const {
    struct stat mine {
    }, there{};
    if (::fstat(descriptor_, &mine) != 0 || ::stat(folder.c_str(), &there) != 0 || mine.st_dev != there.st_dev ||
        mine.st_ino != there.st_ino)
        return false;
    const std::optional<std::string> owner = named_owner(descriptor_);
    return by_file_ ? owner == this_process() : !owner;
}

std::optional<fs::path> FolderLock::place() const {
    struct stat mine {
    }, there{};
    std::error_code failed;
    const fs::path now = fs::read_symlink(fmt::format("/proc/self/fd/{}", descriptor_), failed);
    if (failed || ::fstat(descriptor_, &mine) != 0 || ::stat(now.c_str(), &there) != 0 || mine.st_dev != there.st_dev ||
        mine.st_ino != there.st_ino)
        return std::nullopt;
    return now;
}

FolderLock::~FolderLock() {
    if (descriptor_ < 0) return;
    if (by_file_ && named_owner(descriptor_) == this_process()) ::unlinkat(descriptor_, kLockFile, 0);
    ::close(descriptor_);
}

}  // namespace emergence
