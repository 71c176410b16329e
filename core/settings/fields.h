#pragma once
// Settings as data: a table that describes each field, and one value per field. Sliders, command-line flags, TOML
// presets, checkpoint headers and `info` work on these and do not know the experiment. field_builder.h makes the tables.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace emergence {

/// When a changed value takes effect.
enum class Applies {
    /// At once, during training.
    live,
    /// When the run restarts, with the same random streams.
    restart,
};

using FieldValue = std::variant<bool, int64_t, double, std::string>;

/// A condition for a field to have an effect: another field has one of `values`, or none of them.
struct ActsWhile {
    /// The name of the other field.
    std::string field = {};
    /// As to_text() writes them.
    std::vector<std::string> values = {};
    bool none_of = false;
};

/// The files that a text leads to.
struct ReadsFiles {
    /// Of a folder: the names of the files in it that are read, or their extensions, ".csv". Empty: the text names a file.
    std::vector<std::string> in_folder = {};
    /// A folder in it in which the same are read; "" none.
    std::string inner = {};
};

/// A setting of earlier versions. Files that have it at `idle`, where it did nothing, are read as before.
struct FormerField {
    std::string name;
    FieldValue idle;
};

/// What other parts use a field for, whatever its name.
enum class FieldRole {
    none,
    first_seed,
    seed_count,
    start_weights,  // a file with the weights that training begins with
    surgery,        // operations on a copy of the weights
};

/// One setting: its names, meaning and allowed values.
struct FieldInfo {
    /// As on the command line and in TOML: num_layers.
    std::string name = {};
    /// As beside the slider: "layers L".
    std::string label = {};
    /// One or two sentences.
    std::string help = {};
    /// Its heading in the window: "model", "task", "training", "evaluation", "run".
    std::string group = {};
    /// "" if none.
    std::string unit = {};
    Applies applies = Applies::restart;
    FieldRole role = FieldRole::none;
    /// For numbers, both inclusive.
    double minimum = 0.0;
    double maximum = 0.0;
    /// The slider moves in ratios.
    bool logarithmic = false;
    /// Folded away in the window.
    bool advanced = false;
    /// For strings: the allowed values; any text if empty.
    std::vector<std::string> choices = {};
    /// How the window calls some of the choices: "LinUCB" for "linucb". Files and the command line keep the choice.
    std::vector<std::pair<std::string, std::string>> choice_labels = {};
    /// For strings that are paths.
    std::optional<ReadsFiles> reads = {};
    /// The field has no effect unless all of these hold.
    std::vector<ActsWhile> acts_while = {};
    /// Settings of earlier versions that this one replaces, or that stood beside it.
    std::vector<FormerField> former = {};
    /// Set by fields_of().
    FieldValue default_value = {};
};

/// The value as text: "2", "0.9", "true", or the text itself. Doubles take the shortest form that reads back to the
/// same value.
std::string to_text(const FieldValue& value);

/// The value as it is read: a choice's label, or the choice with spaces for underscores, "residual gradient"; else as
/// to_text().
std::string value_in_words(const FieldInfo& info, const FieldValue& value);

/// The double that the shortest digits of the float say: 1.3, not 1.2999999523162842.
double with_digits_of(float value);

/// A path without the folders that name a place on this machine: "/home/ada/w.npz" is "w.npz", "w/a.npz" itself.
std::string without_place(const std::string& path);

/// The allowed values in words: "a whole number from 1 to 40", "one of boyan, loop".
std::string allowed_text(const FieldInfo& info);

/// Throws InputError, naming the field and its allowed values, unless `value` fits `info`.
void check_value(const FieldInfo& info, const FieldValue& value);

/// Reads `text` as the type of `info`'s default value and checks it. Throws InputError.
FieldValue parse_value(const FieldInfo& info, std::string_view text);

using FieldTable = std::vector<FieldInfo>;

/// What a person asked for, field by field: of two values neither is meant more.
class AskedFields {
  public:
    /// Throws InputError if the field was asked for with another value.
    void add(const std::string& name, const FieldValue& value);

  private:
    std::map<std::string, FieldValue> asked_;
};

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
    /// Whether a setting of this name is a FormerField with this value.
    bool was_idle(std::string_view name, const FieldValue& value) const;
    /// The field that has the role; null if none.
    const FieldInfo* field(FieldRole role) const;
    const FieldValue& value(std::string_view name) const { return values_[index_of(name)]; }

    int64_t integer(std::string_view name) const { return std::get<int64_t>(value(name)); }
    double number(std::string_view name) const { return std::get<double>(value(name)); }
    bool flag(std::string_view name) const { return std::get<bool>(value(name)); }
    const std::string& text(std::string_view name) const { return std::get<std::string>(value(name)); }

    /// The value for files and texts that others read: of a path that names a place on this machine only the last name.
    FieldValue shown(std::string_view name) const;
    /// Shows `text` instead of a path, until the field is set: a run's copy of a file is shown as the file.
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

/// "bank_size = 20000, d = 16": what makes a run large, the numbers from four times their defaults on, the largest ratios
/// first, at most five; "" if none.
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

}  // namespace emergence
