#include "core/files/atomic_write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnfinishedPrefix = ".emergence-";
constexpr std::string_view kUnfinishedExtension = ".tmp";

// Closes a descriptor on every way out of its scope.
struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
};

// Throws IoError if `target` is a link and links are refused.
fs::path real_place(const fs::path& target, Links links) {
    std::error_code ignored;
    if (!fs::is_symlink(target, ignored)) return target;
    if (links == Links::refuse)
        throw IoError("{}: is a link to {}; files are never written through links. Remove the link", target.string(),
                      shown_text(fs::read_symlink(target, ignored).string()));
    // Follows the links one by one, because the last may lead to a file that does not exist yet.
    constexpr int kMostLinks = 40;
    fs::path real = target;
    for (int i = 0; i < kMostLinks && fs::is_symlink(real, ignored); ++i)
        real = real.parent_path() / fs::read_symlink(real, ignored);
    return real;
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// Syncs the folder, because the rename changed it. A file system that cannot sync folders answers EINVAL.
bool sync_folder(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return errno == EACCES;  // writable, but not readable
    const Closer closer{descriptor};
    return ::fsync(descriptor) == 0 || errno == EINVAL;
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target, Links links) : target_(real_place(target, links)) {
    struct stat existing {};
    const bool exists = ::stat(target_.c_str(), &existing) == 0;
    if (exists && !S_ISREG(existing.st_mode))
        throw IoError("{}: cannot be written: it exists and is not a regular file", target_.string());
    constexpr int kMostAttempts = 10000;
    for (int attempt = 0; descriptor_ < 0 && attempt < kMostAttempts; ++attempt) open_temporary();
    if (descriptor_ < 0) fail("cannot be written");
    if (exists && ::fchmod(descriptor_, existing.st_mode & 0777) != 0 && errno != EPERM) {
        const int error = errno;
        ::close(descriptor_);
        ::unlink(temporary_.c_str());
        errno = error;
        fail("cannot be written");
    }
}

// The lock tells other programs that this file is being written (see remove_unfinished_files). Opens nothing if the
// name is taken, or if another program has found the file before it was locked.
void AtomicFile::open_temporary() {
    static std::atomic<unsigned> counter{0};
    // Independent of the target's name, which may already have the greatest length of a name.
    temporary_ = folder_of(target_) /
                 fmt::format("{}{}-{}{}", kUnfinishedPrefix, ::getpid(), counter.fetch_add(1), kUnfinishedExtension);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) fail("cannot be written");
    if (descriptor_ < 0) return;
    struct stat mine {};
    const bool found = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!found && (::fstat(descriptor_, &mine) != 0 || mine.st_nlink > 0)) return;
    ::close(std::exchange(descriptor_, -1));
    ::unlink(temporary_.c_str());
    errno = EBUSY;
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) const {
    const int error = errno;
    throw IoError("{}: {}: {}", target_.string(), what, error_text(error));
}

void AtomicFile::write(std::string_view bytes) {
    check(descriptor_ >= 0, "a committed file is not written to");
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("could not be written");
        bytes.remove_prefix(static_cast<size_t>(count));
    }
}

void AtomicFile::sync() {
    if (::fsync(descriptor_) != 0) fail("could not be flushed to disk");
}

void AtomicFile::commit() {
    check(descriptor_ >= 0, "a file is committed once");
    sync();
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("could not be put in place");
    temporary_.clear();
    // Close last, because closing releases the lock. fsync has already reported all errors.
    ::close(std::exchange(descriptor_, -1));
    if (!sync_folder(folder_of(target_))) fail("was written, but its folder could not be flushed to disk");
}

bool is_unfinished_file(const fs::path& file) {
    return file.filename().string().starts_with(kUnfinishedPrefix) && file.extension() == kUnfinishedExtension;
}

void remove_unfinished_files(const fs::path& folder) {
    constexpr std::time_t kSurelyLeft = 120;  // seconds
    for (const fs::path& file : all_entries_in(folder)) {
        if (!is_unfinished_file(file)) continue;
        const int descriptor = ::open(file.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (descriptor < 0) continue;
        const Closer closer{descriptor};
        struct stat status {};
        if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) continue;
        const bool ours = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
        // Without locks, only a file's age shows that nobody writes it.
        const bool old = errno != EWOULDBLOCK && std::time(nullptr) - status.st_mtime > kSurelyLeft;
        if (ours || old) ::unlink(file.c_str());
    }
}

void write_file(const fs::path& target, std::string_view bytes, Links links) {
    AtomicFile file(target, links);
    file.write(bytes);
    file.commit();
}

void write_file(const fs::path& target, std::span<const std::byte> bytes) { write_file(target, as_text(bytes)); }

// True if the machine or a permission is the reason.
static bool is_of_machine(int error) {
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EACCES || error == EPERM || error == EIO;
}

std::vector<std::byte> read_file(const fs::path& path, size_t limit) {
    const auto said = [&](const std::string& what) { return fmt::format("{}: {}", shown_text(path.string()), what); };
    // Without O_NONBLOCK, opening a pipe that has no writer would wait for ever.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        const int error = errno;
        const std::string problem = said("cannot be read: " + error_text(error));
        if (is_of_machine(error)) throw IoError(problem);
        throw InputError(problem);
    }
    const Closer closer{descriptor};
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) throw IoError(said("cannot be read: " + error_text(errno)));
    if (!S_ISREG(status.st_mode)) throw InputError(said("cannot be read: not a regular file"));
    if (static_cast<uint64_t>(status.st_size) > limit)
        throw InputError(said(fmt::format("has {} bytes, more than the limit of {}", status.st_size, limit)));
    std::vector<std::byte> bytes(status.st_size);
    size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::read(descriptor, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw IoError(said("could not be read: " + error_text(errno)));
        if (count == 0) break;  // another program has truncated the file
        done += static_cast<size_t>(count);
    }
    bytes.resize(done);
    return bytes;
}

std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> as_bytes(std::string_view text) {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// The present limit; nullopt if there is none.
template <class Resource>
static std::optional<rlim_t> limit_of(Resource resource) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return limit.rlim_cur;
}

static std::string size_text(rlim_t bytes) {
    constexpr rlim_t kUnit = 1024;
    return bytes < 10 * kUnit * kUnit ? fmt::format("{} KiB", bytes / kUnit)
                                      : fmt::format("{} MiB", bytes / kUnit / kUnit);
}

// The system refuses a thread if there are too many, or if its stack does not fit in memory.
static std::string no_thread_text() {
    std::string limits;
    if (const auto most = limit_of(RLIMIT_NPROC)) limits = fmt::format(": {} (ulimit -u)", *most);
    if (const auto most = limit_of(RLIMIT_AS))
        limits += fmt::format("{} {} of memory (ulimit -v)", limits.empty() ? ":" : " or", size_text(*most));
    return fmt::format("the limit on processes and threads{} is reached. Raise it, or use fewer threads", limits);
}

std::string out_of_memory_text() {
    const auto most = limit_of(RLIMIT_AS), of_data = limit_of(RLIMIT_DATA);
    const bool data = of_data && (!most || *of_data < *most);
    return most || data ? fmt::format(
                              "out of memory: the limit of this process is {} (ulimit -{}). Raise it, or use fewer "
                              "threads or seeds",
                              size_text(data ? *of_data : *most), data ? 'd' : 'v')
                        : "out of memory. Use fewer threads or seeds, or close other programs";
}

std::string error_text(int error) {
    switch (error) {
        case EFBIG:
            if (const auto most = limit_of(RLIMIT_FSIZE))
                return fmt::format("the limit on the size of a file is {} (ulimit -f). Raise it", size_text(*most));
            return "the file is too large for this file system. Choose another folder";
        case EMFILE:
            return fmt::format("the limit on open files is reached: {} (ulimit -n). Raise it",
                               limit_of(RLIMIT_NOFILE).value_or(0));
        case ENFILE:
            return "too many files are open on this machine. Close other programs";
        case ENOSPC:
            return "No space left on device. Free some, or choose another folder";
        case EDQUOT:
            return "Disk quota exceeded. Delete something, or choose another folder";
        case ENOMEM:
            return out_of_memory_text();
        case EAGAIN:
            return no_thread_text();
        default:
            return std::generic_category().message(error);
    }
}

std::string fewer_threads_text(int started, int asked) {
    return fmt::format("{} of {} threads were started: {}", started, asked, no_thread_text());
}

std::string reason_of(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return out_of_memory_text();
    if (const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
        return fmt::format("{}: {}", of_file->path1().string(), error_text(of_file->code()));
    if (const auto* of_system = dynamic_cast<const std::system_error*>(&error)) return error_text(of_system->code());
    return error.what();
}

}  // namespace emergence
