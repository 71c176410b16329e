#pragma once
// What a lesson asks of a run, as text: quantities (core/lab/quantity/quantity.h), conditions on them, and conditions
// on what the reader did.
//
//     answered                                   the prediction was made
//     edited world                               a number of the drawn world was dragged
//     field eval_context_length changed
//     step >= 800 and emerged >= 1               emerged and failed count seeds
//     metric msve < 0.5 * before metric msve     the mean over the seeds, now and when the step began
//     number world 'transformer 3' > 1           a number of a drawn world
//     curve msve_by_context_length transformer at 30 < 1
//     median(metric msve of emerged) < 0.1
//
// "and" joins them. Outside of reductions a number of a seed is its mean over the seeds in which it is known. `before`
// reads the moment at which the lesson's step began, `other` reads run B.

#include "core/files/text.h"
#include "core/lab/quantity/quantity.h"
#include "core/pictures/figure_spec.h"
#include "core/settings/toml.h"

namespace emergence {

/// What is known of a run at one moment.
struct LessonFacts {
    std::shared_ptr<const Snapshot> snapshot;  // never null
    std::shared_ptr<const MetricHistory> history;
};
LessonFacts facts_of(std::shared_ptr<const Snapshot> snapshot, const MetricHistory& history);

/// What conditions are judged by. A null pointer means not known: every number of it is NaN.
struct LessonView {
    const LessonFacts* now = nullptr;
    const LessonFacts* before = nullptr;  // when the step began
    const LessonFacts* other = nullptr;   // of run B
    bool answered = false;
};

/// NaN if it is not known.
double value_of(const Quantity& quantity, const LessonView& view);

struct Condition {
    std::string text;
    std::vector<QuantityClause> clauses;  // the condition holds if all of these do
};
/// A comparison with NaN does not hold.
bool holds(const Condition& condition, const LessonView& view);

/// Throw InputError with the reason if `text` is not a condition.
Condition parse_condition(std::string_view text);
Quantity parse_lesson_quantity(std::string_view text);

/// Throws InputError if the quantity names what the run does not have, whether now, before or in run B.
void check_lesson_quantity(const Quantity& quantity, const Snapshot& snapshot, const MetricHistory& history);

/// The text with each {quantity} replaced by its value in three digits, or by "–" while it is not known. Throws
/// InputError if one cannot be parsed.
std::string filled_text(std::string_view text, const LessonView& view);
std::vector<Quantity> quantities_in(std::string_view text);

// A lesson as data: few steps, each with a short text, a picture, a prediction, and its answer. Its file:
// assets/handbook/lessons.md.

inline constexpr size_t kMostLessonWords = 40;
inline constexpr size_t kMostAnswers = 5;

inline constexpr const char* kHeadline = "headline";  // stands for the headline among what a step covers

/// One of several answers in words.
struct ChoicePrediction {
    std::vector<std::string> choices;
    int answer = 0;  // index into choices
};
/// A block of a matrix, by a click on one of its cells.
struct BlockPrediction {
    std::string matrix;
    std::string rows, columns;  // the names of its blocks
};
/// A curve of a plot, drawn before the plot is shown. The live curve is the answer.
struct SketchPrediction {
    std::string plot;
    std::string curve;  // the name of its series
    double left = 0.0, right = 1.0, bottom = 0.0, top = 1.0;
};
using Prediction = std::variant<ChoicePrediction, BlockPrediction, SketchPrediction>;

/// Run B with one setting different.
using LessonComparison = SettingsFile::Entry;

struct LessonStep {
    std::string text;
    /// The text on a printed page, where nothing can be pressed or dragged; "" for the same text.
    std::string paper;
    /// A preset or a saved run; "" continues the run of the step before.
    std::string opens;
    std::vector<SettingsFile::Entry> settings;
    std::vector<std::string> stage, wings;  // empty lists: the preset's
    std::vector<std::string> covered;
    std::vector<std::string> spotlight;
    std::vector<std::string> unlocked;
    bool paused = false;  // the run does not train in this step
    /// Pictures also show, faintly, how they were before the prediction or when the step began.
    bool ghost = false;
    bool fixed_axes = false;  // axes of plots do not shrink while the step lasts
    std::optional<LessonComparison> compare;
    std::optional<Prediction> predict;
    std::optional<Condition> until;
    std::vector<SettingsFile::Entry> does;
    std::vector<Condition> holds;
    std::string reveal;
    std::map<std::string, uint32_t> lines;  // the lines in the file by key; "" is the step itself
};

struct Lesson {
    std::string title;
    std::string description;  // one sentence, for lists
    int64_t minutes = 0;
    std::vector<LessonStep> steps;
    std::string source;  // the file's name, for messages
};

/// Reads a lesson and adds every error to `faults`; without any the lesson is whole, but its names are not yet checked
/// against an experiment.
Lesson parse_lesson(std::string_view text, const std::string& source, std::vector<FileFault>& faults);
/// Whether the text is TOML with a [[step]]: a lesson, right or wrong, and no file of settings.
bool looks_like_lesson(std::string_view text);

/// Words as a reader counts them: parts between spaces that hold a letter or digit.
size_t count_words(std::string_view text);

/// A step that shows what a window shows.
struct LessonDraft {
    std::string text = {};
    std::string opens = {};                          // a preset or an experiment; "" for the run of the step before
    std::vector<SettingsFile::Entry> settings = {};  // the settings that differ from those it opens with
    std::vector<std::string> stage = {}, wings = {};
    std::optional<LessonComparison> compare = {};
    int64_t step = 0;  // the run's step
};

/// The step in a lesson's file. A run that has trained is trained as far again; a step that opens nothing goes on with
/// the run of the step before, with its settings changed.
std::string lesson_step_text(const LessonDraft& draft);

// Plays a lesson: which step it is at, what the reader has predicted, and whether its answer is there. It draws
// nothing; what it needs of a window, or of a test without one, is a LessonHost.

/// What a lesson asks of the program that shows it. The functions throw InputError if a name in the lesson is wrong.
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
    std::string text(bool on_paper = false) const;
    std::string reveal() const;  // "" until the answer is there
    const std::optional<Answer>& answered() const { return state().answer; }
    /// Whether a choice or a block was right; none for sketches, and until the answer is there.
    std::optional<bool> right() const;
    /// The mean over the seeds of the sketched plot's curve, and the curve of each seed, by ascending x; empty until
    /// the answer is there.
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
    std::vector<std::string> unread;  // the lines that are no answers, a sentence each
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
