#pragma once
// Claims: named statements of the papers, each with a measurement and a verdict. Each experiment has a table of claims;
// `verify`, `figure` and the README's tables read it.

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace emergence {

/// An interval for a measured number, both ends included.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool contains(double value) const { return value >= low && value <= high; }
};
inline Range at_most(double high) { return {.high = high}; }
inline Range at_least(double low) { return {.low = low}; }
inline Range between(double low, double high) { return {low, high}; }

/// "at most 1e-10", "at least 0.9", "from 1 to 2".
std::string range_text(const Range& range);

/// A measured number, with its detail: the number of runs, its error.
struct Measurement {
    double value = 0.0;
    std::string detail = {};
};

/// A row of a table of claims. Rows about a figure are written in the order of the members:
///     {"wang-2-iws", "What was learned is batch TD", "Figure 5c", "IWS, mean of 30 seeds", at_least(0.9)}
struct Claim {
    /// "theorem-1"; a control is named after its claim: "theorem-1-without-mask".
    std::string name = {};
    /// The statement in one line.
    std::string statement = {};
    /// "Theorem 1, Wang et al. 2025".
    std::string source = {};
    /// The measured quantity and its method, in one line.
    std::string quantity = {};
    /// The range in which the measured number agrees with the statement.
    Range agrees = {};
    /// Why the range is this one, and its history if it was moved; "" if nothing is recorded.
    std::string reason = {};
    /// The reason for a known difference, "" if none, and the range of our number then. Outside both ranges the claim
    /// fails.
    std::string known_difference = {};
    Range known = {1.0, 0.0};
    /// One of both measures: a function that takes seconds, or the runs of a figure.
    std::function<Measurement()> measure = {};
    std::string figure = {};
};

/// The sources that are not a paper: our own statements, and checks that a measurement can fail.
inline constexpr const char* kOurs = "this laboratory";
inline constexpr const char* kNegativeControl = "negative control";

/// `rows` as claims that the runs of `figure` measure.
std::vector<Claim> claims_about(const std::string& figure, std::vector<Claim> rows);
/// The same; `citation` follows every source: "Figure 2, Ahn et al. 2023".
std::vector<Claim> claims_about(const std::string& figure, const std::string& citation,
                                std::vector<Claim> rows);
/// The tables one after the other.
std::vector<Claim> joined(std::vector<std::vector<Claim>> tables);

enum class Verdict { agrees, known_difference, fails };

/// The verdict on a measured number. NaN fails.
Verdict verdict_of(const Claim& claim, double measured);
/// "agrees", "differs, as known", "FAILS".
std::string verdict_text(Verdict verdict);

/// The measurement of the claim of that name, made by a figure's runs.
struct MeasuredClaim {
    std::string name;
    Measurement measurement;
};

}  // namespace emergence
