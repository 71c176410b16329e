// Reads and writes sweeps as TOML.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/lab/sweep.h"
#include "core/settings/toml.h"
#include "core/settings/toml_parse.h"

namespace emergence {
namespace {

constexpr int64_t kMostValues = 200, kMostSweepSeeds = 1000;
constexpr const char* kSeedsKey = "seeds";

class Reader {
  public:
    explicit Reader(const std::string& source) : source_(source) {}

    [[noreturn]] void refuse(const toml::node* node, const std::string& why) const {
        if (node == nullptr) throw InputError(fmt::format("{}: {}", source_, why));
        throw InputError(fmt::format("{}:{}:{}: {}", source_, node->source().begin.line,
                                     node->source().begin.column, why));
    }
    // Throws for an unknown name, which is a typing error.
    void allow(const toml::table& table, std::initializer_list<std::string_view> names) const {
        for (const auto& [name, node] : table)
            if (std::find(names.begin(), names.end(), name.str()) == names.end())
                refuse(&node, fmt::format("'{}' is unknown here, there are: {}", name.str(),
                                          fmt::join(names.begin(), names.end(), ", ")));
    }
    std::string text(const toml::table& table, const char* name, const std::string& otherwise = "") const {
        const toml::node* node = table.get(name);
        if (node == nullptr) return otherwise;
        if (const auto value = node->value_exact<std::string>()) return *value;
        refuse(node, fmt::format("{}: needed is a text in quotes", name));
    }
    double number(const toml::table& table, const char* name) const {
        const toml::node* node = table.get(name);
        if (node == nullptr) refuse(nullptr, fmt::format("'{}' is missing, or the axis' 'values'", name));
        if (const auto value = node->value<double>(); value && node->is_number()) return *value;
        refuse(node, fmt::format("{}: needed is a number", name));
    }
    int64_t whole(const toml::table& table, const char* name, int64_t otherwise, int64_t low,
                  int64_t high) const {
        const toml::node* node = table.get(name);
        if (node == nullptr) return otherwise;
        const auto value = node->value_exact<int64_t>();
        if (!value || *value < low || *value > high)
            refuse(node, fmt::format("{}: allowed is a whole number from {} to {}", name, low, high));
        return *value;
    }
    // The value with the field's type: a whole number serves as a double.
    FieldValue value(const toml::node& node, const FieldInfo& info) const {
        if (const auto flag = node.value_exact<bool>()) return *flag;
        if (const auto text = node.value_exact<std::string>()) return *text;
        const bool real = std::holds_alternative<double>(info.default_value);
        if (const auto whole = node.value_exact<int64_t>())
            return real ? FieldValue(static_cast<double>(*whole)) : FieldValue(*whole);
        if (const auto number = node.value_exact<double>()) return *number;
        refuse(&node, fmt::format("{}: found neither number, flag nor text", info.name));
    }
    // Both access a field by its name and add the place in the file to an error.
    const FieldInfo& info(const Settings& settings, const std::string& name, const toml::node& node) const {
        try {
            return settings.info(name);
        } catch (const InputError& error) {
            refuse(&node, error.what());
        }
    }
    void set(Settings& settings, const std::string& name, const FieldValue& value,
             const toml::node& node) const {
        try {
            settings.set(name, value);
        } catch (const InputError& error) {
            refuse(&node, error.what());
        }
    }

  private:
    const std::string& source_;
};

std::vector<FieldValue> spaced(const Reader& reader, const toml::table& table, const FieldInfo& info,
                               bool logarithmic) {
    const double from = reader.number(table, "from"), to = reader.number(table, "to");
    const int64_t count = reader.whole(table, "count", 0, 2, kMostValues);
    if (count == 0) reader.refuse(&table, fmt::format("'count' is missing: 2 to {}", kMostValues));
    if (logarithmic && (from <= 0 || to <= 0))
        reader.refuse(&table, "scale = \"log\" needs 'from' and 'to' above 0");
    return spaced_values(info, from, to, static_cast<int>(count), logarithmic);
}

SweepAxis axis_of(const Reader& reader, const toml::table& table, Settings& settings) {
    reader.allow(table, {"field", "values", "from", "to", "count", "scale"});
    SweepAxis axis;
    axis.field = reader.text(table, "field");
    if (axis.field.empty()) reader.refuse(&table, "'field' is missing");
    if (axis.field == kSeedsKey || axis.field == "seed")
        reader.refuse(&table,
                      fmt::format("field: '{}' is no axis: 'seeds' says how many a cell has", axis.field));
    const FieldInfo& info = reader.info(settings, axis.field, *table.get("field"));
    const std::string scale = reader.text(table, "scale", info.logarithmic ? "log" : "linear");
    if (scale != "log" && scale != "linear")
        reader.refuse(table.get("scale"), fmt::format("scale: found '{}', allowed is log or linear", scale));
    axis.logarithmic = scale == "log";
    if (const toml::node* node = table.get("values")) {
        const toml::array* values = node->as_array();
        if (values == nullptr || values->empty() || values->size() > static_cast<size_t>(kMostValues))
            reader.refuse(node, fmt::format("values: needed is a list of 1 to {}", kMostValues));
        for (const toml::node& value : *values) {
            axis.values.push_back(reader.value(value, info));
            reader.set(settings, axis.field, axis.values.back(), value);
            if (std::count(axis.values.begin(), axis.values.end(), axis.values.back()) > 1)
                reader.refuse(&value, fmt::format("values: {} is there twice", to_text(axis.values.back())));
        }
    } else {
        axis.values = spaced(reader, table, info, axis.logarithmic);
        for (const FieldValue& value : axis.values) reader.set(settings, axis.field, value, table);
    }
    const auto positive = [](const FieldValue& value) {
        const auto* whole = std::get_if<int64_t>(&value);
        const auto* number = std::get_if<double>(&value);
        return whole != nullptr ? *whole > 0 : number != nullptr && *number > 0;
    };
    if (!std::all_of(axis.values.begin(), axis.values.end(), positive)) axis.logarithmic = false;
    settings.set(axis.field, info.default_value);
    return axis;
}

}  // namespace

std::vector<FieldValue> spaced_values(const FieldInfo& field, double from, double to, int count,
                                      bool logarithmic) {
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
                  const std::function<const ExperimentInfo&(const std::string&)>& find) {
    const Reader reader(source);
    const toml::table table = parse_toml(text, source);
    reader.allow(table, {"experiment", "title", "description", "score", "seeds", "settings", "x", "y"});
    Sweep sweep;
    sweep.experiment = &find(reader.text(table, "experiment"));
    sweep.title = reader.text(table, "title", "A sweep");
    sweep.description = reader.text(table, "description");
    sweep.score = reader.text(table, "score", sweep.score);
    sweep.seeds = static_cast<int>(reader.whole(table, "seeds", sweep.seeds, 1, kMostSweepSeeds));
    sweep.settings = Settings(sweep.experiment->fields);
    if (const toml::node* node = table.get("settings")) {
        const toml::table* settings = node->as_table();
        if (settings == nullptr) reader.refuse(node, "settings: a table is needed");
        for (const auto& [key, value] : *settings) {
            const std::string name(key.str());
            const FieldInfo& info = reader.info(sweep.settings, name, value);
            reader.set(sweep.settings, name, reader.value(value, info), value);
        }
    }
    const auto axis = [&](const char* name) {
        const toml::table* found = table[name].as_table();
        if (found == nullptr) reader.refuse(table.get(name), fmt::format("a table [{}] is needed", name));
        return axis_of(reader, *found, sweep.settings);
    };
    sweep.x = axis("x");
    if (table.contains("y")) sweep.y = axis("y");
    if (sweep.y && sweep.y->field == sweep.x.field)
        reader.refuse(table.get("y"), "field: the same as that of [x]");
    for (const SweepCell& cell : cells_coarse_first(sweep.columns(), sweep.rows())) {
        const Settings settings = settings_of(sweep, cell);
        if (sweep.experiment->check) sweep.experiment->check(settings);
    }
    return sweep;
}

namespace {

std::string axis_text(const SweepAxis& axis) {
    std::vector<std::string> values;
    for (const FieldValue& value : axis.values) values.push_back(toml_value(value));
    return fmt::format("field = {}\nvalues = [{}]\nscale = \"{}\"\n", quoted_toml(axis.field),
                       fmt::join(values, ", "), axis.logarithmic ? "log" : "linear");
}

}  // namespace

std::string sweep_to_toml(const Sweep& sweep) {
    std::string text = fmt::format("experiment = {}\ntitle = {}\n", quoted_toml(sweep.experiment->name),
                                   quoted_toml(sweep.title));
    if (!sweep.description.empty()) text += fmt::format("description = {}\n", quoted_toml(sweep.description));
    text += fmt::format("score = {}\nseeds = {}\n\n[settings]\n", quoted_toml(sweep.score), sweep.seeds);
    for (const FieldInfo& field : sweep.settings.fields())
        if (const FieldValue& value = sweep.settings.value(field.name); value != field.default_value)
            text += fmt::format("{} = {}\n", field.name, toml_value(value));
    text += "\n[x]\n" + axis_text(sweep.x);
    if (sweep.y) text += "\n[y]\n" + axis_text(*sweep.y);
    return text;
}

}  // namespace emergence
