// Reads and writes sweeps as TOML.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/csv.h"
#include "core/files/text.h"
#include "core/lab/sweeps/sweep.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

constexpr int64_t kMostValues = 200, kMostSweepSeeds = 1000;
constexpr const char* kSeedsKey = "seeds";

class Reader {
  public:
    explicit Reader(const std::string& source) : source_(source) {}

    [[noreturn]] void refuse(const toml::node* node, const std::string& why) const {
        if (node == nullptr) throw InputError(fmt::format("{}: {}", source_, why));
        throw InputError(
            fmt::format("{}:{}:{}: {}", source_, node->source().begin.line, node->source().begin.column, why));
    }
    // Throws for an unknown name, which is a typing error.
    void allow(const toml::table& table, const std::vector<std::string>& names) const {
        for (const auto& [name, node] : table)
            if (std::find(names.begin(), names.end(), name.str()) == names.end())
                refuse(&node, fmt::format("'{}' is unknown here, there are: {}{}", name.str(), fmt::join(names, ", "),
                                          did_you_mean(name.str(), names)));
    }
    // The value of a key; `otherwise` if the table has no such key. needed: "a text in quotes".
    template <class T>
    T value(const toml::table& table, const char* name, T otherwise, const char* needed) const {
        const toml::node* node = table.get(name);
        if (node == nullptr) return otherwise;
        if (const auto value = node->value_exact<T>()) return *value;
        refuse(node, fmt::format("{}: {} is needed", name, needed));
    }
    std::string text(const toml::table& table, const char* name, const std::string& otherwise = "") const {
        return value(table, name, otherwise, "a text in quotes");
    }
    double number(const toml::table& table, const char* name) const {
        const toml::node* node = table.get(name);
        if (node == nullptr) refuse(nullptr, fmt::format("'{}' is missing, or the axis' 'values'", name));
        if (const auto value = node->value<double>(); value && node->is_number()) return *value;
        refuse(node, fmt::format("{}: a number is needed", name));
    }
    int64_t whole(const toml::table& table, const char* name, int64_t otherwise, int64_t low, int64_t high) const {
        const std::string needed = fmt::format("a whole number from {} to {}", low, high);
        const int64_t found = value(table, name, otherwise, needed.c_str());
        if (table.contains(name) && (found < low || found > high))
            refuse(table.get(name), fmt::format("{}: {} is needed", name, needed));
        return found;
    }
    // What the action gives; its errors get the node's place in the file.
    template <class Action>
    auto at(const toml::node& node, const Action& action) const {
        try {
            return action();
        } catch (const InputError& error) {
            refuse(&node, error.what());
        }
    }
    // Sets the field to the node's value, and gives it with the field's type: a whole number serves as a double.
    FieldValue set(Settings& settings, const std::string& name, const toml::node& node) const {
        const auto value = scalar_in(node);
        if (!value) refuse(&node, fmt::format("{}: a number, true or false, or a text in quotes is needed", name));
        SettingsFile file;
        file.source = source_;
        file.entries = {{name, *value, node.source().begin.line, node.source().begin.column}};
        apply(file, settings);
        return settings.has(name) ? settings.value(name) : *value;
    }

  private:
    const std::string& source_;
};

std::vector<FieldValue> spaced(const Reader& reader, const toml::table& table, const FieldInfo& info,
                               bool logarithmic) {
    const double from = reader.number(table, "from"), to = reader.number(table, "to");
    const int64_t count = reader.whole(table, "count", 0, 2, kMostValues);
    if (count == 0) reader.refuse(&table, fmt::format("'count' is missing: 2 to {}", kMostValues));
    if (logarithmic && (from <= 0 || to <= 0)) reader.refuse(&table, "scale = \"log\" needs 'from' and 'to' above 0");
    return spaced_values(info, from, to, static_cast<int>(count), logarithmic);
}

// Numbers ascend, in whatever order they were written: a line does not turn back, and a map's sides are axes. An axis
// with 0 or less is not logarithmic.
void sort_values(SweepAxis& axis) {
    if (std::holds_alternative<int64_t>(axis.values.front()) || std::holds_alternative<double>(axis.values.front()))
        std::sort(axis.values.begin(), axis.values.end());  // all are of one type
    const FieldValue& least = axis.values.front();
    const auto* whole = std::get_if<int64_t>(&least);
    const auto* number = std::get_if<double>(&least);
    const bool positive = whole != nullptr ? *whole > 0 : number != nullptr && *number > 0;
    axis.logarithmic = axis.logarithmic && positive;
}

SweepAxis axis_of(const Reader& reader, const toml::table& table, Settings& settings) {
    reader.allow(table, {"field", "values", "from", "to", "count", "scale", "shown"});
    SweepAxis axis;
    axis.field = reader.text(table, "field");
    if (axis.field.empty()) reader.refuse(&table, "'field' is missing");
    if (axis.field == kSeedsKey || axis.field == "seed")
        reader.refuse(&table, fmt::format("field: '{}' is no axis: 'seeds' says how many a cell has", axis.field));
    const FieldInfo& info = *reader.at(*table.get("field"), [&] { return &settings.info(axis.field); });
    const std::string scale = reader.text(table, "scale", info.logarithmic ? "log" : "linear");
    if (scale != "log" && scale != "linear")
        reader.refuse(table.get("scale"), fmt::format("scale: '{}' is neither log nor linear", scale));
    axis.logarithmic = scale == "log";
    if (const toml::node* node = table.get("values")) {
        const toml::array* values = node->as_array();
        if (values == nullptr || values->empty() || values->size() > static_cast<size_t>(kMostValues))
            reader.refuse(node, fmt::format("values: a list of 1 to {} values is needed", kMostValues));
        for (const toml::node& value : *values) {
            axis.values.push_back(reader.set(settings, axis.field, value));
            if (std::count(axis.values.begin(), axis.values.end(), axis.values.back()) > 1)
                reader.refuse(&value, fmt::format("values: {} is there twice", to_text(axis.values.back())));
        }
    } else {
        axis.values = spaced(reader, table, info, axis.logarithmic);
        for (const FieldValue& value : axis.values) reader.at(table, [&] { settings.set(axis.field, value); });
    }
    sort_values(axis);
    if (const toml::node* shown = table.get("shown")) {
        const auto found = std::find(axis.values.begin(), axis.values.end(), reader.set(settings, axis.field, *shown));
        if (found == axis.values.end()) reader.refuse(shown, "shown: the axis does not have this value");
        axis.shown = static_cast<int>(found - axis.values.begin());
    }
    settings.set(axis.field, info.default_value);
    return axis;
}

// [x], [y] and every [[axis]].
void read_axes(const Reader& reader, const toml::table& table, Sweep& sweep) {
    double cells = 1.0;
    const auto add = [&](const toml::node* node, const char* name) {
        const toml::table* found = node == nullptr ? nullptr : node->as_table();
        if (found == nullptr) reader.refuse(node, fmt::format("a table [{}] is needed", name));
        SweepAxis axis = axis_of(reader, *found, sweep.settings);
        if (const toml::node* shared = table["settings"][axis.field].node())
            reader.refuse(shared, fmt::format("'{}' is an axis too. Leave it out here", axis.field));
        if (sweep.axis(axis.field) != nullptr)
            reader.refuse(found->get("field"), fmt::format("field: '{}' is an axis already", axis.field));
        cells *= static_cast<double>(axis.values.size());
        if (cells > static_cast<double>(kMostCells))
            reader.refuse(found, fmt::format("{} cells are more than the limit of {}", cells, kMostCells));
        sweep.axes.push_back(std::move(axis));
    };
    add(table.get("x"), "x");
    if (table.contains("y")) add(table.get("y"), "y");
    const toml::node* others = table.get("axis");
    if (others == nullptr) return;
    if (!others->is_array_of_tables()) reader.refuse(others, "axis: write [[axis]], in double brackets");
    for (const toml::node& other : *others->as_array()) add(&other, "axis");
}

// "0.1:1:5:log"; `parts` are its words.
std::vector<FieldValue> typed_range(const FieldInfo& field, const std::vector<std::string>& parts, bool logarithmic) {
    const auto number = [&](size_t i) {
        const auto value = csv_number(parts[i]);
        if (!value || !std::isfinite(*value))
            throw InputError(fmt::format("{}: '{}' is no number", field.name, parts[i]));
        return *value;
    };
    const double from = number(0), to = number(1), count = number(2);
    if (count < 2 || count > static_cast<double>(kMostValues) || count != std::floor(count))
        throw InputError(fmt::format("{}: a range has 2 to {} values, not {}", field.name, kMostValues, parts[2]));
    if (logarithmic && (from <= 0 || to <= 0))
        throw InputError(fmt::format("{}: a range in equal ratios needs ends above 0", field.name));
    return spaced_values(field, from, to, static_cast<int>(count), logarithmic);
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (size_t from = 0; from <= text.size();) {
        const size_t end = std::min(text.find(separator, from), text.size());
        parts.emplace_back(trimmed(text.substr(from, end - from)));
        from = end + 1;
    }
    return parts;
}

}  // namespace

SweepAxis parse_axis(const FieldInfo& field, std::string_view text) {
    SweepAxis axis{field.name, {}, field.logarithmic, 0};
    const bool is_number =
        std::holds_alternative<int64_t>(field.default_value) || std::holds_alternative<double>(field.default_value);
    const std::vector<std::string> parts = split(text, ':');
    if (is_number && parts.size() > 1) {
        const bool has_word = parts.size() == 4;
        if (has_word) axis.logarithmic = parts[3] == "log";
        if (parts.size() < 3 || parts.size() > 4 || (has_word && parts[3] != "log" && parts[3] != "linear"))
            throw InputError(
                fmt::format("{}: '{}' is no range. Write FROM:TO:COUNT, FROM:TO:COUNT:log or FROM:TO:COUNT:linear",
                            field.name, text));
        axis.values = typed_range(field, parts, axis.logarithmic);
    } else {
        for (const std::string& part : split(text, ',')) {
            if (part.empty())
                throw InputError(fmt::format("{}: '{}' has an empty value between its commas", field.name, text));
            axis.values.push_back(parse_value(field, part));
        }
    }
    for (size_t i = 0; i < axis.values.size(); ++i) {
        check_value(field, axis.values[i]);
        if (std::find(axis.values.begin(), axis.values.begin() + static_cast<std::ptrdiff_t>(i), axis.values[i]) !=
            axis.values.begin() + static_cast<std::ptrdiff_t>(i))
            throw InputError(fmt::format("{}: {} is there twice", field.name, to_text(axis.values[i])));
    }
    sort_values(axis);
    return axis;
}

std::vector<FieldValue> spaced_values(const FieldInfo& field, double from, double to, int count, bool logarithmic) {
    std::vector<FieldValue> values;
    for (int i = 0; i < count; ++i) {
        const double t = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
        const double value = logarithmic ? from * std::pow(to / from, t) : std::lerp(from, to, t);
        if (std::holds_alternative<int64_t>(field.default_value))
            values.emplace_back(static_cast<int64_t>(std::llround(value)));
        else
            values.emplace_back(value);
        // Rounding may give duplicates.
        if (values.size() > 1 && values.back() == values[values.size() - 2]) values.pop_back();
    }
    return values;
}

Sweep parse_sweep(std::string_view text, const std::string& source,
                  const std::function<const ExperimentInfo&(const std::string&)>& find,
                  const std::function<void(Settings&)>& places) {
    const Reader reader(source);
    const toml::table table = parse_toml(text, source);
    reader.allow(table,
                 {"experiment", "title", "description", "score", "seeds", "weights", "settings", "x", "y", "axis"});
    Sweep sweep;
    sweep.experiment = &find(reader.text(table, "experiment"));
    sweep.title = shown_text(reader.text(table, "title", "A sweep"));
    sweep.description = reader.text(table, "description");
    sweep.score = reader.text(table, "score", sweep.score);
    if (sweep.score.find_first_of(" (") != std::string::npos) try {
            (void)score_quantity(sweep.score);
        } catch (const InputError& error) {
            reader.refuse(table.get("score"), fmt::format("score: {}", error.what()));
        }
    sweep.seeds = static_cast<int>(reader.whole(table, "seeds", sweep.seeds, 1, kMostSweepSeeds));
    sweep.weights = reader.value(table, "weights", false, "true or false");
    sweep.settings = Settings(sweep.experiment->fields);
    if (const toml::node* node = table.get("settings")) {
        const toml::table* settings = node->as_table();
        if (settings == nullptr) reader.refuse(node, "settings: a table is needed");
        for (const auto& [key, value] : *settings) reader.set(sweep.settings, std::string(key.str()), value);
    }
    // A preset's number of seeds is not the sweep's: its cells have `seeds`.
    if (sweep.settings.has(kSeedsKey)) sweep.settings.set(kSeedsKey, sweep.settings.info(kSeedsKey).default_value);
    if (places) places(sweep.settings);
    read_axes(reader, table, sweep);
    if (static_cast<size_t>(sweep.cells()) * static_cast<size_t>(sweep.seeds) > kMostSweepLines)
        reader.refuse(table.get("seeds"), fmt::format("{} cells of {} seeds are more than the limit of {} seeds",
                                                      sweep.cells(), sweep.seeds, kMostSweepLines));
    if (sweep.experiment->check)
        for (const SweepCell& cell : cells_coarse_first(sweep)) sweep.experiment->check(settings_of(sweep, cell));
    return sweep;
}

namespace {

std::string axis_text(const Sweep& sweep, size_t place, bool with_places) {
    const SweepAxis& axis = sweep.axes[place];
    std::vector<std::string> values;
    for (const FieldValue& value : axis.values) values.push_back(toml_value(value));
    if (!with_places && sweep.settings.info(axis.field).reads) {
        values = shown_values(sweep, axis);
        for (std::string& value : values) value = quoted_toml(value);
    }
    std::string text = fmt::format("field = {}\nvalues = [{}]\nscale = \"{}\"\n", quoted_toml(axis.field),
                                   fmt::join(values, ", "), axis.logarithmic ? "log" : "linear");
    if (place >= 2) text += fmt::format("shown = {}\n", values[static_cast<size_t>(axis.shown)]);
    return text;
}

}  // namespace

std::string sweep_to_toml(const Sweep& sweep, WholePaths paths) {
    std::string text =
        fmt::format("experiment = {}\ntitle = {}\n", quoted_toml(sweep.experiment->name), quoted_toml(sweep.title));
    if (!sweep.description.empty()) text += fmt::format("description = {}\n", quoted_toml(sweep.description));
    text += fmt::format("score = {}\nseeds = {}\n{}\n[settings]\n", quoted_toml(sweep.score), sweep.seeds,
                        sweep.weights ? "weights = true\n" : "");
    for (const FieldInfo& field : sweep.settings.fields())
        if (const FieldValue& value = sweep.settings.value(field.name); value != field.default_value)
            text += fmt::format("{} = {}\n", field.name,
                                toml_value(paths == WholePaths::all ? value : sweep.settings.shown(field.name)));
    for (size_t i = 0; i < sweep.axes.size(); ++i)
        text += fmt::format("\n{}\n{}",
                            i == 0   ? "[x]"
                            : i == 1 ? "[y]"
                                     : "[[axis]]",
                            axis_text(sweep, i, paths != WholePaths::none));
    return text;
}

}  // namespace emergence
