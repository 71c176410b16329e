#include "core/files/text.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

using testing::message_of;

std::string text_refusal(const std::string& text) {
    return message_of<InputError>([&] { plain_text(text, "f"); });
}

TEST_CASE("marks and line ends of other systems are read") {
    CHECK(plain_text("\xEF\xBB\xBF"
                     "a\r\nb\rc\n\r",
                     "f") == "a\nb\nc\n\n");
    CHECK(plain_text("", "f").empty());
    CHECK(plain_text("\xEF\xBB\xBF", "f").empty());
    const testing::Scratch scratch;
    testing::spit(scratch / "a", "\xEF\xBB\xBFx\r");
    CHECK(read_text(scratch / "a") == "x\n");
}

TEST_CASE("other encodings are named, with the line and the remedy") {
    using namespace std::string_literals;
    for (const auto& [wide, name] :
         std::initializer_list<std::pair<std::string, std::string>>{{"\xFF\xFE"
                                                                     "a\0"s,
                                                                     "UTF-16"},
                                                                    {"\xFE\xFF\0a"s, "UTF-16"},
                                                                    {"\xFF\xFE\0\0a\0\0\0"s, "UTF-32"},
                                                                    {"\0\0\xFE\xFF\0\0\0a"s, "UTF-32"},
                                                                    {"a\0b\0"s, "UTF-16LE"},
                                                                    {"\0a\0b"s, "UTF-16BE"}}) {
        const std::string told = text_refusal(wide);
        CHECK(told.find("f: is UTF-16 or UTF-32, not UTF-8. Save it as UTF-8") == 0);
        CHECK(told.ends_with("iconv -f " + name + " -t UTF-8"));
    }
    CHECK(text_refusal("a\ncaf\xE9\n").find("f:2: byte E9 is not UTF-8. Save it as UTF-8") == 0);
    CHECK(text_refusal("a\nb\0c\n"s).find("f:2: holds a NUL byte") == 0);
    CHECK(text_refusal("\x1F\x8B\x08").find("f: is compressed. Unpack it with gunzip") == 0);
    CHECK(text_refusal("PK\x03\x04").find("f: is a ZIP archive") == 0);
    CHECK(message_of<InputError>([] { plain_text("abc", "f", 2); }) ==
          "f: has 3 bytes, more than the limit of 2 for a text file");
}

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

TEST_CASE("brackets and the parts of dotted keys are counted") {
    const int most = kDeepestText;
    CHECK_FALSE(is_refused("a = " + times(most, "[") + times(most, "]")));
    CHECK(is_refused("a = " + times(most + 1, "[") + times(most + 1, "]")));
    CHECK(is_refused("a" + times(most + 1, ".a") + " = 1\n"));
    CHECK(is_refused("a" + times(most + 1, " . \"b.c\"") + " = 1\n"));
    CHECK(is_refused("[a" + times(most + 1, ".a") + "]\n"));
    CHECK(is_refused("[[a" + times(most + 1, ".a") + "]]\n"));
    CHECK(is_refused(times(most, "{\"a\": [")));
    CHECK(is_refused("x = [\n" + times(most, "{a.b = [")));
    CHECK(is_refused("x = [\"\"\"a\"\"\"\", " + times(most + 1, "[")));  // a long string may end in four quotes
}

TEST_CASE("what is flat is not deep, however long it is") {
    CHECK_FALSE(is_refused("a = [" + times(100000, "0.5, [1.5], {x = 2.5}, ") + "]\n"));
    CHECK_FALSE(is_refused(
        times(10000, "[[step]]\ntext = '''\n[[[[[[.....\n'''\n[step.predict]\na.b = \"[[[{{{\\\"[[[\" # [[[\n")));
    CHECK_FALSE(is_refused("a = \"" + times(1000, "[") + "\"\nb = '" + times(1000, "{") + "'\n"));
    CHECK_FALSE(is_refused("{\"a\": " + times(1000, "1.5, \"b\": ") + "[]}"));
}

TEST_CASE("the refusal names the line") {
    CHECK(testing::message_of<InputError>([] { check_nesting("a = 1\nb = " + times(40, "["), "f.toml"); }) ==
          "f.toml:2: is nested deeper than 32 levels (brackets and the parts of dotted keys). Write it flatter");
}

}  // namespace

}  // namespace emergence
