#pragma once
// The title of the experiment, which opens the list of all experiments and presets.

#include <optional>
#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/open/opening.h"

namespace emergence {

class ExperimentChooser {
  public:
    /// Draws the title, `width` pixels wide, and the list while it is open. Logged as "experiment"; in the list as
    /// "search presets", "group TITLE", "preset NAME", "experiment NAME". The field has the keys: words, arrows, Enter.
    void draw(const Context& context, float width);

    /// The title of the preset or file whose settings these are, as opened last; else the experiment's.
    std::string title(const Session& session) const;

    /// What this is and what to watch, by how far the run is: of the preset ([view] says: before any network has
    /// emerged, after that, at the end; numbers in braces as in lessons) or else its description; otherwise the
    /// experiment's summary.
    std::string says(const Session& session) const;

    /// The preset that these settings are; "" if none.
    std::string preset(const Session& session) const;
    /// The preset that was opened last, whether or not its settings were changed since; "" if none.
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
    // True if an entry was chosen.
    static bool draw_row(const Context& context, const Entry& entry, bool lit);
    bool draw_rows(const Context& context, const std::vector<const Entry*>& rows);
    void draw_list(const Context& context);

    void read_presets(Asks& asks);

    std::vector<PresetInfo> presets_;  // as they were when the list was opened
    bool open_ = false;
    std::optional<size_t> group_;  // whose entries the list shows; none yet
    std::string query_;            // instead of a group
    int chosen_ = -1;              // of the rows, by the keys; -1: none yet
    bool focus_ = false;           // the field is to have the keys
    // The preset or file that was opened last, and its settings: its title stands as long as no other setting
    // makes another run.
    std::optional<PresetInfo> opened_;
    std::vector<std::string> says_;
    Settings opened_settings_;
};

}  // namespace emergence
