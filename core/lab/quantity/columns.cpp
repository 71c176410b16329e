#include "core/lab/quantity/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/lab/quantity/quantity.h"

namespace emergence {
namespace {

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

}  // namespace

const Quantity* bare_reduction(const Quantity& quantity) {
    const Quantity* inner = &quantity;
    while (inner->kind == QuantityKind::run) inner = &inner->operands.front();
    return inner->kind == QuantityKind::reduction ? inner : nullptr;
}

namespace {

// A quantity of the whole run is of all its seeds.
Used used_by(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run) {
    Used used;
    add_used(quantity, runs, of_run, used);
    if (used.runs.empty() && of_run < runs.size()) used.runs.insert(of_run);
    return used;
}

const SeedStatus& status_at(const RunView& run, size_t place) { return run.snapshot->seeds[place]; }

Units units_of_names(const std::vector<RunView>& runs, const Used& used) {
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

// Whether an earlier operand of the reduction, of another run, counts the network of this seed already.
class CountedNetworks {
  public:
    explicit CountedNetworks(const std::vector<RunView>& runs) : runs_(runs) {}

    bool is_twin(size_t run, const Unit& unit) const {
        if (unit[run] == kNowhere) return false;
        const uint64_t number = status_at(runs_[run], unit[run]).seed;
        return std::any_of(before_.begin(), before_.end(), [&](size_t other) {
            if (other == run || !same_networks(runs_[other], runs_[run])) return false;
            const std::vector<SeedStatus>& seeds = runs_[other].snapshot->seeds;
            return std::any_of(seeds.begin(), seeds.end(), [&](const SeedStatus& seed) { return seed.seed == number; });
        });
    }
    void add(size_t run) { before_.push_back(run); }

  private:
    const std::vector<RunView>& runs_;
    std::vector<size_t> before_;
};

}  // namespace

Units units_of(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run) {
    return units_of_names(runs, used_by(quantity, runs, of_run));
}

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
    CountedNetworks networks(runs);
    for (const Quantity& operand : reduction.operands) {
        const bool of_status = is_of_status(operand);
        const Used used = used_by(operand, runs, of_run);
        const size_t run = operand.kind == QuantityKind::run ? place_of_run(operand, runs) : of_run;
        std::vector<double>& values = column.values.emplace_back();
        std::vector<bool>& counted = column.counted.emplace_back();
        for (const Unit& unit : units.list) {
            const bool has_all =
                std::all_of(used.runs.begin(), used.runs.end(), [&](size_t one) { return unit[one] != kNowhere; });
            const bool twin = !units.rows && used.runs.size() == 1 && networks.is_twin(*used.runs.begin(), unit);
            const bool has =
                !used.runs.empty() && has_all && !twin && (of_status || units.rows || !has_failed(runs, unit));
            values.push_back(has ? value_of_unit(operand, runs, unit, of_run) : kMissing);
            counted.push_back(has && is_counted(reduction, runs[run], unit[run], values.back()));
        }
        if (used.runs.size() == 1) networks.add(*used.runs.begin());
    }
    return column;
}

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
        const Units units = units_of_names(runs, used);
        return known ? column_of_reduction(leaf, run, runs, units).reduce(all_places(units.list.size())) : kMissing;
    });
}

// expanded(): `over x` with an operand for each x.

namespace {

// The x of the first name that is read at x.
std::vector<double> all_x(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run) {
    if (quantity.kind == QuantityKind::run) of_run = place_of_run(quantity, runs);
    if (of_run >= runs.size() || runs[of_run].snapshot == nullptr) return {};
    const RunView& run = runs[of_run];
    if (quantity.when == Quantity::When::at_x && quantity.kind == QuantityKind::curve) {
        const Series* curve = curve_of(quantity, *run.snapshot);
        return curve == nullptr ? std::vector<double>() : curve->x;
    }
    if (quantity.when == Quantity::When::at_x) {
        std::vector<double> steps = run.history == nullptr ? std::vector<double>() : run.history->steps();
        std::erase_if(steps, [&](double step) { return step > static_cast<double>(run.snapshot->step); });
        return steps;
    }
    for (const Quantity& operand : quantity.operands)
        if (std::vector<double> found = all_x(operand, runs, of_run); !found.empty()) return found;
    return {};
}

Quantity at_x(Quantity quantity, double x) {
    if (quantity.when == Quantity::When::at_x) {
        quantity.when = Quantity::When::at;
        quantity.number = x;
    }
    for (Quantity& operand : quantity.operands) operand = at_x(std::move(operand), x);
    return quantity;
}

}  // namespace

Quantity expanded(Quantity quantity, const std::vector<RunView>& runs, size_t of_run) {
    if (quantity.kind == QuantityKind::run) of_run = place_of_run(quantity, runs);
    if (quantity.kind != QuantityKind::over_x) {
        for (Quantity& operand : quantity.operands) operand = expanded(std::move(operand), runs, of_run);
        return quantity;
    }
    const std::vector<double> x = all_x(quantity, runs, of_run);
    const Quantity operand = std::move(quantity.operands.front());
    quantity.operands.clear();
    for (const double one : x)
        if (one >= quantity.from * x.back() && one <= quantity.to * x.back())
            quantity.operands.push_back(at_x(operand, one));
    return quantity;
}

namespace {

double quantile_of(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return quantile(values, share);
}

}  // namespace

double reduced(Reduction reduction, const std::vector<double>& values, double share) {
    const bool known = std::none_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
    const auto holds = [&] {
        return static_cast<double>(values.size()) - static_cast<double>(std::count(values.begin(), values.end(), 0.0));
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
        case Reduction::standard_error:
            return summarise(all, false).standard_error;
        case Reduction::t: {
            const Summary summary = summarise(all, false);
            return summary.mean / summary.standard_error;
        }
        default:
            return summarise(all, false).mean;
    }
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
