#pragma once
// A process at its limit of open files: whatever is opened next fails, also for root.

#include <sys/resource.h>
#include <unistd.h>

#include <fcntl.h>

namespace emergence::testing {

class NoMoreFiles {
  public:
    NoMoreFiles() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        ::close(next);
        rlimit now = before_;
        now.rlim_cur = static_cast<rlim_t>(next);
        ::setrlimit(RLIMIT_NOFILE, &now);
    }
    ~NoMoreFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    NoMoreFiles(const NoMoreFiles&) = delete;
    NoMoreFiles& operator=(const NoMoreFiles&) = delete;

  private:
    rlimit before_{};
};

}  // namespace emergence::testing
