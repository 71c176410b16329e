#include "app/gui/sweeps/sweep_worker.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "app/export/sweep_pictures.h"
#include "core/base/error.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr auto kLookAgain = std::chrono::milliseconds(1000);
constexpr int kNice = 10;

// When each of the folder's tables was last written.
std::map<fs::path, fs::file_time_type> tables_in(const fs::path& folder) {
    std::map<fs::path, fs::file_time_type> tables;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        std::error_code ignored;
        if (entry.path().extension() == ".csv") tables[entry.path()] = entry.last_write_time(ignored);
    }
    return tables;
}

void make_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw IoError(fmt::format("{}: cannot be made: {}", folder.string(), failed.message()));
}

std::string text_of(const std::vector<JobFailure>& failures) {
    if (failures.empty()) return "";
    const std::string first = fmt::format("{}: {}", failures.front().label, failures.front().reason);
    return failures.size() == 1 ? first
                                : fmt::format("{} cells failed, the first: {}", failures.size(), first);
}

}  // namespace

// What a thread and whoever asks after it share.
struct SweepWorker::Task {
    std::filesystem::path folder;
    Sweep sweep;
    std::function<void()> on_change;
    std::vector<std::shared_ptr<Task>> before;  // that may still be writing
    mutable std::mutex mutex;
    std::condition_variable wake;
    News news;
    bool closing = false, ended = false;
    std::atomic<bool> stop = false, running = false;

    void tell(const std::function<void(News&)>& change) {
        {
            const std::lock_guard lock(mutex);
            if (closing) return;  // nobody wants to know
            change(news);
        }
        if (on_change) on_change();
    }
    void wait_for_those_before() {
        for (const auto& task : std::exchange(before, {})) {
            std::unique_lock lock(task->mutex);
            task->wake.wait(lock, [&] { return task->ended; });
        }
    }
    void compute(const Order& order, const FindExperiment& find);
    void watch();
};

void SweepWorker::Task::compute(const Order& order, const FindExperiment& find) {
    const SweepText& text = order.sweep;
    tell([](News& told) { told.progress = GridProgress{}; });
    wait_for_those_before();
    SweepScores known = known_in(order.folder, text.sweep, find);
    if (!order.known_from.empty()) merge(known, known_in(order.known_from, text.sweep, find));
    make_folder(order.folder);
    tell([&](News& told) { told.scores = std::make_shared<const SweepScores>(known); });
    GridOptions options;
    options.threads = order.threads;
    options.stop = &stop;
    options.on_progress = [this](const GridProgress& progress) {
        tell([&](News& told) { told.progress = progress; });
    };
    const SweepResult result =
        run_sweep_in(order.folder, text, known, options, {}, [this](const SweepScores& scores) {
            auto shared = std::make_shared<const SweepScores>(scores);
            tell([&](News& told) { told.scores = std::move(shared); });
        });
    if (result.stopped) return;
    write_sweep_pictures(order.folder, text.sweep, result.scores);
    tell([&](News& told) {
        told.trouble = text_of(result.failures);
        told.pictured = true;
    });
}

// Files are replaced whole, so that a table is never met half written.
void SweepWorker::Task::watch() {
    std::optional<std::map<fs::path, fs::file_time_type>> seen;
    std::unique_lock lock(mutex);
    while (!closing) {
        lock.unlock();
        auto tables = tables_in(folder);
        if (seen != tables) try {
                auto scores = std::make_shared<const SweepScores>(cells_in(folder, sweep));
                tell([&](News& told) { told.scores = std::move(scores); });
            } catch (const std::exception& error) {
                tell([&](News& told) { told.trouble = error.what(); });
            }
        seen = std::move(tables);
        lock.lock();
        if (!closing) wake.wait_for(lock, kLookAgain);
    }
}

SweepWorker::SweepWorker(std::function<void()> on_change) : on_change_(std::move(on_change)) {}

SweepWorker::~SweepWorker() {
    leave();
    for (Thread& one : leaving_) one.thread.join();
}

// The present task is told to end; those that have ended are put away.
void SweepWorker::leave() {
    if (present_.task) {
        {
            const std::lock_guard lock(present_.task->mutex);
            present_.task->closing = true;
        }
        present_.task->stop = true;
        present_.task->wake.notify_all();
        leaving_.push_back(std::exchange(present_, {}));
    }
    const auto has_ended = [](Thread& one) {
        {
            const std::lock_guard lock(one.task->mutex);
            if (!one.task->ended) return false;
        }
        one.thread.join();
        return true;
    };
    leaving_.erase(std::remove_if(leaving_.begin(), leaving_.end(), has_ended), leaving_.end());
}

void SweepWorker::begin(std::function<void(Task&)> work, bool computes, fs::path folder, Sweep sweep) {
    leave();
    auto task = std::make_shared<Task>();
    task->folder = std::move(folder);
    task->sweep = std::move(sweep);
    task->on_change = on_change_;
    task->running = computes;
    for (const Thread& one : leaving_)
        if (one.task->folder == task->folder) task->before.push_back(one.task);
    present_.task = task;
    present_.thread = std::thread([task, doing = std::move(work)] {
        doing(*task);
        {
            const std::lock_guard lock(task->mutex);
            task->ended = true;
        }
        task->wake.notify_all();
    });
}

void SweepWorker::follow(fs::path folder, Sweep sweep) {
    begin([](Task& task) { task.watch(); }, false, std::move(folder), std::move(sweep));
}

void SweepWorker::start(Order order, FindExperiment find) {
    fs::path folder = order.folder;
    Sweep sweep = order.sweep.sweep;
    begin(
        [of = std::move(order), with = std::move(find)](Task& task) {
            // On Linux this is the thread's own, and goes over to those that it starts.
            ::setpriority(PRIO_PROCESS, 0, kNice);
            try {
                task.compute(of, with);
            } catch (const std::exception& error) {
                task.tell([&](News& told) { told.trouble = error.what(); });
            }
            task.running = false;
            task.tell([](News& told) { told.progress.reset(); });
            task.watch();
        },
        true, std::move(folder), std::move(sweep));
}

void SweepWorker::stop() {
    if (!running()) return;
    const std::shared_ptr<const SweepScores> scores = news().scores;
    follow(present_.task->folder, present_.task->sweep);
    // What was known stays to be seen until the folder has been read.
    const std::lock_guard lock(present_.task->mutex);
    if (!present_.task->news.scores) present_.task->news.scores = scores;
}

bool SweepWorker::running() const { return present_.task && present_.task->running; }

SweepWorker::News SweepWorker::news() const {
    if (!present_.task) return {};
    const std::lock_guard lock(present_.task->mutex);
    return present_.task->news;
}

}  // namespace emergence
