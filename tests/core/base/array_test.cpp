#include "core/base/array.h"

#include <doctest/doctest.h>

#include <limits>

#include "core/base/error.h"

using namespace emergence;

TEST_CASE("an array's elements are counted, and a shape that no memory could hold is refused") {
    CHECK(element_count({}) == 1);
    CHECK(element_count({2, 9, 31}) == 558);
    CHECK(element_count({4, 0, std::numeric_limits<size_t>::max()}) == 0);
    CHECK_THROWS_WITH_AS(element_count({size_t{1} << 33, size_t{1} << 33}),
                         "array shape: more elements than can be addressed", InputError);
    CHECK(shape_text({2, 9, 31}) == "2 x 9 x 31");
    CHECK(shape_text({}) == "a single number");
    CHECK(as_doubles({{2}, std::vector<float>{0.5F, -3.0F}}) == std::vector<double>{0.5, -3.0});
    CHECK(as_doubles({{}, std::vector<int64_t>{-7}}) == std::vector<double>{-7.0});
}
