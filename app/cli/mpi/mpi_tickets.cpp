#include "app/cli/mpi/mpi_tickets.h"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "core/lab/jobs/job_folder.h"

namespace emergence::cli {
namespace {

using namespace std::chrono_literals;
using MpiClock = std::chrono::steady_clock;

// Two grids that share a counter by chance compute the same, in another order: owners in the folder decide.
constexpr int kCounters = 4096;
// Then come the number of processes that have ended, and a sign of life of each.
constexpr int kEnded = kCounters, kSigns = kCounters + 1;
constexpr auto kAnswerPatience = 10s, kSignOfLifeEvery = 1s, kLostAfterSilence = 30s;

// Requests are polled: a process that is stopped or lost must not block the others for ever, as a flush would.
class MpiJob final : public MpiTickets {
  public:
    MpiJob() {
        int level = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        if (size_ < 2 || level < MPI_THREAD_SERIALIZED) return;
        const int entries = rank_ == 0 ? kSigns + size_ : 0;
        void* memory = nullptr;
        answers_ = MPI_Win_allocate(static_cast<MPI_Aint>(entries) * static_cast<MPI_Aint>(sizeof(int64_t)),
                                    sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window_) == MPI_SUCCESS;
        joined_ = answers_;
        if (!joined_) return;
        MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
        if (rank_ == 0) std::fill_n(static_cast<int64_t*>(memory), entries, int64_t{0});
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
        signs_ = std::jthread([this](const std::stop_token& stop) { give_signs_of_life(stop); });
    }

    std::optional<int64_t> next(const std::string& grid) override {
        const auto slot = std::stoull(name_of_text(grid), nullptr, 16) % kCounters;
        return add(static_cast<int>(slot), 1);
    }

    void leave(int exit_code, bool interrupted) override {
        if (joined_ && !interrupted && !all_have_ended()) {
            std::fprintf(stderr,
                         "emergence-cli: the work is done; other processes are stopped or lost and are ended\n");
            std::fflush(nullptr);
            MPI_Abort(MPI_COMM_WORLD, exit_code);
        }
        if (signs_.joinable()) {
            signs_.request_stop();
            signs_.join();
        }
        if (joined_) {
            MPI_Win_unlock_all(window_);
            MPI_Win_free(&window_);
        }
        MPI_Finalize();
    }

  private:
    // Adds to an entry of the window; the value before. nullopt if the first process does not answer: it is not asked
    // again.
    std::optional<int64_t> add(int entry, int64_t number) {
        int64_t before = 0;
        if (!exchange(&number, &before, 1, entry, MPI_SUM)) return std::nullopt;
        return before;
    }
    bool exchange(const int64_t* sent, int64_t* received, int count, int entry, MPI_Op operation) {
        const std::lock_guard guard(mutex_);
        if (!answers_) return false;
        const auto length = static_cast<size_t>(count);
        sent_.assign(length, 0);
        if (sent != nullptr) std::copy_n(sent, length, sent_.begin());
        received_.assign(length, 0);
        MPI_Request request = MPI_REQUEST_NULL;
        int done = MPI_Rget_accumulate(sent_.data(), count, MPI_INT64_T, received_.data(), count, MPI_INT64_T, 0, entry,
                                       count, MPI_INT64_T, operation, window_, &request) == MPI_SUCCESS
                       ? 0
                       : -1;
        const auto start = MpiClock::now();
        while (done == 0) {
            if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) done = -1;
            if (done != 0) break;
            if (MpiClock::now() - start > kAnswerPatience) done = -1;
            std::this_thread::sleep_for(20us);
        }
        answers_ = done > 0;
        if (answers_) std::copy(received_.begin(), received_.end(), received);
        return answers_;
    }
    // Also serves the other processes: without a call to MPI the first process may not answer them.
    void give_signs_of_life(const std::stop_token& stop) {
        MpiClock::time_point last = {};
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(1ms);
            if (rank_ == 0) {
                const std::lock_guard guard(mutex_);
                int flag = 0;
                MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            }
            if (MpiClock::now() - last < kSignOfLifeEvery) continue;
            last = MpiClock::now();
            add(kSigns + rank_, 1);
        }
    }
    // Waits for the others. False if one that has not ended gives no sign of life, or if the first process does not
    // answer.
    bool all_have_ended() {
        if (!add(kEnded, 1)) return false;
        std::vector<int64_t> seen(size_, -1), now = seen;
        auto changed = MpiClock::now();
        while (true) {
            const auto ended = add(kEnded, 0);
            if (!ended) return false;
            if (*ended >= size_) return true;
            if (!exchange(nullptr, now.data(), size_, kSigns, MPI_NO_OP)) return false;
            int living = 0;
            for (size_t i = 0; i < now.size(); ++i) living += now[i] != seen[i] ? 1 : 0;
            // Those that wait here give signs too.
            if (living >= size_) {
                changed = MpiClock::now();
                seen = now;
            }
            if (MpiClock::now() - changed > kLostAfterSilence) return false;
            std::this_thread::sleep_for(100ms);
        }
    }

    int rank_ = 0, size_ = 1;
    MPI_Win window_ = MPI_WIN_NULL;
    // There is a window.
    bool joined_ = false;
    // Of all calls to MPI.
    std::mutex mutex_;
    // Of the last request. One that was given up may still be answered: nothing is requested after it.
    std::vector<int64_t> sent_, received_;
    std::atomic<bool> answers_ = false;
    std::jthread signs_;
};

}  // namespace

std::unique_ptr<MpiTickets> MpiTickets::join() {
    const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
    const bool by_mpirun = size != nullptr && std::atoi(size) > 1;
    if (!by_mpirun && std::getenv("PMIX_RANK") == nullptr) return nullptr;
    return std::make_unique<MpiJob>();
}

}  // namespace emergence::cli
