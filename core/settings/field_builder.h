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

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/settings/fields.h"

namespace emergence {

/// The rest of one field's declaration. Valid until the next field is declared.
class Field {
  public:
    explicit Field(FieldInfo& info) : info_(&info) {}

    /// What a number may be, both ends included.
    Field& range(double minimum, double maximum) { return info_->minimum = minimum, info_->maximum = maximum, *this; }
    /// As range(); the slider moves in ratios.
    Field& log_range(double minimum, double maximum) { return info_->logarithmic = true, range(minimum, maximum); }
    /// What a text may be.
    Field& choices(std::vector<std::string> allowed) { return info_->choices = std::move(allowed), *this; }
    /// How the window calls its choices, if not as they are written; labels of other words are left out.
    Field& called(const std::vector<std::pair<std::string, std::string>>& labels) {
        for (const auto& one : labels)
            if (std::find(info_->choices.begin(), info_->choices.end(), one.first) != info_->choices.end())
                info_->choice_labels.push_back(one);
        return *this;
    }
    /// A text is the path of a file or, with `reads`, of a folder.
    Field& path(ReadsFiles reads = {}) { return info_->reads = std::move(reads), *this; }
    Field& unit(std::string unit) { return info_->unit = std::move(unit), *this; }
    /// This field's heading, instead of that of Fields::group().
    Field& group(std::string heading) { return info_->group = std::move(heading), *this; }
    /// A change applies at once; without it the run restarts.
    Field& live() { return info_->applies = Applies::live, *this; }
    /// What other parts use it for.
    Field& role(FieldRole of) { return info_->role = of, *this; }
    /// Folded away in the window.
    Field& advanced() { return info_->advanced = true, *this; }
    /// A setting of earlier versions that this one replaces, or that stood beside it, with the value that did nothing.
    Field& former(std::string name, FieldValue idle = std::string()) {
        return info_->former.push_back({std::move(name), std::move(idle)}), *this;
    }
    /// The field has no effect unless `field` has one of `values`. If said more than once, all must hold.
    Field& acts_while(std::string field, std::vector<std::string> values) {
        return info_->acts_while.push_back({std::move(field), std::move(values), false}), *this;
    }
    /// The field has no effect while `field` has one of `values`.
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

    /// A field for `member` (bool, int, int64_t, float, double or std::string): its name as on the command line, its label as
    /// beside the slider, its help in one or two sentences.
    template <class Member>
    Field operator()(Member& member, std::string name, std::string label = "", std::string help = "") {
        FieldInfo& info = table_.emplace_back();
        info.name = std::move(name);
        info.label = std::move(label);
        info.help = std::move(help);
        info.group = group_;
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

    /// A field that was declared before, for more of its declaration. Throws std::out_of_range if it was not.
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
