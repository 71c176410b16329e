#pragma once
// Everything that is opened comes through here. A run that would be lost is left only once RunKeeper::leave allows it.

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
    /// The rooms that things open in. All of them must outlive the door.
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

    /// Sets the search for experiments by name; by default the registry is searched.
    void use(FindExperiment find) { find_ = std::move(find); }

    /// Opens files and folders. Only one of them can become the window's run: the first one, or none if `beside` says
    /// that the window has just begun with one. Other saved runs are drawn beside it, a sweep opens its sheet, and a
    /// lesson begins at this step, counted from 0. A banner names what was left out or is invalid.
    void open(const std::vector<std::filesystem::path>& paths, Session& session, bool beside = false,
              size_t lesson_step = 0);
    /// Opens a copied text. Messages call it `name`.
    void open_text(const std::string& text, const std::string& name, Session& session);
    /// Opens a preset by its name. `notice` is appended to the message about it.
    void open_preset(const std::string& name, Session& session, const std::string& notice = {});
    /// Opens an experiment with its last settings.
    void open_experiment(const ExperimentInfo& info, Session& session);
    /// Resumes a listed run, or trains a run without a checkpoint again.
    void open_run(const ask::OpenRun& wanted, Session& session);
    /// Opens the run of a sweep's cell.
    void open_cell(const ask::OpenCell& cell, Session& session);
    /// Restarts the run from weights in a file, with these settings. Throws InputError if the experiment cannot start
    /// from weights.
    void start_from_weights(const std::filesystem::path& file, Settings settings, Session& session);

    /// Sets the view of the next run; nullopt keeps the present view.
    void show_next_as(std::optional<ViewValues> view) { view_ = std::move(view); }
    const std::optional<ViewValues>& next_view() const { return view_; }

  private:
    // A run that is about to replace the present one.
    struct Arrival {
        std::string opened;  // "Opened wang-2", the beginning of the message
        std::string notice;  // the end of the message
        StartingPoint start;
        std::optional<SettingsFile> file;  // the window shows its title
        std::string preset;
    };
    // Returns false if the fault was reported.
    bool let_in(const Opening& opening, Session& session, const std::string& notice = {});
    void enter(Arrival arrival, Session& session);
    void arrive(const Arrival& arrival, const std::string& way_back, Session& session);
    void note_recent(const std::filesystem::path& path);

    Rooms rooms_;
    FindExperiment find_;
    std::optional<ViewValues> view_;
    // The experiments of opened figure files. A session may show any of them.
    std::vector<std::shared_ptr<const ExperimentInfo>> with_figures_;
};

}  // namespace emergence
