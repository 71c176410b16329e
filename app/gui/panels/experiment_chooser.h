#pragma once
// The title of the experiment, which opens the list of all experiments and presets.

#include <string>
#include <vector>

#include "app/gui/preferences.h"
#include "app/gui/session.h"
#include "app/gui/theme.h"

namespace emergence {

class ExperimentChooser {
  public:
    /// `width` in pixels. Choosing an experiment brings back what it was last set to; a preset is meant over
    /// the defaults. Either is one step that can be undone. Logged as "experiment".
    void draw(const Ui& ui, Session& session, Preferences& preferences, float width);

  private:
    struct Preset {
        std::string name;
        std::string title;
        std::string description;
        std::string experiment;
    };

    void list_presets(Session& session);
    void draw_list(const Ui& ui, Session& session, Preferences& preferences) const;

    std::vector<Preset> presets_;  // as they were when the list was opened
    bool open_ = false;
};

}  // namespace emergence
