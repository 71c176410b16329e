#include "core/lab/runs/describe_run.h"

#include <doctest/doctest.h>

#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "tests/support/toy_study.h"

namespace emergence {

TEST_CASE("a run in words: its state first, then what stands on the stage") {
    ThreadPool pool(1);
    Run run(testing::toy_info().make(testing::toy_settings()), pool);
    MetricHistory history(run.study().metrics(), run.num_seeds());
    for (const MetricRow& row : run.advance_to(30)) history.append(row);
    Snapshot snapshot = run.snapshot();
    snapshot.status.target_step = 100;
    snapshot.emergence_rule = "It is found.";
    snapshot.seeds[1].failed = true;
    snapshot.seeds[1].reason = "not finite";
    snapshot.seeds[1].emerged = false;
    snapshot.seeds[0].emerged = true;
    snapshot.seeds[0].emerged_at = 20;
    snapshot.lamps = {{"found", "found +", "", {true, false, true, true}}};
    const ShownPanels shown = panels_of(run.study(), snapshot, history);
    const std::string last = shown.plots.back().id;
    const auto said = describe_run(testing::toy_info(), snapshot, shown, {last});
    CHECK(said[0].title == testing::toy_info().title);
    const std::string state = text_of({said[0]});
    CHECK(state.find("30 of 100 ") != std::string::npos);
    CHECK(state.find(" of 4 emerged.") != std::string::npos);
    CHECK(state.find("seed 1 stopped: not finite.") != std::string::npos);
    CHECK(state.find("The rule: It is found.") != std::string::npos);
    CHECK(state.find("Signs: found + in 3 of 4.") != std::string::npos);
    CHECK(said[1].id == last);
    const auto unordered = describe_run(testing::toy_info(), snapshot, shown);
    CHECK(unordered.size() == said.size());
    CHECK(unordered[1].id == shown.heatmaps.front().id);
}

}  // namespace emergence
