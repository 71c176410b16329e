#include "core/lab/snapshot.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/lab/views/run_views.h"
#include "tests/support/scratch.h"

using namespace emergence;
using Mode = MatrixView::Mode;

namespace {

// Three seeds of a 1 x 2 matrix, the second with the other sign.
Snapshot matrix_of_three_seeds() {
    Snapshot snapshot;
    snapshot.seeds.resize(3);
    NamedMatrix matrix;
    matrix.name = "P0";
    matrix.row_blocks = {{"R", 1}};
    matrix.column_blocks = {{"phi", 1}, {"R", 1}};
    for (const double corner : {2.0, -4.0, 3.0}) {
        Table table(1, 2);
        table(0, 0) = 1.0;
        table(0, 1) = corner;
        matrix.seeds.push_back(table);
    }
    matrix.signs = {1.0, -1.0, 1.0};
    matrix.alignment_note = "aligned";
    matrix.target = Table(1, 2);
    (*matrix.target)(0, 1) = 1.0;
    matrix.target_name = "theory: Eq. (7)";
    matrix.initial_products = Table(3, 3, 0.25);  // three equal matrices of norm 1/2
    for (size_t i = 0; i < 3; ++i) snapshot.seeds[i].seed = i + 10;
    snapshot.matrices.push_back(matrix);
    return snapshot;
}

HeatmapSpec look(const Snapshot& snapshot, Mode mode, int seed_index = -1, bool emerged_only = false) {
    return heatmap_of(snapshot, snapshot.matrices[0],
                      {.mode = mode, .seed_index = seed_index, .emerged_only = emerged_only});
}

}  // namespace

TEST_CASE("scaled: aligned, averaged, then divided by the largest entry") {
    const Snapshot snapshot = matrix_of_three_seeds();
    const HeatmapSpec map = look(snapshot, Mode::scaled);
    CHECK(map.id == "P0");
    CHECK(map.values.values == std::vector<double>{(1.0 / 3.0) / 3.0, 1.0});
    CHECK(map.limit == 1.0);
    CHECK(map.note == "P0: aligned, mean of 3 networks, scaled: divided by its largest entry 3");
    CHECK(*map.norm == doctest::Approx(std::hypot(1.0 / 3.0, 3.0)));  // of the mean that is drawn
    CHECK(map.norm_reference == doctest::Approx(0.5));
    CHECK(*look(snapshot, Mode::scaled, 1).norm == doctest::Approx(std::sqrt(17.0)));
    CHECK_FALSE(look(snapshot, Mode::difference).norm);
    Snapshot apart = snapshot;  // and three orthogonal ones
    apart.matrices[0].initial_products = Table(3, 3);
    for (int i = 0; i < 3; ++i) apart.matrices[0].initial_products(i, i) = 0.25;
    CHECK(look(apart, Mode::scaled).norm_reference == doctest::Approx(0.5 / std::sqrt(3.0)));
    CHECK(map.row_blocks == snapshot.matrices[0].row_blocks);
    CHECK(map.column_blocks == snapshot.matrices[0].column_blocks);
}

TEST_CASE("raw: aligned and averaged only") {
    const HeatmapSpec map = look(matrix_of_three_seeds(), Mode::raw);
    CHECK(map.values.values == std::vector<double>{1.0 / 3.0, 3.0});
    CHECK(map.limit == 3.0);
    CHECK(map.note == "P0: aligned, mean of 3 networks, raw: largest entry 3");
}

TEST_CASE("difference and theory") {
    const HeatmapSpec difference = look(matrix_of_three_seeds(), Mode::difference);
    CHECK(difference.values.values[1] == doctest::Approx(0.0));
    CHECK(difference.limit == 1.0);
    CHECK(difference.title == "P0 minus theory");
    CHECK(difference.note ==
          "P0: aligned, mean of 3 networks, scaled: divided by its largest entry 3, minus theory: Eq. (7)");
    const HeatmapSpec theory = look(matrix_of_three_seeds(), Mode::theory);
    CHECK(theory.values.values == std::vector<double>{0.0, 1.0});
    CHECK(theory.id == "P0 theory");
    CHECK(theory.note == "P0: theory: Eq. (7)");
    CHECK_FALSE(theory.norm);
}

TEST_CASE("without a target there is nothing to compare with") {
    Snapshot snapshot = matrix_of_three_seeds();
    snapshot.matrices[0].target.reset();
    for (const Mode mode : {Mode::difference, Mode::theory}) {
        const HeatmapSpec map = look(snapshot, mode);
        CHECK(map.values.values.empty());
        CHECK(map.note == "P0: theory names no matrix to compare with");
    }
    CHECK(look(snapshot, Mode::scaled).values.rows == 1);
}

TEST_CASE("failed seeds leave the mean and are counted") {
    Snapshot snapshot = matrix_of_three_seeds();
    snapshot.seeds[1].failed = true;
    snapshot.matrices[0].seeds[1](0, 0) = std::numeric_limits<double>::quiet_NaN();
    const HeatmapSpec map = look(snapshot, Mode::raw);
    CHECK(map.values.values == std::vector<double>{1.0, 2.5});
    CHECK(map.note == "P0: aligned, mean of 2 networks (1 failed network left out), raw: largest entry 2.5");
    CHECK(look(snapshot, Mode::raw, 1).note ==
          "P0: aligned, seed 11 (failed: its last good state), raw: largest entry 4");
    snapshot.seeds[0].failed = true;
    CHECK(look(snapshot, Mode::raw).note == "P0: aligned, seed 12 (2 failed networks left out), raw: largest entry 3");
    snapshot.seeds[2].failed = true;
    const HeatmapSpec all = look(snapshot, Mode::raw);
    CHECK(std::isnan(all.values.values[0]));
    CHECK(all.limit == 3.0);  // the missing entry does not count
    CHECK(all.note ==
          "P0: aligned, mean of 3 networks, all of which failed: their last good states, raw: largest entry 3");
}

TEST_CASE("one seed, and a seed that there is not") {
    const HeatmapSpec map = look(matrix_of_three_seeds(), Mode::scaled, 1);
    CHECK(map.values.values == std::vector<double>{-0.25, 1.0});
    CHECK(map.title == "P0, seed 11");
    CHECK(map.note == "P0: aligned, seed 11, scaled: divided by its largest entry 4");
    const HeatmapSpec none = look(matrix_of_three_seeds(), Mode::scaled, 3);
    CHECK(none.values.values.empty());
    CHECK(none.note == "P0: there is no network number 4 among 3");
}

TEST_CASE("the mean over the seeds that emerged") {
    Snapshot snapshot = matrix_of_three_seeds();
    const HeatmapSpec none = look(snapshot, Mode::scaled, -1, true);
    CHECK(none.values.values.empty());
    CHECK(none.note == "P0: none of 3 networks has emerged yet");
    snapshot.seeds[0].emerged = snapshot.seeds[2].emerged = true;
    const HeatmapSpec map = look(snapshot, Mode::raw, -1, true);
    CHECK(map.values.values == std::vector<double>{1.0, 2.5});
    CHECK(map.note == "P0: aligned, mean of the 2 of 3 networks that emerged, raw: largest entry 2.5");
}

TEST_CASE("a matrix that may not be scaled stays raw and says why") {
    Snapshot snapshot = matrix_of_three_seeds();
    NamedMatrix& matrix = snapshot.matrices[0];
    matrix.may_scale = false;
    matrix.signs.clear();
    matrix.alignment_note = "not aligned: tanh has no scale symmetry";
    const HeatmapSpec map = look(snapshot, Mode::scaled);
    CHECK(map.values.values == std::vector<double>{1.0, 1.0 / 3.0});
    CHECK(map.limit == 1.0);
    CHECK(map.note == "P0: not aligned: tanh has no scale symmetry, mean of 3 networks, not scaled");
    CHECK(look(snapshot, Mode::scaled, 1).limit == 4.0);
    CHECK(look(snapshot, Mode::difference, 1).limit == 5.0);
}

TEST_CASE("all zeros and nothing finite leave a range for the colours") {
    Snapshot snapshot = matrix_of_three_seeds();
    for (Table& table : snapshot.matrices[0].seeds) table = Table(1, 2);
    CHECK(look(snapshot, Mode::raw).limit == 1.0);
    const HeatmapSpec map = look(snapshot, Mode::scaled);
    CHECK(map.values.values == std::vector<double>{0.0, 0.0});
    CHECK(map.note == "P0: aligned, mean of 3 networks, not scaled: every entry is 0");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (Table& table : snapshot.matrices[0].seeds) table = Table(1, 2, nan);
    const HeatmapSpec missing = look(snapshot, Mode::scaled);
    CHECK(missing.limit == 1.0);
    CHECK_FALSE(missing.norm);
}

TEST_CASE("a picture keeps its raw entries, what they were divided by, and says what is shown") {
    const HeatmapSpec scaled = look(matrix_of_three_seeds(), Mode::scaled);
    CHECK(scaled.unit == "scaled");
    CHECK(scaled.raw.values == std::vector<double>{1.0 / 3.0, 3.0});
    CHECK(scaled.largest == 3.0);
    CHECK(look(matrix_of_three_seeds(), Mode::raw).unit == "raw");
    CHECK(look(matrix_of_three_seeds(), Mode::difference).unit == "scaled, minus theory");
    CHECK(look(matrix_of_three_seeds(), Mode::theory).raw.values.empty());
}

TEST_CASE("magnitudes") {
    Snapshot snapshot = matrix_of_three_seeds();
    const HeatmapSpec map = heatmap_of(snapshot, snapshot.matrices[0], {.seed_index = 1, .magnitudes = true});
    CHECK(map.values.values == std::vector<double>{0.25, 1.0});
    CHECK(map.magnitudes);
    CHECK(map.unit == "scaled, magnitude");
    CHECK(map.note == "P0: aligned, seed 11, scaled: divided by its largest entry 4, magnitudes");
}

TEST_CASE("limits by hand hold for scaled matrices too") {
    const Snapshot snapshot = matrix_of_three_seeds();
    MatrixView view;
    view.limits = {.rule = ColorLimits::Rule::manual, .manual = 0.2};
    CHECK(heatmap_of(snapshot, snapshot.matrices[0], view).limit == 0.2);
}

TEST_CASE("the change since a baseline: the same seeds, scaled alike") {
    Snapshot now = matrix_of_three_seeds();
    now.step_unit = "MRPs";
    Snapshot then = matrix_of_three_seeds();
    then.step = 40;
    then.matrices[0].seeds[0].values = {1.0, 1.0};
    then.matrices[0].signs = {-1.0, -1.0, 1.0};
    MatrixView view{.mode = Mode::scaled, .seed_index = 0};
    view.baseline = std::make_shared<const Snapshot>(then);
    // Now (1, 2) / 2, then -(1, 1) / 1.
    const HeatmapSpec scaled = heatmap_of(now, now.matrices[0], view);
    CHECK(scaled.values.values == std::vector<double>{1.5, 2.0});
    CHECK(scaled.limit == 1.0);
    CHECK(scaled.unit == "scaled, minus that at 40 MRPs");
    CHECK(scaled.note ==
          "P0: aligned, seed 10, scaled: divided by its largest entry 2, minus that at 40 MRPs, divided by its own 1");
    view.mode = Mode::raw;
    const HeatmapSpec raw = heatmap_of(now, now.matrices[0], view);
    CHECK(raw.values.values == std::vector<double>{2.0, 3.0});
    CHECK(raw.limit == 3.0);
    CHECK(raw.note == "P0: aligned, seed 10, raw: largest entry 2, minus that at 40 MRPs");
}

TEST_CASE("seeds are found in the baseline by their numbers") {
    const Snapshot now = matrix_of_three_seeds();
    Snapshot then = matrix_of_three_seeds();
    std::swap(then.seeds[0], then.seeds[2]);
    std::swap(then.matrices[0].seeds[0], then.matrices[0].seeds[2]);
    MatrixView view{.mode = Mode::raw, .seed_index = 0};
    view.baseline = std::make_shared<const Snapshot>(then);
    CHECK(heatmap_of(now, now.matrices[0], view).values.values == std::vector<double>{0.0, 0.0});
}

TEST_CASE("with other seeds those in common are subtracted, without any the mean, and it is said which") {
    const Snapshot now = matrix_of_three_seeds();
    Snapshot then = matrix_of_three_seeds();
    then.seeds[1].seed = 99;
    MatrixView view{.mode = Mode::raw};
    const auto against = [&](const Snapshot& other) {
        view.baseline = std::make_shared<const Snapshot>(other);
        return heatmap_of(now, now.matrices[0], view);
    };
    const HeatmapSpec two = against(then);
    CHECK(two.values.values == std::vector<double>{0.0, 0.0});
    CHECK(testing::holds(two.note, "mean of the 2 of 3 networks that both have"));
    then.seeds[2].seed = 98;
    CHECK(testing::holds(against(then).note, "the only one that both have"));
    then.seeds[0].seed = 97;
    const HeatmapSpec none = against(then);
    CHECK(none.values.values == std::vector<double>{0.0, 0.0});  // the means of the same three
    CHECK(testing::holds(none.note, "no seed in common, so minus the mean of its 3 networks"));
    then.seeds[1].failed = true;
    view.seed_index = 1;
    const HeatmapSpec one = against(then);
    const auto mean = [&](size_t i) {
        const NamedMatrix& matrix = then.matrices[0];
        return (matrix.signs[0] * matrix.seeds[0].values[i] + matrix.signs[2] * matrix.seeds[2].values[i]) / 2;
    };
    for (size_t i = 0; i < 2; ++i)
        CHECK(one.values.values[i] ==
              doctest::Approx(now.matrices[0].signs[1] * now.matrices[0].seeds[1].values[i] - mean(i)));
}

TEST_CASE("a baseline that cannot be compared with says why") {
    const Snapshot now = matrix_of_three_seeds();
    const auto against = [&now](const Snapshot& then) {
        MatrixView view;
        view.baseline = std::make_shared<const Snapshot>(then);
        const HeatmapSpec map = heatmap_of(now, now.matrices[0], view);
        CHECK(map.values.values.empty());
        CHECK(map.raw.values.empty());
        CHECK_FALSE(map.norm);
        return map.note;
    };
    Snapshot then = matrix_of_three_seeds();
    for (Table& table : then.matrices[0].seeds) table = Table(2, 2);
    CHECK(against(then) == "P0: the pinned moment's is 2 x 2, this one 1 x 2");
    then.matrices.clear();
    CHECK(against(then) == "P0: the pinned moment has no such matrix");
}

TEST_CASE("a quantity that is no weight keeps its title, unit, marks and sign, and has no norm strip") {
    Snapshot snapshot = matrix_of_three_seeds();
    NamedMatrix& matrix = snapshot.matrices[0];
    matrix.target.reset();
    matrix.signs.clear();
    matrix.initial_products = {};
    matrix.alignment_note.clear();
    matrix.may_scale = false;
    matrix.title = "expected reward";
    matrix.unit = "reward";
    matrix.nonnegative = true;
    matrix.free_aspect = true;
    matrix.marks = {{"LinUCB", 0, {{0, 1}}}};
    const HeatmapSpec map = look(snapshot, Mode::scaled, 0);
    CHECK(map.title == "expected reward, seed 10");
    CHECK(map.unit == "reward");
    CHECK(map.note == "P0: seed 10");
    CHECK(map.magnitudes);
    CHECK(map.free_aspect);
    CHECK(map.marks == matrix.marks);
    CHECK_FALSE(map.norm.has_value());
    CHECK(map.limit == 2.0);
    matrix.seeds.assign(3, Table(1, 2));
    CHECK(look(snapshot, Mode::scaled).limit == 1.0);  // nothing to end at
}
