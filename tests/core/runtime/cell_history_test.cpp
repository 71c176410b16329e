#include "core/runtime/cell_history.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/check.h"

using namespace emergence;

namespace {

using Moments = std::vector<std::shared_ptr<const Snapshot>>;

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
                table(i, j) =
                    matrix.signs[static_cast<size_t>(k)] * (10.0 * i + j + static_cast<double>(step) + k);
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

Moments moments(const std::vector<Snapshot>& snapshots) {
    Moments result;
    for (const Snapshot& snapshot : snapshots) result.push_back(std::make_shared<const Snapshot>(snapshot));
    return result;
}

const MatrixView kRaw{.mode = MatrixView::Mode::raw};

}  // namespace

TEST_CASE("a cell's history: aligned, one row a seed, in raw numbers") {
    const PlotSpec plot = history_of(moments({moment_at(0), moment_at(100)}), {"Q0", 1, 2}, kRaw);
    CHECK(plot.title == "Q0[2, 3]");
    CHECK(plot.x.label == "MRPs");
    REQUIRE(plot.series.size() == 1);
    CHECK(plot.series[0].x == std::vector<double>{0, 100});
    CHECK(plot.series[0].rows == std::vector<std::vector<double>>{{12, 112}, {13, 113}});
    CHECK(plot.lines.empty());  // theory's numbers are those of a scaled matrix
}

TEST_CASE("scaled: every seed by its own largest entry, with theory's value as a line") {
    const PlotSpec plot = history_of(moments({moment_at(0), moment_at(100)}), {"Q0", 0, 0}, {});
    REQUIRE(plot.series.size() == 1);
    CHECK(plot.series[0].rows[0] == std::vector<double>{0.0, 100.0 / 122.0});
    CHECK(plot.series[0].rows[1] == std::vector<double>{1.0 / 23.0, 101.0 / 123.0});
    REQUIRE(plot.lines.size() == 1);
    CHECK(plot.lines[0].value == -1.0);
}

TEST_CASE("a square block's trace and mean magnitude; another's mean magnitude alone") {
    const PlotSpec square = history_of(moments({moment_at(0)}), {"Q0", 1, 0, true}, kRaw);
    CHECK(square.title == "Q0, phi by phi");
    REQUIRE(square.series.size() == 2);
    CHECK(square.series[0].name == "trace");
    CHECK(square.series[0].rows[0][0] == 0.0 + 11.0);
    CHECK(square.series[1].rows[0][0] == (0.0 + 1.0 + 10.0 + 11.0) / 4.0);
    CHECK(history_of(moments({moment_at(0)}), {"Q0", 1, 0, true}, {}).lines[0].value == -2.0);
    CHECK(history_of(moments({moment_at(0)}), {"Q0", 1, 0, true}, {}).lines[1].value == 0.5);
    const PlotSpec flat = history_of(moments({moment_at(0)}), {"Q0", 2, 0, true}, kRaw);
    REQUIRE(flat.series.size() == 1);
    CHECK(flat.series[0].name == "mean |entry|");
    CHECK(flat.series[0].rows[0][0] == 20.5);
}

TEST_CASE("only the seeds that are shown, and a failed one up to its last good state") {
    Snapshot later = moment_at(100);
    later.seeds[0].failed = true;
    later.seeds[0].step = 60;
    later.seeds[1].emerged = true;
    const Moments run = moments({moment_at(0), later});
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

TEST_CASE("an index's block") {
    const std::vector<Block> blocks{{"phi", 2}, {"R", 1}};
    CHECK(block_range(blocks, 1).first == 0);
    CHECK(block_range(blocks, 1).size == 2);
    CHECK(block_range(blocks, 2).block == 1);
    CHECK(block_range(blocks, 2).first == 2);
    CHECK_THROWS_AS(block_range(blocks, 3), InvariantError);
}
