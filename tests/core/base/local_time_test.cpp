#include "core/base/local_time.h"

#include <doctest/doctest.h>

#include <cctype>

#include "tests/support/scratch.h"

namespace emergence::local_time_test {

TEST_CASE("a stamp is a date and a time that names can hold") {
    const std::string stamp = time_stamp();
    REQUIRE(stamp.size() == 15);
    for (size_t i = 0; i < stamp.size(); ++i)
        CHECK((i == 8 ? stamp[i] == '-' : std::isdigit(static_cast<unsigned char>(stamp[i])) != 0));
}

TEST_CASE("a file that was just written has the present time") {
    const testing::Scratch scratch;
    const std::string before = local_time("%Y-%m-%d %H:%M:%S");
    testing::spit(scratch / "a", "a");
    const std::string of_file = local_time(std::filesystem::last_write_time(scratch / "a"), "%Y-%m-%d %H:%M:%S");
    // Files are stamped by a clock that may be a tick behind.
    CHECK(of_file.substr(0, 10) <= local_time("%Y-%m-%d"));
    CHECK(of_file.size() == before.size());
}

}  // namespace emergence::local_time_test
