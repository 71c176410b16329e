#pragma once
// Inside core/lab/quantity: names read off one seed, operations on numbers, and the seeds that reductions count.

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/lab/quantity/quantity.h"

namespace emergence {

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

using Columns = std::map<const Quantity*, Column>;
void add_columns(const Quantity& quantity, const std::vector<RunView>& runs, const Units& units, Columns& columns);

/// Whether it reads only what every seed has, even a failed one.
bool is_of_status(const Quantity& quantity);
/// The number alone: each reduction counts all seeds of its own run.
double number_of_runs(const Quantity& quantity, const std::vector<RunView>& runs);

}  // namespace emergence
