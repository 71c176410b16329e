#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/lab/quantity/quantity.h"

namespace emergence {
namespace {

// Something that holds of a seed or does not, and the share of seeds of which it holds.
struct Event {
    Quantity what;
    Column column = {};
    Fraction share = {};
};
// constant + the sum of the weights times the shares of events.
struct SumOfShares {
    double constant = 0.0;
    std::vector<std::pair<Event, double>> terms = {};
};

// The quantity without its columns, so that equal parts of a text compare equal.
Quantity without_its_places(Quantity quantity) {
    quantity.at = 0;
    quantity.text.clear();
    for (Quantity& operand : quantity.operands) operand = without_its_places(std::move(operand));
    return quantity;
}

bool is_zero_or_one(const Quantity& quantity, const std::vector<RunView>& runs) {
    using K = QuantityKind;
    const auto is_one_of = [&](std::initializer_list<K> kinds) { return contains(kinds, quantity.kind); };
    if (is_one_of({K::times, K::least, K::greatest, K::absolute}))
        return all_of(quantity.operands, [&](const Quantity& operand) { return is_zero_or_one(operand, runs); });
    const MetricHistory* history = runs[quantity.in_run].history;
    if (quantity.kind == K::metric && history != nullptr)
        return any_of(history->table(), [&](const MetricInfo& one) { return one.name == quantity.name && one.share; });
    return is_one_of({K::less, K::at_most, K::more, K::at_least, K::equal}) || is_of_status(quantity.kind);
}

// A sum, difference or multiple of shares as one sum. whole: gives an operand as a sum of shares, nullopt if it is
// none.
template <class Whole>
std::optional<SumOfShares> combined_sums(const Quantity& quantity, const Whole& whole) {
    const bool adds = quantity.kind == QuantityKind::plus || quantity.kind == QuantityKind::minus;
    if (!adds && quantity.kind != QuantityKind::times && quantity.kind != QuantityKind::over) return std::nullopt;
    std::optional<SumOfShares> left = whole(quantity.operands[0]), right = whole(quantity.operands[1]);
    if (!left || !right) return std::nullopt;
    if (quantity.kind == QuantityKind::times && left->terms.empty()) std::swap(left, right);
    if (!adds && !right->terms.empty()) return std::nullopt;
    if (adds) {
        const double sign = quantity.kind == QuantityKind::plus ? 1.0 : -1.0;
        left->constant += sign * right->constant;
        for (auto& [event, weight] : right->terms) left->terms.emplace_back(std::move(event), sign * weight);
        return left;
    }
    const double factor = quantity.kind == QuantityKind::times ? right->constant : 1.0 / right->constant;
    left->constant *= factor;
    for (auto& term : left->terms) term.second *= factor;
    return left;
}

// A quantity of each seed as a sum of events: 1 - emerged.
std::optional<SumOfShares> events_of(const Quantity& quantity, const std::vector<RunView>& runs) {
    if (is_zero_or_one(quantity, runs)) return SumOfShares{0.0, {{Event{quantity}, 1.0}}};
    if (!is_of_seeds(quantity)) return SumOfShares{number_of_runs(quantity, runs)};
    return combined_sums(quantity, [&](const Quantity& operand) { return events_of(operand, runs); });
}

std::optional<SumOfShares> shares_in(const Quantity& reduction, const std::vector<RunView>& runs, const Units& units,
                                     const Places& all) {
    const Reduction kind = reduction.reduction;
    const bool holds = kind == Reduction::share || kind == Reduction::count;
    if (!holds && kind != Reduction::mean) return std::nullopt;
    const auto share_of = [&](Event& event, Column column) {
        event.column = std::move(column);
        const std::vector<double> values = event.column.drawn(all);
        const auto zero = std::count(values.begin(), values.end(), 0.0);
        const auto count = static_cast<int>(values.size());
        event.share = fraction(count - static_cast<int>(zero), count);
        const bool known = !any_of(values, [](double value) { return std::isnan(value); });
        return known && count > 0;
    };
    const bool events =
        all_of(reduction.operands, [&](const Quantity& operand) { return is_zero_or_one(operand, runs); });
    if (holds || events) {
        Event event{without_its_places(reduction)};
        event.what.reduction = Reduction::share;
        if (!share_of(event, column_of_reduction(reduction, runs, units))) return std::nullopt;
        const double weight = kind == Reduction::count ? event.share.total : 1.0;
        return SumOfShares{0.0, {{std::move(event), weight}}};
    }
    if (reduction.operands.size() > 1) return std::nullopt;
    std::optional<SumOfShares> found = events_of(reduction.operands.front(), runs);
    if (!found) return found;
    const Column column = column_of_reduction(reduction, runs, units);
    for (auto& [event, weight] : found->terms) {
        Quantity share = reduction;
        share.reduction = Reduction::share;
        share.operands = {event.what};
        Column of_event = column_of_reduction(share, runs, units);
        of_event.counted = column.counted;
        event.what = without_its_places(std::move(share));
        if (!share_of(event, std::move(of_event))) return std::nullopt;
    }
    return found;
}

SumOfShares with_equal_terms_added(SumOfShares sum) {
    SumOfShares added{sum.constant};
    for (auto& [event, weight] : sum.terms) {
        const auto same =
            find_if(added.terms, [&event = event](const auto& one) { return one.first.what == event.what; });
        if (same == added.terms.end())
            added.terms.emplace_back(std::move(event), weight);
        else
            same->second += weight;
    }
    std::erase_if(added.terms, [](const auto& term) { return term.second == 0.0; });
    return added;
}

// The correlation of two shares; 0 if they are not shares of the same seeds.
double correlation_of(const Event& a, const Event& b) {
    // The unit's value in the operand that counts it. Of several pooled runs only one does.
    const auto value_at = [](const Column& column, size_t unit) {
        std::optional<double> found;
        for (size_t operand = 0; operand < column.values.size(); ++operand)
            if (column.counted[operand][unit]) found = found ? kMissing : column.values[operand][unit];
        return found;
    };
    int both = 0;
    for (size_t unit = 0; unit < a.column.counted.front().size(); ++unit) {
        const std::optional<double> of_a = value_at(a.column, unit), of_b = value_at(b.column, unit);
        if (of_a.has_value() != of_b.has_value() || (of_a && std::isnan(*of_a + *of_b))) return 0.0;
        if (of_a && *of_a != 0.0 && *of_b != 0.0) ++both;
    }
    return share_correlation(a.share, b.share, both);
}

using Columns = std::map<const Quantity*, Column>;

class Intervals {
  public:
    Intervals(const Quantity& quantity, const std::vector<RunView>& runs, const Units& units, const Columns& columns)
        : quantity_(quantity), runs_(runs), columns_(columns), all_(all_places(units.list.size())) {
        for (const auto& [reduction, column] : columns) shares_[reduction] = shares_in(*reduction, runs, units, all_);
    }

    /// The interval of a number that shares make; nullopt if it has none or is made of more.
    std::optional<Range> of_shares() const {
        const bool size = quantity_.kind == QuantityKind::absolute;
        std::optional<SumOfShares> sum = sum_of(size ? quantity_.operands.front() : quantity_);
        if (sum) *sum = with_equal_terms_added(std::move(*sum));
        if (!sum || sum->terms.empty() || (sum->terms.size() == 1 && !size)) return of_one_share();
        std::vector<WeightedShare> terms;
        for (const auto& [event, weight] : sum->terms) terms.push_back({event.share, weight});
        auto [low, high] = share_sum_interval(
            terms, [&](size_t i, size_t j) { return correlation_of(sum->terms[i].first, sum->terms[j].first); });
        low += sum->constant;
        high += sum->constant;
        if (size) return Range{larger(0.0, larger(low, -high)), larger(-low, high)};
        return Range{low, high};
    }
    /// Whether it contains something that all seeds or no seeds have; a bootstrap cannot say how sure that is.
    bool has_certain_share() const {
        return any_of(shares_, [&](const auto& one) {
            if (!one.second) return is_certain(*one.first);
            return any_of(one.second->terms, [](const auto& term) {
                return term.first.share.count == 0 || term.first.share.count == term.first.share.total;
            });
        });
    }

  private:
    // The range of any function of one share over the share's interval.
    std::optional<Range> of_one_share() const {
        SumOfShares all;
        for (const auto& [reduction, share] : shares_) {
            if (!share) return std::nullopt;
            for (const auto& [event, weight] : share->terms) all.terms.emplace_back(event, 1.0);
        }
        all = with_equal_terms_added(std::move(all));
        if (all.terms.size() != 1) return std::nullopt;
        const Fraction share = all.terms.front().first.share;
        constexpr int kParts = 2000;
        Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
        for (int part = 0; part <= kParts + 1; ++part) {
            const double at = part > kParts ? share.value : std::lerp(share.low, share.high, part * (1.0 / kParts));
            const double value = evaluated(quantity_, [&](const Quantity& leaf) {
                const auto found = shares_.find(&leaf);
                if (found == shares_.end()) return leaf_value(leaf, runs_[leaf.in_run], kNowhere);
                double sum = found->second->constant;
                for (const auto& [event, weight] : found->second->terms) sum += weight * at;
                return sum;
            });
            range = {smaller(range.low, value), larger(range.high, value)};
        }
        if (!std::isfinite(range.low) || !std::isfinite(range.high)) return std::nullopt;
        return range;
    }

    std::optional<SumOfShares> sum_of(const Quantity& quantity) const {
        if (quantity.kind == QuantityKind::reduction) return shares_.at(&quantity);
        if (!has_reduction(quantity)) return SumOfShares{number_of_runs(quantity, runs_)};
        return combined_sums(quantity, [&](const Quantity& operand) { return sum_of(operand); });
    }

    // A median or deviation of a yes-or-no value; all bootstrap draws give the same.
    bool is_certain(const Quantity& reduction) const {
        if (!all_of(reduction.operands, [&](const Quantity& operand) { return events_of(operand, runs_).has_value(); }))
            return false;
        const std::vector<double> values = columns_.at(&reduction).drawn(all_);
        return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
    }

    const Quantity& quantity_;
    const std::vector<RunView>& runs_;
    const Columns& columns_;
    Places all_;
    std::map<const Quantity*, std::optional<SumOfShares>> shares_;
};

// Numbers of runs by the values of their seeds, with intervals.

Measurement measured_mean(std::vector<double> values) {
    Measurement mean{reduced(Reduction::mean, values), "", {}, static_cast<int64_t>(values.size())};
    if (std::isfinite(mean.value)) {
        const Summary summary = summarise(values, false);
        mean.interval = interval_of_mean(summary.mean, summary.standard_error, summary.count);
    }
    return mean;
}

Measurement measured_in(const std::vector<RunView>& runs, const Quantity& of, size_t in_run) {
    const Quantity quantity = resolved(of, runs, in_run);
    if (is_of_seeds(quantity))
        throw InputError(
            "column {}: is one number per network. Reduce it to one number, for example with mean( ) or median( )",
            of.at);
    const Units units = units_of(quantity, runs);
    Columns columns;
    for (const Quantity* one : reductions_in(quantity)) columns.emplace(one, column_of_reduction(*one, runs, units));
    if (columns.empty()) return {number_of_runs(quantity, runs), "", {}, 0};
    const Places counted = filtered(all_places(units.list.size()), [&](size_t unit) {
        return any_of(columns, [&](const auto& one) { return one.second.counts(unit); });
    });
    const auto value_at = [&](const Places& places) {
        return evaluated(quantity, [&](const Quantity& leaf) {
            const auto column = columns.find(&leaf);
            return column != columns.end() ? column->second.reduce(places)
                                           : leaf_value(leaf, runs[leaf.in_run], kNowhere);
        });
    };
    const Intervals intervals(quantity, runs, units, columns);
    const std::optional<Range> of_shares = intervals.of_shares();
    const Quantity* bare = quantity.kind == QuantityKind::reduction ? &quantity : nullptr;
    if (of_shares) {
        const std::vector<double> values = columns.begin()->second.drawn(counted);
        Measurement found{value_at(counted), "", of_shares, static_cast<int64_t>(counted.size())};
        if (bare == nullptr) return found;
        found.n = static_cast<int64_t>(values.size());
        if (bare->reduction == Reduction::share)
            found.detail = fmt::format("{} of {}", found.n - std::count(values.begin(), values.end(), 0.0), found.n);
        return found;
    }
    if (bare != nullptr && bare->reduction == Reduction::mean)
        return measured_mean(columns.begin()->second.drawn(counted));
    Measurement found = bootstrapped(counted.size(), [&](const Places& drawn) {
        return value_at(mapped(drawn, [&](size_t place) { return counted[place]; }));
    });
    if (intervals.has_certain_share()) found.interval.reset();
    return found;
}

// All but the pictures of a figure.
Places trained_runs(const std::vector<RunView>& runs) {
    return filtered(all_places(runs.size()), [&](size_t run) { return !runs[run].drawn; });
}

}  // namespace

double number_of(const Quantity& quantity, const std::vector<RunView>& runs) {
    const auto number_in = [&](const Quantity& of, size_t run) {
        return number_of_runs(resolved(of, runs, run, Unknown::is_nan), runs);
    };
    if (quantity.kind != QuantityKind::over_runs) return number_in(quantity, 0);
    return reduced(quantity.reduction,
                   mapped(trained_runs(runs), [&](size_t run) { return number_in(quantity.operands.front(), run); }));
}

std::vector<SeedValue> values(const RunView& run, const Quantity& of) {
    const std::vector<RunView> runs = {run};
    check_quantity(of, runs);
    const Quantity quantity = resolved(of, runs, 0);
    const Units units = units_of(quantity, runs);
    if (units.rows)
        throw InputError(
            "this curve's rows are not networks, so it has no number per network. Reduce it, e.g. with mean( )");
    std::vector<SeedValue> found;
    for (const Unit& unit : units.list) {
        const SeedStatus& status = run.snapshot->seeds[unit[0]];
        const double value = evaluated(quantity, [&](const Quantity& leaf) {
            return leaf.kind == QuantityKind::reduction ? number_of_runs(leaf, runs) : leaf_value(leaf, run, unit[0]);
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
        const std::vector<Measurement> all =
            mapped(trained_runs(runs), [&](size_t run) { return measured_in(runs, quantity.operands.front(), run); });
        const double value = reduced(quantity.reduction, mapped(all, &Measurement::value));
        if (all.empty()) return {value, "", {}, 0};
        return *find_if(all, [&](const Measurement& one) { return one.value == value || std::isnan(one.value); });
    } catch (const InputError& error) {
        if (quantity.text.empty()) throw;
        throw quoting(quantity.text, error);
    }
}

Measurement measured(const RunView& run, const Quantity& quantity) { return measured(std::vector{run}, quantity); }

}  // namespace emergence
