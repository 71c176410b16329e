#include "tests/support/failing_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>

namespace emergence::testing {
namespace {

// Plain numbers: the calls come before and after everything that has a constructor.
std::atomic<int> watched{-1};
std::atomic<size_t> calls{0}, fails_from{0}, fails_to{0};
std::atomic<int> with_error{0};
std::atomic<bool> notes{false};
std::atomic<size_t> noted{0};
std::array<char, 1024> order{};

// Whether this call fails; errno is set.
bool fails(SystemCall call) {
    if (watched != static_cast<int>(call)) return false;
    const size_t number = ++calls;
    if (number < fails_from || number > fails_to) return false;
    errno = with_error;
    return true;
}

void note(char call) {
    if (!notes) return;
    const size_t at = noted++;
    if (at + 1 < order.size()) order[at] = call;
}

template <class Function>
Function system_call(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

FailingCalls::FailingCalls(SystemCall call, size_t first, int error, bool all_after) {
    calls = 0;
    fails_from = first == 0 ? ~size_t{0} : first;
    fails_to = all_after ? ~size_t{0} : first;
    with_error = error;
    watched = static_cast<int>(call);
}
FailingCalls::~FailingCalls() { watched = -1; }
size_t FailingCalls::count() const { return calls; }
bool FailingCalls::failed() const { return calls >= fails_from; }

CallOrder::CallOrder() {
    order = {};
    noted = 0;
    notes = true;
}
CallOrder::~CallOrder() { notes = false; }
const char* CallOrder::text() const { return order.data(); }

}  // namespace emergence::testing

using emergence::testing::fails;
using emergence::testing::note;
using emergence::testing::system_call;
using emergence::testing::SystemCall;

extern "C" {

int rename(const char* from, const char* to) noexcept {
    static const auto real = system_call<int (*)(const char*, const char*)>("rename");
    note('r');
    return fails(SystemCall::rename) ? -1 : real(from, to);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
    static const auto real = system_call<ssize_t (*)(int, const void*, size_t)>("write");
    return fails(SystemCall::write) ? -1 : real(descriptor, bytes, count);
}

// Nothing that a test writes has to survive a power failure: waiting for the disk would be most of many tests' time.
int fsync(int descriptor) {
    note('s');
    return fails(SystemCall::fsync) || ::fcntl(descriptor, F_GETFD) < 0 ? -1 : 0;
}

int open(const char* path, int flags, ...) {
    static const auto real = system_call<int (*)(const char*, int, mode_t)>("open");
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    return fails(SystemCall::open) ? -1 : real(path, flags, mode);
}

// The descriptor is closed nevertheless, as Linux does.
int close(int descriptor) {
    static const auto real = system_call<int (*)(int)>("close");
    const bool failed = fails(SystemCall::close);
    const int error = errno;
    const int result = real(descriptor);
    if (!failed) return result;
    errno = error;
    return -1;
}

int mkdir(const char* path, mode_t mode) noexcept {
    static const auto real = system_call<int (*)(const char*, mode_t)>("mkdir");
    return fails(SystemCall::mkdir) ? -1 : real(path, mode);
}

int flock(int descriptor, int operation) noexcept {
    static const auto real = system_call<int (*)(int, int)>("flock");
    return fails(SystemCall::flock) ? -1 : real(descriptor, operation);
}
}
