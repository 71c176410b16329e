#pragma once
// What a lesson asks of a run, as text: numbers, and conditions on them and on what the reader has done.
//
//     answered                                   the prediction was made
//     edited world                               a number of the drawn world was dragged
//     field eval_context_length changed
//     step >= 800 and emerged >= 1
//     metric msve < 0.5 * before metric msve     the mean over the seeds, now and when the step began
//     number world 'transformer 3' > 1           a number of a drawn world
//     curve msve_by_context_length transformer at 30 < 1
//     block Q0 φ γφ' > 0.5                       the mean |value| of a block of a matrix, by its rows and columns
//
// Numbers are: step, seeds, emerged, failed, field NAME, metric NAME, scalar NAME, number SCENE NAME, curve PLOT
// SERIES at X, block MATRIX ROWS COLUMNS; before … is the same when the step of the lesson began, other … the same of
// run B. Names with spaces stand in single quotes.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"
#include "core/settings/fields.h"

namespace emergence {

/// What is known of a run at one moment.
struct LessonFacts {
    /// Never null.
    std::shared_ptr<const Snapshot> snapshot;
    /// The mean over the seeds of each metric, at the last logged step up to the snapshot's; seeds without a finite
    /// value do not count.
    std::map<std::string, double> metrics;
};
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

/// A number, as a formula of others.
struct Quantity {
    enum class Kind {
        number,
        step,
        seeds,
        emerged,
        failed,
        field,
        metric,
        scalar,
        scene_number,
        curve,
        block,
        before,
        other,
        plus,
        minus,
        times,
        over
    };
    Kind kind = Kind::number;
    double number = 0.0;
    /// Of a field, metric or scalar; of a scene, plot or matrix.
    std::string name;
    /// Of a scene's number, a plot's series, or a matrix's block of rows.
    std::string part;
    /// Of a matrix's block of columns.
    std::string columns;
    std::vector<Quantity> operands;
};
/// NaN if it is not known.
double value_of(const Quantity& quantity, const LessonView& view);

struct Condition {
    struct Clause {
        enum class Kind { answered, edited_world, field_changed, compared };
        Kind kind = Kind::answered;
        std::string field;
        Quantity left, right;
        /// One of <, <=, >, >=, ==.
        std::string comparison;
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
Quantity parse_quantity(std::string_view text);

/// Every number that the condition names, for checks.
std::vector<const Quantity*> leaves(const Condition& condition);
std::vector<const Quantity*> leaves(const Quantity& quantity);

/// The text with each {quantity} replaced by its value in three digits, or by "–" while it is not known. Throws
/// InputError if one cannot be parsed.
std::string filled_text(std::string_view text, const LessonView& view);
/// The quantities in the text.
std::vector<Quantity> quantities_in(std::string_view text);

}  // namespace emergence
