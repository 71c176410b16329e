#include "core/base/text.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace emergence;

TEST_CASE("a number is the whole text or none") {
    CHECK(parsed<int>("12") == 12);
    CHECK(parsed<double>("-2.5e3") == -2500.0);
    CHECK(parsed<uint32_t>("1F", 16) == 31U);
    for (const char* text : {"", " 1", "1 ", "1x", "+1", "1.0", "99999999999"}) {
        INFO(text);
        CHECK(!parsed<int>(text));
    }
    CHECK(!parsed<uint32_t>("-1"));
}

TEST_CASE("counts have the right form of their word") {
    CHECK(counted(0, "seed") == "0 seeds");
    CHECK(counted(1, "seed") == "1 seed");
    CHECK(counted(size_t{2}, "seed") == "2 seeds");
    CHECK(counted(1, "entry", "entries") == "1 entry");
    CHECK(counted(2, "entry", "entries") == "2 entries");
}

TEST_CASE("lists name what each has") {
    struct Axis {
        std::string field;
        int count;
    };
    const std::vector<Axis> axes = {{"n", 3}, {"d", 2}};
    CHECK(listed(axes, &Axis::field) == "n, d");
    CHECK(listed(
              axes, [](const Axis& axis) { return axis.count; }, "; ") == "3; 2");
    CHECK(listed(std::vector<Axis>{}, &Axis::field).empty());
}
