#include "core/measures/held_out_windows.h"

#include <doctest/doctest.h>

#include "core/models/improvement_constructions.h"
#include "core/training/teacher_mimicking.h"

using namespace emergence;

namespace {

const ImprovementShape kWindowShape;  // the paper's SARSA
const AgentOptions kWindowAgent;

}  // namespace

TEST_CASE("on held-out windows the constructed weights lose nothing, and no weights what no update loses") {
    const HeldOutWindows windows(kWindowShape, kWindowAgent, 50, 3, 4, 5);
    const std::vector<float> constructed = weights_of<float>(
        kWindowShape, constructed_blocks(kWindowShape, kWindowAgent.alpha, kWindowAgent.beta));
    const std::vector<float> none(constructed.size(), 0.0F);
    CHECK(windows.loss_of_no_update() > 1e-4);
    CHECK(windows.loss(constructed) < 1e-10 * windows.loss_of_no_update());
    CHECK(windows.loss(none) == windows.loss_of_no_update());
}

TEST_CASE("held-out windows are those of the teacher's way through their MDPs") {
    // A learning rate of 0 leaves the weights as they are, so that training logs their loss on every window.
    TeacherMimickingOptions options;
    options.frames = 6;
    options.adam.learning_rate = 0.0;
    constexpr uint64_t kSeed = 4;
    TeacherMimicking training(options, kSeed);
    for (int i = 0; i < 3 * options.frames; ++i) training.update();
    const TeacherMimicking::Losses logged = training.take_mean_losses();
    const HeldOutWindows all(options.shape, options.agent, options.frames, kSeed, 3, options.frames);
    CHECK(all.loss(training.weights()) == doctest::Approx(logged.loss).epsilon(1e-6));
    CHECK(all.loss_of_no_update() == doctest::Approx(logged.zero).epsilon(1e-6));
    // Fewer windows than asked for: all.
    const HeldOutWindows more(options.shape, options.agent, options.frames, kSeed, 3, 100);
    CHECK(more.loss(training.weights()) == all.loss(training.weights()));
    // One of each MDP: that in the middle.
    const HeldOutWindows one(options.shape, options.agent, 1, kSeed, 3, 20);
    CHECK(one.loss_of_no_update() != all.loss_of_no_update());
}
