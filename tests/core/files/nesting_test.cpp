#include "core/files/nesting.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/files/limits.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

std::string times(int count, const std::string& part) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
}

bool is_refused(const std::string& text) {
    try {
        check_nesting(text, "t");
        return false;
    } catch (const InputError&) {
        return true;
    }
}

TEST_CASE("brackets, dotted keys and headers are counted together") {
    const int most = kDeepestText;
    CHECK_FALSE(is_refused("a = " + times(most, "[") + times(most, "]")));
    CHECK(is_refused("a = " + times(most + 1, "[") + times(most + 1, "]")));
    CHECK(is_refused("a" + times(most + 1, ".a") + " = 1\n"));
    CHECK(is_refused("a" + times(most + 1, " . \"b.c\"") + " = 1\n"));
    CHECK(is_refused("[a" + times(most + 1, ".a") + "]\n"));
    CHECK(is_refused("[[a" + times(most + 1, ".a") + "]]\n"));
    // No part is deep, the sum is.
    CHECK(is_refused("[a" + times(12, ".a") + "]\nb" + times(12, ".b") + " = {c" + times(12, ".c") +
                     " = 1}\n"));
    CHECK(is_refused(times(most + 1, "{\"a\": [")));
    CHECK(is_refused("x = [\n" + times(most, "{a.b = [")));
    CHECK(
        is_refused("x = [\"\"\"a\"\"\"\", " + times(most + 1, "[")));  // a long string may end in four quotes
}

TEST_CASE("what is flat is not deep, however long it is") {
    CHECK_FALSE(is_refused("a = [" + times(100000, "0.5, [1.5], {x = 2.5}, ") + "]\n"));
    CHECK_FALSE(is_refused(times(
        10000, "[[step]]\ntext = '''\n[[[[[[.....\n'''\n[step.predict]\na.b = \"[[[{{{\\\"[[[\" # [[[\n")));
    CHECK_FALSE(is_refused("a = \"" + times(1000, "[") + "\"\nb = '" + times(1000, "{") + "'\n"));
    CHECK_FALSE(is_refused("{\"a\": " + times(1000, "1.5, \"b\": ") + "[]}"));
}

TEST_CASE("the refusal names the line") {
    CHECK(
        testing::message_of<InputError>([] { check_nesting("a = 1\nb = " + times(40, "["), "f.toml"); }) ==
        "f.toml:2: is nested deeper than 32 levels (brackets and the parts of dotted keys). Write it flatter");
}

}  // namespace
}  // namespace emergence
