#include "core/files/read_once.h"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <system_error>

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kASecond = 1'000'000'000;  // nanoseconds

int64_t nanoseconds(const timespec& time) { return kASecond * time.tv_sec + time.tv_nsec; }

}  // namespace

FileStamps stamps_of(const std::vector<fs::path>& files) {
    // The longest tick of a system's clock; of file systems that count whole seconds, or two.
    constexpr int64_t kTick = kASecond / 50, kCoarseTick = 2 * kASecond;
    timespec clock{};
    ::clock_gettime(CLOCK_REALTIME, &clock);
    FileStamps stamps;
    const auto add = [&](const fs::path& file) {
        struct stat status {};
        if (::stat(file.c_str(), &status) != 0) status = {};
        const int64_t changed = nanoseconds(status.st_ctim), age = nanoseconds(clock) - changed;
        if (age >= 0 && age < (changed % kASecond == 0 ? kCoarseTick : kTick)) stamps.settled = false;
        stamps.files.emplace_back(file.string(),
                                  std::array<int64_t, 4>{status.st_size, static_cast<int64_t>(status.st_ino),
                                                         nanoseconds(status.st_mtim), changed});
    };
    for (const fs::path& file : files) {
        add(file);
        std::error_code failed;
        for (fs::directory_iterator entry(file, failed), end; !failed && entry != end; entry.increment(failed))
            add(entry->path());
    }
    std::sort(stamps.files.begin(), stamps.files.end());
    return stamps;
}

}  // namespace emergence
