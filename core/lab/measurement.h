#pragma once
// Measured numbers, by the names under which claims ask for them.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace emergence {

/// An interval, both ends included.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool contains(double value) const { return value >= low && value <= high; }
    bool operator==(const Range&) const = default;
};
inline Range at_most(double high) { return {.high = high}; }
inline Range at_least(double low) { return {.low = low}; }
inline Range between(double low, double high) { return {low, high}; }

/// A measured number.
struct Measurement {
    double value = 0.0;
    /// More about it for people: counts, its parts.
    std::string detail = {};
    /// The 95 % interval of a mean or a fraction. nullopt if the number is exact, if it is itself in standard errors,
    /// or if no interval is known.
    std::optional<Range> interval = {};
    /// The seeds, runs or environments behind it; 0 if it does not say.
    int64_t n = 0;
    bool operator==(const Measurement&) const = default;
};

/// The mean's 95 % interval under Student's distribution: mean +- t standard errors with `n` - 1 degrees of freedom.
/// The whole line if n < 2.
inline Range interval_of_mean(double mean, double standard_error, int64_t n) {
    if (n < 2) return {};
    // Student's 97.5 % quantile from the normal one, z: Cornish and Fisher's series (Abramowitz and Stegun, 26.7.5).
    const double z = 1.959963984540054, z2 = z * z, degrees = static_cast<double>(n - 1);
    const double t = z * (1 + (z2 + 1) / (4 * degrees) + ((5 * z2 + 16) * z2 + 3) / (96 * degrees * degrees) +
                          (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * degrees * degrees * degrees));
    return {mean - t * standard_error, mean + t * standard_error};
}

/// A measurement that needs no run, by the name under which claims ask for it.
struct NamedMeasure {
    std::string name;
    std::function<Measurement()> measure;
};

/// What a figure's drawing measured under a name, or its runs of the claim of that name.
struct MeasuredClaim {
    std::string name;
    Measurement measurement;
};

}  // namespace emergence
