// Experiment softmax-construction: errors fall with the context, both forms equal the algorithm, live fields
// choose what is shown, and a state loads.
#include "core/experiments/softmax_td/softmax_construction.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/runs/run.h"
#include "core/lab/runs/thread_pool.h"

using namespace emergence;

namespace {

Settings small_construction() {
    Settings settings(find_experiment("softmax-construction").fields);
    settings.set("seeds", int64_t{2});
    settings.set("num_states", int64_t{5});
    settings.set("d", int64_t{8});
    settings.set("n", int64_t{12});
    settings.set("num_layers", int64_t{6});
    settings.set("num_chains", int64_t{6});
    return settings;
}

Run construct(const Settings& settings, ThreadPool& pool) {
    return Run(find_experiment("softmax-construction").make(settings), pool);
}

}  // namespace

TEST_CASE("softmax-construction: errors fall with the context, and nothing but rounding lies between forms") {
    ThreadPool one(1), two(2);
    Run run = construct(small_construction(), one), other = construct(small_construction(), two);
    CHECK(run.snapshot().scalars.empty());  // no chain yet
    const auto rows = run.advance_to(6);
    CHECK(rows.size() == 2 * 6);
    CHECK(rows == other.advance_to(6));
    const Snapshot snapshot = run.snapshot();
    const PlotSpec& errors = snapshot.plots[0];
    REQUIRE(errors.series[0].rows.size() == 2 * 6);
    CHECK(errors.row_word == "chain");
    CHECK(summarise(errors.series[0].rows, 8).mean < summarise(errors.series[0].rows, 0).mean);
    CHECK(snapshot.plots[1].series.size() == 4);
    for (const Series& kernel : snapshot.plots[1].series) {
        REQUIRE(kernel.rows.size() == 2 * 6);
        for (const auto& row : kernel.rows) CHECK(*std::max_element(row.begin(), row.end()) < 1e-12);
    }
    CHECK(snapshot.scalars[0].value == 12);
    CHECK_FALSE(snapshot.headline.empty());
}

TEST_CASE("softmax-construction: the errors are those of Figure 1") {
    const auto c = config_from<SoftmaxConstructionConfig>(small_construction());
    const auto bank = softmax_bank(c);
    const ConstructionErrors errors = construction_errors(*bank, 3, c, c.sharpness);
    CHECK(errors.difference < 1e-12);
    CHECK(errors.transformer == doctest::Approx(errors.algorithm).epsilon(1e-9));
    const auto prompt = bank->prompt(3);
    const double truth = prompt.values[static_cast<size_t>(prompt.states.back())];
    CHECK(errors.zero == truth * truth);
    CHECK(prompt.Z.cols() == 13);
}

TEST_CASE("softmax-construction: what is shown is chosen live, and an inspection answers alike") {
    ThreadPool pool(1);
    Run run = construct(small_construction(), pool);
    run.advance_to(2);
    const Snapshot before = run.snapshot();
    CHECK(before.matrices.front().name == "A");
    for (const auto& [show, first, count] :
         {std::tuple{"weights", "P", size_t{5}}, {"chain", "transition", size_t{1}}}) {
        Settings changed = small_construction();
        changed.set("show", std::string(show));
        changed.set("prompt", int64_t{5});
        const Snapshot asked = run.study().inspect(before, {"evaluate", changed});
        run.set_live(changed);
        const Snapshot after = run.snapshot();
        REQUIRE(after.matrices.size() == count);
        CHECK(after.matrices.front().name == first);
        CHECK(after.matrices.front().seeds == asked.matrices.front().seeds);
        REQUIRE(after.plots.size() == 4);
        CHECK(after.plots[0].series[0].rows == before.plots[0].series[0].rows);
        CHECK(after.plots[3].series[2].rows == asked.plots[3].series[2].rows);
    }
    const Snapshot last = run.snapshot();
    const Table& transition = last.matrices.front().seeds[1];
    for (int s = 0; s < 5; ++s) {
        double sum = 0;
        for (int next = 0; next < 5; ++next) sum += transition(s, next);
        CHECK(sum == doctest::Approx(1.0));
    }
}

TEST_CASE("softmax-construction: resumed equals uninterrupted, and a damaged state is refused") {
    ThreadPool pool(1);
    Run first = construct(small_construction(), pool), second = construct(small_construction(), pool);
    first.advance_to(3);
    second.load(first.save());
    CHECK(second.step() == 3);
    CHECK(second.advance_to(6) == first.advance_to(6));
    CHECK(second.save() == first.save());
    auto bad = first.save();
    bad[0].erase("zero");
    CHECK_THROWS_AS(second.load(bad), InputError);
    bad = first.save();
    bad[0]["zero"].shape = {2, 27};
    CHECK_THROWS_AS(second.load(bad), InputError);
}
