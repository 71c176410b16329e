#include "app/export/canvas.h"

#include <doctest/doctest.h>

#include "core/base/text.h"
#include "tests/support/scratch.h"

namespace emergence::page {
namespace {

using Lines = std::vector<std::string>;
constexpr TextStyle kTextStyle{8.0, kInk, false};

}  // namespace

TEST_CASE("text is broken at spaces and at line ends") {
    const TextMeter meter;
    const double limit = meter.text_width("one two", kTextStyle) + 0.1;
    CHECK(meter.wrap("one two three", kTextStyle, limit) == Lines{"one two", "three"});
    CHECK(meter.wrap("one\ntwo", kTextStyle, 1000) == Lines{"one", "two"});
    CHECK(meter.wrap("", kTextStyle, 100).empty());
}

TEST_CASE("a word wider than the line is broken between characters") {
    const TextMeter meter;
    const Lines lines = meter.wrap("φφφφφφφφφφ", kTextStyle, meter.text_width("φφφ", kTextStyle) + 0.1);
    CHECK(lines == Lines{"φφφ", "φφφ", "φφφ", "φ"});
    CHECK(meter.wrap("φφ", kTextStyle, 0.0) == Lines{"φ", "φ"});
}

TEST_CASE("no line is wider than the limit") {
    const TextMeter meter;
    for (int limit = 20; limit < 200; limit += 7)
        for (const std::string& line :
             meter.wrap("a caption with some_rather_long_words and, at its end, more of them", kTextStyle, limit))
            CHECK(meter.text_width(line, kTextStyle) <= limit);
}

TEST_CASE("a text that cannot be drawn is spelled, and stops nothing") {
    for (const char* text :
         {"\xff\xfe", "a\nb", "U+FFFE: \xEF\xBF\xBE", "\x1B[31m", "\xE2\x80\xAE reversed", "\xE6\xBC\xA2"})
        for (const FileFormat format : {FileFormat::pdf, FileFormat::svg, FileFormat::png}) {
            const auto canvas = make_canvas(100, 100, format, {text, text});
            canvas->text(text, {10, 10}, kTextStyle);
            CHECK(canvas->text_width(text, kTextStyle) > 0.0);
            const std::string bytes = canvas->finish();
            CHECK_FALSE(bytes.empty());
            if (format == FileFormat::svg) CHECK(is_utf8(bytes));
        }
    const auto canvas = make_canvas(100, 100, FileFormat::svg);
    canvas->text("a\nb\x1B\xE9", {10, 10}, kTextStyle);
    CHECK(testing::holds(canvas->finish(), ">a\\nb\\u001B\\xE9</text>"));
}

TEST_CASE("a mark is filled, an open one an outline") {
    const auto svg_of = [](bool open) {
        const auto canvas = make_canvas(100, 100, FileFormat::svg);
        canvas->marker({50, 50}, 5, 1, {{25, 50, 75}}, open);
        return canvas->finish();
    };
    CHECK_FALSE(testing::holds(svg_of(false), "stroke-width"));
    CHECK(testing::holds(svg_of(true), "stroke-width"));
}

}  // namespace emergence::page
