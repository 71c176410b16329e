#include "core/settings/embedded_settings.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <zlib.h>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/inflate.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

using testing::message_of;
using testing::Scratch;
using testing::spit;

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
    const std::string literal =
        "(experiment = \"td\"\\nstep = \\0640\\\n\\n[settings]\\ngamma = 0.9 # \\(\\))";
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
    const auto svg = [](const std::string& metadata) {
        return "<?xml?>\n<svg><title>t</title>" + metadata + "</svg>";
    };
    const std::string text =
        "experiment = &quot;td&quot;&#10;step&#x20;= 40\n[settings]\ngamma = 0.9 # &lt;&amp;&apos;&bad;&";
    check_td(svg("<metadata id=\"emergence-config\">" + text + "</metadata>"));
    check_td(svg("<metadata\n   id='emergence-config' >" + text + "</metadata>"));
    CHECK(settings_in_svg(svg("<metadata id=\"emergence-config\">a&lt;&amp;&apos;&bad;&</metadata>")) ==
          "a<&'&bad;&");
    CHECK(settings_in_svg(svg("<text>emergence-config</text>")) == std::nullopt);
    CHECK(settings_in_svg(svg("<metadata id=\"emergence-config\"")) == std::nullopt);
}

TEST_CASE("what the limits are for") {
    CHECK(inflate_text(packed(kSettingsText), 1 << 20) == kSettingsText);
    CHECK(inflate_text(packed(std::string(5'000'000, 'x')), 1 << 20) == std::nullopt);  // a bomb
    CHECK(inflate_text("nothing packed", 1 << 20) == std::nullopt);
    std::string keywords = "%PDF-1.5\n";
    for (int i = 0; i < 200'000; ++i) keywords += "/Keywords(";
    CHECK(message_of<InputError>([&] { read_text(keywords); }).find("f: holds no settings") == 0);
    CHECK_THROWS_AS(read_text("experiment = " + std::string(500'000, '[')), InputError);
    CHECK(message_of<InputError>([] { read_text("experiment" + std::string(2'000'000, '#')); }) ==
          "f: has 2000010 bytes, more than the limit of 1048576 for settings");
}

TEST_CASE("files of other kinds are refused by name, with what is needed") {
    const Scratch scratch;
    CHECK(message_of<InputError>([&] {
              read_config_of(scratch / "none.pdf");
          }).find("none.pdf: cannot be read") != std::string::npos);
    CHECK_THROWS_AS(read_config_of(scratch.path()), InputError);
    spit(scratch / "a.jpg", std::string("\xFF\xD8\xFF\xE0\0\x10JFIF", 10));
    CHECK(message_of<InputError>([&] {
              read_config_of(scratch / "a.jpg");
          }).find("Emergence cannot read this file") != std::string::npos);
    CHECK_THROWS_AS(read_text("%PDF-1.4\n"), InputError);
    CHECK_THROWS_AS(read_text("PK"), InputError);
    CHECK_THROWS_AS(read_text("<svg></svg>"), InputError);
    CHECK_THROWS_AS(read_text(""), InputError);
    CHECK(message_of<InputError>([] { read_text("hello"); }).find("f: Emergence cannot read this file") == 0);
    CHECK(message_of<InputError>([] { read_text("experiment = \"td\"\nstep = -1\n"); }) ==
          "f:2:8: step: a whole number from 0 is needed");
}

}  // namespace
}  // namespace emergence
