#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/files/array_files.h"
#include "core/models/evaluate_prompts.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::cli {
namespace {

using testing::data_file;
using testing::Scratch;

Array random_floats(const std::vector<size_t>& shape, uint32_t index) {
    Stream stream(2, Purpose::testing, index);
    std::vector<float> values(element_count(shape));
    for (float& value : values) value = static_cast<float>(0.3 * stream.normal());
    return {shape, values};
}

struct Files {
    Scratch scratch;
    Array Z = random_floats({3, 9, 11}, 0);

    Files() {
        write_npz(scratch / "Z.npz", {{"Z", Z}});
        write_npz(scratch / "W.npz", {{"P", random_floats({2, 3, 9, 9}, 1)}, {"Q", random_floats({2, 3, 9, 9}, 2)}});
    }
    // Exit code; what was printed is in `out` and `err`.
    int value(const std::string& weights, const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"value", "--weights", weights, "--prompts", (scratch / "Z.npz").string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Told told = tell(arguments, {});
        out = told.out;
        err = told.err;
        return told.code;
    }
    std::string refusal(const std::string& weights, const std::vector<std::string>& more) {
        CHECK(value(weights, more) == kBadInput);
        CHECK(out.empty());
        CHECK(err.find('\n') == err.size() - 1);
        return err;
    }
    std::string out, err;
};

TEST_CASE("one value a line, in full precision, of the chosen seed") {
    Files files;
    const std::string weights = (files.scratch / "W.npz").string();
    REQUIRE(files.value(weights, {"--layers", "3", "--activation", "identity", "--seed", "1"}) == kDone);
    const auto second = [](const Array& both) {
        const auto& values = std::get<std::vector<float>>(both.values);
        return Array{{3, 9, 9}, std::vector<float>(values.begin() + 243, values.end())};
    };
    const std::vector<double> expected =
        attention_values(files.Z, second(random_floats({2, 3, 9, 9}, 1)), second(random_floats({2, 3, 9, 9}, 2)), 3);
    std::istringstream lines(files.out);
    for (const double value : expected) {
        std::string line;
        REQUIRE(std::getline(lines, line));
        CHECK(std::stod(line) == value);
    }
    CHECK(files.out.back() == '\n');
}

TEST_CASE("weights of the reference code, its log steps taken as seeds") {
    Files files;
    const std::string weights = data_file("wang_code_run/data.npz").string();
    CHECK(files.value(weights, {"--layers", "3", "--seed", "39"}) == kDone);
    CHECK(std::count(files.out.begin(), files.out.end(), '\n') == 3);
    CHECK(files.refusal(weights, {"--layers", "3", "--seed", "40"}).find("--seed: 40 is not from 0 to ") !=
          std::string::npos);
}

TEST_CASE("what does not fit is named") {
    Files files;
    const std::string weights = (files.scratch / "W.npz").string();
    CHECK(files.refusal(weights, {"--layers", "3"}).find("holds 2 seeds. Choose one with --seed K") !=
          std::string::npos);
    CHECK(files.refusal(weights, {"--layers", "2", "--seed", "0"}).find("layers: 2 were asked for, but 3 are stored") !=
          std::string::npos);
    CHECK(files.refusal(weights, {"--layers", "3", "--seed", "0", "--activation", "sofmax"})
              .find("--activation: 'sofmax' is not one of identity, softmax") != std::string::npos);
    CHECK(files.value(weights, {"--layers", "3", "--seed", "0", "--activation", "softmax"}) == kDone);
    CHECK(files.refusal((files.scratch / "Z.npz").string(), {"--layers", "3"})
              .find("array 'P' is missing. The file holds Z") != std::string::npos);
    CHECK(files.refusal("nowhere.npz", {"--layers", "3"}).find("nowhere.npz: cannot be read") != std::string::npos);
    write_npz(files.scratch / "small.npz", {{"P", random_floats({1, 5, 5}, 1)}, {"Q", random_floats({1, 5, 5}, 2)}});
    const std::string small = (files.scratch / "small.npz").string();
    CHECK(files.refusal(small, {"--layers", "3"}).find("P: its shape is 1 x 5 x 5, but Z of shape 3 x 9 x 11 needs") !=
          std::string::npos);
    CHECK(files.refusal(small, {"--layers", "3", "--seed", "0"}).find("--seed: ") != std::string::npos);
}

TEST_CASE("an entry that is no number is named with its file") {
    Files files;
    Array broken = random_floats({1, 9, 9}, 1);
    std::get<std::vector<float>>(broken.values)[10] = std::numeric_limits<float>::quiet_NaN();
    const Array whole = random_floats({1, 9, 9}, 2);
    const std::string weights = (files.scratch / "nan.npz").string();
    write_npz(weights, {{"P", whole}, {"Q", broken}});
    CHECK(files.refusal(weights, {"--layers", "3"}).find(weights + ": Q: entry [0, 1, 1] is nan") != std::string::npos);
    write_npz(weights, {{"P", whole}, {"Q", whole}});
    std::get<std::vector<float>>(files.Z.values)[0] = std::numeric_limits<float>::infinity();
    const std::string prompts = (files.scratch / "Z.npz").string();
    write_npz(prompts, {{"Z", files.Z}});
    CHECK(files.refusal(weights, {"--layers", "3"}).find(prompts + ": Z: entry [0, 0, 0] is inf") != std::string::npos);
}

TEST_CASE("values that overflow are printed and end in a failure") {
    Files files;
    Array huge = random_floats({1, 9, 9}, 1);
    for (float& value : std::get<std::vector<float>>(huge.values)) value = 1e30F;
    write_npz(files.scratch / "huge.npz", {{"P", huge}, {"Q", huge}});
    CHECK(files.value((files.scratch / "huge.npz").string(), {"--layers", "9"}) == kFailure);
    CHECK(std::count(files.out.begin(), files.out.end(), '\n') == 3);
    CHECK(files.err.find("3 of 3 values are not finite") != std::string::npos);
}

}  // namespace
}  // namespace emergence::cli
