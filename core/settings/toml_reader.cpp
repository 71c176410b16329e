#include "core/settings/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"

namespace emergence {
namespace {

std::string_view toml_line(std::string_view text, uint32_t number) {
    for (uint32_t i = 1; i < number; ++i) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

// What usually is wrong with a line that is not TOML.
const char* remedy_for(std::string_view line) {
    if (line.find("\xE2\x80\x9C") != std::string_view::npos || line.find("\xE2\x80\x9D") != std::string_view::npos)
        return "Use straight quotes";
    if (line.find(';') != std::string_view::npos) return "Separate values by ',' instead of ';'";
    if (has_decimal_comma(line) && line.find('[') == std::string_view::npos) return kPointForComma;
    return "Correct this line: name = value, texts in quotes, lists in brackets";
}

// The sentence of an error without "file:line:column: ", which goes into the line.
FileFault without_place(const std::string& sentence, const std::string& source) {
    FileFault fault{0, sentence};
    if (!sentence.starts_with(source + ":")) return fault;
    fault.reason = sentence.substr(source.size() + 1);
    bool first = true;
    while (true) {
        size_t digits = 0;
        uint32_t number = 0;
        while (digits < fault.reason.size() && std::isdigit(static_cast<unsigned char>(fault.reason[digits])) != 0)
            number = 10 * number + static_cast<uint32_t>(fault.reason[digits++] - '0');
        if (digits == 0 || fault.reason.compare(digits, 1, ":") != 0) break;
        if (std::exchange(first, false)) fault.line = number;
        fault.reason.erase(0, digits + 1);
    }
    fault.reason.erase(0, fault.reason.find_first_not_of(' '));
    return fault;
}

}  // namespace

namespace {

// The first number that is none; null if all are some.
const toml::node* find_nan(const toml::node& node) {
    const toml::node* found = nullptr;
    const auto look = [&](const toml::node& one) { found = found != nullptr ? found : find_nan(one); };
    if (const auto number = node.value_exact<double>()) return std::isnan(*number) ? &node : nullptr;
    if (const toml::array* array = node.as_array())
        for (const toml::node& one : *array) look(one);
    if (const toml::table* table = node.as_table())
        for (const auto& [key, one] : *table) look(one);
    return found;
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& source, bool may_be_nan) {
    const std::string plain = plain_text(text, source);
    check_nesting(plain, source);
    try {
        toml::table table = toml::parse(plain, source);
        if (const toml::node* nan = may_be_nan ? nullptr : find_nan(table))
            throw InputError(fmt::format("{}:{}:{}: nan is no number. Write one, or leave the key out", source,
                                         nan->source().begin.line, nan->source().begin.column));
        return table;
    } catch (const toml::parse_error& error) {
        const toml::source_position at = error.source().begin;
        std::string description(error.description());
        std::replace(description.begin(), description.end(), '\n', ' ');
        throw InputError(fmt::format("{}:{}:{}: {}. {}", source, at.line, at.column, description,
                                     remedy_for(toml_line(plain, at.line))));
    }
}

toml::table read_toml(const std::filesystem::path& path, size_t limit) {
    return parse_toml(as_text(read_file(path, limit)), path.string());
}

std::optional<toml::table> parse_toml(std::string_view text, const std::string& source,
                                      std::vector<FileFault>& faults) {
    try {
        return parse_toml(text, source);
    } catch (const InputError& error) {
        faults.push_back(without_place(error.what(), source));
        return std::nullopt;
    }
}

std::optional<FieldValue> scalar_in(const toml::node& node) {
    if (const auto flag = node.value_exact<bool>()) return *flag;
    if (const auto whole = node.value_exact<int64_t>()) return *whole;
    if (const auto number = node.value_exact<double>()) return *number + 0.0;  // 0 instead of -0
    if (const auto text = node.value_exact<std::string>()) return *text;
    return std::nullopt;
}

std::optional<std::vector<std::string>> texts_in(const toml::node& node) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return std::nullopt;
    std::vector<std::string> texts;
    for (const toml::node& one : *array) {
        const auto text = one.value_exact<std::string>();
        if (!text) return std::nullopt;
        texts.push_back(*text);
    }
    return texts;
}

void TomlReader::check_keys(const toml::table& table, const std::vector<std::string>& known, const char* of) {
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        if (std::find(known.begin(), known.end(), name) == known.end())
            fault(key.source().begin.line,
                  unknown_name("key", name, known, fmt::format("the handbook lists those of {}", of)));
    }
}

bool TomlReader::text(const toml::table& table, const char* key, std::string& into) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return false;
    if (const auto found = node->value_exact<std::string>())
        into = *found;
    else
        fault(line_of(*node), fmt::format("{}: a text in quotes is needed", key));
    return true;
}

void TomlReader::flag(const toml::table& table, const char* key, bool& into) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    into = node->value_exact<bool>().value_or(false);
    if (!node->is_boolean()) fault(line_of(*node), fmt::format("{}: true or false is needed", key));
}

std::vector<std::string> TomlReader::texts(const toml::table& table, const char* key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    if (auto found = texts_in(*node)) return *std::move(found);
    fault(line_of(*node), fmt::format("{}: a list of texts is needed, e.g. [\"P0\", \"Q0\"]", key));
    return {};
}

std::vector<std::string> TomlReader::some_texts(const toml::table& table, const char* key) {
    std::vector<std::string> found = texts(table, key);
    const toml::node* node = table.get(key);
    if (node != nullptr && node->is_array() && node->as_array()->empty())
        fault(line_of(*node), fmt::format("{}: the list is empty. Name at least one", key));
    return found;
}

std::pair<double, double> TomlReader::ends(const toml::table& table, const char* key,
                                           std::pair<double, double> otherwise) {
    const toml::node* node = table.get(key);
    const toml::array* list = node == nullptr ? nullptr : node->as_array();
    if (list != nullptr && list->size() == 2 && list->get(0)->is_number() && list->get(1)->is_number()) {
        const std::pair found(*list->get(0)->value<double>(), *list->get(1)->value<double>());
        if (found.first < found.second && std::isfinite(found.first) && std::isfinite(found.second)) return found;
    }
    fault(line_of(node != nullptr ? *node : static_cast<const toml::node&>(table)),
          fmt::format("{}: two numbers are needed, the lower one first, e.g. [0, 1]", key));
    return otherwise;
}

void TomlReader::number(const toml::table& table, const char* key, double& into) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    if (!node->is_number()) fault(line_of(*node), fmt::format("{}: a number is needed", key));
    into = node->value<double>().value_or(into);
}

}  // namespace emergence
