#include "app/gui/sweeps/sweep_worker.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <system_error>
#include <utility>

#include "app/export/sweep_pictures.h"
#include "core/base/error.h"
#include "core/files/folders.h"
#include "core/lab/store/run_inputs.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr auto kLookAgain = std::chrono::milliseconds(1000);
constexpr int kNice = 10;

// When each of the folder's tables was last written.
std::map<fs::path, fs::file_time_type> tables_in(const fs::path& folder) {
    std::map<fs::path, fs::file_time_type> tables;
    std::error_code ignored;
    for (const fs::path& file : entries_in(folder))
        if (file.extension() == ".csv") tables[file] = fs::last_write_time(file, ignored);
    return tables;
}

std::string text_of(const std::vector<JobFailure>& failures) {
    if (failures.empty()) return "";
    const std::string first = fmt::format("{}: {}", failures.front().label, failures.front().reason);
    return failures.size() == 1 ? first : fmt::format("{} cells failed, the first: {}", failures.size(), first);
}

// The functions that receive progress and each finished cell; each may be empty.
struct Listeners {
    std::function<void(const GridProgress&)> progress;
    std::function<void(std::shared_ptr<const SweepScores>)> scores;
};

// How it ended.
struct Outcome {
    std::string trouble;
    bool pictured = false;
};

Outcome compute(const SweepWorker::Order& order, const FindExperiment& find, const Jobs::Task& task,
                const Listeners& tell) {
    // On Linux this is the thread's own, and goes over to those that it starts.
    ::setpriority(PRIO_PROCESS, 0, kNice);
    const SweepText& text = order.sweep;
    refuse_links_out(order.folder);
    SweepScores known = known_in(order.folder, text.sweep, find);
    if (!order.known_from.empty()) merge(known, known_in(order.known_from, text.sweep, find));
    make_folder(order.folder);
    const auto lock = FolderLock::take(order.folder, FolderLock::kLastBreath);
    if (!lock)
        throw IoError(
            fmt::format("{}: another program is computing this sweep. It is followed", order.folder.string()));
    tell.scores(std::make_shared<const SweepScores>(known));
    std::atomic<bool> stop = false;
    const std::stop_callback on_stop(task.stop_token(), [&stop] { stop = true; });
    GridOptions options;
    options.threads = order.threads;
    options.stop = &stop;
    options.on_progress = tell.progress;
    const SweepResult result = run_sweep_in(order.folder, text, known, options, [&](const SweepScores& scores) {
        tell.scores(std::make_shared<const SweepScores>(scores));
    });
    if (result.stopped) return {};
    write_sweep_columns(order.folder, text.sweep);
    write_sweep_pictures(order.folder, text.sweep, result.scores);
    return {text_of(result.failures), true};
}

}  // namespace

void SweepWorker::leave() {
    computing_.cancel();
    watching_.cancel();
}

void SweepWorker::follow(fs::path folder, Sweep sweep) {
    leave();
    folder_ = std::move(folder);
    sweep_ = std::move(sweep);
    news_ = {};
    watch();
}

void SweepWorker::start(Order order, FindExperiment find) {
    leave();
    folder_ = order.folder;
    sweep_ = order.sweep.sweep;
    news_ = {};
    if (!jobs_.threads_allowed()) {
        news_.trouble = "This browser allows no threads: a sweep cannot run. Open the page over https.";
        return;
    }
    news_.progress = GridProgress{};
    computing_ = jobs_.post(
        Lane::sweep,
        [this, of = std::move(order), with = std::move(find)](const Jobs::Task& task) {
            const Listeners tell{
                [&](const GridProgress& progress) { task.tell([this, progress] { news_.progress = progress; }); },
                [&](std::shared_ptr<const SweepScores> scores) {
                    task.tell([this, known = std::move(scores)] { news_.scores = known; });
                }};
            try {
                return compute(of, with, task, tell);
            } catch (const std::exception& error) {  // the panel says it, and follows the folder
                return Outcome{error.what()};
            }
        },
        [this](const Outcome& outcome) {
            news_.trouble = outcome.trouble;
            news_.pictured = outcome.pictured;
            news_.progress.reset();
            watch();
        });
}

// What is known stays to be seen until the folder has been read.
void SweepWorker::stop() {
    if (!running()) return;
    const std::shared_ptr<const SweepScores> scores = news_.scores;
    follow(folder_, sweep_);
    news_.scores = scores;
}

// Files are replaced whole, so that a table is never met half written.
void SweepWorker::watch() {
    using Tables = std::map<fs::path, fs::file_time_type>;
    const auto look = [this, folder = folder_, sweep = sweep_,
                       seen = std::optional<Tables>()](const Jobs::Task& task) mutable {
        auto tables = tables_in(folder);
        if (seen != tables) try {
                auto scores = std::make_shared<const SweepScores>(with_weights(folder, sweep, cells_in(folder, sweep)));
                task.tell([this, known = std::move(scores)] { news_.scores = known; });
            } catch (const std::exception& error) {
                task.tell([this, trouble = std::string(error.what())] { news_.trouble = trouble; });
            }
        seen = std::move(tables);
    };
    watching_ = jobs_.watch(Lane::sweep_watch, kLookAgain, look);
}

}  // namespace emergence
