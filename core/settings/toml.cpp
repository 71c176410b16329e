#include "core/settings/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/files/atomic_write.h"
#include "core/files/text.h"
#include "core/settings/toml_reader.h"

namespace emergence {

static std::string_view toml_line(std::string_view text, uint32_t number) {
    for (uint32_t i = 1; i < number; ++i) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

// What to do about a line that is not TOML.
static const char* remedy_for(std::string_view line) {
    if (line.find("\xE2\x80\x9C") != std::string_view::npos || line.find("\xE2\x80\x9D") != std::string_view::npos)
        return "Use straight quotes";
    if (line.find(';') != std::string_view::npos) return "Separate values by ',' instead of ';'";
    if (has_decimal_comma(line) && line.find('[') == std::string_view::npos) return kPointForComma;
    return "Correct this line: name = value, texts in quotes, lists in brackets";
}

// The fault of an error "file:line:column: reason".
static FileFault without_place(const std::string& sentence, const std::string& source) {
    FileFault fault{0, sentence};
    if (!sentence.starts_with(source + ":")) return fault;
    std::string_view rest = std::string_view(sentence).substr(source.size() + 1);
    while (const auto number = parsed<uint32_t>(rest.substr(0, rest.find(':')))) {
        if (fault.line == 0) fault.line = *number;
        rest.remove_prefix(std::min(rest.find(':'), rest.size() - 1) + 1);
    }
    fault.reason = trimmed(rest, " ");
    return fault;
}

// The first value that is NaN, or null.
static const toml::node* find_nan(const toml::node& node) {
    const toml::node* found = nullptr;
    const auto look = [&](const toml::node& one) { found = found != nullptr ? found : find_nan(one); };
    if (const auto number = node.value_exact<double>()) return std::isnan(*number) ? &node : nullptr;
    if (const toml::array* array = node.as_array())
        for (const toml::node& one : *array) look(one);
    if (const toml::table* table = node.as_table())
        for (const auto& [key, one] : *table) look(one);
    return found;
}

toml::table parse_toml(std::string_view text, const std::string& source, bool may_be_nan) {
    const std::string plain = plain_text(text, source);
    check_nesting(plain, source);
    try {
        toml::table table = toml::parse(plain, source);
        if (const toml::node* nan = may_be_nan ? nullptr : find_nan(table))
            throw InputError("{}:{}:{}: nan is no number. Write one, or leave the key out", source,
                             nan->source().begin.line, nan->source().begin.column);
        return table;
    } catch (const toml::parse_error& error) {
        const toml::source_position at = error.source().begin;
        std::string description(error.description());
        std::replace(description.begin(), description.end(), '\n', ' ');
        throw InputError("{}:{}:{}: {}. {}", source, at.line, at.column, description,
                         remedy_for(toml_line(plain, at.line)));
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
        if (!contains(known, name))
            fault(key.source().begin.line,
                  unknown_name("key", name, known, fmt::format("the handbook lists those of {}", of)));
    }
}

template <class T>
bool TomlReader::read(const toml::table& table, const char* key, T& into, const char* what) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return false;
    if (const auto found = std::is_same_v<T, double> && node->is_number() ? node->value<T>() : node->value_exact<T>())
        into = *found;
    else
        fault(line_of(*node), fmt::format("{}: {} is needed", key, what));
    return true;
}

bool TomlReader::text(const toml::table& table, const char* key, std::string& into) {
    return read(table, key, into, "a text in quotes");
}

void TomlReader::flag(const toml::table& table, const char* key, bool& into) {
    read(table, key, into, "true or false");
}

void TomlReader::number(const toml::table& table, const char* key, double& into) { read(table, key, into, "a number"); }

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

constexpr std::pair<const char*, std::vector<std::string> Staging::*> kLists[] = {
    {"stage", &Staging::stage}, {"wings", &Staging::wings}, {"controls", &Staging::controls}};

std::string quoted_toml(std::string_view text) {
    std::string result = "\"";
    for (size_t at = 0; at < text.size();) {
        const size_t begin = at;
        const char32_t character = next_character(text, at).value_or(kReplacement);
        if (character == '"' || character == '\\')
            result += {'\\', text[begin]};
        else if (is_unseen(character))
            result += fmt::format(fmt::runtime(character > 0xFFFF ? "\\U{:08X}" : "\\u{:04X}"),
                                  static_cast<uint32_t>(character));
        else
            append_utf8(result, character);
    }
    return result + '"';
}

std::string toml_value(const FieldValue& value) {
    std::string text = to_text(value);
    if (std::holds_alternative<std::string>(value)) return quoted_toml(text);
    // A double needs a point: 3 would read back as a whole number.
    if (std::holds_alternative<double>(value) && text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
}

std::string toml_value(const ViewValue& value) {
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    if (texts == nullptr)
        return std::visit(
            [](const auto& one) {
                if constexpr (std::is_constructible_v<FieldValue, decltype(one)>)
                    return toml_value(FieldValue(one));
                else
                    return std::string();
            },
            value);
    return "[" + listed(*texts, quoted_toml) + "]";
}

[[noreturn]] static void refuse_at(const std::string& source, const toml::source_position& at, std::string_view what) {
    throw InputError("{}:{}:{}: {}", source, at.line, at.column, what);
}

// The value, or what is needed instead of it.
template <class Value>
static Value needed(std::optional<Value> value, const toml::key& key, const toml::node& node, const std::string& source,
                    const char* what) {
    if (value) return *std::move(value);
    refuse_at(source, node.source().begin, fmt::format("{}: {} is needed", key.str(), what));
}

static std::optional<int64_t> whole_from_zero(const toml::node& node) {
    const auto whole = node.value_exact<int64_t>();
    return whole && *whole >= 0 ? std::optional(*whole) : std::nullopt;
}

static std::vector<SettingsFile::Entry> entries_of(const toml::table& table, const std::string& source) {
    std::vector<SettingsFile::Entry> entries;
    for (const auto& [key, node] : table)
        entries.push_back({std::string(key.str()),
                           needed(scalar_in(node), key, node, source, "a number, true or false, or a text in quotes"),
                           key.source().begin.line, key.source().begin.column});
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return std::pair(a.line, a.column) < std::pair(b.line, b.column); });
    return entries;
}

// Skips values of other types, because another version may store more in [view].
static ViewValues view_of(const toml::table& table) {
    ViewValues view;
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        if (const auto value = scalar_in(node))
            std::visit([&](const auto& one) { view[name] = one; }, *value);
        else if (auto texts = texts_in(node))
            view[name] = *std::move(texts);
    }
    return view;
}

static FieldValue fitting(const FieldInfo& info, const FieldValue& value) {
    const bool wants_double = std::holds_alternative<double>(info.default_value);
    if (const auto* whole = std::get_if<int64_t>(&value); whole && wants_double) return static_cast<double>(*whole);
    if (value.index() != info.default_value.index())
        throw InputError("{}: {} is not {}", info.name, toml_value(value), allowed_text(info));
    return value;
}

std::string settings_to_toml(const std::string& experiment, const Settings& settings, const PictureOrigin& origin) {
    std::string text = fmt::format("experiment = {}\nversion = {}\n", quoted_toml(experiment), quoted_toml(version()));
    if (!origin.short_form && !commit().empty()) text += fmt::format("commit = {}\n", quoted_toml(commit()));
    if (!origin.figure.empty()) text += fmt::format("figure = {}\n", quoted_toml(origin.figure));
    if (origin.step) text += fmt::format("step = {}\n", *origin.step);
    if (!origin.runs.empty()) text += fmt::format("runs = {}\n", toml_value(ViewValue(origin.runs)));
    text += "\n[settings]\n";
    for (const FieldInfo& info : settings.fields())
        if (!origin.short_form || settings.value(info.name) != info.default_value)
            text += fmt::format("{} = {}\n", info.name,
                                toml_value(origin.with_places ? settings.value(info.name) : settings.shown(info.name)));
    if (!origin.view) return text;
    text += "\n[view]\n";
    for (const auto& [name, value] : *origin.view)
        text += fmt::format("{} = {}\n", quoted_toml(name), toml_value(value));
    return text;
}

SettingsFile parse_settings(std::string_view text, const std::string& source) {
    const toml::table root = parse_toml(text, source);
    SettingsFile file;
    file.source = source;
    const std::pair<std::string_view, std::string*> texts[] = {
        {"experiment", &file.experiment}, {"version", &file.version},         {"commit", &file.commit},
        {"title", &file.title},           {"description", &file.description}, {"figure", &file.figure}};
    for (const auto& [key, node] : root) {
        const std::string_view name = key.str();
        const auto known = find_if(texts, [name](const auto& entry) { return entry.first == name; });
        if (known != std::end(texts))
            *known->second = needed(node.value_exact<std::string>(), key, node, source, "a text in quotes");
        else if (key == "step")
            file.step = needed(whole_from_zero(node), key, node, source, "a whole number from 0");
        else if (key == "runs")
            needed(texts_in(node), key, node, source, "a list of texts in quotes");
        else if (name != "settings" && name != "view")
            refuse_at(source, key.source().begin,
                      unknown_name("key", name,
                                   {"experiment", "version", "commit", "title", "description", "figure", "step", "runs",
                                    "[settings]", "[view]"}));
        else if (!node.is_table())
            refuse_at(source, node.source().begin, fmt::format("{0}: a table is needed: [{0}]", name));
        else if (name == "view")
            file.view = view_of(*node.as_table());
        else
            file.entries = entries_of(*node.as_table(), source);
    }
    file.title = shown_text(file.title);  // lists and read-outs have one line for it
    if (file.experiment.empty())
        throw InputError("{}: the key 'experiment' is missing, e.g. experiment = \"td\"", source);
    return file;
}

SettingsFile read_settings(const std::filesystem::path& path) { return parse_settings(read_text(path), path.string()); }

void apply(const SettingsFile& file, Settings& settings) {
    Settings changed = settings;
    std::vector<void (*)(Settings&)> meant;
    for (const SettingsFile::Entry& entry : file.entries) try {
            const FormerField* former = changed.has(entry.name) ? nullptr : changed.former(entry.name, entry.value);
            if (former == nullptr)
                changed.set(entry.name, fitting(changed.info(entry.name), entry.value));
            else if (former->meant != nullptr)
                meant.push_back(former->meant);
        } catch (const InputError& error) {
            const std::string place =
                entry.line == 0 ? file.source : fmt::format("{}:{}:{}", file.source, entry.line, entry.column);
            throw InputError("{}: {}", place, error.what());
        }
    for (const auto& set : meant) set(changed);
    settings = changed;
}

Staging staging_in(const ViewValues& view) {
    Staging staging;
    for (const auto& [name, list] : kLists)
        if (const auto found = view.find(name); found != view.end())
            if (const auto* ids = std::get_if<std::vector<std::string>>(&found->second)) staging.*list = *ids;
    return staging;
}

void write_staging(const Staging& staging, ViewValues& view) {
    for (const auto& [name, list] : kLists)
        if ((staging.*list).empty())
            view.erase(name);
        else
            view[name] = staging.*list;
}

}  // namespace emergence
