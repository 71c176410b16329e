#include "app/process/machine.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/files/atomic_write.h"

namespace emergence {

void require_machine(size_t bytes, int threads) {
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        throw IoError(fmt::format("{} MiB more of memory are needed to begin: {}", bytes >> 20, error_text(ENOMEM)));
    ::munmap(memory, bytes);
    std::atomic<bool> over = false;
    std::vector<std::jthread> started;
    std::string problem;
    try {
        while (started.size() < static_cast<size_t>(threads)) started.emplace_back([&over] { over.wait(false); });
    } catch (const std::system_error&) {
        problem = fewer_threads_text(static_cast<int>(started.size()), threads);
    }
    over = true;
    over.notify_all();
    started.clear();
    if (!problem.empty()) throw IoError(problem);
}

}  // namespace emergence
