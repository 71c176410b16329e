#include "app/gui/sweep_worker.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <exception>
#include <map>
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

SweepWorker::SweepWorker(std::function<void()> on_change) : on_change_(std::move(on_change)) {}

SweepWorker::~SweepWorker() { end(); }

void SweepWorker::end() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    stop_ = true;
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
    closing_ = false;
    stop_ = false;
}

void SweepWorker::begin(std::function<void()> task) {
    end();
    news_ = {};
    thread_ = std::thread(std::move(task));
}

void SweepWorker::tell(const std::function<void(News&)>& change) {
    {
        const std::lock_guard lock(mutex_);
        change(news_);
    }
    if (on_change_) on_change_();
}

SweepWorker::News SweepWorker::news() const {
    const std::lock_guard lock(mutex_);
    return news_;
}

void SweepWorker::stop() { stop_ = true; }

void SweepWorker::follow(fs::path folder, Sweep sweep) {
    begin([this, in = std::move(folder), of = std::move(sweep)] { watch(in, of); });
}

void SweepWorker::start(fs::path folder, SweepText sweep, int threads, FindExperiment find) {
    end();
    running_ = true;
    begin([this, in = std::move(folder), of = std::move(sweep), threads, with = std::move(find)] {
        // On Linux this is the thread's own, and goes over to those that it starts.
        ::setpriority(PRIO_PROCESS, 0, kNice);
        try {
            compute(in, of, threads, with);
        } catch (const std::exception& error) {
            tell([&](News& news) { news.trouble = error.what(); });
        }
        running_ = false;
        tell([](News& news) { news.progress.reset(); });
        watch(in, of.sweep);
    });
}

void SweepWorker::compute(const fs::path& folder, const SweepText& text, int threads,
                          const FindExperiment& find) {
    const SweepScores known = known_in(folder, text.sweep, find);
    make_folder(folder);
    tell([&](News& news) {
        news.scores = std::make_shared<const SweepScores>(known);
        news.progress = GridProgress{};
    });
    GridOptions options;
    options.threads = threads;
    options.stop = &stop_;
    options.on_progress = [this](const GridProgress& progress) {
        tell([&](News& news) { news.progress = progress; });
    };
    const SweepResult result =
        run_sweep_in(folder, text, known, options, {}, [this](const SweepScores& scores) {
            auto shared = std::make_shared<const SweepScores>(scores);
            tell([&](News& news) { news.scores = std::move(shared); });
        });
    write_sweep_pictures(folder, text.sweep, result.scores);
    tell([&](News& news) {
        news.trouble = text_of(result.failures);
        news.pictured = true;
    });
}

// Files are replaced whole, so that a table is never met half written.
void SweepWorker::watch(const fs::path& folder, const Sweep& sweep) {
    std::optional<std::map<fs::path, fs::file_time_type>> seen;
    std::unique_lock lock(mutex_);
    while (!closing_) {
        lock.unlock();
        auto tables = tables_in(folder);
        if (seen != tables) try {
                auto scores = std::make_shared<const SweepScores>(cells_in(folder, sweep));
                tell([&](News& news) { news.scores = std::move(scores); });
            } catch (const std::exception& error) {
                tell([&](News& news) { news.trouble = error.what(); });
            }
        seen = std::move(tables);
        lock.lock();
        if (!closing_) wake_.wait_for(lock, kLookAgain);
    }
}

}  // namespace emergence
