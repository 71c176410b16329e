#pragma once
// The pace and the end of the run, then every setting of the experiment, in groups, with a search.

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
    /// The next frame unfolds this setting and scrolls to it; `focused`: and gives it the keys.
    void show(const std::string& field, bool focused = true) {
        query_.clear();
        wanted_ = asked_for_ = field;
        focused_ = focused;
    }
    const std::string& query() const { return query_; }

  private:
    void draw_search(const Context& context);
    void draw_run(const Context& context);
    bool draw_group(const Context& context, const std::string& group);
    bool matches(const FieldInfo& field) const;
    bool hides(const FieldInfo& field, const Settings& settings) const;

    void draw_one(const Context& context, const FieldInfo& field);

    std::string query_;
    std::string wanted_;     // the setting to be shown; "" for none
    std::string asked_for_;  // the last one shown, which stays in sight even without an effect
    bool focused_ = true;
    bool search_wanted_ = false;
};

/// Draws those of these fields that exist in a row. In a presentation the row has room for one more, which is returned.
Box draw_chosen_fields(const Context& context, const Box& box, const std::vector<std::string>& names);
/// The height of the row in pixels.
float chosen_fields_height(const Ui& ui);

}  // namespace emergence
