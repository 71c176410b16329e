#include "core/lab/views/run_views.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"

using namespace emergence;

namespace {

using KeptMoments = std::vector<std::shared_ptr<const Snapshot>>;

// Two seeds of a 3 x 3 matrix with blocks 2 and 1; entry (i, j) of seed k is sign_k (10 i + j + step + k).
Snapshot moment_at(int64_t step) {
    Snapshot snapshot;
    snapshot.step = step;
    snapshot.step_unit = "MRPs";
    snapshot.seeds.resize(2);
    NamedMatrix matrix;
    matrix.name = "Q0";
    matrix.row_blocks = matrix.column_blocks = {{"phi", 2}, {"R", 1}};
    matrix.signs = {1.0, -1.0};
    matrix.alignment_note = "signs aligned";
    for (int k = 0; k < 2; ++k) {
        Table table(3, 3);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                table(i, j) = matrix.signs[static_cast<size_t>(k)] * (10.0 * i + j + static_cast<double>(step) + k);
        matrix.seeds.push_back(table);
        snapshot.seeds[static_cast<size_t>(k)].seed = static_cast<uint64_t>(k + 5);
        snapshot.seeds[static_cast<size_t>(k)].step = step;
    }
    matrix.target = Table(3, 3);
    (*matrix.target)(0, 0) = -1.0;
    (*matrix.target)(1, 1) = -1.0;
    snapshot.matrices.push_back(matrix);
    return snapshot;
}

KeptMoments moments(const std::vector<Snapshot>& snapshots) {
    KeptMoments result;
    for (const Snapshot& snapshot : snapshots) result.push_back(std::make_shared<const Snapshot>(snapshot));
    return result;
}

const MatrixView kRaw{.mode = MatrixView::Mode::raw};

}  // namespace

TEST_CASE("a cell's history: aligned, one row a seed, in raw numbers") {
    const PlotSpec plot = history_of(moments({moment_at(0), moment_at(100)}), {"Q0", 1, 2}, kRaw);
    CHECK(plot.title == "Q0, row 2, column 3");
    CHECK(plot.x.label == "MRPs");
    REQUIRE(plot.series.size() == 1);
    CHECK(plot.series[0].x == std::vector<double>{0, 100});
    CHECK(plot.series[0].rows == std::vector<std::vector<double>>{{12, 112}, {13, 113}});
    CHECK(plot.lines.empty());  // theory's numbers are those of a scaled matrix
}

TEST_CASE("scaled: all seeds by the largest entry of their mean, with theory's value as a line") {
    const PlotSpec plot = history_of(moments({moment_at(0), moment_at(100)}), {"Q0", 0, 0}, {});
    REQUIRE(plot.series.size() == 1);
    CHECK(plot.series[0].rows[0] == std::vector<double>{0.0, 100.0 / 122.5});
    CHECK(plot.series[0].rows[1] == std::vector<double>{1.0 / 22.5, 101.0 / 122.5});
    REQUIRE(plot.lines.size() == 1);
    CHECK(plot.lines[0].value == -1.0);
}

// The last point of a series' mean line over seeds.
double end_of(const Series& series) { return summarise(series.rows, series.x.size() - 1).mean; }

// Seeds that disagree, so that it matters whether one averages or scales first.
Snapshot moment_of_discord(int64_t step) {
    Snapshot snapshot = moment_at(step);
    for (size_t k = 0; k < 2; ++k)
        for (size_t i = 0; i < 9; ++i)
            snapshot.matrices[0].seeds[k].values[i] =
                std::sin(static_cast<double>(step) + 7.0 * static_cast<double>(i) + 3.0 * static_cast<double>(k)) *
                (k == 0 ? 5.0 : 1.0);
    return snapshot;
}

TEST_CASE("the curve ends at the cell that the picture shows") {
    const auto pinned = std::make_shared<const Snapshot>(moment_of_discord(3));
    for (const int failing : {-1, 0, 1, 2})  // none, the first or second seed, both
        for (const auto mode : {MatrixView::Mode::scaled, MatrixView::Mode::raw, MatrixView::Mode::difference})
            for (const int seed : {-1, 0, 1})
                for (const int bits : {0, 1, 2, 3}) {
                    MatrixView view{.mode = mode, .seed_index = seed, .magnitudes = (bits & 1) != 0};
                    if ((bits & 2) != 0) view.baseline = pinned;
                    Snapshot last = moment_of_discord(90);
                    for (int k = 0; k < 2; ++k)
                        if (failing == k || failing == 2) {
                            last.seeds[static_cast<size_t>(k)].failed = true;
                            last.seeds[static_cast<size_t>(k)].step = 60;
                        }
                    const KeptMoments run = moments({moment_of_discord(0), last});
                    INFO(failing, ", ", static_cast<int>(mode), ", ", seed, ", ", bits);
                    const HeatmapSpec picture = heatmap_of(last, last.matrices[0], view);
                    const PlotSpec cell = history_of(run, {"Q0", 1, 2}, view);
                    CHECK(end_of(cell.series[0]) == doctest::Approx(picture.values(1, 2)));
                }
}

TEST_CASE("with other seeds pinned the curve ends at the picture's cell too") {
    for (const bool common : {false, true}) {
        Snapshot pinned = moment_of_discord(3);
        pinned.seeds[0].seed = 1000;
        if (!common) pinned.seeds[1].seed = 1001;
        for (const auto mode : {MatrixView::Mode::scaled, MatrixView::Mode::raw}) {
            MatrixView view{.mode = mode};
            view.baseline = std::make_shared<const Snapshot>(pinned);
            const Snapshot last = moment_of_discord(90);
            const HeatmapSpec picture = heatmap_of(last, last.matrices[0], view);
            const PlotSpec cell = history_of(moments({moment_of_discord(0), last}), {"Q0", 1, 2}, view);
            CHECK(end_of(cell.series[0]) == doctest::Approx(picture.values(1, 2)));
        }
    }
}

TEST_CASE("a failed seed that is shown alone ends at its last good state") {
    Snapshot last = moment_at(100);
    last.seeds[0].failed = true;
    last.seeds[0].step = 60;
    MatrixView view = kRaw;
    view.seed_index = 0;
    const PlotSpec plot = history_of(moments({moment_at(0), last, last}), {"Q0", 0, 0}, view);
    CHECK(plot.series[0].x == std::vector<double>{0, 60});
}

TEST_CASE("only the seeds that are shown, and a failed one up to its last good state") {
    Snapshot later = moment_at(100);
    later.seeds[0].failed = true;
    later.seeds[0].step = 60;
    later.seeds[1].emerged = true;
    const KeptMoments run = moments({moment_at(0), later});
    MatrixView view = kRaw;
    view.seed_index = 1;
    CHECK(history_of(run, {"Q0", 0, 0}, view).series[0].rows == std::vector<std::vector<double>>{{1, 101}});
    view.seed_index = -1;
    view.emerged_only = true;
    CHECK(history_of(run, {"Q0", 0, 0}, view).series[0].rows == std::vector<std::vector<double>>{{1, 101}});
    const auto rows = history_of(run, {"Q0", 0, 0}, kRaw).series[0].rows;
    CHECK(rows[0][0] == 0.0);
    CHECK(std::isnan(rows[0][1]));
    CHECK(rows[1][1] == 101.0);
}

TEST_CASE("moments without this matrix, or with another size, are left out; no moments, no series") {
    Snapshot other = moment_at(0);
    other.matrices[0].name = "P0";
    Snapshot small = moment_at(1);
    for (Table& table : small.matrices[0].seeds) table = Table(2, 2);
    const PlotSpec plot = history_of(moments({other, small, moment_at(5)}), {"Q0", 0, 0}, kRaw);
    CHECK(plot.series[0].x == std::vector<double>{5});
    CHECK(history_of({}, {"Q0", 0, 0}, kRaw).series.empty());
    CHECK(history_of(moments({other}), {"Q0", 0, 0}, kRaw).series.empty());
    CHECK_THROWS_AS(history_of(moments({moment_at(5)}), {"Q0", 3, 0}, kRaw), InvariantError);
}
