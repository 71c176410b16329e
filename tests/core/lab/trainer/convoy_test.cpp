#include "core/lab/trainer/convoy.h"

#include <doctest/doctest.h>

#include <limits>

using namespace emergence;

TEST_CASE(
    "a member of a convoy sees the others, waits for none that has ended or left, and a place is used "
    "again") {
    Convoy convoy;
    const int a = convoy.join();
    CHECK(convoy.slowest_other(a) == std::numeric_limits<int64_t>::max());
    CHECK(convoy.fastest_other(a) == 0);
    const int b = convoy.join();
    CHECK(convoy.slowest_other(a) == 0);
    convoy.report(a, 30, false);
    convoy.report(b, 20, false);
    CHECK(convoy.slowest_other(a) == 20);
    CHECK(convoy.fastest_other(b) == 30);
    convoy.report(b, 20, true);
    CHECK(convoy.slowest_other(a) == std::numeric_limits<int64_t>::max());
    CHECK(convoy.fastest_other(a) == 20);
    convoy.leave(b);
    CHECK(convoy.fastest_other(a) == 0);
    CHECK(convoy.join() == b);
    CHECK(convoy.slowest_other(a) == 0);
}
