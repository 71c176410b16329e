#include "core/lab/quantity/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/fraction.h"
#include "core/lab/quantity/leaf.h"
#include "core/lab/quantity/parser.h"

namespace emergence {
namespace {

// No place in a run.
constexpr size_t kNowhere = static_cast<size_t>(-1);
// What is resampled: a seed, by its places in the runs.
using Unit = std::vector<size_t>;

// The value of a tree. leaf: of a quantity without operands or of a reduction, in the run with this place.
template <class Leaf>
double evaluated(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run,
                 const Leaf& leaf) {
    if (quantity.kind == QuantityKind::run) {
        const size_t run = place_of_run(quantity, runs);
        return run == runs.size() ? kMissing : evaluated(quantity.operands.front(), runs, run, leaf);
    }
    if (quantity.operands.empty() || quantity.kind == QuantityKind::reduction) return leaf(quantity, of_run);
    const double left = evaluated(quantity.operands[0], runs, of_run, leaf);
    const bool two = quantity.operands.size() > 1;
    return combined(quantity.kind, left, two ? evaluated(quantity.operands[1], runs, of_run, leaf) : 0.0);
}

double value_of_unit(const Quantity& quantity, const std::vector<RunView>& runs, const Unit& unit,
                     size_t of_run) {
    return evaluated(quantity, runs, of_run, [&](const Quantity& leaf, size_t run) {
        return run < runs.size() ? leaf_value(leaf, runs[run], unit[run]) : kMissing;
    });
}

// The runs that its names of seeds stand in.
void add_used_runs(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run,
                   std::set<size_t>& used) {
    if (quantity.kind == QuantityKind::run) of_run = place_of_run(quantity, runs);
    if (quantity.operands.empty() && is_of_seeds(quantity) && of_run < runs.size()) used.insert(of_run);
    for (const Quantity& operand : quantity.operands) add_used_runs(operand, runs, of_run, used);
}

const SeedStatus& status_at(const RunView& run, size_t place) { return run.snapshot->seeds[place]; }

// The seeds of these runs by number; seeds that several runs have are one, and if they share any, the others are left
// out. Those that failed are among them.
std::vector<Unit> units_of(const std::vector<RunView>& runs, const std::set<size_t>& used) {
    std::vector<Unit> units;
    std::map<uint64_t, Unit> by_number;
    for (const size_t run : used) {
        if (runs[run].snapshot == nullptr) continue;
        for (size_t place = 0; place < runs[run].snapshot->seeds.size(); ++place) {
            units.emplace_back(runs.size(), kNowhere);
            units.back()[run] = place;
            Unit& unit =
                by_number.try_emplace(status_at(runs[run], place).seed, runs.size(), kNowhere).first->second;
            if (unit[run] == kNowhere) unit[run] = place;
        }
    }
    if (used.size() < 2) return units;
    std::vector<Unit> shared;
    for (const auto& [number, unit] : by_number)
        if (std::all_of(used.begin(), used.end(),
                        [&unit = unit](size_t run) { return unit[run] != kNowhere; }))
            shared.push_back(unit);
    return shared.empty() ? units : shared;
}

bool has_failed(const std::vector<RunView>& runs, const Unit& unit) {
    for (size_t run = 0; run < unit.size(); ++run)
        if (unit[run] != kNowhere && status_at(runs[run], unit[run]).failed) return true;
    return false;
}

// A reduction with the values of the units.
struct Column {
    const Quantity* reduction = nullptr;
    size_t of_run = 0;
    std::vector<double> values;
    std::vector<bool> counted;

    double reduce(const Places& places) const {
        std::vector<double> drawn;
        for (const size_t place : places)
            if (counted[place]) drawn.push_back(values[place]);
        return reduced(reduction->reduction, drawn, reduction->number);
    }
};

bool is_counted(const Quantity& reduction, const RunView& run, size_t place, double value) {
    switch (reduction.of) {
        case Quantity::Of::all:
            return true;
        case Quantity::Of::known:
            return std::isfinite(value);
        default:
            return place != kNowhere &&
                   status_at(run, place).emerged == (reduction.of == Quantity::Of::emerged);
    }
}

// Known of every seed, also of one that failed.
bool is_of_status(const Quantity& quantity) {
    const std::vector<const Quantity*> names = leaves(quantity);
    return std::all_of(names.begin(), names.end(), [](const Quantity* leaf) {
        return leaf->kind == QuantityKind::emerged || leaf->kind == QuantityKind::failed ||
               leaf->kind == QuantityKind::number;
    });
}

Column column_of_reduction(const Quantity& reduction, size_t of_run, const std::vector<RunView>& runs,
                           const std::vector<Unit>& units) {
    Column column{&reduction, of_run, {}, {}};
    const Quantity& operand = reduction.operands.front();
    const bool of_status = is_of_status(operand);
    std::set<size_t> used;
    add_used_runs(operand, runs, of_run, used);
    if (used.empty() && of_run < runs.size()) used.insert(of_run);
    for (const Unit& unit : units) {
        const bool has_all =
            std::all_of(used.begin(), used.end(), [&](size_t run) { return unit[run] != kNowhere; });
        const bool has = !used.empty() && has_all && (of_status || !has_failed(runs, unit));
        column.values.push_back(has ? value_of_unit(operand, runs, unit, of_run) : kMissing);
        column.counted.push_back(has &&
                                 is_counted(reduction, runs[of_run], unit[of_run], column.values.back()));
    }
    return column;
}

void add_columns(const Quantity& quantity, size_t of_run, const std::vector<RunView>& runs,
                 const std::vector<Unit>& units, std::vector<Column>& columns) {
    if (quantity.kind == QuantityKind::run) of_run = place_of_run(quantity, runs);
    if (quantity.kind == QuantityKind::reduction)
        return columns.push_back(column_of_reduction(quantity, of_run, runs, units));
    for (const Quantity& operand : quantity.operands) add_columns(operand, of_run, runs, units, columns);
}

double number_of_runs(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run) {
    return evaluated(quantity, runs, of_run, [&](const Quantity& leaf, size_t run) {
        if (leaf.kind != QuantityKind::reduction) return leaf_value(leaf, runs[run], kNowhere);
        std::set<size_t> used;
        add_used_runs(leaf, runs, run, used);
        if (used.empty()) used.insert(run);
        const bool known =
            std::all_of(used.begin(), used.end(), [&](size_t one) { return runs[one].snapshot != nullptr; });
        const std::vector<Unit> units = units_of(runs, used);
        return known ? column_of_reduction(leaf, run, runs, units).reduce(all_places(units.size()))
                     : kMissing;
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
    return {share.value, fmt::format("{} of {}", share.count, share.total), Range{share.low, share.high},
            share.total};
}

Measurement measured_mean(std::vector<double> values) {
    Measurement mean{reduced(Reduction::mean, values), "", {}, static_cast<int64_t>(values.size())};
    if (std::isfinite(mean.value)) {
        const Summary summary = summarise(values, false);
        mean.interval = interval_of_mean(summary.mean, summary.standard_error, summary.count);
    }
    return mean;
}

Measurement measured_in(const std::vector<RunView>& runs, const Quantity& quantity, size_t of_run) {
    if (is_of_seeds(quantity)) refuse_seeds(quantity);
    std::set<size_t> used;
    add_used_runs(quantity, runs, of_run, used);
    if (used.empty()) used.insert(of_run);
    const std::vector<Unit> all = units_of(runs, used);
    std::vector<Column> columns;
    add_columns(quantity, of_run, runs, all, columns);
    if (columns.empty()) return {number_of_runs(quantity, runs, of_run), "", {}, 0};
    Places counted;
    for (size_t unit = 0; unit < all.size(); ++unit)
        if (std::any_of(columns.begin(), columns.end(), [&](const Column& one) { return one.counted[unit]; }))
            counted.push_back(unit);
    if (const Quantity* bare = bare_reduction(quantity)) {
        std::vector<double> values;
        for (const size_t unit : counted) values.push_back(columns.front().values[unit]);
        if (bare->reduction == Reduction::share) return measured_share(values);
        if (bare->reduction == Reduction::mean) return measured_mean(std::move(values));
    }
    return bootstrapped(counted.size(), [&](const Places& drawn) {
        Places units;
        for (const size_t place : drawn) units.push_back(counted[place]);
        return evaluated(quantity, runs, of_run, [&](const Quantity& leaf, size_t run) {
            const auto column = std::find_if(columns.begin(), columns.end(), [&](const Column& one) {
                return one.reduction == &leaf && one.of_run == run;
            });
            return column != columns.end() ? column->reduce(units) : leaf_value(leaf, runs[run], kNowhere);
        });
    });
}

double quantile_of(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return quantile(values, share);
}

}  // namespace

double reduced(Reduction reduction, const std::vector<double>& values, double share) {
    const bool known = std::none_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
    const auto holds = [&] {
        return static_cast<double>(values.size()) -
               static_cast<double>(std::count(values.begin(), values.end(), 0.0));
    };
    if (known && reduction == Reduction::count) return holds();
    if (!known || values.empty()) return kMissing;
    std::vector<double> all = values;
    switch (reduction) {
        case Reduction::median:
            return quantile_of(std::move(all), 0.5);
        case Reduction::quantile:
            return quantile_of(std::move(all), share);
        case Reduction::least:
            return *std::min_element(values.begin(), values.end());
        case Reduction::greatest:
            return *std::max_element(values.begin(), values.end());
        case Reduction::share:
            return holds() / static_cast<double>(values.size());
        case Reduction::deviation:
            return summarise(all, false).deviation;
        default:
            return summarise(all, false).mean;
    }
}

double number_of(const Quantity& quantity, const std::vector<RunView>& runs) {
    return number_of_runs(quantity, runs, 0);
}

std::vector<SeedValue> values(const RunView& run, const Quantity& quantity) {
    const std::vector<RunView> runs = {run};
    check_quantity(quantity, runs);
    std::vector<SeedValue> found;
    for (const Unit& unit : units_of(runs, {0})) {
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
            all.push_back(measured_in(runs, quantity.operands.front(), run));
            numbers.push_back(all.back().value);
        }
        const double value = reduced(quantity.reduction, numbers);
        if (quantity.reduction == Reduction::mean) return {value, "", {}, static_cast<int64_t>(runs.size())};
        const auto found = std::find_if(all.begin(), all.end(), [&](const Measurement& one) {
            return one.value == value || std::isnan(one.value);
        });
        return *found;
    } catch (const InputError& error) {
        if (quantity.text.empty()) throw;
        throw quoting(quantity.text, error);
    }
}

Measurement measured(const RunView& run, const Quantity& quantity) {
    return measured(std::vector{run}, quantity);
}

Quantity of_whole_run(Quantity quantity) {
    if (quantity.kind == QuantityKind::reduction) return quantity;
    if (quantity.operands.empty() && is_of_seeds(quantity)) {
        const bool counts = quantity.kind == QuantityKind::emerged || quantity.kind == QuantityKind::failed;
        Quantity whole{.kind = QuantityKind::reduction, .at = quantity.at};
        whole.reduction = counts ? Reduction::count : Reduction::mean;
        if (!counts) whole.of = Quantity::Of::known;
        whole.operands.push_back(std::move(quantity));
        return whole;
    }
    for (Quantity& operand : quantity.operands) operand = of_whole_run(std::move(operand));
    return quantity;
}

std::vector<std::vector<size_t>> shared_seeds(const std::vector<RunView>& runs) {
    std::set<size_t> all;
    for (size_t run = 0; run < runs.size(); ++run) all.insert(run);
    std::vector<Unit> units = units_of(runs, all);
    std::erase_if(units, [&](const Unit& unit) {
        return std::find(unit.begin(), unit.end(), kNowhere) != unit.end() || has_failed(runs, unit);
    });
    return units;
}

Places all_places(size_t count) {
    Places places(count);
    std::iota(places.begin(), places.end(), size_t{0});
    return places;
}

Measurement bootstrapped(size_t count, const std::function<double(const Places&)>& statistic,
                         const std::string& detail) {
    constexpr int kSamples = 2000;
    if (count == 0) return {kMissing, detail, {}, 0};
    Measurement measured{statistic(all_places(count)), detail, {}, static_cast<int64_t>(count)};
    if (count < 2) return measured;
    const BootstrapInterval interval = bootstrap_interval(count, kSamples, statistic);
    // A statistic with a bias, such as a largest value, may lie outside its draws.
    if (std::isfinite(interval.low) && std::isfinite(interval.high))
        measured.interval =
            Range{std::min(interval.low, measured.value), std::max(interval.high, measured.value)};
    return measured;
}

}  // namespace emergence
