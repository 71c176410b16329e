#pragma once
// What a lesson asks of a run, as text: quantities (core/lab/quantity/quantity.h), and conditions on them and on what the
// reader has done.
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
// Outside of reductions a number of a seed is its mean over the seeds in which it is known. before … is the same when
// the step of the lesson began, other … the same of run B.

#include "core/lab/quantity/quantity.h"

namespace emergence {

/// What is known of a run at one moment.
struct LessonFacts {
    /// Never null.
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const MetricHistory> history;
};
/// Copies the history.
LessonFacts facts_of(std::shared_ptr<const Snapshot> snapshot, const MetricHistory& history);

/// What conditions are judged by. Null pointers: not known, then every number of it is NaN.
struct LessonView {
    const LessonFacts* now = nullptr;
    /// When the step began.
    const LessonFacts* before = nullptr;
    /// Of run B.
    const LessonFacts* other = nullptr;
    bool answered = false;
};

/// The number that a quantity of a lesson is. NaN if it is not known.
double value_of(const Quantity& quantity, const LessonView& view);

struct Condition {
    struct Clause {
        enum class Kind { answered, edited_world, field_changed, compared };
        Kind kind = Kind::answered;
        std::string field;
        /// A comparison.
        Quantity compared;
    };
    /// As written.
    std::string text;
    /// All of them hold.
    std::vector<Clause> clauses;
};
/// A comparison with NaN does not hold.
bool holds(const Condition& condition, const LessonView& view);

/// Throw InputError with the reason if `text` is none.
Condition parse_condition(std::string_view text);
Quantity parse_lesson_quantity(std::string_view text);

/// Throws InputError if the quantity names what the run does not have, whether now, before or in run B.
void check_lesson_quantity(const Quantity& quantity, const Snapshot& snapshot, const MetricHistory& history);

/// The text with each {quantity} replaced by its value in three digits, or by "–" while it is not known. Throws
/// InputError if one cannot be parsed.
std::string filled_text(std::string_view text, const LessonView& view);
/// The quantities in the text.
std::vector<Quantity> quantities_in(std::string_view text);

}  // namespace emergence
