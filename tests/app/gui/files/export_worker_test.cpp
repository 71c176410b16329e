#include "app/gui/files/export_worker.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>

using namespace emergence;

namespace {

std::vector<ExportWorker::Done> wait_for_reports(ExportWorker& worker, size_t count) {
    std::vector<ExportWorker::Done> all;
    for (int i = 0; i < 5000 && all.size() < count; ++i) {
        for (ExportWorker::Done& done : worker.take_reports()) all.push_back(std::move(done));
        if (all.size() < count) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    REQUIRE(all.size() == count);
    return all;
}

}  // namespace

TEST_CASE("tasks are done in their order, off the caller's thread, with progress and news") {
    std::atomic<int> news = 0;
    ExportWorker worker([&news] { ++news; });
    CHECK_FALSE(worker.progress());
    std::promise<void> release;
    const std::shared_future<void> released = release.get_future().share();
    const std::thread::id caller = std::this_thread::get_id();
    worker.start(7, [released, caller](const ExportWorker::OnProgress& on_progress) {
        CHECK(std::this_thread::get_id() != caller);
        on_progress({1, 3, "b.pdf"});
        released.wait();
        return FileReport{{"b.pdf"}, {}, {}};
    });
    worker.start(8, [](const ExportWorker::OnProgress&) -> FileReport { throw std::runtime_error("no"); });
    // The caller goes on while the first is held.
    while (worker.progress()->name.empty()) std::this_thread::yield();
    CHECK(worker.progress()->done == 1);
    CHECK(worker.take_reports().empty());
    release.set_value();
    const auto reports = wait_for_reports(worker, 2);
    CHECK(reports[0].id == 7);
    CHECK(reports[0].report.written.size() == 1);
    CHECK(reports[1].id == 8);
    CHECK(reports[1].report.failures == std::vector<std::string>{"no"});
    CHECK_FALSE(worker.progress());
    CHECK(news >= 2);
}

TEST_CASE("a worker that goes tells its task to stop and waits for it") {
    std::atomic<bool> stopped = false;
    std::atomic<bool> begun = false;
    {
        ExportWorker worker;
        worker.start(0, [&](const ExportWorker::OnProgress& on_progress) {
            begun = true;
            while (on_progress({0, 1, "x"})) std::this_thread::yield();
            stopped = true;
            return FileReport{};
        });
        while (!begun) std::this_thread::yield();
    }
    CHECK(stopped);
}

TEST_CASE("a task that is cancelled is told so, the next one is not") {
    ExportWorker worker;
    std::atomic<bool> begun = false;
    worker.start(0, [&](const ExportWorker::OnProgress& on_progress) {
        begun = true;
        while (on_progress({0, 1, "x"})) std::this_thread::yield();
        return FileReport{};
    });
    worker.start(1, [](const ExportWorker::OnProgress& on_progress) {
        return on_progress({0, 1, "y"}) ? FileReport{{"y"}, {}, {}} : FileReport{};
    });
    while (!begun) std::this_thread::yield();
    worker.cancel();
    const auto reports = wait_for_reports(worker, 2);
    CHECK(reports[0].report.written.empty());
    CHECK(reports[1].report.written.size() == 1);
}
