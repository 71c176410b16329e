#pragma once
// The way in. Everything that is opened comes through here, and a run that this would discard is left only once
// RunKeeper::leave agrees.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/panels/experiment_chooser.h"
#include "app/gui/runs/run_keeper.h"
#include "app/gui/runs/runs_panel.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/preferences.h"
#include "app/gui/sweeps/phase_diagram.h"
#include "app/gui/widgets/panel.h"
#include "app/open/opening.h"

namespace emergence {

class Door {
  public:
    /// The rooms that things are opened in; all of them outlive the door.
    struct Rooms {
        RunKeeper& runs;
        RunsPanel& runs_panel;
        PhaseDiagram& sweeps;
        ExperimentChooser& chooser;
        Preferences& preferences;
        Toasts& toasts;
        Asks& asks;
    };
    explicit Door(const Rooms& rooms);

    /// Finds experiments by their names; without this the registry does.
    void use(FindExperiment find) { find_ = std::move(find); }

    /// Opens files and folders. Only one of them can become the window's run: the first, or none if `beside` the one
    /// that the window has just begun with. Other saved runs are drawn beside it, a sweep opens its diagram, a lesson
    /// begins with this step, from 0, and a banner names what was left out or is invalid.
    void open(const std::vector<std::filesystem::path>& paths, Session& session, bool beside = false,
              size_t lesson_step = 0);
    /// Opens a copied text; `name` stands in messages.
    void open_text(const std::string& text, const std::string& name, Session& session);
    /// Opens a preset by its name; `notice` follows what the notice says of it.
    void open_preset(const std::string& name, Session& session, const std::string& notice = {});
    /// Opens an experiment with the settings that it had last.
    void open_experiment(const ExperimentInfo& info, Session& session);
    /// Resumes a listed run, or trains one without a checkpoint again.
    void open_run(const ask::OpenRun& wanted, Session& session);
    /// Opens the run of a sweep's cell.
    void open_cell(const ask::OpenCell& cell, Session& session);
    /// Restarts the run from weights in a file, with these settings otherwise. Throws InputError if the experiment does
    /// not begin with weights.
    void start_from_weights(const std::filesystem::path& file, Settings settings, Session& session);

    /// The next run is shown in this way as soon as it is there; nullopt: as the present one is.
    void show_next_as(std::optional<ViewValues> view) { view_ = std::move(view); }
    const std::optional<ViewValues>& next_view() const { return view_; }

  private:
    // What is about to take the place of the present run.
    struct Arrival {
        std::string opened;  // "Opened wang-2", for the notice
        std::string notice;  // behind it
        StartingPoint start;
        std::optional<SettingsFile> file;  // whose title the window shows
        std::string preset;
    };
    // False if it was reported why not.
    bool let_in(const Opening& opening, Session& session, const std::string& notice = {});
    void enter(Arrival arrival, Session& session);
    void arrive(const Arrival& arrival, const std::string& way_back, Session& session);
    void note_recent(const std::filesystem::path& path);

    Rooms rooms_;
    FindExperiment find_;
    std::optional<ViewValues> view_;
    // With the figures of opened files; a session may show any of them.
    std::vector<std::shared_ptr<const ExperimentInfo>> with_figures_;
};

}  // namespace emergence
