#pragma once
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

#include <string>
#include <utility>
#include <vector>

#include "core/settings/fields.h"

namespace emergence {

/// The rest of one field's declaration. Valid until the next field is declared.
class Field {
  public:
    explicit Field(FieldInfo& info) : info_(&info) {}

    /// What a number may be, both ends included.
    Field& range(double minimum, double maximum);
    /// As range(); the slider moves in ratios.
    Field& log_range(double minimum, double maximum);
    /// What a text may be.
    Field& choices(std::vector<std::string> allowed);
    /// A text is the path of a file or, with `reads`, of a folder.
    Field& path(ReadsFiles reads = {});
    Field& unit(std::string unit);
    /// This field's heading, instead of that of Fields::group().
    Field& group(std::string heading);
    /// A change applies at once; without it the run restarts.
    Field& live();
    /// Folded away in the window.
    Field& advanced();
    /// The field has no effect unless `field` has one of `values`. If said more than once, all must hold.
    Field& acts_while(std::string field, std::vector<std::string> values);
    /// The field has no effect while `field` has one of `values`.
    Field& idle_while(std::string field, std::vector<std::string> values);

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

    /// A field for `member` (bool, int, int64_t, double or std::string): its name as on the command line, its label as
    /// beside the slider, its help in one or two sentences.
    template <class Member>
    Field operator()(Member& member, std::string name, std::string label = "", std::string help = "") {
        set(member, add(std::move(name), std::move(label), std::move(help)));
        return Field(table_.back());
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

    /// A field that was declared before, for more of its declaration. Throws std::out_of_range if it was not.
    Field field(const std::string& name);

    const FieldTable& table() const { return table_; }

  private:
    FieldInfo& add(std::string name, std::string label, std::string help);
    // Each takes the member's value from the settings, if any, and makes it the field's default.
    void set(bool& member, FieldInfo& info) const;
    void set(int& member, FieldInfo& info) const;
    void set(int64_t& member, FieldInfo& info) const;
    void set(double& member, FieldInfo& info) const;
    void set(std::string& member, FieldInfo& info) const;

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
