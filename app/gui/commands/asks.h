#pragma once
// The channel from panels and sheets to the window: they read the session and ask for changes.
// app/gui/workbench_answers.cpp answers once everything is drawn.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/export/export.h"
#include "app/gui/commands/command.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/theme.h"
#include "core/lessons/lesson.h"
#include "core/pictures/pen.h"

namespace emergence {

namespace ask {

// ---- of the run
struct Set {
    std::string field;
    FieldValue value;
};
/// Restores all default settings, as one step to undo.
struct Defaults {};
/// Makes run B differ in this field. Without a value, B gets one near A's.
struct Differ {
    std::string field;
    std::optional<FieldValue> value;
};
struct Pace {
    double steps_per_second = 0.0;
};
struct ShowStep {
    int64_t step = 0;
};
/// Shows this seed alone, or all seeds again.
struct ChooseSeed {
    uint64_t seed = 0;
};
/// The map is drawn, but its stars are not computed yet.
struct ComputeMarks {};
/// The user has clicked a cell of a matrix, which may be a lesson's answer.
struct ClickCell {
    std::string matrix;
    int row = 0, column = 0;
};
/// Restarts training from the weights that are shown.
struct TrainOn {};
/// Draws a saved run in the curves too; without a run, none any more.
struct Overlay {
    std::shared_ptr<const OverlaidRun> run;
};
/// Removes a saved run from the curves.
struct Uncover {
    std::filesystem::path folder;
};
/// Compares the present run with a saved one.
struct Compare {
    std::shared_ptr<const OverlaidRun> run;
};
/// Sets the number of training threads.
struct Threads {
    int count = 1;
};

// ---- to open
struct Open {
    std::vector<std::filesystem::path> paths;
};
/// Dropped files, to be opened or read as a class's answers to a lesson.
struct Drop {
    std::vector<std::filesystem::path> paths;
};
/// A pasted text: a state of the window, or a class's answers.
struct Paste {
    std::string text;
};
/// Opens a preset; `notice` follows the message about it.
struct OpenPreset {
    std::string name, notice;
};
struct OpenExperiment {
    const ExperimentInfo* info = nullptr;
};
struct OpenRun {
    std::filesystem::path folder;
    bool has_checkpoint = true;
    bool run = true;  // false: only to look at it
};
/// Opens the run of a sweep's cell.
struct OpenCell {
    const ExperimentInfo* experiment = nullptr;
    Settings settings;
    std::string label;
};
/// Opens a page of the handbook; "": where the user left it.
struct ShowHandbook {
    std::string link;
};
/// Scrolls to a setting and gives it the keys.
struct ShowSetting {
    std::string name;
};
/// Brings these pictures on stage.
struct Bring {
    std::vector<std::string> ids;
};
/// Opens the export sheet with this picture chosen, or with the first one of this kind.
struct Export {
    FigureChoice::Kind kind;
    std::string name = {};
};

// ---- lessons
/// Begins the lesson in a file at a step, counted from 0.
struct BeginLesson {
    std::filesystem::path file;
    size_t first = 0;
};
/// Opens a shipped lesson where the user left it.
struct TakeLesson {
    std::string name;
};
struct AnswerLesson {
    Answer answer;
};
/// Asks for the prediction again.
struct AnswerAgain {};
/// Places the step's pictures.
struct Arrange {
    Staging staging;
};

// ---- to say
/// Good news. A click copies `path`, if there is one.
struct Say {
    std::string sentence, path;
};
/// Bad news, which stays until the user dismisses it.
struct Report {
    std::string sentence;
};
/// Dismisses the first banner.
struct Dismiss {};
/// Copies a text to the clipboard; `notice` says so.
struct Copy {
    std::string text, notice;
};

}  // namespace ask

/// A button asks with its Action.
using Ask = std::variant<Action, ask::Set, ask::Defaults, ask::Differ, ask::Pace, ask::ShowStep, ask::ChooseSeed,
                         ask::ComputeMarks, ask::ClickCell, ask::TrainOn, ask::Overlay, ask::Uncover, ask::Compare,
                         ask::Open, ask::Drop, ask::Paste, ask::OpenPreset, ask::OpenExperiment, ask::OpenRun,
                         ask::OpenCell, ask::ShowHandbook, ask::ShowSetting, ask::Bring, ask::Export, ask::BeginLesson,
                         ask::TakeLesson, ask::AnswerLesson, ask::AnswerAgain, ask::Arrange, ask::Threads, ask::Say,
                         ask::Report, ask::Dismiss, ask::Copy>;

class Asks {
  public:
    void operator()(Ask one) { waiting_.push_back(std::move(one)); }
    bool empty() const { return waiting_.empty(); }
    /// Returns all unanswered requests and clears them.
    std::vector<Ask> take() { return std::exchange(waiting_, {}); }

  private:
    std::vector<Ask> waiting_;
};

/// The argument of every panel.
struct Context {
    const Ui& ui;
    const Session& session;
    Asks& asks;
};

}  // namespace emergence
