#include "app/gui/panels/history_plots.h"

#include <doctest/doctest.h>

#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;

TEST_CASE("the structure of a matrix is drawn of A, of B and of overlaid runs; the note names those without it") {
    testing::BenchOfPanels bench;
    bench.session->step_once();
    const auto overlaid = [&](const char* name, const Snapshot& last) {
        auto run = std::make_shared<OverlaidRun>();
        run->name = name;
        run->study = bench.session->study();
        run->snapshot = std::make_shared<const Snapshot>(last);
        run->moments = {run->snapshot};
        return run;
    };
    Snapshot bare = bench.snapshot();
    bare.matrices.clear();
    StructureOfRuns measured({"A", Structure::singular_values});
    const size_t lines = structure_plot(*bench.session, measured).series.size();
    REQUIRE(lines > 0);

    bench.session->set_overlays({overlaid("kept", bench.snapshot()), overlaid("bare", bare)});
    const PlotSpec beside = structure_plot(*bench.session, measured);
    REQUIRE(beside.series.size() == 2 * lines);
    CHECK(beside.series.back().name.find(", kept") != std::string::npos);
    CHECK(beside.note.find("Without bare, which has no A.") != std::string::npos);
    bench.session->set_overlays({});

    bench.session->compare("size", int64_t{4});
    bench.frames(3);
    REQUIRE(bench.session->other());
    const PlotSpec both = structure_plot(*bench.session, measured);
    CHECK(both.series.size() > lines);
    CHECK(both.series.back().name.find(", B") != std::string::npos);
}
