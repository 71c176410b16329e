#include "core/files/system_errors.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <optional>

namespace emergence {
namespace {

// The present limit; nullopt without one.
template <class Resource>
std::optional<rlim_t> limit_of(Resource resource) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return limit.rlim_cur;
}

std::string size_text(rlim_t bytes) {
    constexpr rlim_t kUnit = 1024;
    return bytes < 10 * kUnit * kUnit ? fmt::format("{} KiB", bytes / kUnit)
                                      : fmt::format("{} MiB", bytes / kUnit / kUnit);
}

// What starting a thread answers: its number, or the memory for its stack, is not to be had.
std::string no_thread_text() {
    std::string limits;
    if (const auto most = limit_of(RLIMIT_NPROC)) limits = fmt::format(": {} (ulimit -u)", *most);
    if (const auto most = limit_of(RLIMIT_AS))
        limits += fmt::format("{} {} of memory (ulimit -v)", limits.empty() ? ":" : " or", size_text(*most));
    return fmt::format("the limit on processes and threads is reached{}. Raise it, or use fewer threads", limits);
}

}  // namespace

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

bool is_of_machine(int error) {
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EACCES || error == EPERM || error == EIO;
}

}  // namespace emergence
