// Numbers of runs by the values of their seeds, with intervals.
#include "core/lab/quantity/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/lab/quantity/leaf.h"
#include "core/lab/quantity/parser.h"

namespace emergence {
namespace {

// No place in a run.
constexpr size_t kNowhere = static_cast<size_t>(-1);
// What is resampled: a seed, or a row of a curve, by its places in the runs.
using Unit = std::vector<size_t>;
struct Units {
    std::vector<Unit> list;
    /// They are rows of curves, which have no status.
    bool rows = false;
};

// The value of a tree. leaf: of a quantity without operands or of a reduction, in the run with this place.
template <class Leaf>
double evaluated(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run, const Leaf& leaf) {
    if (quantity.kind == QuantityKind::run) {
        const size_t run = place_of_run(quantity, runs);
        return run == runs.size() ? kMissing : evaluated(quantity.operands.front(), runs, run, leaf);
    }
    if (quantity.operands.empty() || quantity.kind == QuantityKind::reduction) return leaf(quantity, of_run);
    if (quantity.kind == QuantityKind::over_x) {
        std::vector<double> all;
        for (const Quantity& operand : quantity.operands) all.push_back(evaluated(operand, runs, of_run, leaf));
        return reduced(quantity.reduction, all);
    }
    const double left = evaluated(quantity.operands[0], runs, of_run, leaf);
    const bool two = quantity.operands.size() > 1;
    return combined(quantity.kind, left, two ? evaluated(quantity.operands[1], runs, of_run, leaf) : 0.0);
}

double value_of_unit(const Quantity& quantity, const std::vector<RunView>& runs, const Unit& unit, size_t of_run) {
    return evaluated(quantity, runs, of_run, [&](const Quantity& leaf, size_t run) {
        return run < runs.size() ? leaf_value(leaf, runs[run], unit[run]) : kMissing;
    });
}

// Where its names of seeds stand.
struct Used {
    std::set<size_t> runs;
    // Of each reduction the runs that each of its operands reads.
    std::vector<std::vector<std::set<size_t>>> reductions;
    // The rows of curves that have rows of their own, and a name that has seeds.
    size_t rows = 0;
    const Quantity* of_seeds = nullptr;
};

void add_used(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run, Used& used) {
    if (quantity.kind == QuantityKind::run) of_run = place_of_run(quantity, runs);
    if (quantity.operands.empty() && is_of_seeds(quantity) && of_run < runs.size()) {
        used.runs.insert(of_run);
        const size_t rows = own_rows(quantity, runs[of_run]);
        used.rows = std::max(used.rows, rows);
        if (rows == 0 && quantity.kind != QuantityKind::curve) used.of_seeds = &quantity;
    }
    if (quantity.kind == QuantityKind::reduction) {
        auto& operands = used.reductions.emplace_back();
        for (const Quantity& operand : quantity.operands) {
            Used of_operand;
            add_used(operand, runs, of_run, of_operand);
            operands.push_back(std::move(of_operand.runs));
        }
    }
    for (const Quantity& operand : quantity.operands) add_used(operand, runs, of_run, used);
}

// A quantity of the whole run is of all its seeds.
Used used_by(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run) {
    Used used;
    add_used(quantity, runs, of_run, used);
    if (used.runs.empty() && of_run < runs.size()) used.runs.insert(of_run);
    return used;
}

const SeedStatus& status_at(const RunView& run, size_t place) { return run.snapshot->seeds[place]; }

// The seeds of these runs by number; a seed that several runs have is one, and if every reduction has some of the same
// seeds, the others are left out. Those that failed are among them.
Units units_of(const std::vector<RunView>& runs, const Used& used) {
    Units units;
    if (used.rows > 0 && used.of_seeds != nullptr)
        throw InputError(
            fmt::format("column {}: is of each seed, and a curve beside it has other rows. Reduce both, each by itself",
                        used.of_seeds->at));
    for (size_t row = 0; row < used.rows; ++row) units.list.emplace_back(runs.size(), row);
    units.rows = used.rows > 0;
    if (units.rows) return units;
    std::map<uint64_t, Unit> by_number;
    for (const size_t run : used.runs) {
        if (runs[run].snapshot == nullptr) continue;
        for (size_t place = 0; place < runs[run].snapshot->seeds.size(); ++place) {
            units.list.emplace_back(runs.size(), kNowhere);
            units.list.back()[run] = place;
            Unit& unit = by_number.try_emplace(status_at(runs[run], place).seed, runs.size(), kNowhere).first->second;
            if (unit[run] == kNowhere) unit[run] = place;
        }
    }
    if (used.runs.size() < 2) return units;
    const auto lives_in = [](const Unit& unit, const std::set<size_t>& all) {
        return std::all_of(all.begin(), all.end(), [&](size_t run) { return unit[run] != kNowhere; });
    };
    std::vector<Unit> shared;
    for (const auto& [number, unit] : by_number)
        if (std::all_of(used.reductions.begin(), used.reductions.end(), [&](const auto& operands) {
                return std::any_of(operands.begin(), operands.end(),
                                   [&](const auto& all) { return lives_in(unit, all); });
            }))
            shared.push_back(unit);
    if (!shared.empty()) units.list = std::move(shared);
    return units;
}

bool has_failed(const std::vector<RunView>& runs, const Unit& unit) {
    for (size_t run = 0; run < unit.size(); ++run)
        if (unit[run] != kNowhere && status_at(runs[run], unit[run]).failed) return true;
    return false;
}

// A reduction with the values of the units, of each of its operands.
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
        return std::any_of(counted.begin(), counted.end(), [&](const auto& one) { return one[unit]; });
    }
};

bool is_counted(const Quantity& reduction, const RunView& run, size_t place, double value) {
    switch (reduction.of) {
        case Quantity::Of::all:
            return true;
        case Quantity::Of::known:
            return std::isfinite(value);
        default:
            return place != kNowhere && status_at(run, place).emerged == (reduction.of == Quantity::Of::emerged);
    }
}

// Known of every seed, also of one that failed.
bool is_of_status(const Quantity& quantity) {
    const std::vector<const Quantity*> names = leaves(quantity);
    return std::all_of(names.begin(), names.end(), [](const Quantity* leaf) {
        return is_of_status(leaf->kind) || leaf->kind == QuantityKind::number;
    });
}

Column column_of_reduction(const Quantity& reduction, size_t of_run, const std::vector<RunView>& runs,
                           const Units& units) {
    using Of = Quantity::Of;
    if (units.rows && (reduction.of == Of::emerged || reduction.of == Of::not_emerged))
        throw InputError(
            fmt::format("column {}: seeds emerge, and these are rows of a curve. Leave 'of' out", reduction.at));
    Column column{&reduction};
    for (const Quantity& operand : reduction.operands) {
        const bool of_status = is_of_status(operand);
        const Used used = used_by(operand, runs, of_run);
        const size_t run = operand.kind == QuantityKind::run ? place_of_run(operand, runs) : of_run;
        std::vector<double>& values = column.values.emplace_back();
        std::vector<bool>& counted = column.counted.emplace_back();
        for (const Unit& unit : units.list) {
            const bool has_all =
                std::all_of(used.runs.begin(), used.runs.end(), [&](size_t one) { return unit[one] != kNowhere; });
            const bool has = !used.runs.empty() && has_all && (of_status || units.rows || !has_failed(runs, unit));
            values.push_back(has ? value_of_unit(operand, runs, unit, of_run) : kMissing);
            counted.push_back(has && is_counted(reduction, runs[run], unit[run], values.back()));
        }
    }
    return column;
}

// By reduction and the run that it stands in.
using Columns = std::map<std::pair<const Quantity*, size_t>, Column>;

void add_columns(const Quantity& quantity, size_t of_run, const std::vector<RunView>& runs, const Units& units,
                 Columns& columns) {
    if (quantity.kind == QuantityKind::run) of_run = place_of_run(quantity, runs);
    if (quantity.kind == QuantityKind::reduction) {
        columns.emplace(std::pair(&quantity, of_run), column_of_reduction(quantity, of_run, runs, units));
        return;
    }
    for (const Quantity& operand : quantity.operands) add_columns(operand, of_run, runs, units, columns);
}

double number_of_runs(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run) {
    return evaluated(quantity, runs, of_run, [&](const Quantity& leaf, size_t run) {
        if (leaf.kind != QuantityKind::reduction) return leaf_value(leaf, runs[run], kNowhere);
        const Used used = used_by(leaf, runs, run);
        const bool known =
            std::all_of(used.runs.begin(), used.runs.end(), [&](size_t one) { return runs[one].snapshot != nullptr; });
        const Units units = units_of(runs, used);
        return known ? column_of_reduction(leaf, run, runs, units).reduce(all_places(units.list.size())) : kMissing;
    });
}

[[noreturn]] void refuse_seeds(const Quantity& quantity) {
    throw InputError(fmt::format(
        "column {}: is one number for each seed. Reduce it to one of the run, for example with mean( ) or median( )",
        quantity.at));
}

// The bare reduction that the quantity is, perhaps of another run; null if it is more.
const Quantity* bare_reduction(const Quantity& quantity) {
    const Quantity* inner = &quantity;
    while (inner->kind == QuantityKind::run) inner = &inner->operands.front();
    return inner->kind == QuantityKind::reduction ? inner : nullptr;
}

Measurement measured_share(const std::vector<double>& values) {
    const double value = reduced(Reduction::share, values);
    if (std::isnan(value)) return {value, "", {}, static_cast<int64_t>(values.size())};
    const auto count = values.size() - static_cast<size_t>(std::count(values.begin(), values.end(), 0.0));
    const Fraction share = fraction(static_cast<int>(count), static_cast<int>(values.size()));
    return {share.value, fmt::format("{} of {}", share.count, share.total), Range{share.low, share.high}, share.total};
}

Measurement measured_mean(std::vector<double> values) {
    Measurement mean{reduced(Reduction::mean, values), "", {}, static_cast<int64_t>(values.size())};
    if (std::isfinite(mean.value)) {
        const Summary summary = summarise(values, false);
        mean.interval = interval_of_mean(summary.mean, summary.standard_error, summary.count);
    }
    return mean;
}

Measurement measured_in(const std::vector<RunView>& runs, const Quantity& of, size_t of_run) {
    const Quantity quantity = expanded(of, runs, of_run);
    if (is_of_seeds(quantity)) refuse_seeds(quantity);
    const Units units = units_of(runs, used_by(quantity, runs, of_run));
    Columns columns;
    add_columns(quantity, of_run, runs, units, columns);
    if (columns.empty()) return {number_of_runs(quantity, runs, of_run), "", {}, 0};
    Places counted;
    for (size_t unit = 0; unit < units.list.size(); ++unit)
        if (std::any_of(columns.begin(), columns.end(), [&](const auto& one) { return one.second.counts(unit); }))
            counted.push_back(unit);
    if (const Quantity* bare = bare_reduction(quantity)) {
        std::vector<double> values = columns.begin()->second.drawn(counted);
        if (bare->reduction == Reduction::share) return measured_share(values);
        if (bare->reduction == Reduction::mean) return measured_mean(std::move(values));
    }
    return bootstrapped(counted.size(), [&](const Places& drawn) {
        Places places;
        for (const size_t place : drawn) places.push_back(counted[place]);
        return evaluated(quantity, runs, of_run, [&](const Quantity& leaf, size_t run) {
            const auto column = columns.find({&leaf, run});
            return column != columns.end() ? column->second.reduce(places) : leaf_value(leaf, runs[run], kNowhere);
        });
    });
}

}  // namespace

double number_of(const Quantity& quantity, const std::vector<RunView>& runs) {
    return number_of_runs(expanded(quantity, runs, 0), runs, 0);
}

std::vector<SeedValue> values(const RunView& run, const Quantity& of) {
    const std::vector<RunView> runs = {run};
    check_quantity(of, runs);
    const Quantity quantity = expanded(of, runs, 0);
    const Units units = units_of(runs, used_by(quantity, runs, 0));
    if (units.rows)
        throw InputError("a curve whose rows are not seeds has no number of a seed. Reduce it, e.g. with mean( )");
    std::vector<SeedValue> found;
    for (const Unit& unit : units.list) {
        const SeedStatus& status = status_at(run, unit[0]);
        const double value = evaluated(quantity, runs, 0, [&](const Quantity& leaf, size_t) {
            return leaf.kind == QuantityKind::reduction ? number_of_runs(leaf, runs, 0)
                                                        : leaf_value(leaf, run, unit[0]);
        });
        const bool has = !status.failed || is_of_status(quantity);
        found.push_back({unit[0], status.seed, status.failed, has ? value : kMissing});
    }
    return found;
}

Measurement measured(const std::vector<RunView>& runs, const Quantity& quantity) {
    check_quantity(quantity, runs);
    try {
        if (quantity.kind != QuantityKind::over_runs) return measured_in(runs, quantity, 0);
        std::vector<Measurement> all;
        std::vector<double> numbers;
        for (size_t run = 0; run < runs.size(); ++run) {
            if (runs[run].drawn) continue;
            all.push_back(measured_in(runs, quantity.operands.front(), run));
            numbers.push_back(all.back().value);
        }
        const double value = reduced(quantity.reduction, numbers);
        if (quantity.reduction == Reduction::mean) return {value, "", {}, static_cast<int64_t>(all.size())};
        const auto found = std::find_if(all.begin(), all.end(), [&](const Measurement& one) {
            return one.value == value || std::isnan(one.value);
        });
        return *found;
    } catch (const InputError& error) {
        if (quantity.text.empty()) throw;
        throw quoting(quantity.text, error);
    }
}

Measurement measured(const RunView& run, const Quantity& quantity) { return measured(std::vector{run}, quantity); }

}  // namespace emergence
