#include "core/base/array.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/optim/adam.h"

using namespace emergence;

TEST_CASE("an array's elements are counted, and a shape that no memory could hold is refused") {
    CHECK(element_count({}) == 1);
    CHECK(element_count({2, 9, 31}) == 558);
    CHECK(element_count({4, 0, std::numeric_limits<size_t>::max()}) == 0);
    CHECK_THROWS_WITH_AS(element_count({size_t{1} << 33, size_t{1} << 33}),
                         "array shape: more elements than can be addressed", InputError);
    CHECK(shape_text({2, 9, 31}) == "2 x 9 x 31");
    CHECK(shape_text({}) == "a single number");
    CHECK(as_doubles({{2}, std::vector<float>{0.5F, -3.0F}}) == std::vector<double>{0.5, -3.0});
    CHECK(as_doubles({{}, std::vector<int64_t>{-7}}) == std::vector<double>{-7.0});
}

// Saving and loading through one function.

namespace {

struct Part : Archived<Part> {
    int64_t steps = 3;
    bool done = true;
    float rate = 0.5F;
    std::vector<double> weights = {1.0, 2.0};
    std::vector<std::vector<double>> path = {{1.0, 2.0}, {3.0, 4.0}};
    Adam<float> adam{2};

    void state(Archive& archive) {
        archive("weights", weights);
        archive("rate", rate);
        archive("progress", steps, done);
        archive("adam", adam);
        archive.rows("path", path, 2);
        archive.require(steps >= 0, "progress", "begins with a negative number");
    }
};

}  // namespace

TEST_CASE("a state is saved as one array for each name, parts with their prefix") {
    const ArrayMap saved = Part().save();
    CHECK(saved.size() == 7);
    CHECK(saved.at("weights") == Array{{2}, std::vector<double>{1.0, 2.0}});
    CHECK(saved.at("rate") == Array{{1}, std::vector<float>{0.5F}});
    CHECK(saved.at("progress") == Array{{2}, std::vector<int64_t>{3, 1}});
    CHECK(saved.at("adam.steps") == Array{{1}, std::vector<int64_t>{0}});
    CHECK(saved.at("path") == Array{{2, 2}, std::vector<double>{1.0, 2.0, 3.0, 4.0}});
}

TEST_CASE("a state that does not fit is refused by name and changes nothing") {
    Part part;
    const ArrayMap before = part.save();
    const auto refused = [&](const std::string& name, const Array& array, const char* message) {
        ArrayMap bad = before;
        bad[name] = array;
        CHECK_THROWS_WITH_AS(part.load(bad), message, InputError);
        CHECK(part.save() == before);
    };
    refused("weights", {{3}, std::vector<double>(3)},
            "training state: array 'weights' has 3 float64 entries, but these settings need 2 float64 entries");
    refused("rate", {{1}, std::vector<double>{1.0}},
            "training state: array 'rate' has 1 float64 entry, but these settings need 1 float32 entry");
    refused("rate", {{1}, std::vector<float>{std::numeric_limits<float>::infinity()}},
            "training state: array 'rate' has an entry that is not finite");
    refused("progress", {{2}, std::vector<int64_t>{1, 2}},
            "training state: array 'progress' has a flag that is neither 0 nor 1");
    refused("progress", {{2}, std::vector<int64_t>{-1, 0}},
            "training state: array 'progress' begins with a negative number");
    refused("adam.steps", {{1}, std::vector<int64_t>{-1}}, "training state: array 'adam.steps' is negative");
    refused("adam.steps", {{1}, std::vector<int64_t>{std::numeric_limits<int64_t>::max()}},
            "training state: array 'adam.steps' has a count that no training can reach");
    refused("path", {{2, 3}, std::vector<double>(6)},
            "training state: array 'path' has shape 2 x 3, but rows of 2 float64 entries are needed");
    refused("more", {{1}, std::vector<double>{0.0}}, "training state: array 'more' does not belong to this training");
    ArrayMap missing = before;
    missing.erase("rate");
    CHECK_THROWS_WITH_AS(part.load(missing), "training state: array 'rate' is missing", InputError);
    CHECK(part.save() == before);
}
