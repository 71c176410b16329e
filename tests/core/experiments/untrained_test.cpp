// 0 steps and a learning rate of 0 are controls: a network as it was drawn.
#include <doctest/doctest.h>

#include "core/lab/runs/run.h"
#include "core/lab/runs/thread_pool.h"
#include "tests/support/small_runs.h"

namespace emergence {

TEST_CASE("every training may have 0 steps, and its run is drawn") {
    ThreadPool pool(2);
    int trainings = 0;
    for (const ExperimentInfo& info : experiments()) {
        const FieldInfo* length = testing::training_length(info);
        if (length == nullptr) continue;
        CAPTURE(info.name);
        ++trainings;
        Settings settings(info.fields);
        settings.set(length->name, int64_t{0});
        settings.set("seeds", int64_t{2});
        info.check(settings);
        Run run(info.make(settings), pool);
        MetricHistory history(run.study().metrics(), run.num_seeds());
        for (const MetricRow& row : run.advance_to(0)) history.append(row);
        CHECK(run.finished());
        CHECK(history.steps() == std::vector<double>{0});
        for (const FigureInfo& figure : info.figures) {
            if (!figure.draw) continue;
            CAPTURE(figure.name);
            try {
                figure.draw(run.snapshot(), history);
            } catch (const std::exception& error) {
                const std::string message = error.what();
                CHECK_MESSAGE(message.find("this run") != std::string::npos, message);  // of other settings
            }
        }
    }
    CHECK(trainings == 9);
}

TEST_CASE("a learning rate of 0 leaves the weights as they were drawn") {
    ThreadPool pool(1);
    for (const char* name : {"td", "softmax-td", "regression", "sarsa"}) {
        CAPTURE(name);
        const ExperimentInfo& info = find_experiment(name);
        Settings settings(info.fields);
        settings.set("learning_rate", 0.0);
        settings.set("seeds", int64_t{1});
        if (settings.has("optimizer")) settings.set_from_text("optimizer", "adam");
        Run run(info.make(settings), pool);
        run.advance_to(0);
        const ArrayMap before = run.snapshot().weights;
        run.advance_to(20);
        CHECK(run.step() == 20);
        const ArrayMap after = run.snapshot().weights;
        for (const auto& [array, values] : before)
            if (!array.starts_with("initial")) CHECK_MESSAGE(after.at(array) == values, array);
    }
}

}  // namespace emergence
