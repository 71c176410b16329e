#include "app/gui/shell/jobs.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace emergence;
using Task = Jobs::Task;

TEST_SUITE_BEGIN("threads");

namespace {

using Words = std::vector<std::string>;

// Drains until `done`; returns the messages. The limit only turns a hanging test into a failing one.
template <class Done>
Words drain_until(Jobs& jobs, Done done) {
    Words troubles;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!done() && std::chrono::steady_clock::now() < limit) {
        for (std::string& trouble : jobs.drain()) troubles.push_back(std::move(trouble));
        std::this_thread::yield();
    }
    REQUIRE(done());
    return troubles;
}
void wait_for(const std::atomic<bool>& flag) {
    while (!flag) std::this_thread::yield();
}

// Work that is done at once.
template <class Then>
Job post_then(Jobs& jobs, Lane lane, Then then) {
    return jobs.post(
        lane, [](const Task&) {}, then);
}

// Work that lasts until it is stopped.
struct Endless {
    std::shared_ptr<std::atomic<bool>> begun = std::make_shared<std::atomic<bool>>(false);
    int operator()(const Task& task) const {
        *begun = true;
        while (!task.stopping()) std::this_thread::yield();
        return 7;
    }
};

}  // namespace

TEST_CASE("work runs on another thread, its result arrives in drain on this one") {
    std::atomic<int> wakes = 0;
    Jobs jobs([&wakes] { ++wakes; });
    const std::thread::id here = std::this_thread::get_id();
    std::thread::id worked_on, arrived_on;
    const Job job = jobs.post(
        Lane::exports, [](const Task&) { return std::this_thread::get_id(); },
        [&](std::thread::id on) {
            worked_on = on;
            arrived_on = std::this_thread::get_id();
        });
    CHECK(job.active());
    CHECK(drain_until(jobs, [&] { return !job.active(); }).empty());
    CHECK(worked_on != here);
    CHECK(arrived_on == here);
    CHECK_FALSE(job.unfinished());
    CHECK(wakes == 1);
}

TEST_CASE("jobs of a lane keep their order, news arrives before the result") {
    Jobs jobs;
    Words heard;
    for (const char* name : {"a", "b", "c"})
        jobs.post(
            Lane::runs,
            [name, &heard](const Task& task) {
                for (const char* share : {" 1/2", " 2/2"})
                    task.tell([&heard, text = std::string(name) + share] { heard.push_back(text); });
                return std::string(name);
            },
            [&heard](const std::string& result) { heard.push_back(result); });
    drain_until(jobs, [&] { return heard.size() == 9; });
    CHECK(heard == Words{"a 1/2", "a 2/2", "a", "b 1/2", "b 2/2", "b", "c 1/2", "c 2/2", "c"});
}

TEST_CASE("a watch looks again until it is cancelled") {
    for (const bool threads : {true, false}) {
        std::atomic<int> looks = 0;
        bool after = false;
        Jobs jobs({}, threads);
        Job job = jobs.watch(Lane::run_list, std::chrono::milliseconds(1), [&](const Task&) { ++looks; });
        drain_until(jobs, [&] { return looks > 3; });
        CHECK(job.active());
        job.cancel();
        CHECK_FALSE(job.active());
        post_then(jobs, Lane::run_list, [&] { after = true; });
        drain_until(jobs, [&] { return after; });
        const int before = looks;
        jobs.drain();
        CHECK(looks == before);
    }
}

TEST_CASE("without threads each drain does one job, in the order of posting") {
    int wakes = 0;
    Words heard;
    {
        Jobs jobs([&wakes] { ++wakes; }, false);
        const std::thread::id here = std::this_thread::get_id();
        const auto work = [&](const char* name) {
            return [&, name](const Task&) {
                CHECK(std::this_thread::get_id() == here);
                heard.emplace_back(name);
            };
        };
        jobs.post(Lane::runs, work("a"));
        Job left_out = jobs.post(Lane::exports, work("b"));
        jobs.post(Lane::exports, work("c"));
        jobs.post(Lane::exports, work("d"));
        CHECK(wakes == 4);
        left_out.cancel();
        while (heard.size() < 2) jobs.drain();
        CHECK(heard == Words{"a", "c"});
        jobs.post(
            Lane::runs, work("e"), [] {}, AtClosing::done);
    }
    CHECK(heard == Words{"a", "c", "e"});
}

TEST_CASE("a lane does not wait for another") {
    Jobs jobs;
    const Endless figure;
    bool saved = false;
    Job long_one = jobs.post(Lane::exports, figure, [](int) {});
    wait_for(*figure.begun);
    post_then(jobs, Lane::preview, [&] { saved = true; });
    drain_until(jobs, [&] { return saved; });
    CHECK(long_one.active());
    CHECK(long_one.unfinished());
}

TEST_CASE("a cancelled job stops, its then and its news are not called, the next job of its lane is done") {
    Jobs jobs;
    const Endless work;
    bool called = false, next = false;
    Job first = jobs.post(
        Lane::sweep,
        [work, &called](const Task& task) {
            task.tell([&called] { called = true; });
            return work(task);
        },
        [&](int) { called = true; });
    Job left_out = jobs.post(Lane::sweep, [](const Task&) { FAIL("it was cancelled"); });
    post_then(jobs, Lane::sweep, [&] { next = true; });
    wait_for(*work.begun);
    first.cancel();
    left_out.cancel();
    CHECK_FALSE(first.active());
    drain_until(jobs, [&] { return next; });
    CHECK_FALSE(first.unfinished());
    CHECK_FALSE(left_out.unfinished());
    CHECK_FALSE(called);
}

TEST_CASE("a job cancelled after its work calls nothing, even from a then of the same drain") {
    Jobs jobs;
    bool called = false;
    Job second;
    post_then(jobs, Lane::runs, [&] { second.cancel(); });
    second = post_then(jobs, Lane::runs, [&] { called = true; });
    while (second.unfinished()) std::this_thread::yield();
    jobs.drain();
    jobs.drain();
    CHECK_FALSE(called);
    CHECK_FALSE(second.active());
}

TEST_CASE("a job that is stopped hands over what it has") {
    Jobs jobs;
    const Endless work;
    int result = 0;
    Job job = jobs.post(Lane::exports, work, [&](int value) { result = value; });
    wait_for(*work.begun);
    job.stop();
    CHECK(job.active());
    drain_until(jobs, [&] { return !job.active(); });
    CHECK(result == 7);
}

TEST_CASE("withdraw cancels a job that waits and leaves one that has begun") {
    Jobs jobs;
    const Endless work;
    Job begun = jobs.post(Lane::evaluation, work, [](int) {});
    Job waits = jobs.post(Lane::evaluation, work, [](int) {});
    wait_for(*work.begun);
    begun.withdraw();
    waits.withdraw();
    CHECK(begun.active());
    CHECK_FALSE(waits.active());
    begun.stop();
    drain_until(jobs, [&] { return !begun.active(); });
    Job none;
    none.withdraw();
    none.cancel();
    none.stop();
    CHECK_FALSE(none.active());
    CHECK_FALSE(none.unfinished());
}

TEST_CASE("what throws becomes a message: work, whose then is not called, and a then") {
    Jobs jobs;
    bool called = false, last = false;
    Job failing = jobs.post(
        Lane::runs, [](const Task&) { throw std::runtime_error("a.npz: disk full"); }, [&] { called = true; });
    jobs.post(
        Lane::runs, [](const Task&) {}, [] { throw std::invalid_argument("size: 99"); });
    post_then(jobs, Lane::runs, [&] { last = true; });
    CHECK(drain_until(jobs, [&] { return last; }) == Words{"a.npz: disk full", "size: 99"});
    CHECK_FALSE(called);
    CHECK_FALSE(failing.active());
}

TEST_CASE("a pause lasts its time, or until the job is stopped") {
    Jobs jobs;
    const auto began = std::chrono::steady_clock::now();
    Job brief = jobs.post(Lane::runs, [](const Task& task) { task.pause(std::chrono::milliseconds(20)); });
    drain_until(jobs, [&] { return !brief.active(); });
    CHECK(std::chrono::steady_clock::now() - began >= std::chrono::milliseconds(20));
    Job long_one = jobs.post(Lane::runs, [](const Task& task) { task.pause(std::chrono::hours(1)); });
    long_one.stop();
    drain_until(jobs, [&] { return !long_one.active(); });
}

TEST_CASE("when jobs are destroyed, work stops and what waits is left out; no then is called") {
    const Endless work;
    const auto shared = std::make_shared<int>(0);
    bool called = false;
    {
        Jobs jobs;
        for (int i = 0; i < 2; ++i) jobs.post(Lane::exports, work, [&called, shared](int) { called = true; });
        jobs.post(Lane::sweep_watch, [](const Task& task) { task.pause(std::chrono::hours(1)); });
        wait_for(*work.begun);
    }
    CHECK_FALSE(called);
    CHECK(shared.use_count() == 1);
}

TEST_CASE("what must not be lost is done when jobs are destroyed, in its order") {
    const Endless work;
    std::vector<int> done;
    {
        Jobs jobs;
        jobs.post(Lane::runs, work, [](int) {});
        wait_for(*work.begun);
        jobs.post(
            Lane::runs, [&](const Task&) { done.push_back(1); }, [] {}, AtClosing::done);
        jobs.post(Lane::runs, [&](const Task&) { done.push_back(2); });
        jobs.post(
            Lane::runs, [&](const Task&) { done.push_back(3); }, [] {}, AtClosing::done);
    }
    CHECK(done == std::vector{1, 3});
}

TEST_CASE("close waits for what may write files, not for what only shows") {
    std::atomic<bool> showing = false, shown = false, written = false;
    Jobs jobs;
    jobs.post(Lane::evaluation, [&](const Task&) {
        showing = true;
        wait_for(shown);
    });
    const Endless writes;
    jobs.post(Lane::exports, [&, writes](const Task& task) {
        writes(task);
        written = true;
    });
    wait_for(showing);
    wait_for(*writes.begun);
    jobs.close();
    CHECK(written);
    shown = true;
}

TEST_CASE("withdraw never loses work that has begun") {
    Jobs jobs;
    for (int i = 0; i < 3000; ++i) {
        std::atomic<bool> worked = false;
        bool delivered = false;
        Job job = jobs.post(
            Lane::evaluation, [&](const Task&) { worked = true; }, [&] { delivered = true; });
        for (int spin = 0; spin < i % 300; ++spin) static_cast<void>(worked.load());
        job.withdraw();
        bool idle = false;
        post_then(jobs, Lane::evaluation, [&] { idle = true; });
        drain_until(jobs, [&] { return idle; });
        REQUIRE(delivered == worked);
    }
}

TEST_SUITE_END();
