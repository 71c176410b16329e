#pragma once
// Claims: named statements of the papers, what is measured of each, and whether both agree. An experiment's
// table of claims stands beside it; `verify`, `figure` and the README's tables read it.

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace emergence {

/// An interval that a measured number should lie in, both ends included.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool contains(double value) const { return value >= low && value <= high; }
};
inline Range at_most(double high) { return {.high = high}; }
inline Range at_least(double low) { return {.low = low}; }

/// "at most 1e-10", "at least 0.9", "from 1 to 2".
std::string range_text(const Range& range);

/// A number, and what there is to say of it: how many runs, its error.
struct Measurement {
    double value = 0.0;
    std::string detail = {};
};

struct Claim {
    std::string name = {};       // "theorem-1"; a control is named after its claim: "theorem-1-without-mask"
    std::string statement = {};  // what is said, in one line
    std::string source = {};     // who says it, and where: "Theorem 1, Wang et al. 2025"
    std::string quantity = {};   // what is measured and how, in one line
    Range agrees = {};           // where the measured number agrees with the statement
    /// Where it is known not to: why, and where our number lies then. Outside of both, the claim fails.
    std::string known_difference = {};
    Range known = {1.0, 0.0};
    /// Who measures: a function of its own that takes seconds, or the runs of a figure.
    std::function<Measurement()> measure = {};
    std::string figure = {};
};
/// A claim that is measured on the runs of `figure`.
Claim figure_claim(const std::string& figure, const std::string& name, const std::string& statement,
                   const std::string& source, const std::string& quantity, Range agrees);
/// The same claim with a known difference: why, and where our number lies.
Claim with_difference(Claim claim, const std::string& why, Range known);

enum class Verdict { agrees, known_difference, fails };

/// A number that is none (NaN) fails.
Verdict verdict_of(const Claim& claim, double measured);
/// "agrees", "differs, as known", "FAILS".
std::string verdict_text(Verdict verdict);

/// A claim's measurement, by name: what a figure's runs leave beside the figure.
struct MeasuredClaim {
    std::string name;
    Measurement measurement;
};

}  // namespace emergence
