#include "app/cli/progress.h"
#include "tests/support/scratch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

namespace emergence::cli {
namespace {

ProgressState sample_progress() {
    ProgressState state;
    state.name = "td";
    state.step_unit = "MRPs";
    state.step = 1000;
    state.target = 4000;
    state.seconds = 2.0;
    state.seeds = 8;
    state.emerged = 3;
    return state;
}

TEST_CASE("durations are read at a glance") {
    CHECK(duration_text(0.0) == "0 s");
    CHECK(duration_text(11.2) == "12 s");
    CHECK(duration_text(200.0) == "3 min 20 s");
    CHECK(duration_text(3900.0) == "1 h 05 min");
}

TEST_CASE("the line has step, rate, time left and seeds") {
    CHECK(progress_text(sample_progress()) ==
          "td: 1000 of 4000 MRPs (25 %), 500 MRPs/s a seed, ETA 6 s, 3 of 8 networks emerged");
    ProgressState state = sample_progress();
    state.step = 4000;
    state.seconds = 8.0;
    state.failed = 1;
    CHECK(progress_text(state) ==
          "td: 4000 of 4000 MRPs (100 %), 500 MRPs/s a seed, 8.0 s, 3 of 8 networks emerged, 1 diverged");
    CHECK(testing::holds(progress_text(ProgressState{}), "0 of 0"));
}

TEST_CASE("a terminal has one line, written over; a log has one every few seconds and the last") {
    std::ostringstream terminal, log;
    LineOfProgress on_terminal(terminal, true), in_log(log, false);
    ProgressState state = sample_progress();
    for (const double seconds : {0.05, 1.0, 6.0, 6.05}) {
        state.seconds = seconds;
        on_terminal.show(state, false);
        in_log.show(state, false);
    }
    CHECK(terminal.str().find('\n') == std::string::npos);
    on_terminal.show(state, true);
    in_log.show(state, true);
    const auto count = [](const std::string& text, char c) { return std::count(text.begin(), text.end(), c); };
    CHECK(count(terminal.str(), '\r') == 3);
    CHECK(count(terminal.str(), '\n') == 1);
    CHECK(count(log.str(), '\n') == 2);
    CHECK(log.str().find('\r') == std::string::npos);
}

TEST_CASE("a line is cut to the terminal's width, which may change") {
    std::ostringstream out;
    int columns = 20;
    LineOfProgress line(out, true, [&columns] { return columns; });
    line.write("twenty-four characters..", false);
    columns = 10;
    line.write("Überlänge, ja", false);
    columns = 0;
    line.write("long", true);
    CHECK(out.str() == "\rtwenty-four charact\x1b[K\rÜberlänge\x1b[K\rl\x1b[K\n");
}

TEST_CASE("a grid's line counts runs, and ends with the time they took") {
    GridProgress progress{
        .name = "wang-4", .done = 35, .total = 90, .share = 0.384, .seconds = 7.5, .seconds_left = 12.0};
    CHECK(progress_text(progress) == "wang-4: 35 of 90 runs (38 %), ETA 12 s");
    progress.failed = 1;
    CHECK(progress_text(progress) == "wang-4: 35 of 90 runs (38 %), ETA 12 s, 1 failed");
    std::ostringstream out;
    const std::vector<ExperimentInfo> none;
    GridProgressLine line(Environment{{}, none, out, out});
    line.finish(1.0);
    CHECK(out.str().empty());
    progress = {.name = "wang-4", .done = 90, .total = 90, .share = 1.0, .seconds = 20.0, .seconds_left = 0.0};
    line.show(progress);
    line.finish(20.04);
    CHECK(out.str() == "wang-4: 90 of 90 runs (100 %)\nwang-4: 90 of 90 runs (100 %), 20.0 s\n");
}

}  // namespace
}  // namespace emergence::cli
