#pragma once
// The title of the experiment, which opens the list of all experiments and presets.

#include <optional>
#include <string>
#include <vector>

#include "app/gui/session/session.h"
#include "app/gui/shell/preferences.h"
#include "app/gui/shell/theme.h"
#include "core/settings/toml.h"

namespace emergence {

class ExperimentChooser {
  public:
    /// `width` in pixels. Choosing an experiment brings back what it was last set to; a preset is meant over
    /// the defaults. Either is one step that can be undone. Logged as "experiment".
    void draw(const Ui& ui, Session& session, Preferences& preferences, float width);

    /// Loads a preset as the list does. False if it cannot be read, which becomes a banner.
    bool open_preset(const std::string& name, Session& session);

    /// The title of the preset whose settings these are, as chosen last; else the experiment's.
    std::string title(const Session& session) const;

    /// The settings that the session has just now came from this preset or file.
    void was_opened_from(const SettingsFile& file, const Session& session);

  private:
    struct Preset {
        std::string name;
        std::string title;
        std::string description;
        std::string experiment;
    };

    void list_presets(Session& session);
    void draw_experiment(const Ui& ui, const ExperimentInfo& info, float width, Session& session,
                         Preferences& preferences);
    void draw_list(const Ui& ui, Session& session, Preferences& preferences);
    bool load_preset(const Preset& preset, Session& session);

    std::vector<Preset> presets_;  // as they were when the list was opened
    bool open_ = false;
    // The preset that was chosen last, and what it set: open as long as no field is set otherwise that makes
    // another run.
    std::optional<Preset> chosen_;
    Settings chosen_settings_;
};

}  // namespace emergence
