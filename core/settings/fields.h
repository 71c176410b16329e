#pragma once
// Settings as data: a table that describes each field, and one value per field. Sliders, command-line flags, TOML
// presets, checkpoint headers and `info` work on these and do not know the experiment. Fields makes the tables.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace emergence {

/// When a changed value takes effect.
enum class Applies {
    live,     // at once, during training
    restart,  // when the run restarts, with the same random streams
};

using FieldValue = std::variant<bool, int64_t, double, std::string>;

/// A condition for a field to have an effect: another field has one of `values`, or none of them.
struct ActsWhile {
    std::string field = {};                // the name of the other field
    std::vector<std::string> values = {};  // as to_text() writes them
    bool none_of = false;
};

struct ReadsFiles {
    /// If the path names a folder: the names of the files in it that are read, or their extensions, ".csv". Empty if it
    /// names a file.
    std::vector<std::string> in_folder = {};
    std::string inner = {};  // a folder inside the folder in which the same files are read; "" if none
};

class Settings;

/// A setting of earlier versions. Files that give it this value can still be read.
struct FormerField {
    std::string name;
    std::optional<FieldValue> value;     // nullopt: any
    void (*meant)(Settings&) = nullptr;  // sets what it meant, once the file's other settings are set; null: nothing
};

/// What other parts of the program use a field for, whatever its name.
enum class FieldRole {
    none,
    first_seed,
    seed_count,
    start_weights,  // a file with the weights that training begins with
    surgery,        // operations on a copy of the weights
};

/// One setting: its names, meaning and allowed values.
struct FieldInfo {
    std::string name = {};   // as on the command line and in TOML: num_layers
    std::string label = {};  // as beside the slider: "layers L"
    std::string help = {};   // one or two sentences
    std::string group = {};  // its heading in the window: "model", "task", "training", "evaluation", "run"
    std::string unit = {};   // "" if none
    Applies applies = Applies::restart;
    FieldRole role = FieldRole::none;
    double minimum = 0.0, maximum = 0.0;    // for numbers, both inclusive
    bool logarithmic = false;               // the slider moves in ratios
    bool advanced = false;                  // folded away in the window
    std::vector<std::string> choices = {};  // for strings: the allowed values; any text if empty
    /// The window's names for some choices: "LinUCB" for "linucb". Files and the command line have the choice itself.
    std::vector<std::pair<std::string, std::string>> choice_labels = {};
    std::optional<ReadsFiles> reads = {};    // for strings that are paths
    std::vector<ActsWhile> acts_while = {};  // the field has no effect unless all of these hold
    /// Settings of earlier versions that this one replaces, or that stood beside it.
    std::vector<FormerField> former = {};
    FieldValue default_value = {};  // set by fields_of()
};

/// The value as text: "2", "0.9", "true", or the text itself. Doubles take the shortest form that reads back to the
/// same value.
std::string to_text(const FieldValue& value);

/// The value for a reader: the choice's label, or the choice with spaces for underscores, "residual gradient"; other
/// values as to_text().
std::string value_in_words(const FieldInfo& info, const FieldValue& value);

/// The double with the float's shortest digits: 1.3, not 1.2999999523162842.
double with_digits_of(float value);

/// A path without folders of this machine: "w.npz" for "/home/ada/w.npz"; "w/a.npz" stays.
std::string without_place(const std::string& path);

/// The allowed values in words: "a whole number from 1 to 40", "one of boyan, loop".
std::string allowed_text(const FieldInfo& info);

/// Throws InputError, naming the field and its allowed values, unless `value` fits `info`.
void check_value(const FieldInfo& info, const FieldValue& value);

/// Reads `text` as the type of `info`'s default value and checks it. Throws InputError.
FieldValue parse_value(const FieldInfo& info, std::string_view text);

using FieldTable = std::vector<FieldInfo>;

/// What a person asked for, field by field.
using AskedFields = std::map<std::string, FieldValue>;
/// Throws InputError if the field was asked for with another value: neither wins.
void ask_for(AskedFields& asked, const std::string& name, const FieldValue& value);

/// One value per field of a table, always within the field's range. Copies share the table.
class Settings {
  public:
    Settings() = default;
    /// All defaults.
    explicit Settings(std::shared_ptr<const FieldTable> table);

    const FieldTable& fields() const { return *table_; }
    // Except has(), the functions that take a name throw InputError if it is unknown; the message lists near names.
    bool has(std::string_view name) const { return find(name).has_value(); }
    const FieldInfo& info(std::string_view name) const { return (*table_)[index_of(name)]; }
    /// The former setting of this name, if files may give it this value; otherwise null.
    const FormerField* former(std::string_view name, const FieldValue& value) const;
    /// The field that has the role; null if none.
    const FieldInfo* field(FieldRole role) const;
    const FieldValue& value(std::string_view name) const { return values_[index_of(name)]; }

    int64_t integer(std::string_view name) const { return std::get<int64_t>(value(name)); }
    double number(std::string_view name) const { return std::get<double>(value(name)); }
    bool flag(std::string_view name) const { return std::get<bool>(value(name)); }
    const std::string& text(std::string_view name) const { return std::get<std::string>(value(name)); }

    /// The value for files and texts that others read: of a path on this machine only the last name.
    FieldValue shown(std::string_view name) const;
    /// Shows `text` instead of a path until the field is set again, so that a run's copy of a file is shown as the
    /// file.
    void show_as(std::string_view name, std::string text);

    /// Both set a field, and throw InputError if the value is not allowed.
    void set(std::string_view name, const FieldValue& value);
    /// Sets the field that has the role, if there is one.
    void set(FieldRole role, const FieldValue& value);
    void set_from_text(std::string_view name, std::string_view text);

    bool operator==(const Settings& other) const { return values_ == other.values_; }

  private:
    std::optional<size_t> find(std::string_view name) const;
    size_t index_of(std::string_view name) const;

    std::shared_ptr<const FieldTable> table_;
    std::vector<FieldValue> values_;
    std::map<size_t, std::string> shown_;
};

/// "bank_size = 20000, d = 16": the settings that make a run large. These are at least four times their defaults; the
/// largest ratios come first, at most five. "" if there are none.
std::string large_settings(const Settings& settings);

/// True if two settings of the same table differ at most in live fields.
bool same_but_for_live_fields(const Settings& a, const Settings& b);

/// "has no effect while clamp = nothing", from FieldInfo::acts_while; "" if the field acts.
std::string why_idle(const Settings& settings, const FieldInfo& info);

/// One notice per field without effect that differs from its default or is among `named`:
/// "flip has no effect while clamp = Q".
std::vector<std::string> idle_notices(const Settings& settings, const std::vector<std::string>& named = {});

/// The conditions under which the field acts, for its description: "clamp = Q", "task = loop or cart_pole, and
/// flip = true"; "" if it always acts.
std::string acts_text(const FieldInfo& info);

// Settings, declared once: a Config is a plain struct whose `fields` names every member, one line each.
//
//     struct Config {
//         int num_layers = 3;
//         std::string optimizer = "adam";
//
//         void fields(Fields& f) {
//             f.group("model");
//             f(num_layers, "num_layers", "layers L", "How many attention layers.").range(1, 12);
//             f.group("training");
//             f(optimizer, "optimizer", "optimizer", "How steps are taken.").choices({"adam", "sgd"}).live();
//         }
//     };

/// What is said of a field after its name. Valid until the next field is declared.
class Field {
  public:
    explicit Field(FieldInfo& info) : info_(&info) {}

    /// The range of a number, both ends included.
    Field& range(double minimum, double maximum) { return info_->minimum = minimum, info_->maximum = maximum, *this; }
    /// The same, for a slider that moves in ratios.
    Field& log_range(double minimum, double maximum) { return info_->logarithmic = true, range(minimum, maximum); }
    Field& choices(std::vector<std::string> allowed) { return info_->choices = std::move(allowed), *this; }
    /// The window's names for the choices, where they differ from the written ones; other labels are ignored.
    Field& called(const std::vector<std::pair<std::string, std::string>>& labels) {
        for (const auto& one : labels)
            if (std::find(info_->choices.begin(), info_->choices.end(), one.first) != info_->choices.end())
                info_->choice_labels.push_back(one);
        return *this;
    }
    /// The text is the path of a file or, with `reads`, of a folder.
    Field& path(ReadsFiles reads = {}) { return info_->reads = std::move(reads), *this; }
    Field& unit(std::string unit) { return info_->unit = std::move(unit), *this; }
    /// This field's heading, instead of that of Fields::group().
    Field& group(std::string heading) { return info_->group = std::move(heading), *this; }
    /// A change applies at once; without it the run restarts.
    Field& live() { return info_->applies = Applies::live, *this; }
    Field& role(FieldRole of) { return info_->role = of, *this; }
    Field& advanced() { return info_->advanced = true, *this; }
    /// A setting of earlier versions that this field replaces, or that stood beside it, with a value that did nothing
    /// or what it meant; nullopt if it only changed what was shown.
    Field& former(std::string name, std::optional<FieldValue> value = std::string(),
                  void (*meant)(Settings&) = nullptr) {
        return info_->former.push_back({std::move(name), std::move(value), meant}), *this;
    }
    /// The field has no effect unless `field` has one of `values`. If said more than once, all must hold.
    Field& acts_while(std::string field, std::vector<std::string> values) {
        return info_->acts_while.push_back({std::move(field), std::move(values), false}), *this;
    }
    Field& idle_while(std::string field, std::vector<std::string> values) {
        return info_->acts_while.push_back({std::move(field), std::move(values), true}), *this;
    }

  private:
    FieldInfo* info_;
};

/// Declares a Config's fields: collects their table, with the members' values as defaults, and if it has settings, sets
/// the members from them.
class Fields {
  public:
    Fields() = default;
    explicit Fields(const Settings& settings) : settings_(&settings) {}

    /// The heading of the fields that follow: "model".
    void group(std::string heading) { group_ = std::move(heading); }

    /// A field for `member` (bool, int, int64_t, float, double or std::string): its name as on the command line, its
    /// label as beside the slider, its help in one or two sentences.
    template <class Member>
    Field operator()(Member& member, std::string name, std::string label = "", std::string help = "") {
        FieldInfo& info = table_.emplace_back(
            FieldInfo{.name = std::move(name), .label = std::move(label), .help = std::move(help), .group = group_});
        // The member's value is the settings', if there are any, and becomes the field's default.
        using Stored = std::conditional_t<std::is_same_v<Member, int>, int64_t,
                                          std::conditional_t<std::is_same_v<Member, float>, double, Member>>;
        if (settings_) member = static_cast<Member>(std::get<Stored>(settings_->value(info.name)));
        if constexpr (std::is_same_v<Member, float>)
            info.default_value = with_digits_of(member);
        else
            info.default_value = Stored(member);
        return Field(info);
    }

    /// A field for a member that the user chooses by a word: an enumerator, or true and false. One of `words` must name
    /// the member's default.
    template <class Member>
    Field choice(Member& member, const std::vector<std::pair<std::string, Member>>& words, std::string name,
                 std::string label = "", std::string help = "") {
        std::string word;
        std::vector<std::string> allowed;
        for (const auto& [text, value] : words) {
            if (value == member) word = text;
            allowed.push_back(text);
        }
        Field field = (*this)(word, std::move(name), std::move(label), std::move(help));
        for (const auto& [text, value] : words)
            if (text == word) member = value;
        return field.choices(std::move(allowed));
    }

    /// A field that was declared before, to say more of it. Throws std::out_of_range if it was not declared.
    Field field(const std::string& name) {
        for (FieldInfo& info : table_)
            if (info.name == name) return Field(info);
        throw std::out_of_range("no field '" + name + "' has been declared");
    }

    const FieldTable& table() const { return table_; }

  private:
    const Settings* settings_ = nullptr;
    std::string group_;
    FieldTable table_;
};

/// The table of a Config's fields; a default-constructed Config gives the defaults.
template <class Config>
FieldTable fields_of() {
    Config config;
    Fields fields;
    config.fields(fields);
    return fields.table();
}

/// The Config that `settings` describe. Ignores fields of `settings` that Config does not have.
template <class Config>
Config config_from(const Settings& settings) {
    Config config;
    Fields fields(settings);
    config.fields(fields);
    return config;
}

}  // namespace emergence
