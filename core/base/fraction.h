#pragma once
// The share of seeds, runs or starts of which something holds, with its interval.

#include <string>
#include <utility>

namespace emergence {

/// Wilson's 95 % interval of a share of `total`; NaN of none.
std::pair<double, double> share_interval(double share, int total);

/// `count` of `total` with share_interval().
struct Fraction {
    int count = 0, total = 0;
    double value = 0.0, low = 0.0, high = 0.0;
};
Fraction fraction(int count, int total);
/// "20 of 30, 95 % interval 0.49 to 0.81".
std::string fraction_text(const Fraction& fraction);

/// Newcombe's 95 % interval of b's share less a's. `both`: if a and b are of the same seeds, the number of seeds that
/// both count; -1 if they are of others.
std::pair<double, double> share_difference_interval(const Fraction& a, const Fraction& b, int both = -1);

}  // namespace emergence
