#include "core/files/read_once.h"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// Until a next change would have another time.
void settle() { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }

}  // namespace

TEST_CASE("an edit of the same size at the same time is seen") {
    const Scratch scratch;
    const std::filesystem::path file = scratch / "a";
    ReadOnce<std::string> known;
    for (int i = 0; i < 200; ++i) {
        const std::string text = std::to_string(1000 + i);
        {
            std::ofstream(file) << text;  // in place: the same file
        }
        CHECK(known.get({file}, [&] { return slurp(file); }) == text);
    }
    settle();
    CHECK(known.get({file}, [&] { return slurp(file); }) == "1199");
}

TEST_CASE("what was read is kept until a file of the folder changes, comes or goes") {
    const Scratch scratch;
    spit(scratch / "a", "1");
    settle();
    ReadOnce<int> known;
    int times = 0;
    const auto get = [&] {
        settle();
        return known.get({scratch.path()}, [&] { return ++times; });
    };
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
    CHECK_THROWS_WITH_AS(known.get({other}, []() -> int { throw std::runtime_error("no"); }), doctest::Contains("no"),
                         std::runtime_error);
    CHECK(known.get({other}, [] { return 7; }) == 7);
    CHECK(get() == 4);
}
