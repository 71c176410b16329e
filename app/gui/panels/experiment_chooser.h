#pragma once
// The experiment's title, which opens the list of all experiments and presets.

#include <optional>
#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/open/opening.h"

namespace emergence {

class ExperimentChooser {
  public:
    /// Draws the title, `width` pixels wide, and the list while it is open. Logged as "experiment"; in the list as
    /// "search presets", "group TITLE", "preset NAME", "experiment NAME". The search has the keys: words, arrows, Enter.
    void draw(const Context& context, float width);

    /// The title of the preset or file that was opened last, if these are its settings; otherwise the experiment's.
    std::string title(const Session& session) const;

    /// What this is and what to watch. A preset's [view] says it for three phases: before a network has emerged, after
    /// that, and at the end, with numbers in braces as in lessons. Otherwise the preset's description or the experiment's
    /// summary.
    std::string says(const Session& session) const;

    /// The preset with these settings; "" for none.
    std::string preset(const Session& session) const;
    /// The preset that was opened last, even if its settings were changed since; "" for none.
    std::string last_preset(const Session& session) const;

    /// The session's present settings are those of this file, or of the preset of this name.
    void was_opened_from(const SettingsFile& file, const Session& session, const std::string& preset = {});

  private:
    bool is_open(const Session& session) const;
    struct Entry {
        Ask opens;
        std::string label, id, help, about;
        bool on = false;  // it is open
    };
    struct Group {
        std::string title;
        std::vector<Entry> entries;
    };
    std::vector<Group> groups(const Session& session) const;
    std::vector<const Entry*> rows(const std::vector<Group>& all) const;
    bool draw_rows(const Context& context, const std::vector<const Entry*>& rows);
    void draw_list(const Context& context);

    void read_presets(Asks& asks);

    std::vector<PresetInfo> presets_;  // as they were when the list was opened
    bool open_ = false;
    std::optional<size_t> group_;  // the group in the list
    std::string query_;            // shown instead of a group
    int chosen_ = -1;              // the row that the keys chose; -1: none yet
    bool focus_ = false;           // gives the search the keys
    // The preset or file that was opened last, and its settings: its title stays until a setting makes another run.
    std::optional<PresetInfo> opened_;
    std::vector<std::string> says_;
    Settings opened_settings_;
};

}  // namespace emergence
