// 0 steps and a learning rate of 0 are controls: a network as it was drawn.
#include <doctest/doctest.h>

#include "core/lab/figures/figures.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

TEST_SUITE_BEGIN("release");

namespace emergence {

TEST_CASE("every training may have 0 steps, and its run is drawn") {
    for (const testing::SmallRun& small : testing::small_runs()) {
        const ExperimentInfo& info = find_experiment(small.experiment);
        const FieldInfo* length = testing::training_length(info);
        if (length == nullptr) continue;
        CAPTURE(info.name);
        testing::Changes changes = small.changes;
        changes.insert(changes.end(), {{length->name.c_str(), "0"}, {"seeds", "2"}});
        testing::RunOf run(info.name, changes);
        const MetricHistory history = run.history_to(0);
        CHECK(run.finished());
        CHECK(history.steps() == std::vector<double>{0});
        for (const FigureInfo& figure : info.figures) {
            if (!figure.draw) continue;
            CAPTURE(figure.name);
            const std::string message =
                testing::message_of<std::exception>([&] { figure.draw(run.snapshot(), history); });
            CHECK_MESSAGE((message.empty() || testing::holds(message, "this run")), message);
        }
    }
}

TEST_CASE("a learning rate of 0 leaves the weights as they were drawn") {
    for (const testing::SmallRun& small : testing::small_runs()) {
        Settings settings = settings_of(small);
        if (!settings.has("learning_rate") || (settings.has("flip") && settings.flag("flip"))) continue;
        CAPTURE(small.experiment);
        settings.set("learning_rate", 0.0);
        if (settings.has("optimizer")) settings.set_from_text("optimizer", "adam");
        testing::RunOf run(small.experiment, settings);
        run.advance_to(0);
        const ArrayMap before = run.snapshot().weights;
        run.advance_to(small.steps);
        const ArrayMap after = run.snapshot().weights;
        for (const auto& [array, values] : before)
            if (!array.starts_with("initial") && !array.starts_with("best"))
                CHECK_MESSAGE(after.at(array) == values, array);
    }
}

}  // namespace emergence

TEST_SUITE_END();
