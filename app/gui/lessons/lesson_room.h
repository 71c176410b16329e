#pragma once
// The lesson that is open in the window: it opens the runs that its steps ask for, locks settings, and gives the
// user's own state back when it is left.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/jobs.h"
#include "core/lab/study.h"
#include "core/lessons/lesson.h"
#include "core/lessons/player.h"
#include "core/settings/toml.h"

namespace emergence {

/// What the user had before the lesson.
struct SetAside {
    Session::Kept session;
    ViewValues view;
    /// Null if there was no run yet: it starts again.
    std::shared_ptr<const SavedRun> run;
    MetricHistory history;
    bool running = false;
};
/// The state from which that run resumes; null without a run.
std::shared_ptr<const Checkpoint> checkpoint_of(const SetAside& aside);

class LessonRoom : public LessonHost {
  public:
    LessonRoom(Jobs& jobs, Asks& asks);
    ~LessonRoom() override;

    /// Finds experiments by their names; without this the registry does.
    void use(FindExperiment find) { find_ = std::move(find); }
    const FindExperiment& find() const { return find_; }

    /// Begins a lesson with the step `first`; its files lie in `folder`. `aside` is kept, unless another lesson is
    /// open, whose own is.
    void begin(Lesson lesson, std::filesystem::path folder, SetAside aside, Session& session, size_t first = 0);
    bool is_open() const { return player_ != nullptr; }
    /// The open lesson's file.
    std::filesystem::path file() const { return folder_ / player_->lesson().source; }
    /// What comes back when the lesson is left; null if none is open.
    const SetAside* aside() const { return aside_.get(); }
    /// Ends it: all settings are unlocked. The state that is to come back; null if no lesson is open.
    std::unique_ptr<SetAside> leave(Session& session);

    /// Once a frame. True if another run has taken the place of the lesson's: then it is over.
    bool turn(Session& session);
    const LessonPlayer& player() const { return *player_; }
    // What the reader does.
    void next(Session& session);
    void back(Session& session);
    /// The prediction, also in place of one whose answer is not there yet.
    void answer(Answer answer, Session& session);
    /// Asks for the prediction again, if its answer is not there yet.
    void answer_again(Session& session);
    /// After the last answer: all settings are free, and the lesson stays open.
    void explore(Session& session);
    bool explores() const { return explores_; }
    /// At the end of the lesson, and its answer is there.
    bool at_end() const;
    /// Counts what stands in the panel: a click that began before belongs to something else.
    int changes() const { return changes_; }
    void do_it(Session& session);
    /// The answers of a class (core/lessons/player.h) to the present step. False if it asks for no prediction.
    bool take_class(const std::string& text, Session& session);
    /// Of the present step; null if none were given.
    const ClassAnswers* class_answers() const;
    /// A cell of a matrix was clicked: an answer, if the step asks for one of this matrix. True if it was one.
    bool click_cell(const std::string& matrix, int row, int column, Session& session);

    /// What the step points at; empty: everything.
    std::vector<std::string> spotlight() const;
    /// What the open lesson's names of files are relative to.
    const std::filesystem::path& folder() const { return folder_; }
    /// Pictures that would give the answer away.
    const std::vector<std::string>& covered() const { return covered_; }
    /// The count of seeds would give the answer away.
    bool covers_headline() const;
    /// No weight changes during the step, though the picture does.
    bool weights_rest(const Session& session) const;

  private:
    void open(const std::string& opens, const std::vector<SettingsFile::Entry>& settings) override;
    void change(const std::vector<SettingsFile::Entry>& settings) override;
    void compare(const std::optional<LessonComparison>& comparison) override;
    void train(bool on) override;
    void show(const LessonStep& step, bool predicting, const std::vector<std::string>& covered) override;
    std::optional<LessonFacts> facts() override;
    std::optional<LessonFacts> other_facts() override;
    std::optional<PlotSpec> plot(const std::string& id) override;

    void follow_before(Session& session);
    template <class Action>
    void with(Session& session, const Action& action);

    Jobs& jobs_;
    Asks& asks_;  // for where the step's pictures stand
    FindExperiment find_;
    std::unique_ptr<SetAside> aside_;
    std::filesystem::path folder_;
    Session* session_ = nullptr;  // the window's one, from the first lesson on
    Job opening_;
    std::optional<LessonComparison> comparison_;  // of the step
    Staging home_;                                // of what the step has opened
    std::vector<std::string> unlocked_, covered_;
    std::vector<FieldRange> goals_;  // what the step asks to set, on the settings' sliders
    uint64_t run_before_ = 0;        // the run that is to go
    int openings_ = 0;               // of the session, as last seen
    bool locked_ = false, explores_ = false;
    int changes_ = 0;
    std::map<size_t, ClassAnswers> class_answers_;  // by step
    std::shared_ptr<const OverlaidRun> before_;     // that the step compares the present moment with
    std::unique_ptr<LessonPlayer> player_;          // last: it calls the host from its constructor
};

}  // namespace emergence
