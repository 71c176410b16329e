// Reads and writes sweeps as TOML.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

// The values of a range that a file or a person wrote. Throws InputError if it is no range of the field.
std::vector<FieldValue> range_values(const FieldInfo& field, double from, double to, double count, bool logarithmic) {
    if (!(count >= 2) || count > static_cast<double>(kMostValues) || count != std::floor(count))
        throw InputError("{}: a range has 2 to {} values, not {}", field.name, kMostValues, count);
    if (logarithmic && (from <= 0 || to <= 0))
        throw InputError("{}: a logarithmic range needs ends above 0", field.name);
    std::vector<FieldValue> values = spaced_values(field, from, to, static_cast<int>(count), logarithmic);
    for (const FieldValue& value : values) check_value(field, value);
    return values;
}

// Sorts numbers, so that lines and the sides of maps ascend however they were written. An axis that reaches 0 or less
// is not logarithmic.
void sort_values(SweepAxis& axis) {
    const bool numbers = axis.values.front().index() == FieldValue(int64_t{}).index() ||
                         axis.values.front().index() == FieldValue(0.0).index();
    if (numbers) std::sort(axis.values.begin(), axis.values.end());  // all are of one type
    axis.logarithmic = axis.logarithmic && numbers && number_of_field(axis.values.front()) > 0.0;
}

void refuse_twice(const std::vector<FieldValue>& values, const std::string& of) {
    if (std::count(values.begin(), values.end(), values.back()) > 1)
        throw InputError("{}: {} occurs twice", of, to_text(values.back()));
}

// Stops at the first fault.
class SweepReader : private TomlReader {
    void stop() const {
        if (!faults_.empty()) throw InputError(fault_text(source_, faults_.front()));
    }
    [[noreturn]] void refuse(const toml::node& node, const std::string& why) const {
        const toml::source_position& at = node.source().begin;
        throw InputError("{}:{}:{}: {}", source_, at.line, at.column, why);
    }
    // Does the action, and adds the node's place in the file to its errors.
    auto at(const toml::node& node, const char* what, const auto& action) const {
        try {
            return action();
        } catch (const InputError& error) {
            refuse(node, what + std::string(error.what()));
        }
    }

  public:
    explicit SweepReader(const std::string& source) : TomlReader(faults_), source_(source) {}

    Sweep read(const toml::table& root, const FindExperiment& find, const std::function<void(Settings&)>& places) {
        check_keys(root,
                   {"experiment", "title", "description", "score", "seeds", "settings", "x", "y", "axis", "weights"},
                   "a sweep");
        Sweep sweep;
        sweep.title = "A sweep";
        std::string experiment;
        double seeds = sweep.seeds;
        bool saved = false;
        flag(root, "weights", saved);  // version 0.2.0 could save each cell's
        text(root, "experiment", experiment);
        text(root, "title", sweep.title);
        text(root, "description", sweep.description);
        text(root, "score", sweep.score);
        number(root, "seeds", seeds);
        stop();
        sweep.title = shown_text(sweep.title);
        sweep.experiment = &find(experiment);
        if (sweep.score.find_first_of(" (") != std::string::npos)
            at(*root.get("score"), "score: ", [&] { return score_quantity(sweep.score); });
        if (!(seeds >= 1) || seeds > kMostSweepSeeds || seeds != std::floor(seeds))
            refuse(*root.get("seeds"), fmt::format("seeds: a whole number from 1 to {} is needed", kMostSweepSeeds));
        sweep.seeds = static_cast<int>(seeds);
        sweep.settings = Settings(sweep.experiment->fields);
        if (const toml::node* node = root.get("settings")) {
            SettingsFile shared;
            shared.source = source_;
            for (const auto& [key, value] : table_at(node, "settings"))
                add_entry(std::string(key.str()), value, shared);
            apply(shared, sweep.settings);
        }
        // The key `seeds` counts, not the number of seeds in a preset's settings.
        if (sweep.settings.has(kSeedsKey)) sweep.settings.set(kSeedsKey, sweep.settings.info(kSeedsKey).default_value);
        if (places) places(sweep.settings);
        read_axes(root, sweep);
        if (static_cast<size_t>(sweep.cells()) * static_cast<size_t>(sweep.seeds) > kMostSweepLines)
            refuse(root, fmt::format("{} cells of {} seeds are more than the limit of {} seeds", sweep.cells(),
                                     sweep.seeds, kMostSweepLines));
        if (sweep.experiment->check)
            for (const SweepCell& cell : cells_coarse_first(sweep)) sweep.experiment->check(settings_of(sweep, cell));
        return sweep;
    }

  private:
    const toml::table& table_at(const toml::node* node, const char* name) const {
        if (node == nullptr) throw InputError("{}: a table [{}] is needed", source_, name);
        if (!node->is_table()) refuse(*node, fmt::format("a table [{}] is needed", name));
        return *node->as_table();
    }
    void add_entry(const std::string& name, const toml::node& node, SettingsFile& shared) const {
        const auto value = scalar_in(node);
        if (!value) refuse(node, fmt::format("{}: a number, true or false, or a text in quotes is needed", name));
        shared.entries.push_back({name, *value, node.source().begin.line, node.source().begin.column});
    }
    // Sets the field to the node's value, and gives it with the field's type: a whole number serves as a double.
    FieldValue set(Settings& settings, const std::string& name, const toml::node& node) const {
        SettingsFile file;
        file.source = source_;
        add_entry(name, node, file);
        apply(file, settings);
        return settings.value(name);
    }
    // [x], [y] and every [[axis]].
    void read_axes(const toml::table& root, Sweep& sweep) {
        double cells = 1.0;
        const auto add = [&](const toml::node* node, const char* name) {
            const toml::table& table = table_at(node, name);
            SweepAxis axis = axis_of(table, sweep.settings);
            if (const toml::node* shared = root["settings"][axis.field].node())
                refuse(*shared, fmt::format("'{}' is an axis too. Leave it out here", axis.field));
            if (sweep.axis(axis.field) != nullptr)
                refuse(*table.get("field"), fmt::format("field: '{}' is an axis already", axis.field));
            cells *= static_cast<double>(axis.values.size());
            if (cells > static_cast<double>(kMostCells))
                refuse(table, fmt::format("{} cells are more than the limit of {}", cells, kMostCells));
            sweep.axes.push_back(std::move(axis));
        };
        add(root.get("x"), "x");
        if (root.contains("y")) add(root.get("y"), "y");
        const toml::node* others = root.get("axis");
        if (others == nullptr) return;
        if (!others->is_array_of_tables()) refuse(*others, "axis: write [[axis]], in double brackets");
        for (const toml::node& other : *others->as_array()) add(&other, "axis");
    }
    SweepAxis axis_of(const toml::table& table, Settings& settings) {
        if (table.contains("values"))
            check_keys(table, {"field", "values", "scale", "shown"}, "a sweep");
        else
            check_keys(table, {"field", "values", "scale", "shown", "from", "to", "count"}, "a sweep");
        SweepAxis axis;
        if (!text(table, "field", axis.field)) fault(line_of(table), "'field' is missing");
        stop();
        const toml::node& named = *table.get("field");
        if (axis.field == kSeedsKey || axis.field == "seed")
            refuse(named,
                   fmt::format("field: '{}' cannot be an axis. 'seeds' sets how many networks a cell has", axis.field));
        const FieldInfo& info = *at(named, "", [&] { return &settings.info(axis.field); });
        if (info.reads)
            refuse(named, fmt::format("field: '{}' names a file and cannot be an axis. Make a sweep for each file",
                                      axis.field));
        std::string scale;
        if (text(table, "scale", scale) && scale != "log" && scale != "linear")
            fault(line_of(*table.get("scale")), fmt::format("scale: '{}' is neither log nor linear", scale));
        stop();
        axis.logarithmic = scale.empty() ? info.logarithmic : scale == "log";
        const toml::node* values = table.get("values");
        if (values == nullptr) {
            read_range(table, info, axis);
        } else if (const auto typed = values->value<std::string>()) {
            axis = at(*values, "", [&] { return parse_axis(info, *typed); });
            if (!scale.empty()) axis.logarithmic = scale == "log";
        } else {
            read_values(*values, settings, axis);
        }
        sort_values(axis);
        if (const toml::node* shown = table.get("shown")) {
            const auto found = std::find(axis.values.begin(), axis.values.end(), set(settings, axis.field, *shown));
            if (found == axis.values.end()) refuse(*shown, "shown: the axis does not have this value");
            axis.shown = static_cast<int>(found - axis.values.begin());
        }
        settings.set(axis.field, info.default_value);
        return axis;
    }
    void read_values(const toml::node& node, Settings& settings, SweepAxis& axis) const {
        const toml::array* values = node.as_array();
        if (values == nullptr || values->empty() || values->size() > static_cast<size_t>(kMostValues))
            refuse(node, fmt::format("values: a list of 1 to {} values is needed", kMostValues));
        for (const toml::node& value : *values) {
            axis.values.push_back(set(settings, axis.field, value));
            at(value, "", [&] { refuse_twice(axis.values, "values"); });
        }
    }
    // As version 0.2.0 wrote ranges.
    void read_range(const toml::table& table, const FieldInfo& info, SweepAxis& axis) {
        double from = 0.0, to = 0.0, count = 0.0;
        for (const auto& [key, into] : {std::pair{"from", &from}, {"to", &to}, {"count", &count}}) {
            number(table, key, *into);
            if (!table.contains(key)) fault(line_of(table), fmt::format("'values' is missing, or '{}'", key));
        }
        stop();
        axis.values = at(table, "", [&] { return range_values(info, from, to, count, axis.logarithmic); });
    }

    const std::string& source_;
    std::vector<FileFault> faults_;
};

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
            throw InputError("{}: '{}' is not a range. Write FROM:TO:COUNT, FROM:TO:COUNT:log or FROM:TO:COUNT:linear",
                             field.name, text);
        double numbers[3];
        for (size_t i = 0; i < 3; ++i) {
            const auto value = csv_number(parts[i]);
            if (!value || !std::isfinite(*value)) throw InputError("{}: '{}' is not a number", field.name, parts[i]);
            numbers[i] = *value;
        }
        axis.values = range_values(field, numbers[0], numbers[1], numbers[2], axis.logarithmic);
    } else {
        for (const std::string& part : split(text, ',')) {
            if (part.empty()) throw InputError("{}: '{}' has an empty value between its commas", field.name, text);
            axis.values.push_back(parse_value(field, part));
            check_value(field, axis.values.back());
            refuse_twice(axis.values, field.name);
        }
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

Sweep parse_sweep(std::string_view text, const std::string& source, const FindExperiment& find,
                  const std::function<void(Settings&)>& places) {
    return SweepReader(source).read(parse_toml(text, source), find, places);
}

std::string sweep_to_toml(const Sweep& sweep, bool whole_paths) {
    std::string text =
        fmt::format("experiment = {}\ntitle = {}\n", quoted_toml(sweep.experiment->name), quoted_toml(sweep.title));
    if (!sweep.description.empty()) text += fmt::format("description = {}\n", quoted_toml(sweep.description));
    text += fmt::format("score = {}\nseeds = {}\n\n[settings]\n", quoted_toml(sweep.score), sweep.seeds);
    for (const FieldInfo& field : sweep.settings.fields())
        if (const FieldValue& value = sweep.settings.value(field.name); value != field.default_value)
            text += fmt::format("{} = {}\n", field.name,
                                toml_value(whole_paths ? value : sweep.settings.shown(field.name)));
    for (size_t i = 0; i < sweep.axes.size(); ++i) {
        const SweepAxis& axis = sweep.axes[i];
        const auto values = mapped(axis.values, [](const FieldValue& value) { return toml_value(value); });
        const char* table = i == 0 ? "[x]" : i == 1 ? "[y]" : "[[axis]]";
        text += fmt::format("\n{}\nfield = {}\nvalues = [{}]\nscale = \"{}\"\n", table, quoted_toml(axis.field),
                            fmt::join(values, ", "), axis.logarithmic ? "log" : "linear");
        if (i >= 2) text += fmt::format("shown = {}\n", values[axis.shown]);
    }
    return text;
}

}  // namespace emergence
