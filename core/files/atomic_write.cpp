#include "core/files/atomic_write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBufferSize = size_t{1} << 18;

std::string error_text(int error) { return std::generic_category().message(error); }

// Closes a descriptor on every way out of its scope.
struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
};

fs::path follow_links(const fs::path& target) {
    std::error_code ignored;
    if (!fs::is_symlink(target, ignored)) return target;
    const fs::path real = fs::weakly_canonical(target, ignored);
    return real.empty() ? target : real;
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Syncs the folder, because the rename changed it. A file system that cannot sync folders answers EINVAL.
bool sync_folder(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return errno == EACCES;  // writable, but not readable
    const Closer closer{descriptor};
    return ::fsync(descriptor) == 0 || errno == EINVAL;
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target) : target_(follow_links(target)) {
    static std::atomic<unsigned> counter{0};
    struct stat existing {};
    const bool exists = ::stat(target_.c_str(), &existing) == 0;
    if (exists && !S_ISREG(existing.st_mode))
        throw IoError(
            fmt::format("{}: cannot be written: it exists and is not a regular file", target_.string()));
    do {
        // Independent of the target's name, which may already have the greatest length of a name.
        temporary_ =
            folder_of(target_) / fmt::format(".emergence-{}-{}.tmp", ::getpid(), counter.fetch_add(1));
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) fail("cannot be written");
    if (exists && ::fchmod(descriptor_, existing.st_mode & 07777) != 0 && errno != EPERM) {
        const int error = errno;
        ::close(descriptor_);
        ::unlink(temporary_.c_str());
        errno = error;
        fail("cannot be written");
    }
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) const {
    const int error = errno;
    throw IoError(fmt::format("{}: {}: {}", target_.string(), what, error_text(error)));
}

void AtomicFile::flush() {
    size_t done = 0;
    while (done < buffer_.size()) {
        const ssize_t count = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("could not be written");
        done += static_cast<size_t>(count);
    }
    buffer_.clear();
}

void AtomicFile::write(std::string_view bytes) {
    check(descriptor_ >= 0, "a committed file is not written to");
    buffer_.append(bytes);
    if (buffer_.size() >= kBufferSize) flush();
}

void AtomicFile::commit() {
    check(descriptor_ >= 0, "a file is committed once");
    flush();
    if (::fsync(descriptor_) != 0) fail("could not be brought to the disk");
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) fail("could not be written");
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("could not be put in place");
    temporary_.clear();
    if (!sync_folder(folder_of(target_)))
        fail("was written, but its folder could not be brought to the disk");
}

void write_file(const fs::path& target, std::string_view bytes) {
    AtomicFile file(target);
    file.write(bytes);
    file.commit();
}

void write_file(const fs::path& target, std::span<const std::byte> bytes) {
    write_file(target, as_text(bytes));
}

std::vector<std::byte> read_file(const fs::path& path, size_t limit) {
    // Without O_NONBLOCK, opening a pipe that has no writer would wait for ever.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        throw InputError(fmt::format("{}: cannot be read: {}", path.string(), error_text(errno)));
    const Closer closer{descriptor};
    struct stat status {};
    if (::fstat(descriptor, &status) != 0)
        throw IoError(fmt::format("{}: cannot be read: {}", path.string(), error_text(errno)));
    if (!S_ISREG(status.st_mode))
        throw InputError(fmt::format("{}: cannot be read: not a regular file", path.string()));
    if (static_cast<uint64_t>(status.st_size) > limit)
        throw InputError(
            fmt::format("{}: has {} bytes, more than the limit of {}", path.string(), status.st_size, limit));
    std::vector<std::byte> bytes(static_cast<size_t>(status.st_size));
    size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::read(descriptor, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0)
            throw IoError(fmt::format("{}: could not be read: {}", path.string(), error_text(errno)));
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

}  // namespace emergence
