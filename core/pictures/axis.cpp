#include "core/pictures/axis.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

#include "core/base/ranges.h"

namespace emergence {
namespace {

// As a share of the data's range, on each side.
constexpr double kMarginX = 0.02, kMarginY = 0.05;
constexpr int kMaxTicks = 1000;

std::string superscript(int exponent) {
    static constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char c : std::to_string(exponent)) text += c == '-' ? "⁻" : kDigits[c - '0'];
    return text;
}

/// mantissa * 10^exponent, correctly rounded for every exponent of a tick: 3e-1 is the double 0.3.
double decimal(double mantissa, int exponent) {
    return exponent >= 0 ? mantissa * std::pow(10.0, exponent) : mantissa / std::pow(10.0, -exponent);
}

int decade_of(double positive) { return static_cast<int>(std::floor(std::log10(positive) + 1e-12)); }

/// A step of 1, 2 or 5 times a power of ten.
struct Step {
    int factor = 1;
    int exponent = 0;
    double size() const { return decimal(factor, exponent); }
};

/// The number of multiples of `step` in [low, high], up to rounding.
double count_multiples(double low, double high, double step) {
    return std::floor(high / step + 1e-9) - std::ceil(low / step - 1e-9) + 1.0;
}

/// The step whose number of ticks is nearest to `wanted`; gives at least two ticks if any step does.
Step choose_step(double low, double high, int wanted) {
    static constexpr int kFactors[] = {1, 2, 5};
    const int first = decade_of((high - low) / wanted) - 1;
    Step best{1, first};
    double best_distance = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 8; ++i) {
        const Step step{kFactors[i % 3], first + i / 3};
        const double count = count_multiples(low, high, step.size());
        if (count < 2.0) break;
        const double distance = std::abs(std::log(count / wanted));
        if (distance <= best_distance) {
            best = step;
            best_distance = distance;
        }
    }
    return best;
}

/// The notation of evenly spaced ticks: fixed, or with a common power of ten.
struct NumberStyle {
    int decimals = 0;
    std::optional<int> exponent;

    std::string write(double value) const {
        if (value == 0.0) return "0";
        if (!exponent) return fmt::format("{:.{}f}", value, decimals);
        return fmt::format("{:.{}f}×10{}", decimal(value, -*exponent), decimals, superscript(*exponent));
    }
};

/// Powers of ten outside 0.0001 .. 10^6, unless they make the labels longer.
NumberStyle style_for(double largest, int last_digit) {
    NumberStyle fixed{std::max(0, -last_digit), std::nullopt};
    if (largest == 0.0 || (largest < 1e6 && largest >= 1e-4)) return fixed;
    const int exponent = decade_of(largest);
    const NumberStyle scientific{std::max(0, exponent - last_digit), exponent};
    const auto point = [](int decimals) { return decimals > 0 ? decimals + 1 : 0; };
    const int fixed_length = std::max(1, exponent + 1) + point(fixed.decimals);
    const int scientific_length =
        1 + point(scientific.decimals) + 3 + static_cast<int>(std::to_string(exponent).size());
    return scientific_length <= fixed_length ? scientific : fixed;
}

std::vector<Tick> linear_ticks(double low, double high, int wanted) {
    const double largest = std::max(std::abs(low), std::abs(high));
    // Below this span neighbouring ticks would be the same double.
    if (!(high - low > 1e-12 * largest)) return {{low, readout(low)}};
    const Step step = choose_step(low, high, wanted);
    const double first = std::ceil(low / step.size() - 1e-9);
    const int count = static_cast<int>(std::min<double>(kMaxTicks, count_multiples(low, high, step.size())));
    std::vector<Tick> ticks;
    double largest_tick = 0.0;
    for (int i = 0; i < count; ++i) {
        const double value = decimal((first + i) * step.factor, step.exponent);
        ticks.push_back({value == 0.0 ? 0.0 : value, ""});  // never -0
        largest_tick = std::max(largest_tick, std::abs(value));
    }
    const NumberStyle style = style_for(largest_tick, step.exponent);
    for (Tick& tick : ticks) tick.label = style.write(tick.value);
    return ticks;
}

/// Whether the value is in the range, up to rounding.
bool inside(double value, double low, double high, Scale scale) {
    const double slack = 1e-9 * (scale == Scale::linear ? high - low : value);
    return value >= low - slack && value <= high + slack;
}

/// The first `most` multiples of each power of ten in the range, with the label that `label_of` gives for m times 10^k.
std::vector<Tick> multiples_of_decades(double low, double high, int most, const auto& label_of) {
    std::vector<Tick> ticks;
    for (int k = decade_of(low); k <= decade_of(high); ++k)
        for (int m = 1; m <= most; ++m)
            if (const double value = decimal(m, k); inside(value, low, high, Scale::logarithmic))
                ticks.push_back({value, label_of(m, k)});
    return ticks;
}

/// Ticks with labels at 1, 2 and 5 times a power of ten, and minor ticks at the other multiples.
std::vector<Tick> one_two_five_ticks(double low, double high) {
    return multiples_of_decades(low, high, 9, [](int m, int k) {
        const double value = decimal(m, k);
        return m == 1 || m == 2 || m == 5 ? style_for(value, k).write(value) : "";
    });
}

/// Labels every `stride`-th decade; minor ticks are 2..9, or the other decades if there are many.
std::vector<Tick> decade_ticks(double low, double high, int wanted) {
    const int labels = std::max(wanted, 3);  // with fewer, a range could get a single label
    const int stride = (decade_of(high) - decade_of(low) + labels) / labels;
    return multiples_of_decades(low, high, stride == 1 ? 9 : 1, [stride](int m, int k) {
        return m == 1 && k % stride == 0 ? "10" + superscript(k) : "";
    });
}

std::vector<Tick> logarithmic_ticks(double low, double high, int wanted) {
    if (!(high > 0.0)) return {};
    if (!(low > 0.0)) low = high * 1e-3;
    const int decades = decade_of(high) - static_cast<int>(std::ceil(std::log10(low) - 1e-12)) + 1;
    if (decades >= 2) return decade_ticks(low, high, wanted);
    std::vector<Tick> ticks = one_two_five_ticks(low, high);
    const auto labelled = count_if(ticks, [](const Tick& t) { return !t.label.empty(); });
    return labelled >= 2 ? ticks : linear_ticks(low, high, wanted);
}

/// The smallest range that holds every value that can be drawn on the scale.
struct Extent {
    Scale scale;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    // Numbers beyond what an axis can be divided by are not drawn; the smallest are 0.
    void add(double value) {
        constexpr double kTiny = 1e-290, kHuge = 1e290;
        if (std::abs(value) < kTiny) value = 0.0;
        if (!(std::abs(value) <= kHuge) || (scale == Scale::logarithmic && value <= 0.0)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool empty() const { return low > high; }
};

/// Adds the values that the shapes show for x in the given range.
void add_shapes(const PlotSpec& plot, const std::vector<SeriesShape>& shapes, std::pair<double, double> x,
                Extent& extent) {
    const double cut = plot.y.cut.value_or(std::numeric_limits<double>::infinity());
    for (size_t k = 0; k < shapes.size(); ++k) {
        if (plot.series[k].trail) continue;
        const SeriesShape& shape = shapes[k];
        const auto add = [&](const std::vector<double>& values, size_t i) {
            if (i < values.size()) extent.add(std::min(values[i], cut));
        };
        for (size_t i = 0; i < shape.x.size(); ++i) {
            if (!(shape.x[i] >= x.first && shape.x[i] <= x.second)) continue;
            for (const auto* line : {&shape.center, &shape.raw, &shape.band_high, &shape.highlighted}) add(*line, i);
            // If a band leaves through the top, its lower edge is as far below the mean and says nothing.
            if (i < shape.band_low.size() && !(shape.band_high[i] > cut)) extent.add(shape.band_low[i]);
            for (const std::vector<double>& row : shape.seeds) add(row, i);
        }
    }
}

std::pair<double, double> around_constant(double value, Scale scale) {
    if (scale == Scale::logarithmic) return {value / 2.0, value * 2.0};
    const double half = value == 0.0 ? 1.0 : 0.1 * std::abs(value);
    return {value - half, value + half};
}

std::pair<double, double> widen(const Extent& extent, double margin) {
    if (extent.empty()) return extent.scale == Scale::linear ? std::pair{0.0, 1.0} : std::pair{1.0, 10.0};
    if (!(extent.high - extent.low > 1e-12 * std::max(std::abs(extent.low), std::abs(extent.high))))
        return around_constant(extent.low, extent.scale);
    if (extent.scale == Scale::logarithmic) {
        const double factor = std::pow(extent.high / extent.low, margin);
        return {extent.low / factor, extent.high * factor};
    }
    const double extra = margin * (extent.high - extent.low);
    return {extent.low - extra, extent.high + extra};
}

/// Applies the axis' own limits; if the range is then empty, moves the end without a limit, or both.
std::pair<double, double> apply_limits(std::pair<double, double> range, const AxisSpec& axis) {
    const auto usable = [&](const std::optional<double>& limit) {
        return limit && std::isfinite(*limit) && (axis.scale == Scale::linear || *limit > 0.0);
    };
    const bool has_low = usable(axis.minimum);
    const bool has_high = usable(axis.maximum);
    if (usable(axis.cut)) range.second = std::min(range.second, *axis.cut);
    if (has_low) range.first = *axis.minimum;
    if (has_high) range.second = *axis.maximum;
    if (range.first < range.second) return range;
    const auto around = around_constant(has_low ? range.first : range.second, axis.scale);
    if (has_low && !has_high) return {range.first, around.second};
    if (has_high && !has_low) return {around.first, range.second};
    return around;
}

}  // namespace

std::vector<Tick> make_ticks(double low, double high, Scale scale, int wanted) {
    if (low > high) std::swap(low, high);
    if (!std::isfinite(high - low)) return {};
    wanted = std::clamp(wanted, 1, kMaxTicks / 2);
    return scale == Scale::linear ? linear_ticks(low, high, wanted) : logarithmic_ticks(low, high, wanted);
}

std::vector<Tick> make_ticks(const AxisSpec& axis, std::pair<double, double> range, int wanted) {
    std::vector<Tick> ticks;
    for (const double value : axis.ticks)
        if (inside(value, range.first, range.second, axis.scale)) ticks.push_back({value, readout(value)});
    // With fewer than two listed ticks in sight, computed ones say more.
    if (ticks.size() >= 2) return ticks;
    ticks = make_ticks(range.first, range.second, axis.scale, wanted);
    const auto broken = [](const Tick& tick) { return tick.value != std::round(tick.value); };
    if (!axis.whole || axis.scale != Scale::linear || !any_of(ticks, broken)) return ticks;
    ticks.clear();
    const auto [low, high] = std::minmax(range.first, range.second);
    const double slack = 1e-9 * (high - low);
    for (double value = std::ceil(low - slack) + 0.0; value <= high + slack; ++value)  // 0, not -0
        ticks.push_back({value, fmt::format("{:.0f}", value)});
    return ticks;
}

std::vector<Tick> count_ticks(const std::string& word, int first, int last, int wanted) {
    AxisSpec axis;
    axis.whole = true;
    if (first >= last) return {{static_cast<double>(first), word + " " + std::to_string(first)}};
    std::vector<Tick> ticks = make_ticks(axis, {first, last}, wanted);
    if (!ticks.empty()) ticks.front().label = word + " " + ticks.front().label;
    return ticks;
}

std::pair<double, double> fit_x(const PlotSpec& plot) {
    Extent extent{plot.x.scale};
    for (const Series& series : plot.series)
        for (size_t i = 0; !series.hidden && !series.trail && i < series.x.size(); ++i) extent.add(series.x[i]);
    for (const ReferenceLine& line : plot.lines)
        if (line.vertical) extent.add(line.value);
    return apply_limits(widen(extent, kMarginX), plot.x);
}

std::pair<double, double> fit_y(const PlotSpec& plot) { return fit_y(plot, shapes_of(plot)); }

std::pair<double, double> fit_y(const PlotSpec& plot, const std::vector<SeriesShape>& shapes) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Extent extent{plot.y.scale};
    add_shapes(plot, shapes, fit_x(plot), extent);
    if (extent.empty()) add_shapes(plot, shapes, {-kInfinity, kInfinity}, extent);
    for (size_t i = 0; i < plot.series.size(); ++i)
        if (plot.series[i].bars && !plot.series[i].hidden) extent.add(0.0);  // bars stand on 0
    for (const ReferenceLine& line : plot.lines)
        if (!line.vertical) extent.add(line.value);
    const bool shares = plot.y.scale == Scale::linear && !plot.series.empty() &&
                        all_of(plot.series, [](const Series& one) { return one.share; });
    const bool inside_shares = extent.empty() || (extent.low >= 0.0 && extent.high <= 1.0);
    return apply_limits(shares && inside_shares ? std::pair(0.0, 1.0) : widen(extent, kMarginY), plot.y);
}

void cut_outliers(PlotSpec& plot) {
    constexpr double kFlattens = 50.0;  // the range of all values over that of nine in ten
    constexpr double kMargin = 1.5;
    constexpr size_t kLeastValues = 20;
    if (plot.y.scale != Scale::linear || plot.y.cut || plot.y.maximum) return;
    std::vector<double> values;
    for (const SeriesShape& shape : shapes_of(plot))
        for (const auto* line : {&shape.center, &shape.band_high})
            std::copy_if(line->begin(), line->end(), std::back_inserter(values),
                         [](double value) { return std::isfinite(value); });
    if (values.size() < kLeastValues) return;
    std::sort(values.begin(), values.end());
    const double low = values.front(), usual = values[values.size() * 9 / 10];
    if (!(values.back() - low > kFlattens * (usual - low)) || !(usual > low)) return;
    plot.y.cut = low + kMargin * (usual - low);
    plot.y.largest = values.back();
}

double axis_fraction(double value, double low, double high, Scale scale) {
    if (!std::isfinite(value)) return kMissing;
    if (scale == Scale::linear) return (value - low) / (high - low);
    return value > 0.0 ? std::log(value / low) / std::log(high / low) : kMissing;
}

double axis_value(double fraction, double low, double high, Scale scale) {
    return scale == Scale::linear ? low + fraction * (high - low) : low * std::pow(high / low, fraction);
}

std::string axis_title(const AxisSpec& axis) {
    if (axis.unit.empty()) return axis.label;
    return axis.label.empty() ? "(" + axis.unit + ")" : axis.label + " (" + axis.unit + ")";
}

std::string with_minus(std::string number) {
    if (number.starts_with('-')) number.replace(0, 1, "−");
    return number;
}

std::string readout(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0.0 ? "∞" : "−∞";
    if (value == 0.0) return "0";
    // The decade after rounding to four digits: 9.99996 is written as 10.
    const std::string rounded = fmt::format("{:.3e}", value);
    const int decade = std::stoi(rounded.substr(rounded.find('e') + 1));
    const bool scientific = decade < -4 || decade > 5;
    std::string text =
        scientific ? rounded.substr(0, rounded.find('e')) : fmt::format("{:.{}f}", value, std::max(0, 3 - decade));
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return with_minus(scientific ? text + "×10" + superscript(decade) : text);
}

}  // namespace emergence
