#pragma once
// All panels together, drawn in one frame without a window.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/commands/palette.h"
#include "app/gui/commands/sheet.h"
#include "app/gui/dialogs/dialogs.h"
#include "app/gui/dialogs/handbook.h"
#include "app/gui/door.h"
#include "app/gui/exports/file_desk.h"
#include "app/gui/lessons/lesson_list.h"
#include "app/gui/lessons/lesson_panel.h"
#include "app/gui/lessons/lesson_room.h"
#include "app/gui/panels/bars.h"
#include "app/gui/panels/curves.h"
#include "app/gui/panels/experiment_chooser.h"
#include "app/gui/panels/matrices.h"
#include "app/gui/panels/scene.h"
#include "app/gui/panels/settings.h"
#include "app/gui/panels/stage.h"
#include "app/gui/runs/comparison_panel.h"
#include "app/gui/runs/run_keeper.h"
#include "app/gui/runs/runs_panel.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/clock.h"
#include "app/gui/shell/key_press.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/preferences.h"
#include "app/gui/shell/theme.h"
#include "app/gui/sweeps/phase_diagram.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/setting_control.h"
#include "app/gui/widgets/tooltip.h"
#include "app/lessons/lesson_files.h"

namespace emergence {

class Workbench {
  public:
    /// `jobs` must be the session's.
    explicit Workbench(Jobs& jobs, Preferences preferences = {});

    /// Does at once what is asked.
    void answer(const Ask& ask, Session& session);
    /// Draws everything between ImGui's NewFrame and Render, then answers what the panels have asked.
    void draw(const Ui& ui, Session& session);
    /// Handles a key. Its command goes to the topmost sheet.
    void press(const KeyPress& key, Session& session);
    /// Runs a command unless it is unavailable.
    void act(Action action, Session& session);
    /// Returns why the command is unavailable now, or "".
    std::string why_not(Action action, const Session& session) const;

    /// The look of the next frame.
    const Look& look() const { return preferences_.look; }
    /// The user's choices. The window's place, the experiment and its settings are as they were given.
    const Preferences& preferences() const { return preferences_; }
    bool help_open() const { return handbook_.is_open(); }
    bool preferences_open() const { return preferences_dialog_.is_open(); }
    const Layout& layout() const { return layout_; }
    /// Places the pictures.
    StagePanel& stage() { return stage_; }
    const MatricesPanel& matrices() const { return matrices_; }
    const CurvesPanel& curves() const { return curves_; }
    const ScenePanel& scene() const { return scene_; }
    FileDesk& files() { return files_; }
    Toasts& toasts() { return toasts_; }
    Door& door() { return door_; }
    RunKeeper& runs() { return runs_; }
    PhaseDiagram& phase_diagram() { return phase_diagram_; }
    RunsPanel& runs_panel() { return runs_panel_; }
    const ComparisonPanel& comparison() const { return comparison_; }
    const ControlWalk& walk() const { return walk_; }
    HandbookPanel& handbook() { return handbook_; }
    Palette& palette() { return palette_; }
    const OpenDialog& open_dialog() const { return open_dialog_; }
    const LessonRoom& lesson() const { return lesson_; }
    /// Opens a lesson's file at the step `first`, counted from 0, and sets the present run aside. A banner reports a
    /// wrong file.
    void begin_lesson(const std::filesystem::path& path, Session& session, size_t first = 0);
    const LessonList& lesson_list() const { return lesson_list_; }
    /// Sets the lessons' search for experiments; by default the registry is searched.
    void use_for_lessons(FindExperiment find) { lesson_.use(std::move(find)); }
    /// Offers the tour at the very first start, until the user answers or a minute has passed.
    void offer_tour();
    const TermHover& terms() const { return terms_; }
    /// True if a frame is needed without any input.
    bool needs_frame(const Session& session) const;
    /// The view of matrices and curves.
    ViewValues view_values() const;
    /// True if frames must continue because something happens soon without input.
    bool waiting() const { return scene_.moving() || phase_diagram_.waiting() || comparison_.waiting() || answered_; }
    /// True if the window should fill the screen.
    bool full_screen() const { return full_screen_; }

    /// The session's title: its preset's, if there is one.
    std::string title(const Session& session) const { return chooser_.title(session); }
    /// The preset that was opened last, even if its settings were changed since; "" if none.
    std::string last_preset(const Session& session) const { return chooser_.last_preset(session); }
    void was_opened_from(const SettingsFile& file, const Session& session, const std::string& preset = {}) {
        chooser_.was_opened_from(file, session, preset);
    }

  private:
    friend class CommandTable;
    friend struct Answers;

    void follow_opening(const Session& session);
    bool stands_again();
    void remember_stage();
    void restore_view(const Session& session);
    LayoutRequest layout_request(const Ui& ui, const Session& session) const;
    void begin_frame(Session& session);
    void draw_panels(const Context& context);
    void draw_over(const Context& context, const Box& window);
    void draw_sheets(const Context& context);
    void answer_all(Session& session);
    void turn_lesson(Session& session);
    void end_lesson(Session& session);
    void take_lesson(const LessonInfo& lesson, Session& session);
    void next_in_lesson(Session& session);
    const LessonInfo* following_lesson() const;
    void note_progress();
    LessonDraft lesson_draft(const Session& session);
    void append_lesson_step(const Session& session);
    void print_lesson();
    void draw_lesson(const Context& context, const Box& window);
    void draw_covered_headline(const Ui& ui) const;
    void draw_controls(const Context& context);
    std::vector<std::string> controls(const Session& session) const;
    void put_tour_off();
    void draw_message(const Context& context);
    void draw_watch(const Context& context);
    bool answers_lesson(const KeyPress& key, Session& session);
    std::string held_by_lesson(const Session& session) const;
    double autosave_seconds() const;
    void close_top();
    void follow_layers();
    ShownPanels shown_panels(const Session& session) const;
    void adjust(int steps, Session& session);
    void press_control(const Session& session);
    void toggle_handbook();
    void toggle_export(Session& session);
    void film_or_stop(Session& session);
    void describe_pictures(const Session& session);
    SettingsPanel& show_settings();
    /// Whether the column of settings is open. A lesson's step has its own choice.
    bool& settings_open() { return lesson_.is_open() ? lesson_settings_ : preferences_.settings_open; }
    void next_setting(int way);
    std::vector<PaletteEntry> palette_entries(const Session& session);

    Preferences preferences_;
    Asks asks_;
    bool answered_ = false;  // something was answered in the last frame
    bool full_screen_ = false;
    bool popup_open_ = false;  // a list or menu was open in the last frame
    bool close_popups_ = false;
    bool lesson_settings_ = false;  // the lesson's step opens the column of settings
    Layout layout_;
    Box message_;  // the place for messages
    FieldEditing editing_;
    ControlWalk walk_;
    ExperimentChooser chooser_;
    int openings_ = -1, opening_ = -1;  // the session's, as seen last
    // The stage of each opening to which undo and redo may return, by Session::opening().
    struct Stood {
        Staging home;
        std::optional<Staging> own;
        std::vector<std::string> names;
    };
    std::map<int, Stood> stood_;
    SettingsPanel settings_;
    MatricesPanel matrices_;
    CurvesPanel curves_;
    ScenePanel scene_;
    StagePanel stage_;
    std::vector<std::string> stage_names_;  // names under which the user's stage is stored
    LessonRoom lesson_;
    LessonPanel lesson_panel_;
    LessonList lesson_list_;
    std::vector<LessonInfo> lessons_;  // the shipped lessons when the lesson was opened
    std::string lesson_name_;          // its name among them; "" for another lesson
    // The window's state when a step was appended last.
    struct LessonMoment {
        Settings settings;
        int openings = 0;
        int64_t step = 0;
    };
    std::optional<LessonMoment> appended_;
    std::optional<LessonInfo> tour_;  // while it is offered
    double offered_ = 0.0;            // the time at which that began, in seconds
    WidgetLog places_;                // places of this frame's widgets, for the spotlight
    FileDesk files_;
    Job filming_;
    const std::string usual_folder_ = default_export_folder().string();
    RunKeeper runs_;
    PhaseDiagram phase_diagram_;
    RunsPanel runs_panel_;
    ComparisonPanel comparison_;
    HandbookPanel handbook_;
    OpenDialog open_dialog_;
    PreferencesDialog preferences_dialog_{preferences_};
    Palette palette_;
    // All sheets, in drawing order.
    const std::vector<Sheet*> sheets_ = {&files_.export_panel(), &phase_diagram_,      &runs_panel_,
                                         &comparison_,           &preferences_dialog_, &handbook_,
                                         &open_dialog_,          &lesson_list_,        &palette_};
    Layers layers_{sheets_};
    TermHover terms_;
    Toasts toasts_;
    Door door_;
};

}  // namespace emergence
