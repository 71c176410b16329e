#pragma once
// Claims: named statements of the papers, each with a measurement and a verdict. `verify`, `figure` and the handbook's
// tables read them.

#include <array>
#include <optional>

#include "core/lab/measurement.h"

namespace emergence {

/// "at most 1e-10", "at least 0.9", "from 1 to 2".
std::string range_text(const Range& range);

/// A claim of a file, see claim_files.h.
struct Claim {
    /// "theorem-1"; a control is named after its claim: "theorem-1-without-mask".
    std::string name = {};
    /// The statement in one line.
    std::string statement = {};
    /// "Theorem 1, Wang et al. 2025". Sources that are no paper begin with "ours: ".
    std::string source = {};
    /// The measured quantity and its method, in one line.
    std::string quantity = {};
    /// The range in which the measured number agrees with the statement.
    Range agrees = {};
    /// Why the range is this one; "" if nothing is recorded.
    std::string reason = {};
    /// The reason for a known difference, "" if none, and the range of our number then. Outside both ranges the claim
    /// fails.
    std::string known_difference = {};
    Range known = {1.0, 0.0};
    /// The experiment that it is about; "" if any.
    std::string experiment = {};
    /// The figure whose runs measure it; "" if none.
    std::string figure = {};
    /// One of both: an expression of core/lab/quantity over runs, or the name of a measurement, of the figure's drawing or
    /// of the experiment, which `measure` then calls; only the program emergence-verify has those.
    std::string value = {};
    std::string function = {};
    /// Of a value: what is said with it, once and for each run, see claim_values.h; and whether it has an interval.
    std::string detail = {}, each_run = {};
    bool interval = true;
    /// Whether it is an identity or a bound that is proven: it fails only if the code is wrong.
    bool algebra = false;
    std::function<Measurement()> measure = {};
};

/// Whether a paper states it, not we.
bool is_of_a_paper(const Claim& claim);
/// Whether it counts as measured: it is no algebra and does not repeat another claim, as its source would say.
bool is_measured(const Claim& claim);
/// Its source, with "algebra, checked numerically" if it is that.
std::string source_text(const Claim& claim);

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
/// The same, the papers' statements apart from ours, and from both those that are not measured, see is_measured().
struct ClaimCounts {
    Verdicts papers, ours, apart;

    void add(const Claim& claim, Verdict verdict);
    ClaimCounts& operator+=(const ClaimCounts& more);
    /// The measured ones.
    Verdicts measured() const;
    /// With those apart.
    Verdicts all() const;
};
/// One verdict's count: "1 agrees", "0 undecided", "2 differ as known", "1 fails".
std::string count_text(Verdict verdict, int count);
/// "4 claims: 2 agree, 1 undecided, 1 differs as known, 0 fail"; below it, if there are both, the papers' and ours, and
/// those apart.
std::string counts_text(const ClaimCounts& counts);

/// "0.63 (0.49 to 0.81, n = 30)", or the number alone.
std::string measured_text(const Measurement& measurement);

/// The smallest difference that would have been seen in four of five repetitions: 1.43 half-widths of the 95 % interval,
/// (1.96 + 0.84) / 1.96 for normal errors. nullopt if there is no interval or it has no width.
std::optional<double> smallest_difference(const Measurement& measurement);
/// "smallest difference seen: 0.12" of a claim that does not agree; "" of others.
std::string power_text(const Claim& claim, const Measurement& measurement);

}  // namespace emergence
