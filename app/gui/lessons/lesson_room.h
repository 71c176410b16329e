#pragma once
// The open lesson: it opens the runs of its steps, locks settings, and restores the user's state at its end.

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
#include "core/settings/toml.h"

namespace emergence {

/// The user's state before the lesson.
struct SetAside {
    Session::Kept session;
    ViewValues view;
    /// null if there was no run yet; it starts again
    std::shared_ptr<const SavedRun> run;
    MetricHistory history;
    bool running = false;
};
/// The checkpoint from which that run resumes; null without a run.
std::shared_ptr<const Checkpoint> checkpoint_of(const SetAside& aside);

class LessonRoom : public LessonHost {
  public:
    LessonRoom(Jobs& jobs, Asks& asks);
    ~LessonRoom() override;

    /// Sets the search for experiments by name; by default the registry is searched.
    void use(FindExperiment find) { find_ = std::move(find); }
    const FindExperiment& find() const { return find_; }

    /// Begins a lesson at the step `first`; its files lie in `folder`. `aside` is stored unless another lesson is open,
    /// whose stored state stays.
    void begin(Lesson lesson, std::filesystem::path folder, SetAside aside, Session& session, size_t first = 0);
    bool is_open() const { return player_ != nullptr; }
    /// The open lesson's file.
    std::filesystem::path file() const { return folder_ / player_->lesson().source; }
    /// The state that returns when the lesson is left; null if no lesson is open.
    const SetAside* aside() const { return aside_.get(); }
    /// Ends the lesson and unlocks all settings. Returns the state to restore, or null if no lesson is open.
    std::unique_ptr<SetAside> leave(Session& session);

    /// Call once per frame. Returns true if another run has replaced the lesson's, which ends the lesson.
    bool turn(Session& session);
    const LessonPlayer& player() const { return *player_; }
    // The reader's actions.
    void next(Session& session);
    void back(Session& session);
    /// Gives the prediction, or replaces it if its answer is not there yet.
    void answer(Answer answer, Session& session);
    /// Asks for the prediction again if its answer is not there yet.
    void answer_again(Session& session);
    /// After the last answer, unlocks all settings and keeps the lesson open.
    void explore(Session& session);
    bool explores() const { return explores_; }
    /// True if the last step's answer is there.
    bool at_end() const;
    /// Counts the panel's contents, so a click can be matched with what stood there when it began.
    int changes() const { return changes_; }
    void do_it(Session& session);
    /// Takes a class's answers (core/lessons/lesson.h) to the present step. Returns false if it asks for no prediction.
    bool take_class(const std::string& text, Session& session);
    /// The class's answers to the present step; null if the class gave no answer.
    const ClassAnswers* class_answers() const;
    /// Takes a clicked cell as the answer if the step asks for one in this matrix. Returns true if it does.
    bool click_cell(const std::string& matrix, int row, int column, Session& session);

    /// What the step highlights; empty: everything.
    std::vector<std::string> spotlight() const;
    /// The folder of the open lesson's files.
    const std::filesystem::path& folder() const { return folder_; }
    /// Pictures that would reveal the answer.
    const std::vector<std::string>& covered() const { return covered_; }
    /// True if the number of emerged seeds would reveal the answer.
    bool covers_headline() const;
    /// True if no weight changes during the step, though the picture does.
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
    Asks& asks_;  // told where the step's pictures stand
    FindExperiment find_;
    std::unique_ptr<SetAside> aside_;
    std::filesystem::path folder_;
    Session* session_ = nullptr;  // the window's session, from the first lesson on
    Job opening_;
    std::optional<LessonComparison> comparison_;  // of the present step
    Staging home_;                                // the staging of the run that the step opened
    std::vector<std::string> unlocked_, covered_;
    std::vector<FieldRange> goals_;  // values that the step asks for, marked on sliders
    uint64_t run_before_ = 0;        // number of the run that is being replaced
    int openings_ = 0;               // the session's count, as seen last
    bool locked_ = false, explores_ = false;
    int changes_ = 0;
    std::map<size_t, ClassAnswers> class_answers_;  // by step
    std::shared_ptr<const OverlaidRun> before_;     // the moment that the step compares with
    std::unique_ptr<LessonPlayer> player_;          // last, because its constructor calls the host
};

}  // namespace emergence
