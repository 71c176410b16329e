#include "core/settings/embedded_settings.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <zlib.h>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

using namespace testing;

const std::string kSettingsText = "experiment = \"td\"\nstep = 40\n[settings]\ngamma = 0.9\n";

std::string packed(const std::string& text) {
    std::string out(compressBound(static_cast<uLong>(text.size())), '\0');
    uLongf size = static_cast<uLongf>(out.size());
    compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
             static_cast<uLong>(text.size()));
    out.resize(size);
    return out;
}

SettingsFile read_text(const std::string& bytes) { return config_in(as_bytes(bytes), "f"); }

void check_td(const std::string& bytes) {
    const SettingsFile file = read_text(bytes);
    CHECK(file.experiment == "td");
    CHECK(file.step == 40);
    CHECK(file.entries.size() == 1);
}

std::string pdf_with(const std::string& keywords) {
    return "%PDF-1.5\n1 0 obj\n<< /Title (a) " + keywords + " >>\nendobj\n";
}

TEST_CASE("a PDF's keywords are read as literal, hexadecimal, UTF-16, referred to, or in an object stream") {
    const std::string literal = "(experiment = \"td\"\\nstep = \\0640\\\n\\n[settings]\\ngamma = 0.9 # \\(\\))";
    check_td(pdf_with("/Keywords " + literal));
    check_td(pdf_with("/Keywords 17 0 R") + "\n17 0 obj\n" + literal + "\nendobj\n");
    std::string hex = "/Keywords<FEFF";
    for (const char c : kSettingsText) hex += fmt::format("00{:02x}\n", static_cast<unsigned>(c));
    check_td(pdf_with(hex + ">"));
    const std::string objects = packed("2 0 << /Keywords " + literal + ">>");
    check_td("%PDF-1.5\n2 0 obj\n<< /Type /ObjStm /Length 99 >>\nstream\r\n" + objects + "\nendstream\n");
    // A later revision of the file holds.
    check_td(pdf_with("/Keywords (experiment = 'old')") + pdf_with("/Keywords " + literal));
    CHECK(settings_in_pdf(pdf_with("/Keywords (experiment \xCF\x86)")) == "experiment \xCF\x86");
    CHECK(settings_in_pdf(pdf_with("/Keywords <FEFF"
                                   "0065007800700065007200690"
                                   "06D0065006E0074D835DF11>")) == "experiment\xF0\x9D\x9C\x91");
}

TEST_CASE("an SVG's settings are read whatever other programs do to the tag") {
    const auto svg = [](const std::string& metadata) { return "<?xml?>\n<svg><title>t</title>" + metadata + "</svg>"; };
    const std::string text =
        "experiment = &quot;td&quot;&#10;step&#x20;= 40\n[settings]\ngamma = 0.9 # &lt;&amp;&apos;&bad;&";
    check_td(svg("<metadata id=\"emergence-config\">" + text + "</metadata>"));
    check_td(svg("<metadata\n   id='emergence-config' >" + text + "</metadata>"));
    CHECK(settings_in_svg(svg("<metadata id=\"emergence-config\">a&lt;&amp;&apos;&bad;&</metadata>")) == "a<&'&bad;&");
    CHECK(settings_in_svg(svg("<text>emergence-config</text>")) == std::nullopt);
    CHECK(settings_in_svg(svg("<metadata id=\"emergence-config\"")) == std::nullopt);
}

std::string png_with(const std::string& type, const std::string& data) {
    const auto big = [](uint32_t number) {
        std::string bytes;
        for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 0xFFU);
        return bytes;
    };
    const std::string body = type + data;
    const auto crc =
        static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
    return "\x89PNG\r\n\x1A\n" + big(static_cast<uint32_t>(data.size())) + body + big(crc);
}

TEST_CASE("a PNG's settings are read from all three kinds of text") {
    const std::string key = "emergence-config", zero(1, '\0');
    check_td(png_with("tEXt", key + zero + kSettingsText));
    check_td(png_with("zTXt", key + zero + zero + packed(kSettingsText)));
    check_td(png_with("iTXt", key + std::string(5, '\0') + kSettingsText));
    check_td(png_with("iTXt", key + zero + "\1" + zero + "en" + zero + "k" + zero + packed(kSettingsText)));
    // Latin-1, as the format asks, and UTF-8, as many write.
    CHECK(settings_in_png(png_with("tEXt", key + zero + "caf\xE9"), "f") == "caf\xC3\xA9");
    CHECK(settings_in_png(png_with("tEXt", key + zero + "\xCE\xB3"), "f") == "\xCE\xB3");
    // Of several, one that is whole.
    std::string broken = png_with("iTXt", key + std::string(5, '\0') + "x");
    broken.back() ^= 1;
    CHECK_THROWS_WITH_AS(read_text(broken), doctest::Contains("f: its settings are damaged"), InputError);
    check_td(broken + png_with("tEXt", key + zero + kSettingsText).substr(8));
    // A bomb, and nesting that would fill the stack.
    CHECK_THROWS_WITH_AS(read_text(png_with("zTXt", key + zero + zero + packed(std::string(5'000'000, '#')))),
                         doctest::Contains("f: its settings are damaged"), InputError);
    std::string deep = "experiment";
    for (int i = 0; i < 40'000; ++i) deep += ".a";
    CHECK(message_of<InputError>([&] {
              read_text(png_with("zTXt", key + zero + zero + packed(deep + " = 1\n")));
          }).find("f:1: is nested deeper than 32 levels") == 0);
}

TEST_CASE("settings survive other forms of metadata: CDATA, a prefix, numbered letters") {
    check_td("<svg><svg:metadata id=\"emergence-config\"><![CDATA[" + kSettingsText + "]]></svg:metadata></svg>");
    check_td(
        "<svg><title>emergence-config</title><metadata id=\"emergence-config\">experiment = &quot;td&quot;\n"
        "step = 40\ntitle = &quot;&#947;&#x1D711;&quot;\n[settings]\ngamma = 0.9</metadata></svg>");
}

TEST_CASE("texts of other encodings are named, and what is wrong in a TOML file") {
    const auto refusal = [](const std::string& bytes, const char* name) {
        return message_of<InputError>([&] { config_in(as_bytes(bytes), name); });
    };
    std::string wide = "\xFF\xFE";
    for (const char c : kSettingsText) wide += {c, '\0'};
    CHECK(refusal(wide, "a.toml").find("a.toml: is UTF-16 or UTF-32, not UTF-8. Save it as UTF-8") == 0);
    CHECK(refusal(wide.substr(2), "a.txt").find("a.txt: is UTF-16 or UTF-32") == 0);
    CHECK(refusal("experiment = \"caf\xE9\"\n", "a.toml").find("a.toml:1: byte E9 is not UTF-8") == 0);
    const std::string world = refusal("reward = [1,\ntransition = [0.5; 0.5]\n", "my world.toml");
    CHECK(world.find("my world.toml:2:") == 0);
    CHECK(holds(refusal("transition = [0.5; 0.5]\n", "w.toml"), "Separate values by ',' instead of ';'"));
    CHECK(holds(refusal("a = \xE2\x80\x9Ctd\xE2\x80\x9D\n", "w.toml"), "Use straight quotes"));
    check_td("\xEF\xBB\xBF" + kSettingsText);
    check_td("experiment = \"td\"\rstep = 40\r[settings]\rgamma = 0.9\r");
    check_td("experiment = \"td\"\r\nstep = 40\r\n[settings]\r\ngamma = 0.9\r\n");
}

TEST_CASE("what the limits are for") {
    CHECK(inflate_text(packed(kSettingsText), 1 << 20) == kSettingsText);
    CHECK(inflate_text(packed(std::string(5'000'000, 'x')), 1 << 20) == std::nullopt);  // a bomb
    CHECK(inflate_text("nothing packed", 1 << 20) == std::nullopt);
    std::string keywords = "%PDF-1.5\n";
    for (int i = 0; i < 200'000; ++i) keywords += "/Keywords(";
    CHECK(message_of<InputError>([&] { read_text(keywords); }).find("f: holds no settings") == 0);
    CHECK_THROWS_WITH_AS(read_text("experiment = " + std::string(500'000, '[')),
                         doctest::Contains("f:1: is nested deeper than 32 levels"), InputError);
    CHECK(message_of<InputError>([] { read_text("experiment" + std::string(2'000'000, '#')); }) ==
          "f: has 2000010 bytes, more than the limit of 1048576 for a text file");
}

TEST_CASE("files of other kinds are refused by name, with what is needed") {
    const Scratch scratch;
    CHECK(holds(message_of<InputError>([&] { read_config_of(scratch / "none.pdf"); }), "none.pdf: cannot be read"));
    CHECK_THROWS_WITH_AS(read_config_of(scratch.path()), doctest::Contains("cannot be read: not a regular file"),
                         InputError);
    spit(scratch / "a.jpg", std::string("\xFF\xD8\xFF\xE0\0\x10JFIF", 10));
    CHECK(holds(message_of<InputError>([&] { read_config_of(scratch / "a.jpg"); }), "Emergence cannot read this file"));
    CHECK_THROWS_WITH_AS(read_text("%PDF-1.4\n"), doctest::Contains("f: holds no settings"), InputError);
    CHECK_THROWS_WITH_AS(read_text("PK"), doctest::Contains("f: not a readable archive"), InputError);
    CHECK_THROWS_WITH_AS(read_text("<svg></svg>"), doctest::Contains("f: holds no settings"), InputError);
    CHECK_THROWS_WITH_AS(read_text(""), doctest::Contains("f: the key 'experiment' is missing"), InputError);
    CHECK(message_of<InputError>([] { read_text("hello"); }).find("f: Emergence cannot read this file") == 0);
    CHECK(message_of<InputError>([] { read_text("experiment = \"td\"\nstep = -1\n"); }) ==
          "f:2:8: step: a whole number from 0 is needed");
}

}  // namespace
}  // namespace emergence
