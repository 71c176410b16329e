#pragma once
// Plays a lesson: which step it is at, what the reader has predicted, and whether its answer is there. It draws
// nothing; what it needs of a window, or of a test without one, is a LessonHost.

#include "core/lessons/lesson.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// What a lesson asks of whoever shows it. The functions throw InputError if a name in the lesson is wrong.
class LessonHost {
  public:
    virtual ~LessonHost() = default;

    /// Opens a preset or a saved run, with these settings over its own. The run does not train yet.
    virtual void open(const std::string& opens, const std::vector<SettingsFile::Entry>& settings) = 0;
    /// Changes settings of the present run, as its reader would.
    virtual void change(const std::vector<SettingsFile::Entry>& settings) = 0;
    /// Opens run B, or closes it.
    virtual void compare(const std::optional<LessonComparison>& comparison) = 0;
    /// Lets the run train, unless it is at its end, or stops it.
    virtual void train(bool on) = 0;
    /// Shows the step's pictures except what is `covered`, and dims and locks the rest. While `predicting`, all
    /// settings are locked.
    virtual void show(const LessonStep& step, bool predicting, const std::vector<std::string>& covered) = 0;

    /// The facts of the run that was asked for, once it is there.
    virtual std::optional<LessonFacts> facts() = 0;
    virtual std::optional<LessonFacts> other_facts() = 0;
    virtual std::optional<PlotSpec> plot(const std::string& id) = 0;
};

struct BlockAnswer {
    std::string rows, columns;
    bool operator==(const BlockAnswer&) const = default;
};
using Sketch = std::vector<std::pair<double, double>>;
/// The index of a choice, a block, or a curve: its points by ascending x.
using Answer = std::variant<int, BlockAnswer, Sketch>;

/// The sketch's height at x, between its points; nullopt beyond its ends.
std::optional<double> height_at(const Sketch& sketch, double x);

/// The places of a step's pictures if those of its run stand as in `home`, without covered pictures.
Staging lesson_staging(const Staging& home, const LessonStep& step, const std::vector<std::string>& covered);

class LessonPlayer {
  public:
    enum class Phase {
        opening,     // its run is not there yet
        predicting,  // waits for the reader's prediction
        doing,       // waits for the step's condition
        revealed,    // the answer is there, or the step has none
    };

    /// The lesson has at least one step. `host` outlives the player. Begins with the step `first`, or the last one.
    LessonPlayer(Lesson lesson, LessonHost& host, size_t first = 0);

    const Lesson& lesson() const { return lesson_; }
    size_t index() const { return index_; }
    size_t size() const { return lesson_.steps.size(); }
    const LessonStep& step() const { return lesson_.steps[index_]; }
    Phase phase() const { return phase_; }
    bool at_last() const { return index_ + 1 == size(); }

    /// To be called once a frame, or when the run has something new.
    void turn();
    void next();
    void back();
    /// The reader's prediction. Only while predicting.
    void answer(Answer answer);
    /// Asks for the prediction again, and the run rests. Only until the answer is there for the first time.
    void answer_again();
    bool can_answer_again() const { return phase_ == Phase::doing && state().answer && !state().locked; }
    /// The prediction differs from the reader's first one at this step.
    bool changed_answer() const { return state().first && state().first != state().answer; }
    /// Does what the text asks the reader to do. Only while doing.
    void do_it();
    bool can_do_it() const { return phase_ == Phase::doing && !step().does.empty(); }

    /// The run's step that the condition waits for; none if it waits for something else.
    std::optional<int64_t> awaited_step() const;

    // The step's texts with the numbers of the run filled in.
    std::string text() const;
    std::string text_on_paper() const;
    std::string reveal() const;  // "" until the answer is there
    const std::optional<Answer>& answered() const { return state().answer; }
    /// Whether a choice or a block was right; none for sketches, and until the answer is there.
    std::optional<bool> right() const;
    /// The mean over the seeds of the sketched plot's curve, and the curve of each seed, by ascending x; empty until the
    /// answer is there.
    Sketch live_curve() const;
    std::vector<Sketch> live_curves() const;
    /// The label of the sketched plot's x axis; "" if it is not known.
    std::string sketched_axis() const;
    /// The mean distance of the sketch from the live curve, as a share of the axis; none until both are there.
    std::optional<double> sketch_error() const;
    /// The moment before the prediction, or at which the step began, with which the present one is compared. Null until
    /// the run is there, and while it waits for the prediction.
    std::shared_ptr<const Snapshot> before() const;
    /// The step's statements that are false of the run that is shown.
    std::vector<std::string> false_statements() const;

  private:
    // What the reader did at a step; it is still there after going back.
    struct State {
        std::optional<Answer> answer, first;
        std::optional<LessonFacts> before;
        bool revealed = false;  // of the run that is there
        bool locked = false;    // the reader has seen the answer, of this run or an earlier one
    };
    State& state() { return states_[index_]; }
    const State& state() const { return states_[index_]; }
    void enter(size_t index, bool afresh);
    void arrange();
    std::vector<std::string> covered() const;
    LessonView view() const;
    std::optional<Series> sketched_series() const;

    Lesson lesson_;
    LessonHost& host_;
    std::vector<State> states_;
    size_t index_ = 0;
    Phase phase_ = Phase::opening;
    std::optional<LessonFacts> now_, other_;
};

// What a class predicted at a step: an answer for each name. Nothing of it leaves the machine.

struct ClassAnswer {
    std::string name;
    Answer answer;
};
struct ClassAnswers {
    /// In the order of the lines; a name that comes again replaces its former answer.
    std::vector<ClassAnswer> given;
    /// The lines that are no answers, a sentence each.
    std::vector<std::string> unread;
};

/// Reads lines of the form "name: answer", also with a tab between them, or of a number alone. An answer is
///
///     2                 of a choice: its number counted from 1, or its words, or how they begin
///     φ, γφ'            of a block: its rows and columns
///     0 3, 100 1.5      of a sketch: points x y; or heights alone, evenly apart
///
/// `files`: that the lines come from, one each, named for lines that are no answers; empty if the text is one.
ClassAnswers read_class(std::string_view text, const Prediction& prediction,
                        const std::vector<std::string>& files = {});

/// How many gave an answer.
struct ClassCount {
    std::string answer;
    int count = 0;
    bool right = false;
};
/// Of a choice every answer in its order; of a block those that were given, the most frequent first; of a sketch
/// nothing.
std::vector<ClassCount> class_counts(const ClassAnswers& answers, const Prediction& prediction);

/// How high the class drew a curve at x, counting those who drew as far.
struct ClassHeights {
    double x = 0.0;
    int count = 0;
    double lowest = 0.0, median = 0.0, highest = 0.0;
};
std::vector<ClassHeights> class_heights(const ClassAnswers& answers, const SketchPrediction& axes, int places);

}  // namespace emergence
