#include "core/lab/quantity/reduce.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace emergence {
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
