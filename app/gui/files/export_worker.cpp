#include "app/gui/files/export_worker.h"

#include <exception>
#include <utility>

namespace emergence {

ExportWorker::ExportWorker(std::function<void()> on_change) : on_change_(std::move(on_change)) {}

ExportWorker::~ExportWorker() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        waiting_.clear();
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void ExportWorker::start(int id, Task task) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back({id, std::move(task)});
        if (!progress_) progress_ = FileProgress{};
    }
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    wake_.notify_one();
}

void ExportWorker::cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
}

std::optional<FileProgress> ExportWorker::progress() const {
    const std::lock_guard lock(mutex_);
    return progress_;
}

std::vector<ExportWorker::Done> ExportWorker::take_reports() {
    const std::lock_guard lock(mutex_);
    return std::exchange(done_, {});
}

bool ExportWorker::note(const FileProgress& progress) {
    bool go_on = true;
    {
        const std::lock_guard lock(mutex_);
        progress_ = progress;
        go_on = !stopping_ && !cancelled_;
    }
    if (on_change_) on_change_();
    return go_on;
}

void ExportWorker::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (stopping_) return;
        const Waiting next = std::move(waiting_.front());
        waiting_.pop_front();
        cancelled_ = false;
        lock.unlock();
        FileReport report;
        try {
            report = next.task([this](const FileProgress& progress) { return note(progress); });
        } catch (const std::exception& error) {
            report.failures.emplace_back(error.what());
        }
        lock.lock();
        done_.push_back({next.id, std::move(report)});
        if (waiting_.empty()) progress_.reset();
        lock.unlock();
        if (on_change_) on_change_();
        lock.lock();
    }
}

}  // namespace emergence
