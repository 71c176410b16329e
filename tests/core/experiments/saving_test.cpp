// Saving reads a seed and changes nothing of it, so that several threads may save it at once: ThreadSanitizer finds a
// state() that writes.
#include <doctest/doctest.h>

#include <thread>

#include "tests/support/small_runs.h"

TEST_SUITE_BEGIN("threads");

namespace emergence {

TEST_CASE("a seed can be saved by two threads at once") {
    for (const testing::SmallRun& small : testing::small_runs()) {
        CAPTURE(small.experiment);
        const std::unique_ptr<Study> study = find_experiment(small.experiment).make(settings_of(small));
        const std::unique_ptr<Experiment> seed = study->make_seed(0);
        std::vector<MetricRow> rows;
        seed->advance(0, rows);
        ArrayMap saved[2];
        std::thread other([&] { saved[1] = seed->save(); });
        saved[0] = seed->save();
        other.join();
        CHECK(saved[0] == saved[1]);
    }
}

}  // namespace emergence

TEST_SUITE_END();
