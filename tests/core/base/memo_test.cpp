#include "core/base/memo.h"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

using namespace emergence;

TEST_CASE("a memo keeps what it made of the two keys asked for last") {
    Memo<std::string, int> memo;
    int made = 0;
    const auto get = [&](const std::string& key) {
        return *memo.get(key, [&] { return std::make_shared<int>(++made); });
    };
    CHECK(get("stands") == 1);
    CHECK(get("looked at") == 2);
    CHECK(get("stands") == 1);
    CHECK(get("looked at") == 2);
    CHECK(get("stands") == 1);
    CHECK(get("another") == 3);  // in place of the one that was not asked for since
    CHECK(get("stands") == 1);
    CHECK(get("looked at") == 4);
}

TEST_CASE("a memo keeps that there is nothing, but nothing of what was refused") {
    Memo<int, int> memo;
    CHECK(memo.get(1, []() -> std::shared_ptr<int> { return nullptr; }) == nullptr);
    CHECK(memo.get(1, [] { return std::make_shared<int>(5); }) == nullptr);
    CHECK_THROWS_WITH_AS(memo.get(2, []() -> std::shared_ptr<int> { throw std::runtime_error("gone"); }), "gone",
                         std::runtime_error);
    CHECK(*memo.get(2, [] { return std::make_shared<int>(6); }) == 6);
}
