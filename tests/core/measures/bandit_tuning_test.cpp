#include "core/measures/bandit_tuning.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("the validation stream covers the amounts of non-stationarity") {
    const auto cosine = validation_environments(BanditKind::cosine);
    CHECK(cosine.size() == 32);
    CHECK(cosine.front().frequency > 0.0);
    CHECK(cosine.back().frequency < 0.022);
    int with_16 = 0;
    for (const BanditOptions& options : validation_environments(BanditKind::abrupt)) {
        CHECK(options.rounds == 1000);
        with_16 += options.segments == 16 ? 1 : 0;
    }
    CHECK(with_16 == 8);
}
