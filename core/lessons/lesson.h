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
// "and" joins them. Outside of reductions a number of a seed is its mean over the seeds in which it is known. `before` reads the moment
// at which the lesson's step began, `other` reads run B.

#include "core/files/text.h"
#include "core/lab/quantity/quantity.h"
#include "core/settings/toml.h"

namespace emergence {

/// What is known of a run at one moment.
struct LessonFacts {
    /// Never null.
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const MetricHistory> history;
};
LessonFacts facts_of(std::shared_ptr<const Snapshot> snapshot, const MetricHistory& history);

/// What conditions are judged by. A null pointer means not known: every number of it is NaN.
struct LessonView {
    const LessonFacts* now = nullptr;
    /// When the step began.
    const LessonFacts* before = nullptr;
    /// Of run B.
    const LessonFacts* other = nullptr;
    bool answered = false;
};

/// NaN if it is not known.
double value_of(const Quantity& quantity, const LessonView& view);

struct Condition {
    std::string text;
    /// The condition holds if all of these do.
    std::vector<QuantityClause> clauses;
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

/// Stands for the headline among what a step covers.
inline constexpr const char* kHeadline = "headline";

/// One of several answers in words.
struct ChoicePrediction {
    std::vector<std::string> choices;
    /// Index into choices.
    int answer = 0;
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
struct LessonComparison {
    std::string field;
    FieldValue value;
};

struct LessonStep {
    std::string text;
    /// The text on a printed page, where nothing can be pressed or dragged; "" for the same text.
    std::string paper;
    /// A preset or a saved run; "" continues the run of the step before.
    std::string opens;
    std::vector<SettingsFile::Entry> settings;
    // Empty lists: the preset's.
    std::vector<std::string> stage, wings;
    std::vector<std::string> covered;
    std::vector<std::string> spotlight;
    std::vector<std::string> unlocked;
    /// The run does not train in this step.
    bool paused = false;
    /// Pictures also show, faintly, how they were before the prediction or when the step began.
    bool ghost = false;
    /// Axes of plots do not shrink while the step lasts.
    bool fixed_axes = false;
    std::optional<LessonComparison> compare;
    std::optional<Prediction> predict;
    std::optional<Condition> until;
    std::vector<SettingsFile::Entry> does;
    std::vector<Condition> holds;
    std::string reveal;
    /// The lines in the file by key; "" is the step itself.
    std::map<std::string, uint32_t> lines;
};

struct Lesson {
    std::string title;
    /// One sentence, for lists.
    std::string description;
    int64_t minutes = 0;
    std::vector<LessonStep> steps;
    /// The file's name, for messages.
    std::string source;
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
    /// A preset or an experiment; "" for the run of the step before.
    std::string opens = {};
    /// The settings that differ from those it opens with.
    std::vector<SettingsFile::Entry> settings = {};
    std::vector<std::string> stage = {}, wings = {};
    std::optional<LessonComparison> compare = {};
    /// The run's step.
    int64_t step = 0;
};

/// The step in a lesson's file. A run that has trained is trained as far again; a step that opens nothing goes on with
/// the run of the step before, with its settings changed.
std::string lesson_step_text(const LessonDraft& draft);

}  // namespace emergence
