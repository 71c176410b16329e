#pragma once
// A window that keeps its runs in a folder.

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/shell/clock.h"
#include "core/base/error.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

namespace emergence::testing {

inline std::vector<std::filesystem::path> folders_in(const std::filesystem::path& runs) {
    std::vector<std::filesystem::path> folders;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(runs, ignored)) folders.push_back(entry.path());
    return folders;
}

// A window that keeps its run as often as it can, in `runs`.
struct KeptBench : BenchOfPanels {
    explicit KeptBench(const std::filesystem::path& runs, const std::vector<std::string>& changes = {},
                       bool running = false)
        : BenchOfPanels(changes, {1600, 1000}, running) {
        workbench.runs().use(runs, find_toy);
    }
    RunKeeper& desk() { return workbench.runs(); }
    // One look at a clock that shows so many seconds since the beginning, and what follows from it.
    void turn(double seconds) {
        desk().turn(*session, workbench.toasts(), 10.0, began + seconds);
        session->update();
        desk().turn(*session, workbench.toasts(), 10.0, began + seconds);
    }
    bool due(double interval, double seconds) { return desk().due(*session, interval, began + seconds); }
    double began = seconds_now();

    // The run is kept for the first time, at step 1.
    void keep_first_step() {
        turn(0.0);
        step();
        turn(11.0);
        wait_until_kept(1);
    }
    void wait_until_kept(int64_t step) {
        wait([&] { return !desk().folder().empty(); });
        for (int i = 0; i < 5000; ++i) {
            try {
                if (run_in(desk().folder(), find_toy).checkpoint->settings.step == step) return;
            } catch (const InputError&) {
                // It is just being replaced.
            }
            bench_sleep();
        }
        FAIL("the run is not kept");
    }
    static void bench_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
};

// The folder of a run that was killed at `step`: nobody has closed it.
inline std::filesystem::path interrupted_at(int64_t step, const std::filesystem::path& runs,
                                            const std::vector<std::string>& changes) {
    KeptBench bench(runs, changes);
    bench.turn(0.0);
    bench.step(static_cast<int>(step));
    bench.turn(11.0);
    bench.wait_until_kept(step);
    return bench.desk().folder();
}

}  // namespace emergence::testing
