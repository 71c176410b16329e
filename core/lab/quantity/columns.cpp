#include "core/lab/quantity/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace emergence {
namespace {

// The runs and rows that a quantity reads.
struct Used {
    std::set<size_t> runs;
    // The number of rows of curves with rows of their own, and a name that is read off each seed.
    size_t rows = 0;
    const Quantity* of_seeds = nullptr;
};

// The runs whose seeds the quantity reads.
std::set<size_t> runs_read_by(const Quantity& quantity) {
    std::set<size_t> found;
    for (const Quantity* leaf : leaves(quantity))
        if (is_of_seeds(*leaf)) found.insert(leaf->in_run);
    return found;
}

// A quantity that reads no seed counts all seeds of its run.
Used used_by(const Quantity& quantity, const std::vector<RunView>& runs) {
    Used used{runs_read_by(quantity)};
    for (const Quantity* leaf : leaves(quantity)) {
        if (!is_of_seeds(*leaf)) continue;
        const size_t rows = own_rows(*leaf, runs[leaf->in_run]);
        used.rows = std::max(used.rows, rows);
        if (rows == 0 && leaf->kind != QuantityKind::curve) used.of_seeds = leaf;
    }
    if (used.runs.empty()) used.runs.insert(quantity.in_run);
    return used;
}

const SeedStatus& status_at(const RunView& run, size_t place) { return run.snapshot->seeds[place]; }

bool has_failed(const std::vector<RunView>& runs, const Unit& unit) {
    for (size_t run = 0; run < unit.size(); ++run)
        if (unit[run] != kNowhere && status_at(runs[run], unit[run]).failed) return true;
    return false;
}

bool counts_value(const Quantity& reduction, const RunView& run, size_t place, double value) {
    if (reduction.of == Quantity::Of::all) return true;
    if (reduction.of == Quantity::Of::known) return std::isfinite(value);
    return place != kNowhere && status_at(run, place).emerged == (reduction.of == Quantity::Of::emerged);
}

// Whether one of the `others` also has the network with this number.
bool has_twin(const std::vector<size_t>& others, size_t run, uint64_t number, const std::vector<RunView>& runs) {
    return any_of(others, [&](size_t other) {
        return other != run && same_networks(runs[other], runs[run]) &&
               any_of(runs[other].snapshot->seeds, [&](const SeedStatus& seed) { return seed.seed == number; });
    });
}

}  // namespace

Units units_of(const Quantity& quantity, const std::vector<RunView>& runs) {
    const Used used = used_by(quantity, runs);
    Units units;
    if (used.rows > 0 && used.of_seeds != nullptr)
        throw InputError(
            "column {}: has one value per network, but a curve beside it has other rows. Reduce each of them",
            used.of_seeds->at);
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
        return all_of(all, [&](size_t run) { return unit[run] != kNowhere; });
    };
    const auto reductions =
        mapped(reductions_in(quantity), [](const Quantity* one) { return mapped(one->operands, runs_read_by); });
    std::vector<Unit> shared;
    for (const auto& numbered : by_number) {
        const Unit& unit = numbered.second;
        if (all_of(reductions, [&](const auto& operands) {
                return any_of(operands, [&](const auto& all) { return lives_in(unit, all); });
            }))
            shared.push_back(unit);
    }
    if (!shared.empty()) units.list = std::move(shared);
    return units;
}

bool is_of_status(const Quantity& quantity) {
    const std::vector<const Quantity*> names = leaves(quantity);
    return all_of(names,
                  [](const Quantity* leaf) { return is_of_status(leaf->kind) || leaf->kind == QuantityKind::number; });
}

Column column_of_reduction(const Quantity& reduction, const std::vector<RunView>& runs, const Units& units) {
    using Of = Quantity::Of;
    if (units.rows && (reduction.of == Of::emerged || reduction.of == Of::not_emerged))
        throw InputError("column {}: only networks emerge, but these are rows of a curve. Leave 'of' out",
                         reduction.at);
    Column column{&reduction};
    std::vector<size_t> earlier;  // runs whose networks an earlier operand counts
    for (const Quantity& operand : reduction.operands) {
        const bool of_status = is_of_status(operand);
        const Used used = used_by(operand, runs);
        std::vector<double>& values = column.values.emplace_back();
        std::vector<bool>& counted = column.counted.emplace_back();
        const bool of_one_run = !units.rows && used.runs.size() == 1;
        const size_t first = *used.runs.begin();
        for (const Unit& unit : units.list) {
            const auto value_in = [&](const Quantity& leaf) {
                return leaf_value(leaf, runs[leaf.in_run], unit[leaf.in_run]);
            };
            const bool has_all = all_of(used.runs, [&](size_t one) { return unit[one] != kNowhere; });
            const bool counts_once =
                has_all && !(of_one_run && has_twin(earlier, first, status_at(runs[first], unit[first]).seed, runs));
            const bool has = counts_once && (of_status || units.rows || !has_failed(runs, unit));
            values.push_back(has ? evaluated(operand, value_in) : kMissing);
            counted.push_back(has &&
                              counts_value(reduction, runs[operand.in_run], unit[operand.in_run], values.back()));
        }
        if (used.runs.size() == 1) earlier.push_back(first);
    }
    return column;
}

std::vector<const Quantity*> reductions_in(const Quantity& quantity) {
    if (quantity.kind == QuantityKind::reduction) return {&quantity};
    std::vector<const Quantity*> found;
    for (const Quantity& operand : quantity.operands)
        for (const Quantity* one : reductions_in(operand)) found.push_back(one);
    return found;
}

double number_of_runs(const Quantity& quantity, const std::vector<RunView>& runs) {
    return evaluated(quantity, [&](const Quantity& leaf) {
        if (leaf.kind != QuantityKind::reduction) return leaf_value(leaf, runs[leaf.in_run], kNowhere);
        const bool known = all_of(used_by(leaf, runs).runs, [&](size_t one) { return runs[one].snapshot != nullptr; });
        const Units units = units_of(leaf, runs);
        return known ? column_of_reduction(leaf, runs, units).reduce(all_places(units.list.size())) : kMissing;
    });
}

double reduced(Reduction reduction, const std::vector<double>& values, double share) {
    const bool known = !any_of(values, [](double x) { return std::isnan(x); });
    const auto holds = static_cast<double>(count_if(values, [](double x) { return x != 0.0; }));
    if (known && reduction == Reduction::count) return holds;
    if (!known || values.empty()) return kMissing;
    if (reduction == Reduction::share) return holds / static_cast<double>(values.size());
    if (reduction == Reduction::least) return *std::min_element(values.begin(), values.end());
    if (reduction == Reduction::greatest) return *std::max_element(values.begin(), values.end());
    std::vector<double> all = values;
    const Summary summary = summarise(all, reduction == Reduction::median || reduction == Reduction::quantile);
    if (reduction == Reduction::median) return summary.median;
    if (reduction == Reduction::quantile) return quantile(all, share);  // sorted by now
    if (reduction == Reduction::deviation) return summary.deviation;
    if (reduction == Reduction::standard_error) return summary.standard_error;
    return reduction == Reduction::t ? summary.mean / summary.standard_error : summary.mean;
}

Quantity of_whole_run(Quantity quantity) {
    if (quantity.kind == QuantityKind::reduction) return quantity;
    if (quantity.operands.empty() && is_of_seeds(quantity)) {
        const bool counts = is_of_status(quantity.kind);
        Quantity whole{.kind = QuantityKind::reduction, .at = quantity.at};
        whole.reduction = counts ? Reduction::count : Reduction::mean;
        if (!counts) whole.of = Quantity::Of::known;
        whole.operands.push_back(std::move(quantity));
        return whole;
    }
    for (Quantity& operand : quantity.operands) operand = of_whole_run(std::move(operand));
    return quantity;
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
    if (count < 2 || std::isnan(measured.value)) return measured;
    const BootstrapInterval interval = bootstrap_interval(count, kSamples, statistic);
    // A statistic with a bias, such as a largest value, may lie outside its draws.
    if (std::isfinite(interval.low) && std::isfinite(interval.high))
        measured.interval = Range{std::min(interval.low, measured.value), std::max(interval.high, measured.value)};
    return measured;
}

}  // namespace emergence
