#include "core/files/read_once.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "core/base/error.h"
#include "core/files/folders.h"

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
        if (::stat(file.c_str(), &status) != 0) {
            status = {};
            stamps.settled = stamps.settled && errno == ENOENT;
        }
        const int64_t changed = nanoseconds(status.st_ctim), age = nanoseconds(clock) - changed;
        if (age >= 0 && age < (changed % kASecond == 0 ? kCoarseTick : kTick)) stamps.settled = false;
        stamps.files.emplace_back(file.string(),
                                  std::array<int64_t, 4>{status.st_size, static_cast<int64_t>(status.st_ino),
                                                         nanoseconds(status.st_mtim), changed});
    };
    for (const fs::path& file : files) {
        add(file);
        try {
            for (const fs::path& entry : all_entries_in(file)) add(entry);
        } catch (const IoError&) {  // reading says what is wrong
            stamps.settled = false;
        }
    }
    std::sort(stamps.files.begin(), stamps.files.end());
    return stamps;
}

}  // namespace emergence
