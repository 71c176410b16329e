#include <doctest/doctest.h>

#include "tests/fuzz/readers.h"

TEST_CASE("every kept input is read or refused by the window") {
    using namespace emergence::testing;
    CHECK(read_all_seeds(window_readers()) >= window_readers().size());
}
