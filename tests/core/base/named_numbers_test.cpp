#include "core/base/named_numbers.h"

#include <doctest/doctest.h>

#include "core/base/error.h"

using namespace emergence;

TEST_CASE("named numbers are read in any order and written by their names") {
    const NamedNumbers numbers = parse_named_numbers(" r1=-0.5;\tp2,3=1e-3\n");
    CHECK(numbers == NamedNumbers{{"p2,3", 0.001}, {"r1", -0.5}});
    CHECK(to_text(numbers) == "p2,3=0.001 r1=-0.5");
    CHECK(parse_named_numbers("").empty());
    CHECK(to_text(NamedNumbers{}) == "");
    CHECK(with_number("r1=2", "a", 0.1) == "a=0.1 r1=2");
    CHECK(with_number("r1=2", "r1", 0.25) == "r1=0.25");
    CHECK(without_number("a=1 r1=2", "a") == "r1=2");
    CHECK(without_number("r1=2", "a") == "r1=2");
    CHECK(with_number("nonsense", "a", 1.0) == "a=1");
}

TEST_CASE("what is no named number is refused by its own words") {
    const auto refusal = [](const char* text) -> std::string {
        try {
            parse_named_numbers(text);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    CHECK(refusal("r1") == "'r1' is not of the form name=number");
    CHECK(refusal("=1") == "'=1' is not of the form name=number");
    CHECK(refusal("r1=x") == "'r1=x': 'x' is not a number");
    CHECK(refusal("r1=nan") == "'r1=nan': 'nan' is not a number");
    CHECK(refusal("r1=") == "'r1=': '' is not a number");
    CHECK(refusal("r1=1 r1=2") == "'r1=2': the name 'r1' stands twice");
}
