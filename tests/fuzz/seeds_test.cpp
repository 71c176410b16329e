#include <doctest/doctest.h>

#include "tests/fuzz/readers.h"

TEST_CASE("every kept input is read or refused by the library") {
    using namespace emergence::testing;
    CHECK(read_all_seeds(core_readers()) >= core_readers().size());
}
