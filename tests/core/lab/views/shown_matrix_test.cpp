// A matrix in words is the NamedMatrix that they say.
#include "core/lab/views/shown_matrix.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("a shown matrix has its names, blocks, seeds and their start") {
    ShownMatrix shown("Q", "Q as trained", "What a layer compares.");
    shown.square(numbered_blocks(1, 2)).seed(Table(2, 2, 1.0), Table(2, 2, 1.0));
    shown.seed(Table(2, 2, 3.0), Table(2, 2, -2.0));
    shown.target(Table(2, 2, 0.5), "theory").unit("weight").nonnegative();
    const NamedMatrix matrix = shown;
    CHECK(matrix.name == "Q");
    CHECK(matrix.title == "Q as trained");
    CHECK(matrix.row_blocks.at(1).label == "2");
    CHECK(matrix.seeds.at(1)(0, 1) == 3.0);
    CHECK(matrix.initial_products.values == std::vector<double>{4, -8, -8, 16});
    CHECK(matrix.may_scale);
    CHECK(matrix.nonnegative);
    CHECK(matrix.target_name == "theory");
}

TEST_CASE("a shown matrix as it is has no start and is not scaled") {
    const NamedMatrix matrix = ShownMatrix("map", "", "")
                                   .rows(named_blocks({1, 5}))
                                   .columns({{"n", 1}})
                                   .everywhere(Table(2, 1), 3)
                                   .as_is("rows: layers");
    CHECK_FALSE(matrix.may_scale);
    CHECK(matrix.alignment_note == "rows: layers");
    CHECK(matrix.seeds.size() == 3);
    CHECK(matrix.initial_products.values.empty());
    CHECK(matrix.row_blocks.at(1).label == "5");
}
