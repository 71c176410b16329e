#include "app/process/signals.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/files/atomic_write.h"

namespace emergence {
namespace {

// People, shells and systems send these. The second one ends the process at once.
constexpr int kDemands[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
// Batch systems and limits send these some time before the end, and often more than once. By default they would end the
// process.
constexpr int kWarnings[] = {SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPWR, SIGIO, SIGSTKFLT};

// This is the handler's own state, because a handler can reach nothing else.
std::atomic<bool> asked{false};
std::atomic<int> first_signal{0};
std::atomic<int64_t> demanded_at{0};  // milliseconds
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int64_t>::is_always_lock_free,
              "a signal handler sets them");

int64_t milliseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return int64_t{1000} * now.tv_sec + now.tv_nsec / 1'000'000;
}

void keep_signal(int signal) {
    int none = 0;
    first_signal.compare_exchange_strong(none, signal);
    asked = true;
}

void on_demand(int signal) {
    // timeout, mpirun and a closing terminal send one signal to the process and to its group, so two threads may
    // receive it at once.
    constexpr int64_t kOneSignal = 100;
    int64_t never = 0;
    if (demanded_at.compare_exchange_strong(never, milliseconds())) return keep_signal(signal);
    if (milliseconds() - demanded_at < kOneSignal) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void catch_signal(int signal, void (*handler)(int)) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
    action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

// The limit of CPU time that ends the process, in seconds, or 0 if there is none.
rlim_t cpu_limit() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY ? 0 : limit.rlim_max;
}

// Without such a limit SIGXCPU comes from a batch system.
bool cpu_time_is_limited() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// At the hard limit the system kills without a warning. So the warning is moved to a time that leaves enough to save.
void warn_before_cpu_limit() {
    const rlim_t hard = cpu_limit();
    if (hard == 0) return;
    const rlim_t all_cores = std::max(1U, std::thread::hardware_concurrency());
    const rlim_t to_save = std::min<rlim_t>((hard + 1) / 2, 10 + 2 * all_cores);
    rlimit limit{};
    ::getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = std::min(limit.rlim_cur, std::max<rlim_t>(1, hard - to_save));
    ::setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace

void survive_failed_writes() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<bool>& catch_signals() {
    warn_before_cpu_limit();
    for (const int signal : kDemands) catch_signal(signal, on_demand);
    for (const int signal : kWarnings) catch_signal(signal, keep_signal);
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) catch_signal(signal, keep_signal);
    return asked;
}

std::string stop_reason() {
    if (!asked) return "";
    if (first_signal != SIGXCPU || !cpu_time_is_limited()) return "stopped";
    const rlim_t hard = cpu_limit();
    return fmt::format("stopped: the CPU time of this process{} has nearly run out (ulimit -t)",
                       hard == 0 ? "" : fmt::format(", {} s,", hard));
}

int exit_code_after(int code) {
    constexpr int kBySignal = 128;
    const int signal = first_signal;
    if (!asked || signal == 0) return code;
    if (signal == SIGINT) {
        std::fflush(nullptr);
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);
    }
    return kBySignal + signal;
}

void require_machine(size_t bytes, int threads) {
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw IoError("starting needs {} MiB more memory: {}", bytes >> 20, error_text(ENOMEM));
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
