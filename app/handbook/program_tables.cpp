// Tables of the programs: commands, keys and kinds of files.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "app/handbook/generated.h"
#include "app/handbook/markdown_table.h"
#include "core/base/text.h"
#include "core/files/text.h"
#include "core/lab/quantity/words.h"

namespace emergence::handbook {
namespace {

constexpr const char* kByteUnits[] = {"bytes", "KiB", "MiB", "GiB"};

std::string argument_text(const OptionWords& argument) {
    std::string text = argument.value.empty() ? argument.names.back() : argument.value;
    if (argument.repeated) text += " ...";
    return argument.required ? text : "[" + text + "]";
}

// "`--out DIR`"; every command has --help, which the program's own row says once.
std::string option_row(const OptionWords& option) {
    std::string names = fmt::format("{}", fmt::join(option.names, ", "));
    if (!option.value.empty()) names += " " + option.value;
    return row({"", as_code(names), escaped(option.help)});
}

std::string command_rows(const CommandWords& command) {
    std::string usage = command.name;
    for (const OptionWords& argument : command.arguments) usage += " " + argument_text(argument);
    std::string rows = row({as_code(usage), "", "**" + escaped(command.help) + "**"});
    for (const OptionWords& argument : command.arguments)
        rows += row({"", as_code(argument_text(argument)), escaped(argument.help)});
    for (const OptionWords& option : command.options)
        if (option.names.back() != "--help") rows += option_row(option);
    return rows;
}

}  // namespace

std::string commands_table(const CommandWords& program) {
    std::string table = head({"command", "takes", "what it does"});
    for (const CommandWords& command : program.commands) table += command_rows(command);
    table += row({as_code(program.name), "", "**" + escaped(program.help) + "**"});
    for (const OptionWords& option : program.options) table += option_row(option);
    return table;
}

const std::vector<FormatRow>& file_formats() {
    static const std::vector<FormatRow> rows = {
        {{"pdf", "svg", "png"}, "A picture: a figure, plots, matrices.", true},
        {{"npz"}, "Arrays: the numbers that a picture draws, or weights.", true},
        {{"csv"}, "Rows of numbers: those that a picture draws, metrics, or a world's transitions.", false},
        {{"toml"}, "Settings (a preset, a run's config.toml), a sweep, a world, or a lesson.", true},
    };
    return rows;
}

std::string formats_table() {
    std::string table = head({"file", "holds", "carries settings and step"});
    for (const FormatRow& format : file_formats()) {
        const std::string names =
            listed(format.extensions, [](const std::string& extension) { return as_code("." + extension); });
        table += row({names, escaped(format.holds), format.carries_settings ? "yes" : "no"});
    }
    return table;
}

namespace {

// "64 MiB", "65,536 files", "2^53 steps".
std::string shown_limit(const Limit& limit) {
    if (limit.unit == "bytes") {
        size_t unit = 0;
        uint64_t most = limit.most;
        for (; most % 1024 == 0 && unit + 1 < std::size(kByteUnits); most /= 1024) ++unit;
        return fmt::format("{} {}", most, kByteUnits[unit]);
    }
    constexpr uint64_t kLargestWritten = uint64_t{1} << 40;
    if (limit.most >= kLargestWritten) return fmt::format("2^{} {}", std::bit_width(limit.most) - 1, limit.unit);
    std::string digits = std::to_string(limit.most);
    for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return fmt::format("{} {}", digits, limit.unit);
}

}  // namespace

std::string quantities_table() {
    std::string table = head({"word", "is", "says"});
    for (const QuantityWord& word : quantity_words())
        table += row({as_code(word.form), std::string(word.group), escaped(word.help)});
    return table;
}

std::string limits_table() {
    std::string table = head({"of", "at most"});
    for (const Limit& limit : kLimits) table += row({escaped(limit.what), shown_limit(limit)});
    return table;
}

std::string preferences_table(const FieldTable& fields) {
    std::string table = head({"preference", "default", "allowed", "meaning"});
    for (const FieldInfo& field : fields) {
        const std::string key = field.group.empty() ? field.name : field.group + "." + field.name;
        const std::string value = to_text(field.default_value);
        const std::string meaning = field.label.empty() ? field.help : field.label + ": " + field.help;
        table +=
            row({as_code(key), value.empty() ? "" : as_code(value), escaped(allowed_text(field)), escaped(meaning)});
    }
    return table;
}

std::string keys_table(const std::vector<KeyRow>& rows) {
    std::vector<std::string> topics;
    for (const KeyRow& key : rows)
        if (std::find(topics.begin(), topics.end(), key.topic) == topics.end()) topics.push_back(key.topic);
    std::string table = head({"key", "what it does"});
    for (const std::string& topic : topics) {
        table += row({"**" + escaped(topic) + "**", ""});
        for (const KeyRow& key : rows)
            if (key.topic == topic) table += row({escaped(key.keys), escaped(key.what)});
    }
    return table;
}

}  // namespace emergence::handbook
