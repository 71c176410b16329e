#pragma once
// Claims: named statements of the papers, each with a measurement and a verdict. Each experiment has a table of claims;
// `verify`, `figure` and the README's tables read it.

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

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

/// "at most 1e-10", "at least 0.9", "from 1 to 2".
std::string range_text(const Range& range);

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
Range interval_of_mean(double mean, double standard_error, int64_t n);

/// A row of a table of claims. Rows about a figure are written in the order of the members:
///     {"wang-2-iws", "What was learned is batch TD", "Figure 5c", "IWS, mean of 30 seeds", at_least(0.9)}
struct Claim {
    /// "theorem-1"; a control is named after its claim: "theorem-1-without-mask".
    std::string name = {};
    /// The statement in one line.
    std::string statement = {};
    /// "Theorem 1, Wang et al. 2025", or one of the sources below that are ours.
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

/// The sources that are no paper. They begin with "ours: ".
/// A statement whose range was set after a run had shown it.
inline constexpr const char* kOurs = "ours: finding";
/// A check that the measurement beside it can fail, or that a condition matters.
inline constexpr const char* kControl = "ours: control";
/// Two forms that are equal by algebra.
inline constexpr const char* kOursByAlgebra = "ours: by algebra";
/// A statement whose range was committed before the run, at `date` (YYYY-MM-DD).
std::string prediction(const std::string& date);
/// Numbers of an earlier program of ours; `what` says which.
std::string our_reference(const std::string& what);

/// The source of a statement that follows by algebra: the claim fails only if the code is wrong.
std::string by_algebra(const std::string& source);

/// Whether a paper states it, not we.
bool is_of_a_paper(const Claim& claim);
/// Whether it follows by algebra.
bool is_identity(const Claim& claim);

/// `rows` as claims that the runs of `figure` measure.
std::vector<Claim> claims_about(const std::string& figure, std::vector<Claim> rows);
/// The same; `citation` follows every source that is a paper's: "Figure 2, Ahn et al. 2023".
std::vector<Claim> claims_about(const std::string& figure, const std::string& citation,
                                std::vector<Claim> rows);
/// The tables one after the other.
std::vector<Claim> joined(std::vector<std::vector<Claim>> tables);

enum class Verdict { agrees, undecided, known_difference, fails };
inline constexpr std::array kVerdicts = {Verdict::agrees, Verdict::undecided, Verdict::known_difference,
                                         Verdict::fails};

/// The verdict on a measurement. With an interval: it agrees if the whole interval lies in the claim's range, and is
/// undecided if a part does; a statement about all seeds (the range and the interval share only the value) agrees
/// if no seed contradicts it. Without: the value decides. NaN fails.
Verdict verdict_of(const Claim& claim, const Measurement& measurement);
/// "agrees", "undecided", "differs, as known", "FAILS".
std::string verdict_text(Verdict verdict);

/// How many claims have which verdict.
class Verdicts {
  public:
    int& operator[](Verdict verdict) { return counts_[static_cast<size_t>(verdict)]; }
    int operator[](Verdict verdict) const { return counts_[static_cast<size_t>(verdict)]; }
    Verdicts& operator+=(const Verdicts& more);
    int all() const;

  private:
    std::array<int, kVerdicts.size()> counts_{};
};
/// One verdict's count: "1 agrees", "0 undecided", "2 differ as known", "1 fails".
std::string count_text(Verdict verdict, int count);
/// "4 claims: 2 agree, 1 undecided, 1 differs as known, 0 fail".
std::string verdicts_text(const Verdicts& verdicts);

/// "0.63 (0.49 to 0.81, n = 30)", or the number alone.
std::string measured_text(const Measurement& measurement);

/// The measurement of the claim of that name, made by a figure's runs.
struct MeasuredClaim {
    std::string name;
    Measurement measurement;
};

}  // namespace emergence
