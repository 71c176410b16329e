#include <doctest/doctest.h>

#include "tests/fuzz/readers.h"

TEST_CASE("every kept input is read or refused by the library") {
    using namespace emergence::testing;
    for (const auto* readers : {&core_readers(), &made_array_readers(), &made_text_readers()})
        CHECK(read_all_seeds(*readers) >= readers->size());
}
