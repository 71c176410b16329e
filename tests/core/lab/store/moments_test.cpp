#include "core/lab/store/checkpoint.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/lab/runs/run.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/toy_study.h"

namespace emergence {
namespace {

using namespace testing;

std::vector<int64_t> steps_of(const MomentLog& log) {
    std::vector<int64_t> steps;
    for (const SavedMoment& moment : log.moments()) steps.push_back(moment.step);
    return steps;
}

// Advances `run` to `end` as a trainer does, never beyond the next moment.
void advance(Run& run, MomentLog& log, int64_t end) {
    run.advance_to(run.step());
    log.add(run);
    while (run.step() < end) {
        run.advance_to(std::min(end, log.next_after(run.step())));
        log.add(run);
    }
}

}  // namespace

TEST_CASE("moments are the multiples of a stride that doubles") {
    RunOf run(toy_info(), toy_settings(), 1);
    MomentLog log(4, 10);
    advance(run, log, 30);
    CHECK(steps_of(log) == std::vector<int64_t>{0, 10, 20, 30});
    advance(run, log, 45);
    CHECK(steps_of(log) == std::vector<int64_t>{0, 20, 40});
    CHECK(log.next_after(45) == 60);
    advance(run, log, 100);
    CHECK(steps_of(log) == std::vector<int64_t>{0, 40, 80});
    log.add(run);
    CHECK(log.moments().size() == 3);
    CHECK(MomentLog(0, 10).next_after(5) == std::numeric_limits<int64_t>::max());
}

TEST_CASE("states that are too large leave fewer moments, at least the first") {
    RunOf run(toy_info(), toy_settings(), 1);
    MomentLog log(64, 10, 1);
    advance(run, log, 100);
    CHECK(steps_of(log) == std::vector<int64_t>{0});
}

TEST_CASE("a resumed log continues as if it had not stopped, also with moments after the checkpoint") {
    RunOf whole(toy_info(), toy_settings()), cut(toy_info(), toy_settings()), resumed(toy_info(), toy_settings());
    MomentLog log(4, 10), first(4, 10), second(4, 10);
    advance(whole, log, 100);
    advance(cut, first, 40);  // thinned to 0, 20, 40, but the checkpoint is of step 30
    resumed.advance_to(30);
    second.resume(first.moments(), 30);
    CHECK(steps_of(second) == std::vector<int64_t>{0, 20});
    advance(resumed, second, 100);
    CHECK(second.moments() == log.moments());
}

TEST_CASE("a stride ends, however far apart the moments are") {
    constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
    const ArrayMap large = {{"x", {{2}, std::vector<double>{1, 2}}}};
    for (const int64_t step : {kLast - 3, kLast / 2 + 1, int64_t{1} << 53, int64_t{7}}) {
        MomentLog log(2, 10, 20);
        log.resume({{0, {large}}, {step, {large}}}, kLast - 1);
        CHECK(steps_of(log) == std::vector<int64_t>{0});
        CHECK(log.next_after(0) > 0);
    }
}

TEST_CASE("a file of moments reads back, and each moment restores its run") {
    const Settings settings = toy_settings({"throw_seed=1", "throw_step=25"});
    RunOf run(toy_info(), settings), other(toy_info(), settings);
    MomentLog log(8, 10);
    advance(run, log, 50);
    const ArrayMap arrays = moments_file("toy", settings, log.moments());
    CHECK(arrays.at("seed 0/matrix").shape == std::vector<size_t>{6, 3, 3});
    CHECK(arrays.contains("seed 1/run_thrown@3"));  // from the first moment after it threw
    const std::vector<SavedMoment> read = parse_moments(npz_bytes(arrays), "moments.npz");
    CHECK(read == log.moments());
    other.load(read[2].seeds);
    CHECK(other.step() == 20);
    CHECK(other.save() == read[2].seeds);
}

TEST_CASE("files that are no moments are refused by name") {
    const auto refusal = [](const ArrayMap& arrays) {
        return message_of<InputError>([&] { parse_moments(npz_bytes(arrays), "m.npz"); });
    };
    ArrayMap arrays = moments_file("toy", toy_settings(), {{0, {{}}}, {10, {{}}}});
    CHECK(refusal(arrays).empty());
    arrays["seed 0/x"] = {{3}, std::vector<double>{1, 2, 3}};
    CHECK(refusal(arrays) == "m.npz: array 'seed 0/x' is 3, but there are 2 moments");
    arrays.erase("seed 0/x");
    arrays["seed 7/x"] = {{2}, std::vector<double>{1, 2}};
    CHECK(refusal(arrays) == "m.npz: array 'seed 7/x' belongs to no seed or moment of the file");
    arrays.erase("seed 7/x");
    arrays["steps"] = {{2}, std::vector<int64_t>{10, 0}};
    CHECK(refusal(arrays) == "m.npz: the steps of its moments do not ascend from 0 to at most 9007199254740992");
    arrays["steps"] = {{2}, std::vector<int64_t>{0, std::numeric_limits<int64_t>::max() - 3}};
    CHECK(holds(refusal(arrays), "at most 9007199254740992"));
    arrays["seeds"] = {{1}, std::vector<uint64_t>{1'000'000'000}};
    CHECK(refusal(arrays).find("m.npz: declares too many seeds or moments: at most 4096 moments") == 0);
    arrays.erase("steps");
    CHECK(refusal(arrays) == "m.npz: array 'steps' is missing: no moments");
}

}  // namespace emergence
