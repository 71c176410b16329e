// Saving reads a seed and changes nothing of it, so that several threads may save it at once: ThreadSanitizer finds a
// state() that writes.
#include <doctest/doctest.h>

#include <thread>

#include "core/experiments/registry.h"

namespace emergence {

TEST_CASE("a seed can be saved by two threads at once") {
    for (const ExperimentInfo& info : experiments()) {
        CAPTURE(info.name);
        Settings settings(info.fields);
        for (const char* size : {"bank_size", "num_gains", "seeds"})
            if (settings.has(size)) settings.set(size, static_cast<int64_t>(settings.info(size).minimum));
        const std::unique_ptr<Study> study = info.make(settings);
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
