#include "core/base/text.h"

#include <doctest/doctest.h>

#include <string>

using namespace emergence;

TEST_CASE("UTF-8 is told from bytes that are none") {
    for (const char* text : {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9D\x9C\x91", "\xEF\xBF\xBE"})
        CHECK(is_utf8(text));
    // A byte alone, cut off, too long a form, a surrogate, beyond the last character.
    for (const char* text :
         {"\xE9", "\x80", "\xE2\x82", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"})
        CHECK_FALSE(is_utf8(text));
    CHECK(utf8_or_latin1("caf\xE9") == "caf\xC3\xA9");
    CHECK(utf8_or_latin1("caf\xC3\xA9") == "caf\xC3\xA9");
    std::string all;
    for (const char32_t c : {U'a', U'\u00E9', U'\u20AC', U'\U0001D711'}) append_utf8(all, c);
    CHECK(all == "a\xC3\xA9\xE2\x82\xAC\xF0\x9D\x9C\x91");
    CHECK(shortened(all, 9) == "a\xC3\xA9\xE2\x82\xAC…");
    CHECK(shortened(all, 10) == all);
    size_t at = 3;
    CHECK(next_character(all, at) == U'\u20AC');
    CHECK(at == 6);
}

TEST_CASE("what cannot be seen is spelled") {
    CHECK(shown_text("\xCF\x86 and R") == "\xCF\x86 and R");
    CHECK(shown_text("a\nb\tc\r") == "a\\nb\\tc\\u000D");
    CHECK(shown_text("\x1B[31mred\x7F") == "\\u001B[31mred\\u007F");
    CHECK(shown_text("x\xE9.npz") == "x\\xE9.npz");
    CHECK(shown_text("\xC2\x9B"
                     "31m") == "\\u009B31m");  // one character that begins a sequence, too
    CHECK(shown_text("\xE2\x80\xAE"
                     "fdp.exe") == "\\u202Efdp.exe");  // right to left
    CHECK(shown_text("a\xE2\x80\x8B"
                     "b\xE2\x81\xA0") == "a\\u200Bb\\u2060");  // of no width
    CHECK(shown_text("\xEF\xBF\xBE\xF0\x9F\xBF\xBF") == "\\uFFFE\\U0001FFFF");
    CHECK(shown_lines("a\n\tb\x1B\r") == "a\n\tb\\u001B\\u000D");
}

namespace emergence {

TEST_CASE("columns of characters, and of bytes that are no UTF-8") {
    CHECK(columns_of("abc") == 3);
    CHECK(columns_of("größer – α") == 10);
    CHECK(columns_of("\xff\xe6\x97") == 3);
    CHECK(bytes_in_columns("αβγ", 2) == 4);
    CHECK(bytes_in_columns("abc", 9) == 3);
    CHECK(bytes_in_columns("abc", 0) == 0);
}

TEST_CASE("what the font of pages sets as it is read") {
    for (const char32_t known : U"a é Ω я ½ γ ∈ → ₙ ₂") CHECK_FALSE(is_beyond_font(known));
    for (const char32_t beyond : {U'ש', U'ع', U'ह', U'ท', U'世', U'か', U'한', U'🙂'}) CHECK(is_beyond_font(beyond));
}

TEST_CASE("what is typed without Greek letters") {
    CHECK(ascii_text("γφ′ é") == "gammaphi' é");
    CHECK(ascii_text("\xff\n") == "\xff\n");
}

}  // namespace emergence
