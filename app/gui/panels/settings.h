#pragma once
// Pace and end of the run, then every setting of the experiment, by groups, with a search.

#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/layout.h"

namespace emergence {

class SettingsPanel {
  public:
    void draw(const Context& context, const Box& box);
    /// The next frame puts the text cursor into the search.
    void search() { search_wanted_ = true; }
    /// The next frame unfolds this setting and scrolls to it; `focused`: it takes the keys.
    void show(const std::string& field, bool focused = true) {
        query_.clear();
        wanted_ = asked_for_ = field;
        focused_ = focused;
    }
    const std::string& query() const { return query_; }

  private:
    void draw_search(const Context& context);
    bool draw_run(const Context& context);
    bool draw_group(const Context& context, const std::string& group);
    bool matches(const FieldInfo& field) const;
    bool hides(const FieldInfo& field, const Settings& settings) const;

    void draw_one(const Context& context, const FieldInfo& field);

    std::string query_;
    std::string wanted_;     // the setting to be shown; "" for none
    std::string asked_for_;  // the last one, which stays in sight even if it has no effect
    bool focused_ = true;
    bool search_wanted_ = false;
};

/// These fields, those that there are, in a row; in a presentation with room for one more at its end, which is
/// returned.
Box draw_chosen_fields(const Context& context, const Box& box, const std::vector<std::string>& names);
/// How high the row is, in pixels.
float chosen_fields_height(const Ui& ui);

/// The labels of the settings that differ from their defaults, in the order of the fields.
std::vector<std::string> changed_labels(const Settings& settings);

}  // namespace emergence
