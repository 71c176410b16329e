// Experiments sarsa and actor-critic through their public face: the registry, a run, snapshots.
#include "core/experiments/policy_improvement/improvement_study.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/registry.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "tests/support/judged.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

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
    settings.set("loop_mdps", int64_t{6});
    settings.set("loop_updates", int64_t{30});
    return settings;
}

}  // namespace

TEST_CASE("policy improvement: full matrices, hatched where nothing can move") {
    for (const std::string name : {"sarsa", "actor-critic"}) {
        RunOf run(name, small_improvement(name));
        run.advance_to(6);
        const Snapshot snapshot = run.snapshot();
        const int D = name == "sarsa" ? 3 * 4 + 2 : 3 * 4 + 2 * 5 + 2;
        for (const char* which : {"P", "V"}) {
            const NamedMatrix* matrix = find_matrix(snapshot, which);
            REQUIRE(matrix != nullptr);
            CHECK(matrix->seeds[0].rows == D);
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
        CHECK(snapshot.formulas.size() == (name == "sarsa" ? 1 : 2));
        CHECK(snapshot.plots[0].series.back().x == std::vector<double>{0, 10, 20, 30});
        CHECK(snapshot.plots[2].id == "loss_by_rate");
    }
}

TEST_CASE("policy improvement: the seed in the loop is the last where there are fewer") {
    Settings settings = small_improvement("sarsa");
    settings.set("shown_seed", int64_t{1});
    RunOf run("sarsa", settings);
    run.advance_to(2);
    const Snapshot last = run.snapshot();
    settings.set("shown_seed", int64_t{200});
    run.set_live(settings);
    CHECK(run.snapshot().plots[0].series.back().rows == last.plots[0].series.back().rows);
}

TEST_CASE("policy improvement: figures of both algorithms measure what is claimed of them") {
    const ExperimentInfo& info = find_experiment("sarsa");
    Settings settings = small_improvement("sarsa");
    settings.set("d", int64_t{8});  // as many as states x actions
    settings.set("seeds", int64_t{1});
    const std::vector<Claim>& claims = testing::shipped_claims();
    for (const FigureInfo& figure : info.figures) {
        const MadeFigure made = figure.build(info, settings, {});
        CHECK(made.failures.empty());
        CHECK_FALSE(made.figure.cells.empty());
        size_t of_figure = 0;
        for (const Claim& claim : claims) of_figure += claim.figure == figure.name ? 1 : 0;
        const std::vector<MeasuredClaim> all = measured_claims(claims, figure.name, made);
        CHECK(all.size() == of_figure);
        for (const MeasuredClaim& measured : all) {
            const auto claim =
                std::find_if(claims.begin(), claims.end(), [&](const Claim& c) { return c.name == measured.name; });
            REQUIRE(claim != claims.end());
            CHECK(claim->figure == figure.name);
            CHECK(std::isfinite(measured.measurement.value));
        }
    }
}
