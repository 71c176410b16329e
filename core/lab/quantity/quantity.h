#pragma once
// The numbers that can be read off a run, in one small language. Lessons, sweeps, comparisons, claims, the command line
// and the handbook use it; quantity_words() is the table of its words.
//
//     metric msve at 800                         of each seed: a logged value
//     norm P0 value φ / norm P0                  of each seed: arithmetic of its numbers
//     median(metric msve of emerged)             one number of a run: a reduction over its seeds
//     run 'L = 2': mean(metric loss)             of another of several runs
//
// A seed that failed has no value: it is named, and never moves another's. Only `emerged` and `failed` are known of
// every seed. A living seed whose value is not known has NaN, and so has every reduction that counts it (`of known`
// leaves it out).

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/lab/study.h"

namespace emergence {

enum class Reduction { mean, median, share, count, least, greatest, quantile, deviation, standard_error, t };

/// A number that can be read off a run, as a tree.
struct Quantity {
    enum class Kind {
        // The same for all seeds of a run.
        number,
        step,
        seeds,
        field,
        scalar,
        scene_number,
        // Of each seed.
        emerged,
        emerged_at,
        failed,
        metric,
        curve,
        norm,
        block,
        trace,
        entry,
        // Of the operands.
        run,
        plus,
        minus,
        times,
        over,
        absolute,
        least,
        greatest,
        // Comparisons: 1 or 0.
        less,
        at_most,
        more,
        at_least,
        equal,
        // Over the seeds of all operands; over the runs that are given; over the x of a curve or the steps of a metric.
        reduction,
        over_runs,
        over_x
    };
    /// The value of a metric or a curve: the last one that is known, the first one, at a step or x, at a share of the
    /// last one, at the x of `over x`, or where the product of metrics is greatest.
    enum class When { last, first, at, at_share, at_x, at_greatest };
    /// The seeds that a reduction counts.
    enum class Of { all, emerged, not_emerged, known };

    Kind kind = Kind::number;
    /// A number; the step of a metric, the x of a curve, their share, the share of a quantile, the place of a run.
    double number = 0.0;
    /// Of `over x`: shares of the last x.
    double from = 0.0, to = 1.0;
    /// Of a field, metric or scalar; of a scene, plot or matrix; of a run, "" if it is given by its place.
    std::string name = {};
    /// Of a scene's number, a plot's series, or a matrix's block of rows ("": the whole matrix).
    std::string part = {};
    /// Of a matrix's block of columns.
    std::string columns = {};
    When when = When::last;
    /// The metrics of When::at_greatest.
    std::vector<std::string> products = {};
    /// Row and column of an entry, from 0; negative ones count from the end.
    int row = 0, column = 0;
    Reduction reduction = Reduction::mean;
    Of of = Of::all;
    std::vector<Quantity> operands = {};
    /// The place of its run among several, set when it is read.
    size_t in_run = 0;
    /// The column at which it begins in the text, from 1.
    size_t at = 1;
    /// The whole text as written; of the root only.
    std::string text = {};

    bool operator==(const Quantity&) const = default;
};

using QuantityKind = Quantity::Kind;

/// Throws InputError with the text, the column, what stands there and what is expected, if `text` is no quantity, or
/// nests too deep. `moments`: words for other runs or moments of the run, such as `before`: `before metric msve`.
Quantity parse_quantity(std::string_view text, const std::vector<std::string>& moments = {});

/// A clause of a condition: a comparison, or other words.
struct QuantityClause {
    /// Its place among the ClauseForms; -1 for a comparison.
    int form = -1;
    /// The name in the form.
    std::string name = {};
    Quantity compared = {};
};
/// The words of clauses that are no comparisons; kClauseName stands for a name.
using ClauseForms = std::vector<std::vector<std::string>>;
inline constexpr std::string_view kClauseName = "NAME";
/// The clauses of a condition, which "and" joins. Throws what parse_quantity() throws.
std::vector<QuantityClause> parse_clauses(std::string_view text, const ClauseForms& forms,
                                          const std::vector<std::string>& moments);
/// The error with the text before it, shortened.
InputError quoting(std::string_view text, const InputError& error);

/// The last known value of a metric.
Quantity metric_quantity(std::string name);

/// Whether it, or a part of it, is a reduction over seeds or runs.
bool has_reduction(const Quantity& quantity);
/// Whether it is known of every seed, even of one that failed.
constexpr bool is_of_status(QuantityKind kind) { return kind == QuantityKind::emerged || kind == QuantityKind::failed; }
/// True if it has one value for each seed instead of one for the run.
bool is_of_seeds(const Quantity& quantity);
/// The names and numbers that it is made of.
std::vector<const Quantity*> leaves(const Quantity& quantity);

/// The source of a quantity, made from a run in any form. Null pointers mean unknown: every number is NaN.
struct RunView {
    RunView() = default;
    RunView(const Snapshot& of, const MetricHistory& logged, std::string name = "")
        : snapshot(&of), history(&logged), label(std::move(name)) {}
    explicit RunView(const FinishedRun& run) : RunView(run.snapshot, run.history, run.label) {}

    const Snapshot* snapshot = nullptr;
    const MetricHistory* history = nullptr;
    /// The name of the run among several.
    std::string label = {};
    /// Not a run but the pictures of a figure, whose curves have rows instead of seeds.
    bool drawn = false;
};

/// Throws InputError, with the column and near names, if it names what the runs do not have. Without `run` it is read
/// off the first one.
void check_quantity(const Quantity& quantity, const std::vector<RunView>& runs);

/// Whether equal seeds of the two are the same networks: of one run that was given twice, or of two runs with the same
/// settings, whatever their first and number of seeds, at the same step.
bool same_networks(const RunView& a, const RunView& b);

/// What one seed has.
struct SeedValue {
    /// Its place in the run, and its number, which may be another: runs are numbered 5 and 7, or 0, 1, 10, 2.
    size_t index = 0;
    uint64_t number = 0;
    bool failed = false;
    double value = 0.0;
};
/// One value for each seed, in the run's order; NaN if a seed has none. Of a quantity of the whole run: the same for
/// each. Throws what check_quantity() throws.
std::vector<SeedValue> values(const RunView& run, const Quantity& quantity);

// Numbers of a run from the values of its seeds: reductions, their arithmetic, and how sure they are.

/// Leaves no value out: NaN if a value is NaN or the list is empty. `quantile`: of Reduction::quantile.
double reduced(Reduction reduction, const std::vector<double>& values, double quantile = 0.5);

/// A number of one run or of several, with n and its 95 % interval: of a bare mean Student's; of a share, of sums and
/// differences of shares, and of any function of one share Wilson's and Newcombe's; of anything else by bootstrap over
/// seeds, whose draws all reductions of an expression share. The bootstrap gives no interval where all draws are alike,
/// since none or all of the seeds have something. Seeds of several runs belong together by their numbers: if the
/// reductions of an expression share seeds, it counts those that live in all. Throws what check_quantity() throws, and
/// InputError if the quantity has one value for each seed.
Measurement measured(const std::vector<RunView>& runs, const Quantity& quantity);
Measurement measured(const RunView& run, const Quantity& quantity);

/// The number alone, of runs that may be unknown: then NaN. Names are not checked, and each reduction counts all seeds
/// of its own run.
double number_of(const Quantity& quantity, const std::vector<RunView>& runs);

/// The quantity as one number of a run: outside of reductions a number of a seed becomes its mean over the seeds in
/// which it is known, `emerged` and `failed` become counts.
Quantity of_whole_run(Quantity quantity);

Places all_places(size_t count);
/// A statistic of `count` seeds (or chains, or MDPs) with n and its 95 % bootstrap interval; one seed has no interval,
/// none has no value. statistic: of their places.
Measurement bootstrapped(size_t count, const std::function<double(const Places&)>& statistic,
                         const std::string& detail = "");

// The words of quantities as a table: the handbook's page, `--json`, lists in the window and messages are made from it.

struct QuantityWord {
    /// The word that it begins with: "metric".
    std::string_view word;
    /// "metric NAME [first | last | at STEP]".
    std::string_view form;
    /// Its meaning in a sentence.
    std::string_view help;
    /// "of the run", "of each network", "over seeds", "combined".
    std::string_view group;
    QuantityKind kind = QuantityKind::number;
    Reduction reduction = Reduction::mean;

    /// It is read off each seed, without operands.
    bool of_seeds() const { return group == "of each network"; }
};
const std::vector<QuantityWord>& quantity_words();

/// Something that a run has, written as a quantity: "metric msve", "curve similarity IWS at 0".
struct AvailableQuantity {
    std::string text, help;
};
std::vector<AvailableQuantity> available_quantities(const RunView& run);

/// The text with each part in braces replaced by what `fill` makes of it. Throws InputError if a brace is not closed.
std::string with_braces_filled(std::string_view text, const std::function<std::string(std::string_view)>& fill);

/// A setting as a number, a flag as 1 or 0; NaN if it is a text.
double number_of_field(const FieldValue& value);
/// A name as it stands in a quantity: in single quotes if it must.
std::string quoted_name(std::string_view name);

// Inside core/lab/quantity: names read off one seed, operations on numbers, and the seeds that reductions count.

/// How many rows a curve's plot has that are not the run's seeds, but MDPs or environments; 0 if they are.
size_t own_rows(const Quantity& curve, const RunView& run);

/// The value of a quantity without operands; NaN if it is not known, if the seed, by its place, has failed, or if there
/// is no such seed. `seed`: the row of a curve with rows of its own. Throws InputError if the run has no such name.
double leaf_value(const Quantity& leaf, const RunView& run, size_t seed);

/// The operation of a quantity with operands on their values; `right` counts if it has two. NaN of NaN.
double combined(Quantity::Kind kind, double left, double right);

/// No place in a run.
inline constexpr size_t kNowhere = static_cast<size_t>(-1);

/// How to treat a name that a run does not have: throw InputError with the column, or take it as NaN.
enum class Unknown { is_refused, is_nan };
/// The quantity with the run of each of its parts (Quantity::in_run), without those that name a run, and with an
/// operand for each x of `over x`. All functions below read such quantities.
Quantity resolved(Quantity quantity, const std::vector<RunView>& runs, size_t in_run,
                  Unknown unknown = Unknown::is_refused);

// The seeds that a reduction counts, of one run or of several, and their values.

/// What is resampled: a seed, or a row of a curve, by its places in the runs.
using Unit = std::vector<size_t>;
struct Units {
    std::vector<Unit> list;
    /// The units are rows of curves, which have no status.
    bool rows = false;
};

/// The value of a tree. leaf: of a quantity without operands or of a reduction.
template <class Leaf>
double evaluated(const Quantity& quantity, const Leaf& leaf) {
    if (quantity.kind == QuantityKind::reduction ||
        (quantity.operands.empty() && quantity.kind != QuantityKind::over_x))
        return leaf(quantity);
    const auto all = mapped(quantity.operands, [&](const Quantity& operand) { return evaluated(operand, leaf); });
    if (quantity.kind == QuantityKind::over_x) return reduced(quantity.reduction, all);
    return combined(quantity.kind, all.front(), all.back());
}

/// The units of all names in the quantity, which are known of the runs. A seed that several runs have is one, and if
/// every reduction has some of the same seeds, the others are left out. Those that failed are among them. Throws
/// InputError if seeds and rows of curves stand together.
Units units_of(const Quantity& quantity, const std::vector<RunView>& runs);

/// A reduction with the values of the units, of each of its operands.
struct Column {
    const Quantity* reduction = nullptr;
    std::vector<std::vector<double>> values = {};
    std::vector<std::vector<bool>> counted = {};

    std::vector<double> drawn(const Places& places) const {
        std::vector<double> all;
        for (size_t operand = 0; operand < values.size(); ++operand)
            for (const size_t place : places)
                if (counted[operand][place]) all.push_back(values[operand][place]);
        return all;
    }
    double reduce(const Places& places) const {
        return reduced(reduction->reduction, drawn(places), reduction->number);
    }
    bool counts(size_t unit) const {
        return any_of(counted, [&](const auto& one) { return one[unit]; });
    }
};
Column column_of_reduction(const Quantity& reduction, const std::vector<RunView>& runs, const Units& units);

/// The reductions in it, which are in no other.
std::vector<const Quantity*> reductions_in(const Quantity& quantity);

/// Whether it reads only what every seed has, even a failed one.
bool is_of_status(const Quantity& quantity);
/// The number alone: each reduction counts all seeds of its own run.
double number_of_runs(const Quantity& quantity, const std::vector<RunView>& runs);

}  // namespace emergence
