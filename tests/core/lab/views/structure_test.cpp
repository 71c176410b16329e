#include "core/lab/views/structure.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"

using namespace emergence;

namespace {

using StructureMoments = std::vector<std::shared_ptr<const Snapshot>>;

// Two seeds of a 3 x 3 matrix with blocks 2 and 1: step * diag(2, 1, 0) with 3 in the corner, the second seed negated.
std::shared_ptr<const Snapshot> structured(int64_t step, bool second_failed = false) {
    auto moment = std::make_shared<Snapshot>();
    moment->step = step;
    moment->step_unit = "MRPs";
    moment->seeds.resize(2);
    moment->seeds[1].failed = second_failed;
    NamedMatrix matrix;
    matrix.name = "Q0";
    matrix.row_blocks = matrix.column_blocks = {{"phi", 2}, {"R", 1}};
    matrix.target = Table(3, 3);
    (*matrix.target)(0, 0) = (*matrix.target)(1, 1) = 1.0;
    for (const double sign : {1.0, -1.0}) {
        Table table(3, 3);
        table(0, 0) = sign * 2.0 * static_cast<double>(step);
        table(1, 1) = sign * static_cast<double>(step);
        table(0, 2) = sign * 3.0;
        matrix.seeds.push_back(table);
    }
    moment->matrices.push_back(matrix);
    NamedMatrix rewards;
    rewards.name = "rewards";
    rewards.free_aspect = true;
    rewards.seeds = {Table(2, 3), Table(2, 3)};
    moment->matrices.push_back(rewards);
    return moment;
}

std::vector<double> first_row(const PlotSpec& plot, size_t line) { return plot.series[line].rows[0]; }

}  // namespace

TEST_CASE("singular values, block norms and shares of a small matrix, worked out by hand") {
    const StructureMoments moments = {structured(0), structured(1)};
    const PlotSpec norms = StructureHistory({"Q0", Structure::block_norms}).plot(moments);
    CHECK(norms.id == "Q0 block norms");
    REQUIRE(norms.series.size() == 4);
    CHECK(norms.series[1].name == "phi, R");
    CHECK(norms.series[0].x == std::vector<double>{0, 1});
    CHECK(first_row(norms, 0)[1] == doctest::Approx(std::sqrt(5.0)));
    CHECK(first_row(norms, 1) == std::vector<double>{3, 3});
    CHECK(norms.series[1].rows[1] == first_row(norms, 1));  // of the negated seed too

    const PlotSpec values = StructureHistory({"Q0", Structure::singular_values}).plot(moments);
    REQUIRE(values.series.size() == 3);
    CHECK(first_row(values, 0)[0] == doctest::Approx(3.0));
    CHECK(first_row(values, 0)[1] == doctest::Approx(std::sqrt(13.0)));
    CHECK(first_row(values, 1)[1] == doctest::Approx(1.0));
    CHECK(first_row(values, 2)[1] == doctest::Approx(0.0));

    // |M|^2 = 14; the nearest multiple of diag(1, 1, 0) is 3/2 of it; what is left of the diagonal is +-1/2.
    const PlotSpec shares = StructureHistory({"Q0", Structure::shares}).plot(moments);
    REQUIRE(shares.series.size() == 3);
    CHECK(first_row(shares, 0)[1] == doctest::Approx(4.5 / 14.0));
    CHECK(first_row(shares, 1)[1] == doctest::Approx(0.5 / 14.0));
    CHECK(first_row(shares, 2)[1] == doctest::Approx(9.0 / 14.0));
    CHECK(first_row(shares, 2)[0] == doctest::Approx(1.0));
}

TEST_CASE("structure goes on with a run, leaves failed seeds out, and is not of drawn rewards") {
    StructureHistory history({"Q0", Structure::block_norms});
    StructureMoments moments = {structured(0)};
    CHECK(history.plot(moments).series[0].x.size() == 1);
    moments.push_back(structured(2, true));
    const PlotSpec plot = history.plot(moments);
    CHECK(plot.series[0].x == std::vector<double>{0, 2});
    CHECK(std::isnan(plot.series[0].rows[1][1]));
    CHECK_FALSE(std::isnan(plot.series[0].rows[0][1]));
    CHECK(history.plot({structured(0)}).series[0].x.size() == 1);  // another run
    CHECK(structure_plots(*moments[0]).size() == 3);
    CHECK(StructureHistory({"rewards", Structure::shares}).plot({}).series.empty());
    CHECK(structure_figure("Q0", moments).cells.size() == 3);
    CHECK_THROWS_WITH_AS(structure_figure("P9", moments), "no matrix 'P9'. Use one of: Q0", InputError);
}

TEST_CASE("a matrix without entries, and one without blocks, have a structure without lines") {
    for (const bool has_entries : {false, true}) {
        CAPTURE(has_entries);
        auto moment = std::make_shared<Snapshot>(*structured(1));
        NamedMatrix& matrix = moment->matrices[0];
        matrix.row_blocks = matrix.column_blocks = {};
        matrix.target.reset();
        if (!has_entries) matrix.seeds.assign(2, Table());
        for (const Structure structure : kStructures) {
            const PlotSpec plot = StructureHistory({"Q0", structure}).plot({moment});
            CHECK(plot.note.ends_with(" 1 moments of the run."));
        }
        CHECK(structure_figure("Q0", {moment}).cells.size() == 3);
    }
}
