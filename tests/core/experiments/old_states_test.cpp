// The states in tests/data/states were saved by version 0.2.0 after a few steps of small runs. Each still loads, and is
// saved again as the same bytes.
#include <doctest/doctest.h>

#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "tests/support/places.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

std::map<std::string, ArrayMap> stored_states() {
    std::map<std::string, ArrayMap> states;
    for (const auto& file : std::filesystem::directory_iterator(testing::source_dir() / "tests/data/states"))
        states[file.path().stem().string()] = read_npz(file.path());
    return states;
}

std::unique_ptr<Study> study_of(const std::string& experiment) {
    return find_experiment(experiment).make(settings_of(testing::small_run(experiment)));
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

TEST_CASE("states that version 0.2.0 saved load, and are saved again as they were but for what has changed since") {
    for (const auto& [experiment, stored] : stored_states()) {
        CAPTURE(experiment);
        const auto seed = study_of(experiment)->make_seed(0);
        seed->load(stored);
        CHECK(seed->step() > 0);
        ArrayMap saved = seed->save(), before = stored;
        for (const char* verdict : {"computes", "computes_since"}) saved.erase(verdict);
        for (const char* former : {"map", "line_up"}) before.erase(former);
        CHECK(saved == before);
    }
}

TEST_CASE("a state with another number is refused, or a step is taken from it") {
    for (const auto& [experiment, stored] : stored_states()) {
        CAPTURE(experiment);
        const auto study = study_of(experiment);
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
