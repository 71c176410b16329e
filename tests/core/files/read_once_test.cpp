#include "core/files/read_once.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("what was read is kept until a file of the folder changes, comes or goes") {
    const Scratch scratch;
    spit(scratch / "a", "1");
    ReadOnce<int> known;
    int times = 0;
    const auto get = [&] { return known.get({scratch.path()}, [&] { return ++times; }); };
    CHECK(get() == 1);
    CHECK(get() == 1);
    spit(scratch / "a", "12");
    CHECK(get() == 2);
    spit(scratch / "b", "");
    CHECK(get() == 3);
    std::filesystem::remove(scratch / "a");
    CHECK(get() == 4);
    CHECK(get() == 4);
    const std::filesystem::path other = scratch / "none";
    CHECK_THROWS_AS(known.get({other}, []() -> int { throw std::runtime_error("no"); }), std::runtime_error);
    CHECK(known.get({other}, [] { return 7; }) == 7);
    CHECK(get() == 4);
}
