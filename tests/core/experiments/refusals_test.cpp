// What an experiment refuses, and that the message begins with the field to change.
#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

namespace emergence::refusals_test {
namespace {

using namespace testing;

std::string why_refused(const std::string& experiment, const std::string& changes) {
    return message_of<InputError>([&] { testing::settings_of(experiment, changes); });
}

// What its table does not allow, as the command line would give it.
std::vector<std::string> wrong_texts(const FieldInfo& field) {
    if (std::holds_alternative<bool>(field.default_value)) return {"maybe", ""};
    if (std::holds_alternative<std::string>(field.default_value))
        return field.choices.empty() ? std::vector<std::string>{"x\xE9"} : std::vector<std::string>{"neither", ""};
    std::vector<std::string> texts = {
        "", "many", "nan", "inf", to_text(field.minimum - 1), to_text(2 * field.maximum + 1)};
    if (std::holds_alternative<int64_t>(field.default_value)) texts.emplace_back("1.5");
    return texts;
}

struct Refused {
    const char *experiment, *changes, *message;
};

}  // namespace

TEST_CASE("every field of every experiment refuses what its table does not allow, by name") {
    for (const ExperimentInfo& info : experiments())
        for (const FieldInfo& field : *info.fields)
            for (const std::string& text : wrong_texts(field)) {
                INFO(info.name, ", ", text);
                Settings settings(info.fields);
                CHECK(message_of<InputError>([&] {
                          settings.set_from_text(field.name, text);
                      }).find(field.name + ": '") == 0);
                CHECK(settings == Settings(info.fields));
            }
}

TEST_CASE("every experiment takes its own defaults and the small runs") {
    for (const ExperimentInfo& info : experiments()) CHECK(why_refused(info.name, "") == "");
    for (const testing::SmallRun& small : testing::small_runs())
        CHECK(message_of<InputError>([&] { settings_of(small); }) == "");
}

TEST_CASE("a training that would log nothing is refused with the length of the run") {
    int trainings = 0;
    for (const ExperimentInfo& info : experiments()) {
        const FieldInfo* field = testing::training_length(info);
        if (field == nullptr || !Settings(info.fields).has("log_interval")) continue;
        const std::string length = field->name;
        CAPTURE(info.name);
        ++trainings;
        CHECK(why_refused(info.name, "log_interval=61, " + length + "=60") ==
              "log_interval: 61 is more than " + length + " = 60, so the run would log nothing. Lower it.");
        CHECK(why_refused(info.name, "log_interval=60, " + length + "=60") == "");
    }
    CHECK(trainings >= 6);
}

TEST_CASE("settings that do not go together are refused with the one to change") {
    const Refused refused[] = {
        {"td", "task=cart_pole, representable=true", "representable: task = cart_pole has no exact values."},
        {"td", "task=loop, loop_min_states=11", "loop_min_states: 11 is more than num_states = 10."},
        {"td", "task=loop, loop_min_states=1", "loop_min_states: a loop has at least 2 states."},
        {"td", "task=loop, loop_min_threshold=0.95", "loop_min_threshold: 0.95 is more than loop_max_threshold = 0.9."},
        {"td", "updates=prompt, loss=monte_carlo", "updates: the returns of loss = monte_carlo reach beyond"},
        {"td", "updates=prompt, loss=td_lambda", "updates: the returns of loss = td_lambda reach beyond"},
        {"td", "num_layers=12, activation=softmax, n=480, seeds=30", "n: a network that is not linear takes"},
        {"td", "more_losses=residual", "more_losses: 'residual' is not a loss."},
        {"td", "more_losses=average_reward", "more_losses: average_reward predicts other values"},
        {"td", "more_losses=td, loss=average_reward", "more_losses: average_reward predicts other values"},
        {"td", "model=two_heads, sequential=true", "sequential: all layers of"},
        {"td", "mask=td_lambda, more_losses=td_lambda", "more_losses: does not work with"},
        {"evaluation", "task=loop, min_states=20",
         "min_states: 20 is more than num_states = 15. Lower one or raise the other."},
        {"construction", "algorithm=td, flaw=plain_td",
         "flaw: plain_td changes nothing while algorithm = td. Choose another flaw or algorithm."},
        {"invariant-set", "eta=0, c=0, c_prime=0", "eta: with eta = c = c_prime = 0 no weight ever moves."},
        {"bandit-race", "kind=abrupt, rounds=20, segments=32", "segments: 32 is more than rounds = 20."},
        {"bandit-eval", "kind=abrupt, rounds=20, segments=32", "segments: 32 is more than rounds = 20."},
        {"bandit-eval", "num_environments=2", "log_interval: 5 is more than num_environments = 2"},
        {"bandit-sweep", "kind=abrupt, over=rounds, rounds=100, segments=30", "segments: 30 is more than"},
        {"bandit-inside", "rounds=300",
         "rounds: weights 'cosine' have positions for 200 rounds, not for 300. Lower it."},
        {"bandit-inside", "network=file", "network_file: network = file needs a file."},
        {"bandit-train", "heads=3", "heads: "},
        {"bandit-train", "share_cosine=0", "share_cosine: all shares are 0. Set at least one above 0."},
        {"regression", "num_prompts=1000000, seeds=100",
         "num_prompts: 1000000 prompts with d = 5 and seeds = 100 take"},
    };
    for (const Refused& one : refused) {
        INFO(one.experiment, ", ", one.message);
        const std::string found = why_refused(one.experiment, one.changes);
        CHECK_MESSAGE(found.starts_with(one.message), found);
    }
    // The same limits from below.
    CHECK(why_refused("td", "n=480, seeds=30") == "");
    CHECK(why_refused("actor-critic", "d=9") == "");
}

TEST_CASE("an unknown experiment is refused with the names that there are") {
    std::string names;
    for (const ExperimentInfo& info : experiments()) names += (names.empty() ? "" : ", ") + info.name;
    CHECK(why_refused("dt", "") == "unknown experiment 'dt'. Known: " + names);
    for (const ExperimentInfo& info : experiments())
        CHECK(why_refused(info.name, "no_such_field=1").starts_with("unknown field 'no_such_field'"));
}

}  // namespace emergence::refusals_test
