#pragma once
// The title of the experiment, which opens the list of all experiments and presets.

#include <optional>
#include <string>
#include <vector>

#include "app/gui/session/session.h"
#include "app/gui/shell/theme.h"
#include "app/open/opening.h"

namespace emergence {

/// An entry of the list: a preset by its name, else an experiment.
struct ChosenEntry {
    std::string preset;
    const ExperimentInfo* experiment = nullptr;
};

class ExperimentChooser {
  public:
    /// Draws the title, `width` pixels wide, and the list while it is open. Returns the chosen entry. Logged as
    /// "experiment"; in the list as "search presets", "group TITLE", "preset NAME", "experiment NAME".
    std::optional<ChosenEntry> draw(const Ui& ui, Session& session, float width);

    /// The title of the preset or file whose settings these are, as opened last; else the experiment's.
    std::string title(const Session& session) const;

    /// The preset that these settings are; "" if none.
    std::string preset(const Session& session) const;
    /// The preset that was opened last, whether or not its settings were changed since; "" if none.
    std::string last_preset(const Session& session) const;

    /// The session's present settings are those of this file, or of the preset of this name.
    void was_opened_from(const SettingsFile& file, const Session& session, const std::string& preset = {});

  private:
    bool is_open(const Session& session) const;
    struct Entry {
        ChosenEntry choice;
        std::string label, id, help, about;
        bool on = false;  // it is open
    };
    struct Group {
        std::string title;
        std::vector<Entry> entries;
    };
    std::vector<Group> groups(const Session& session) const;
    static std::optional<ChosenEntry> draw_entry(const Ui& ui, const Entry& entry);
    static std::optional<ChosenEntry> draw_group(const Ui& ui, const Group& group);
    std::optional<ChosenEntry> draw_found(const Ui& ui, const std::vector<Group>& all) const;
    std::optional<ChosenEntry> draw_list(const Ui& ui, const Session& session);

    void read_presets(Session& session);

    std::vector<PresetInfo> presets_;  // as they were when the list was opened
    bool open_ = false;
    std::optional<size_t> group_;  // whose entries the list shows; none yet
    std::string query_;            // instead of a group
    // The preset or file that was opened last, and its settings: its title stands as long as no other setting
    // makes another run.
    std::optional<PresetInfo> opened_;
    Settings opened_settings_;
};

}  // namespace emergence
