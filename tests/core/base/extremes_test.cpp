#include "core/base/extremes.h"

#include <doctest/doctest.h>

#include "core/base/types.h"

namespace emergence {

TEST_CASE("a number that is not known is neither smaller nor larger than another: it stays") {
    CHECK(larger(1, 2) == 2);
    CHECK(larger(2, 1) == 2);
    CHECK(smaller(1, 2) == 1);
    CHECK(smaller(2, 1) == 1);
    for (const auto& extreme : {larger, smaller}) {
        CHECK(std::isnan(extreme(kMissing, 1)));
        CHECK(std::isnan(extreme(1, kMissing)));
    }
}

}  // namespace emergence
