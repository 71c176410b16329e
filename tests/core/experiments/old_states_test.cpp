// The states in tests/data/states were saved by version 0.2.0 after a few steps of small runs. Each still loads, and is
// saved again as the same bytes.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/npz.h"
#include "core/settings/toml.h"
#include "tests/support/places.h"

using namespace emergence;

namespace {

struct SmallRun {
    const char* experiment;
    int64_t steps;
    std::vector<std::pair<const char*, const char*>> changes;
};

const std::vector<SmallRun>& small_runs() {
    static const std::vector<SmallRun> runs = {
        {"td",
         7,
         {{"d", "2"}, {"log_interval", "5"}, {"bank_size", "16"}, {"num_layers", "2"}, {"line_up", "true"}}},
        {"evaluation", 3, {{"max_context_length", "4"}}},
        {"construction", 2, {}},
        {"invariant-set", 2, {{"d", "2"}, {"distance", "0.1"}}},
        {"one-layer-flow",
         7,
         {{"d", "2"}, {"log_interval", "5"}, {"bank_size", "16"}, {"arrow_mrps", "100"}}},
        {"basins", 7, {{"d", "1"}, {"log_interval", "5"}, {"bank_size", "16"}, {"num_gains", "2"}}},
        {"softmax-construction", 2, {}},
        {"softmax-td", 7, {{"d", "2"}, {"log_interval", "5"}, {"bank_size", "16"}}},
        {"softmax-convergence", 2, {}},
        {"bandit-race", 2, {}},
        {"bandit-eval", 2, {{"rounds", "20"}}},
        {"bandit-train",
         3,
         {{"log_interval", "2"},
          {"bank_size", "4"},
          {"rounds", "10"},
          {"d", "2"},
          {"arms", "2"},
          {"width", "4"},
          {"layers", "1"},
          {"heads", "2"},
          {"hidden", "4"},
          {"batch", "2"}}},
        {"regression", 4, {{"d", "2"}, {"num_prompts", "500"}, {"log_interval", "2"}}},
        {"sarsa", 4, {{"log_interval", "2"}, {"frames", "4"}, {"d", "2"}}},
        {"actor-critic", 4, {{"log_interval", "2"}, {"frames", "4"}, {"d", "2"}, {"m", "2"}}},
        {"policy-flow", 3, {{"windows", "50"}, {"d", "2"}}},
    };
    return runs;
}

std::unique_ptr<Study> study_of(const SmallRun& run) {
    const ExperimentInfo& info = find_experiment(run.experiment);
    Settings settings(info.fields);
    for (const auto& [name, value] : run.changes) settings.set_from_text(name, value);
    if (info.check) info.check(settings);
    return info.make(settings);
}

ArrayMap stored_of(const SmallRun& run) {
    return read_npz(testing::source_dir() / "tests/data/states" / (std::string(run.experiment) + ".npz"));
}

// The state with one number of one array replaced by each of some others, at the array's ends.
std::vector<ArrayMap> bent_states(const ArrayMap& stored, const std::string& name) {
    std::vector<ArrayMap> bent;
    std::visit(
        [&](const auto& values) {
            using T = std::remove_cvref_t<decltype(values[0])>;
            std::vector<T> numbers = {T(0), std::numeric_limits<T>::max()};
            if constexpr (std::is_signed_v<T>) numbers.push_back(T(-1));
            if constexpr (std::is_floating_point_v<T>) numbers.push_back(std::numeric_limits<T>::quiet_NaN());
            for (const size_t at : {size_t{0}, values.size() - 1})
                for (const T number : numbers) {
                    bent.push_back(stored);
                    std::get<std::vector<T>>(bent.back().at(name).values)[at] = number;
                }
        },
        stored.at(name).values);
    return bent;
}

}  // namespace

TEST_CASE("states that version 0.2.0 saved load, and are saved again as they were") {
    for (const SmallRun& run : small_runs()) {
        CAPTURE(run.experiment);
        const ArrayMap stored = stored_of(run);
        const auto study = study_of(run);
        const auto seed = study->make_seed(0);
        seed->load(stored);
        CHECK(seed->step() == run.steps);
        CHECK(seed->save() == stored);
    }
}

TEST_CASE("a state with another number is refused, or a step is taken from it") {
    for (const SmallRun& run : small_runs()) {
        CAPTURE(run.experiment);
        const ArrayMap stored = stored_of(run);
        const auto study = study_of(run);
        for (const auto& [name, array] : stored) {
            CAPTURE(name);
            if (element_count(array.shape) == 0) continue;
            for (const ArrayMap& bent : bent_states(stored, name)) {
                const auto seed = study->make_seed(0);
                try {
                    seed->load(bent);
                } catch (const InputError&) {
                    continue;
                }
                const int64_t step = seed->step();
                if (step < 0 || step > kMostStoredStep) continue;  // Run::load refuses it
                std::vector<MetricRow> rows;
                seed->advance(step + 1, rows);
                CHECK(seed->step() <= step + 1);
            }
        }
    }
}
