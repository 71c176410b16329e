// Made texts, and pictures with a text in them: TOML, conditions of lessons, PNG.

#include <fmt/format.h>

#include "core/experiments/in_context_td/settings/worlds.h"
#include "core/experiments/registry.h"
#include "core/files/atomic_write.h"
#include "core/lab/sweeps/sweep.h"
#include "core/lessons/lesson.h"
#include "core/settings/embedded_settings.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/readers.h"
#include "tests/support/packed_archive.h"

namespace emergence::testing {
namespace {

std::string repeated(std::string_view part, size_t times) {
    std::string text;
    for (; times > 0; --times) text += part;
    return text;
}

const char* toml_key(Choices& choices) {
    return choices.word({"experiment", "settings", "x", "field", "values", "step", "until", "title", "transition",
                         "\"a b\"", "'\\'", "num_layers", "seeds"});
}

std::string toml_value(Choices& choices, int depth) {
    switch (depth > 60 ? 0 : choices.below(12)) {
        case 0:
            return std::to_string(static_cast<int64_t>(choices.number()));
        case 1:
            return choices.word({"1e300", "nan", "-inf", "0x1F", "1_000", "1e-400", "99999999999999999999"});
        case 2:
            return choices.word({"true", "false", "1979-05-27T07:32:00Z", "07:32:00"});
        case 3:
            return "\"" + std::string(choices.word({"td", "\\u0041", "\\UFFFFFFFF", "\\n", "é"})) + "\"";
        case 4:
            return "'''" + choices.text(8) + "'''";
        case 5:
        case 6:
            return "[" + toml_value(choices, depth + 1) + choices.word({"", ",", ",\n# c\n"}) + "]";
        case 7:
            return "[" + toml_value(choices, depth + 1) + "," + toml_value(choices, depth + 1) + "]";
        case 8:
        case 9:
            return fmt::format("{{{} = {}}}", toml_key(choices), toml_value(choices, depth + 1));
        case 10: {
            const size_t deep = choices.below(40'000);
            return repeated(choices.word({"[", "{a=", "[[", "[{a="}), deep);
        }
        default:
            return choices.text(6);
    }
}

std::string dotted(Choices& choices) {
    std::string key = toml_key(choices);
    const size_t more = choices.one_in(16) ? choices.below(40'000) : choices.below(3);
    return key + repeated(choices.word({".a", " . 'b'", ".\"\""}), more);
}

std::string made_toml(Choices& choices) {
    std::string text = choices.one_in(4) ? "" : "experiment = \"td\"\n";
    if (choices.one_in(16)) text = "\xef\xbb\xbf" + text;
    for (size_t left = 1 + choices.below(8); left > 0; --left) switch (choices.below(5)) {
            case 0:
                text += fmt::format("[{}]\n", dotted(choices));
                break;
            case 1:
                text += fmt::format("[[{}]]\n", dotted(choices));
                break;
            default:
                text += fmt::format("{} = {}\n", dotted(choices), toml_value(choices, 0));
        }
    return text;
}

void read_made_text(std::string_view text) {
    refusing([&] { config_in(as_bytes(text), "made.toml"); });
    refusing([&] { parse_sweep(text, "made.toml", find_experiment); });
    refusing([&] { parse_world_toml(text, "made.toml"); });
    refusing([&] {
        std::vector<FileFault> faults;
        parse_lesson(text, "made.toml", faults);
    });
}

void read_made_toml(Bytes bytes) {
    Choices choices(bytes);
    read_made_text(made_toml(choices));
}

std::string quantity(Choices& choices, int depth) {
    switch (depth > 60 ? 0 : choices.below(12)) {
        case 0:
            return choices.word({"1", "-2.5", "1e999", "step", "seeds", "emerged", ".", "0x1"});
        case 1:
            return fmt::format("metric {}", choices.word({"msve", "'a b'", "'", "loss"}));
        case 2:
            return "number world 'transformer 3'";
        case 3:
            return "curve msve_by_context_length transformer at " + quantity(choices, depth + 1);
        case 4:
            return "block Q0 φ γφ'";
        case 5:
            return "before " + quantity(choices, depth + 1);
        case 6:
            return "other " + quantity(choices, depth + 1);
        case 7:
            return "(" + quantity(choices, depth + 1) + ")";
        case 8:
        case 9:
            return quantity(choices, depth + 1) + choices.word({" + ", " - ", "*", "/"}) + quantity(choices, depth + 1);
        case 10: {
            const size_t deep = choices.one_in(16) ? choices.below(40'000) : choices.below(60);
            return repeated(choices.word({"(", "before ", "other ", "1+", "-", "1*("}), deep) + "1";
        }
        default:
            return choices.text(6);
    }
}

void read_made_conditions(Bytes bytes) {
    Choices choices(bytes);
    std::string text = choices.word({"", "answered and ", "edited world and ", "field n changed and "});
    text += quantity(choices, 0) + choices.word({" < ", " >= ", " == ", " = "}) + quantity(choices, 0);
    for (size_t left = choices.one_in(32) ? choices.below(4000) : 0; left > 0; --left) text += " and step >= 1";
    refusing([&] { holds(parse_condition(text), {}); });
    refusing([&] { value_of(parse_quantity(text), {}); });
    refusing([&] { filled_text("{" + text + "}", {}); });
    read_made_text(fmt::format("title = \"t\"\n[[step]]\nuntil = \"{}\"\n", text));
}

void append_big(std::string& to, uint64_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift & 0xFF);
}

std::string text_chunk(Choices& choices, const std::string& type) {
    std::string settings = choices.one_in(4) ? made_toml(choices) : "experiment = \"td\"\n";
    if (choices.one_in(32)) settings += std::string(size_t{1} << (10 + choices.below(12)), '#');
    const std::string keyword = choices.word({"emergence-config", "emergence-config", "Comment", "emergence"});
    std::string data = keyword + std::string(choices.bent(1) % 4, '\0');
    const bool packed = type == "zTXt" || choices.one_in(2);
    if (type == "iTXt") data += {choices.of({packed ? '\1' : '\0', '\0', '\2'})};
    if (type != "tEXt") data += std::string(choices.bent(1) % 4, '\0');  // method
    if (type == "iTXt")
        data += choices.word({"", "en"}) + std::string(choices.bent(1) % 4, '\0') + choices.word({"", "é"}) +
                std::string(choices.bent(1) % 4, '\0');
    return data + (packed && type != "tEXt" ? deflated_text(settings) : settings);
}

void read_made_png(Bytes bytes) {
    Choices choices(bytes);
    std::string file("\x89PNG\r\n\x1A\n");
    for (size_t left = 1 + choices.below(6); left > 0; --left) {
        const std::string type = choices.word({"iTXt", "zTXt", "tEXt", "IHDR", "IDAT", "IEND", "eXIf"});
        std::string data = type.ends_with("Xt") || type == "eXIf" ? text_chunk(choices, type) : choices.text(30);
        if (choices.one_in(16)) data = data.substr(0, choices.below(data.size() + 1));
        append_big(file, choices.bent(data.size()));
        file += type + data;
        append_big(file, choices.bent(checksum_of_text(type + data)));
    }
    refusing([&] { config_in(as_bytes(file), "made.png"); });
}

}  // namespace

const std::vector<FuzzedReader>& made_text_readers() {
    static const std::vector<FuzzedReader> readers = {
        {"made-toml", read_made_toml}, {"made-conditions", read_made_conditions}, {"made-png", read_made_png}};
    return readers;
}

}  // namespace emergence::testing
