// Experiments sarsa and actor-critic through their public face: the registry, a run, snapshots.
#include "core/experiments/policy_improvement/policy_improvement.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/runtime/run.h"
#include "core/runtime/thread_pool.h"

using namespace emergence;

namespace {

Settings small_improvement(const std::string& name) {
    Settings settings(find_experiment(name).fields);
    settings.set("num_states", int64_t{4});
    settings.set("num_actions", int64_t{2});
    settings.set("d", int64_t{4});
    if (name == "actor-critic") settings.set("m", int64_t{5});
    settings.set("n", int64_t{8});
    settings.set("frames", int64_t{20});
    settings.set("num_mdps", int64_t{12});
    settings.set("log_interval", int64_t{2});
    return settings;
}

Run make_improvement(const Settings& settings, const std::string& name, ThreadPool& pool) {
    return Run(find_experiment(name).make(settings), pool);
}

}  // namespace

TEST_CASE("policy improvement: any threads, any cut of the way and any resumption give the same bits") {
    for (const std::string name : {"sarsa", "actor-critic"}) {
        ThreadPool one(1), two(2);
        const Settings settings = small_improvement(name);
        Run straight = make_improvement(settings, name, one), cut = make_improvement(settings, name, two);
        const auto rows = straight.advance_to(12);
        std::vector<MetricRow> pieces;
        for (const int64_t step : {0, 3, 4, 12})
            for (auto& row : cut.advance_to(step)) pieces.push_back(row);
        REQUIRE(rows.size() == 2 * 7);
        CHECK(std::isnan(rows[0].values[0]));  // nothing was seen yet
        for (size_t i = 2; i < rows.size(); ++i) CHECK(rows[i] == pieces[i]);
        CHECK(rows[0].values.size() == straight.study().metrics().size());
        Run first = make_improvement(settings, name, two), second = make_improvement(settings, name, one);
        first.advance_to(5);
        second.load(first.save());
        second.advance_to(12);
        CHECK(second.save() == straight.save());
        CHECK(second.snapshot().weights == straight.snapshot().weights);
        auto bad = first.save();
        bad[0].erase("trace");
        CHECK_THROWS_AS(second.load(bad), InputError);
    }
}

TEST_CASE("policy improvement: a snapshot describes itself, in full matrices") {
    ThreadPool pool(1);
    for (const std::string name : {"sarsa", "actor-critic"}) {
        Run run = make_improvement(small_improvement(name), name, pool);
        run.advance_to(6);
        const Snapshot snapshot = run.snapshot();
        const int D = name == "sarsa" ? 3 * 4 + 2 : 3 * 4 + 2 * 5 + 2;
        for (const char* which : {"P", "V"}) {
            const NamedMatrix* matrix = find_matrix(snapshot, which);
            REQUIRE(matrix != nullptr);
            CHECK(matrix->seeds.size() == 2);
            CHECK(matrix->seeds[0].rows == D);
            CHECK(matrix->seeds[0].columns == D);
            int rows = 0;
            for (const Block& block : matrix->row_blocks) rows += block.size;
            CHECK(rows == D);
            double largest = 0;
            for (const double x : matrix->target->values) largest = std::max(largest, std::abs(x));
            CHECK(largest == 1.0);
            // What is hatched is zero in training and in theory, and everything else moves.
            const HeatmapSpec shown = heatmap_of(snapshot, *matrix, {MatrixView::Mode::raw, 0});
            int row = 0;
            for (size_t i = 0; i < shown.row_blocks.size(); row += shown.row_blocks[i++].size) {
                int column = 0;
                for (size_t j = 0; j < shown.column_blocks.size(); column += shown.column_blocks[j++].size) {
                    bool hatched = false;
                    for (const BlockMeaning& meaning : shown.meanings)
                        hatched = hatched || (meaning.hatched && meaning.row_block == static_cast<int>(i) &&
                                              meaning.column_block == static_cast<int>(j));
                    CHECK((shown.values(row, column) == 0.0) == hatched);
                    if (hatched) CHECK((*matrix->target)(row, column) == 0.0);
                }
            }
        }
        CHECK(snapshot.weights.at("P12").shape.size() == 3);
        CHECK(snapshot.formulas.size() == (name == "sarsa" ? 1 : 2));
        REQUIRE(!snapshot.plots.empty());
        CHECK(snapshot.plots[0].series[0].x.size() == 3);
    }
}

TEST_CASE("policy improvement: settings that do not go together are refused") {
    Settings settings = small_improvement("sarsa");
    settings.set("log_interval", int64_t{13});
    CHECK_THROWS_AS(find_experiment("sarsa").check(settings), InputError);
    CHECK_FALSE(Settings(find_experiment("sarsa").fields).has("beta"));
    CHECK(Settings(find_experiment("actor-critic").fields).integer("d") == 9);
}
