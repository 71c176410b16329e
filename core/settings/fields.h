#pragma once
// A setting is declared once. Each experiment's Config is a plain struct with one `visit_fields` that names
// every member with its range, unit and help. Sliders, command-line flags, TOML presets, checkpoint headers
// and `info` all come from it.
//
//     template <class Visitor, class Config>      // Config may be const
//     void visit_fields(Config& config, Visitor&& visit) {
//         visit(FieldInfo{.name = "num_layers", ...}, config.num_layers);
//     }
//
// Whoever handles settings without knowing the experiment (window, command line, files) uses `Settings`: a
// table of FieldInfo and one value a field.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace emergence {

/// When a changed value takes effect.
enum class Applies {
    live,     // at once, while training goes on
    restart,  // the run starts again, with the same random streams
};

using FieldValue = std::variant<bool, int64_t, double, std::string>;

/// A field that has an effect only while another one has one of some values, or none of them.
struct ActsWhile {
    std::string field = {};                // the other's name
    std::vector<std::string> values = {};  // as to_text() writes them
    bool none_of = false;
};

/// One setting: how it is named everywhere, what it means, what is allowed.
struct FieldInfo {
    std::string name = {};   // as on the command line and in TOML: num_layers
    std::string label = {};  // as beside the slider: "layers L"
    std::string help = {};   // one or two sentences
    std::string group = {};  // the heading it stands under: "model", "task", "training", "evaluation", "run"
    std::string unit = {};   // "" where there is none
    Applies applies = Applies::restart;
    double minimum = 0.0;                    // for numbers, inclusive
    double maximum = 0.0;                    // for numbers, inclusive
    bool logarithmic = false;                // the slider moves in ratios
    bool advanced = false;                   // folded away in the window
    std::vector<std::string> choices = {};   // for strings: what is allowed
    std::vector<ActsWhile> acts_while = {};  // it has no effect unless all of these hold
    FieldValue default_value = {};           // fills itself in fields_of()
};

/// "2", "0.9", "true" or the text itself; doubles in the shortest form that reads back to the same value.
std::string to_text(const FieldValue& value);

/// What the field takes, in words: "a whole number from 1 to 40", "one of boyan, loop".
std::string allowed_text(const FieldInfo& info);

/// Throws InputError, naming the field, what was found and what is allowed, unless `value` fits `info`.
void check_value(const FieldInfo& info, const FieldValue& value);

/// Reads `text` as the type of `info`'s default and checks it. Throws InputError.
FieldValue parse_value(const FieldInfo& info, std::string_view text);

using FieldTable = std::vector<FieldInfo>;

/// One value for each field of a table. Copies share the table. Always within each field's own range.
class Settings {
  public:
    Settings() = default;
    explicit Settings(std::shared_ptr<const FieldTable> table);  // all defaults

    const FieldTable& fields() const { return *table_; }
    bool has(std::string_view name) const { return find(name).has_value(); }
    const FieldInfo& info(std::string_view name) const { return (*table_)[index_of(name)]; }
    const FieldValue& value(std::string_view name) const { return values_[index_of(name)]; }

    int64_t integer(std::string_view name) const { return std::get<int64_t>(value(name)); }
    double number(std::string_view name) const { return std::get<double>(value(name)); }
    bool flag(std::string_view name) const { return std::get<bool>(value(name)); }
    const std::string& text(std::string_view name) const { return std::get<std::string>(value(name)); }

    /// Throws InputError where the name is unknown (the message lists near names) or the value is not
    /// allowed.
    void set(std::string_view name, const FieldValue& value);
    void set_from_text(std::string_view name, std::string_view text);

    bool operator==(const Settings& other) const { return values_ == other.values_; }

  private:
    std::optional<size_t> find(std::string_view name) const;
    size_t index_of(std::string_view name) const;  // throws InputError

    std::shared_ptr<const FieldTable> table_;
    std::vector<FieldValue> values_;
};

/// Whether two settings of the same table differ in live fields at most.
bool same_but_for_live_fields(const Settings& a, const Settings& b);

/// What goes through a Config's visit_fields: it collects the table, with the members' values as defaults, or sets the
/// members from settings. One class for both, so that each visit_fields is compiled once.
class FieldVisitor {
  public:
    explicit FieldVisitor(FieldTable& table) : table_(&table) {}
    explicit FieldVisitor(const Settings& settings) : settings_(&settings) {}

    void operator()(FieldInfo info, bool& member);
    void operator()(FieldInfo info, int& member);
    void operator()(FieldInfo info, int64_t& member);
    void operator()(FieldInfo info, double& member);
    void operator()(FieldInfo info, std::string& member);

  private:
    template <class Value, class Member>
    void visit(FieldInfo& info, Member& member);

    FieldTable* table_ = nullptr;
    const Settings* settings_ = nullptr;
};

/// The table of a Config's fields, with the defaults of a default-made Config.
template <class Config>
FieldTable fields_of() {
    FieldTable table;
    Config config;
    FieldVisitor visitor(table);
    visit_fields(config, visitor);
    return table;
}

/// The Config that `settings` describe. Fields of `settings` that Config does not have are left alone.
template <class Config>
Config config_from(const Settings& settings) {
    Config config;
    FieldVisitor visitor(settings);
    visit_fields(config, visitor);
    return config;
}

}  // namespace emergence
