// Numbers of runs by the values of their seeds, with intervals.
#include "core/lab/quantity/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/lab/quantity/columns.h"
#include "core/lab/quantity/parser.h"
#include "core/lab/quantity/share_intervals.h"

namespace emergence {
namespace {

[[noreturn]] void refuse_seeds(const Quantity& quantity) {
    throw InputError(fmt::format(
        "column {}: is one number for each seed. Reduce it to one of the run, for example with mean( ) or median( )",
        quantity.at));
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
    const Units units = units_of(quantity, runs, of_run);
    Columns columns;
    add_columns(quantity, of_run, runs, units, columns);
    if (columns.empty()) return {number_of_runs(quantity, runs, of_run), "", {}, 0};
    Places counted;
    for (size_t unit = 0; unit < units.list.size(); ++unit)
        if (std::any_of(columns.begin(), columns.end(), [&](const auto& one) { return one.second.counts(unit); }))
            counted.push_back(unit);
    const auto value_at = [&](const Places& places) {
        return evaluated(quantity, runs, of_run, [&](const Quantity& leaf, size_t run) {
            const auto column = columns.find({&leaf, run});
            return column != columns.end() ? column->second.reduce(places) : leaf_value(leaf, runs[run], kNowhere);
        });
    };
    const ShareInterval of_shares = share_interval_of(quantity, runs, of_run, units);
    const Quantity* bare = bare_reduction(quantity);
    if (of_shares.range) {
        const std::vector<double> values = columns.begin()->second.drawn(counted);
        Measurement found{value_at(counted), "", of_shares.range, static_cast<int64_t>(counted.size())};
        if (bare == nullptr) return found;
        found.n = static_cast<int64_t>(values.size());
        if (bare->reduction == Reduction::share)
            found.detail = fmt::format("{} of {}", found.n - std::count(values.begin(), values.end(), 0.0), found.n);
        return found;
    }
    if (bare != nullptr && bare->reduction == Reduction::mean)
        return measured_mean(columns.begin()->second.drawn(counted));
    Measurement found = bootstrapped(counted.size(), [&](const Places& drawn) {
        Places places;
        for (const size_t place : drawn) places.push_back(counted[place]);
        return value_at(places);
    });
    if (of_shares.certain) found.interval.reset();
    return found;
}

bool same_losses(const MetricHistory& a, const MetricHistory& b) {
    if (a.table().empty() || b.table().empty() || a.num_seeds() != b.num_seeds()) return false;
    const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    for (int k = 0; k < a.num_seeds(); ++k)
        if (!std::ranges::equal(a.column(a.table().front().name, k), b.column(b.table().front().name, k), same))
            return false;
    return true;
}

// Whether an earlier run has the same networks with the same seeds: a run that is there twice is one.
bool is_twin(size_t run, const std::vector<RunView>& runs) {
    const RunView& own = runs[run];
    const auto same_seed = [](const SeedStatus& a, const SeedStatus& b) { return a.seed == b.seed; };
    return std::any_of(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(run), [&](const RunView& other) {
        return std::ranges::equal(other.snapshot->seeds, own.snapshot->seeds, same_seed) &&
               same_losses(*other.history, *own.history) && same_networks(other, own);
    });
}

}  // namespace

double number_of(const Quantity& quantity, const std::vector<RunView>& runs) {
    if (quantity.kind != QuantityKind::over_runs) return number_of_runs(expanded(quantity, runs, 0), runs, 0);
    std::vector<double> numbers;
    for (size_t run = 0; run < runs.size(); ++run)
        if (!runs[run].drawn && !is_twin(run, runs))
            numbers.push_back(number_of_runs(expanded(quantity.operands.front(), runs, run), runs, run));
    return reduced(quantity.reduction, numbers);
}

std::vector<SeedValue> values(const RunView& run, const Quantity& of) {
    const std::vector<RunView> runs = {run};
    check_quantity(of, runs);
    const Quantity quantity = expanded(of, runs, 0);
    const Units units = units_of(quantity, runs, 0);
    if (units.rows)
        throw InputError("a curve whose rows are not seeds has no number of a seed. Reduce it, e.g. with mean( )");
    std::vector<SeedValue> found;
    for (const Unit& unit : units.list) {
        const SeedStatus& status = run.snapshot->seeds[unit[0]];
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
            if (runs[run].drawn || is_twin(run, runs)) continue;
            all.push_back(measured_in(runs, quantity.operands.front(), run));
            numbers.push_back(all.back().value);
        }
        const double value = reduced(quantity.reduction, numbers);
        if (quantity.reduction == Reduction::mean || all.empty())
            return {value, "", {}, static_cast<int64_t>(all.size())};
        return *std::find_if(all.begin(), all.end(),
                             [&](const Measurement& one) { return one.value == value || std::isnan(one.value); });
    } catch (const InputError& error) {
        if (quantity.text.empty()) throw;
        throw quoting(quantity.text, error);
    }
}

Measurement measured(const RunView& run, const Quantity& quantity) { return measured(std::vector{run}, quantity); }

}  // namespace emergence
