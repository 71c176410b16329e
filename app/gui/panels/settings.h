#pragma once
// Every setting of the experiment, by groups, with a search.

#include <string>
#include <vector>

#include "app/gui/session/session.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

class SettingsPanel {
  public:
    void draw(const Ui& ui, const Box& box, Session& session);
    /// The next frame puts the text cursor into the search.
    void search() { search_wanted_ = true; }
    /// The next frame unfolds and focuses this setting.
    void show(const std::string& field) {
        query_.clear();
        wanted_ = field;
    }
    const std::string& query() const { return query_; }

  private:
    void draw_search(const Ui& ui, Session& session);
    bool draw_group(const Ui& ui, const std::string& group, Session& session);
    bool matches(const FieldInfo& field) const;

    void draw_one(const Ui& ui, const FieldInfo& field, Session& session);

    std::string query_;
    std::string wanted_;  // the setting to be focused; "" for none
    bool search_wanted_ = false;
};

/// Draws these fields beside each other, those that there are: what a presentation keeps.
void draw_field_row(const Ui& ui, const Box& box, const std::vector<std::string>& names, Session& session);
/// How high the row is, in pixels; 0 without fields.
float field_row_height(const Ui& ui, const std::vector<std::string>& names, const Session& session);

/// The labels of the settings that differ from their defaults, in the order of the fields.
std::vector<std::string> changed_labels(const Settings& settings);

}  // namespace emergence
