#pragma once
// Claims: named statements of the papers, each with a measurement and a verdict. `verify`, `figure` and the handbook's
// tables read them.

#include <array>

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
    std::function<Measurement()> measure = {};
};

/// Whether a paper states it, not we.
bool is_of_a_paper(const Claim& claim);
/// Whether it follows by algebra and fails only if the code is wrong, or repeats another claim, as its source says.
bool adds_little(const Claim& claim);

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
/// The same, the papers' statements apart from ours.
struct ClaimCounts {
    Verdicts papers, ours;
    /// Of the papers', of ours: those that add little.
    int papers_add_little = 0, ours_add_little = 0;

    void add(const Claim& claim, Verdict verdict);
    ClaimCounts& operator+=(const ClaimCounts& more);
    Verdicts all() const;
};
/// One verdict's count: "1 agrees", "0 undecided", "2 differ as known", "1 fails".
std::string count_text(Verdict verdict, int count);
/// "4 claims: 2 agree, 1 undecided, 1 differs as known, 0 fail"; below it, if there are both, the papers' and ours.
std::string counts_text(const ClaimCounts& counts);

/// "0.63 (0.49 to 0.81, n = 30)", or the number alone.
std::string measured_text(const Measurement& measurement);

}  // namespace emergence
