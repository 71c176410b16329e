#pragma once
// The one channel from panels and sheets to the window: they read the session and ask. What was asked for is answered
// once everything is drawn, all of it in app/gui/workbench_answers.cpp.

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
#include "core/lessons/player.h"
#include "core/pictures/pen.h"

namespace emergence {

namespace ask {

// ---- of the run
struct Set {
    std::string field;
    FieldValue value;
};
/// All settings as one step to undo.
struct Defaults {};
/// Run B differs in this field; without a value, in one near A's.
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
/// This seed is shown alone, or all are again.
struct ChooseSeed {
    uint64_t seed = 0;
};
/// The map is drawn and its stars are not computed yet.
struct ComputeMarks {};
/// A cell of a matrix was chosen: it may be a lesson's answer.
struct ClickCell {
    std::string matrix;
    int row = 0, column = 0;
};
struct UseMaps {
    ColorMaps maps;
};
/// Training begins anew with the weights that are shown.
struct TrainOn {};
/// A saved run is drawn in the curves, or none is.
struct Overlay {
    std::shared_ptr<const OverlaidRun> run;
};
/// It is drawn no longer.
struct Uncover {
    std::filesystem::path folder;
};
/// Matrices are shown minus those of a saved run.
struct Subtract {
    std::shared_ptr<const OverlaidRun> run;
};
/// The differences between the present run and a saved one.
struct Compare {
    std::shared_ptr<const OverlaidRun> run;
};
/// So many train.
struct Threads {
    int count = 1;
};

// ---- to open
struct Open {
    std::vector<std::filesystem::path> paths;
};
/// Files that were dropped: they are opened, or they are a class's answers to a lesson.
struct Drop {
    std::vector<std::filesystem::path> paths;
};
/// A text that was pasted or shared, likewise.
struct Paste {
    std::string text;
};
/// `notice` follows what is said of it.
struct OpenPreset {
    std::string name, notice;
};
struct OpenExperiment {
    const ExperimentInfo* info = nullptr;
};
struct OpenRun {
    std::filesystem::path folder;
    bool has_checkpoint = true;
    bool run = true;  // false: only to be looked at
};
/// The run of a sweep's cell.
struct OpenCell {
    const ExperimentInfo* experiment = nullptr;
    Settings settings;
    std::string label;
};
/// The list of saved runs.
struct ShowRuns {};
/// A page of the handbook; "" for the one where it was left.
struct ShowHandbook {
    std::string link;
};
/// A setting comes into sight and has the keys.
struct ShowSetting {
    std::string name;
};
/// These pictures take the stage.
struct Bring {
    std::vector<std::string> ids;
};
/// With this picture chosen, or without a name the first of this kind.
struct Export {
    FigureChoice::Kind kind;
    std::string name = {};
};

// ---- lessons
/// Begins the lesson in a file at a step from 0.
struct BeginLesson {
    std::filesystem::path file;
    size_t first = 0;
};
/// Takes a shipped lesson by its name, where it was left.
struct TakeLesson {
    std::string name;
};
/// The tour that was offered waits.
struct LaterTour {};
struct AnswerLesson {
    Answer answer;
};
/// The prediction is asked for again.
struct AnswerAgain {};
/// The step's pictures stand so.
struct Arrange {
    Staging staging;
};

// ---- to say
/// Good news; a click copies `path` if there is one.
struct Say {
    std::string sentence, path;
};
/// Bad news, until it is taken away.
struct Report {
    std::string sentence;
};
/// The first banner.
struct Dismiss {};
/// Into the clipboard; `notice` says so.
struct Copy {
    std::string text, notice;
};

}  // namespace ask

/// What a button does is asked for by its Action.
using Ask =
    std::variant<Action, ask::Set, ask::Defaults, ask::Differ, ask::Pace, ask::ShowStep, ask::ChooseSeed,
                 ask::ComputeMarks, ask::ClickCell, ask::UseMaps, ask::TrainOn, ask::Overlay, ask::Uncover,
                 ask::Subtract, ask::Compare, ask::Open, ask::Drop, ask::Paste, ask::OpenPreset, ask::OpenExperiment,
                 ask::OpenRun, ask::OpenCell, ask::ShowRuns, ask::ShowHandbook, ask::ShowSetting, ask::Bring,
                 ask::Export, ask::BeginLesson, ask::TakeLesson, ask::LaterTour, ask::AnswerLesson, ask::AnswerAgain,
                 ask::Arrange, ask::Threads, ask::Say, ask::Report, ask::Dismiss, ask::Copy>;

class Asks {
  public:
    void operator()(Ask one) { waiting_.push_back(std::move(one)); }
    bool empty() const { return waiting_.empty(); }
    /// All that is not answered yet, once.
    std::vector<Ask> take() { return std::exchange(waiting_, {}); }

  private:
    std::vector<Ask> waiting_;
};

/// All that a panel is given.
struct Context {
    const Ui& ui;
    const Session& session;
    Asks& asks;
};

}  // namespace emergence
