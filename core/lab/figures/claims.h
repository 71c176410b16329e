#pragma once
// Claims: named statements of the papers, each with a measurement and a verdict. `verify`, `figure` and the handbook's
// tables read them.

#include <array>
#include <filesystem>
#include <map>
#include <numeric>

#include "core/files/text.h"
#include "core/lab/quantity/quantity.h"

namespace emergence {

/// "at most 1e-10", "at least 0.9", "from 1 to 2".
std::string range_text(const Range& range);

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
    /// One of both: an expression of core/lab/quantity over runs, or the name of a measurement, of the figure's drawing
    /// or of the experiment, which `measure` then calls; only the program emergence-verify has those.
    std::string value = {};
    std::string function = {};
    /// Of a value: what is said with it, once and for each run; and whether it has an interval.
    std::string detail = {}, each_run = {};
    bool interval = true;
    /// Whether it is an identity or a bound that is proven: it fails only if the code is wrong.
    bool algebra = false;
    std::function<Measurement()> measure = {};
};

/// Whether a paper states it, not we.
bool is_of_a_paper(const Claim& claim);
/// Whether it counts as measured: it is not algebra and, by its source, does not repeat another claim.
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

/// The number of claims with each verdict, in the order of kVerdicts.
struct Verdicts {
    std::array<int, kVerdicts.size()> counts{};

    int& operator[](Verdict verdict) { return counts[static_cast<size_t>(verdict)]; }
    int operator[](Verdict verdict) const { return counts[static_cast<size_t>(verdict)]; }
    Verdicts operator+(const Verdicts& more) const;
    int all() const { return std::accumulate(counts.begin(), counts.end(), 0); }
};
/// The numbers for the papers' statements, for ours, and for claims that are not measured (see is_measured()).
struct ClaimCounts {
    Verdicts papers, ours, apart;

    void add(const Claim& claim, Verdict verdict);
    ClaimCounts& operator+=(const ClaimCounts& more);
    Verdicts measured() const { return papers + ours; }
    Verdicts all() const { return measured() + apart; }
};
/// "4 claims: 2 agree, 1 undecided, 1 differs as known, 0 fail"; below it, if there are both, the papers' and ours, and
/// those apart.
std::string counts_text(const ClaimCounts& counts);

/// "0.63 (0.49 to 0.81, n = 30)", or the number alone.
std::string measured_text(const Measurement& measurement);

/// The smallest difference that would have been seen in four of five repetitions: 1.43 half-widths of the 95 %
/// interval, (1.96 + 0.84) / 1.96 for normal errors. nullopt if there is no interval or it has no width.
std::optional<double> smallest_difference(const Measurement& measurement);
/// "smallest difference seen: 0.12" of a claim that does not agree; "" of others.
std::string power_text(const Claim& claim, const Measurement& measurement);

// Claims that are measured by an expression of core/lab/quantity, and the numbers in their details.

/// Throws InputError with the column if the text is no number of a run.
void check_value(const std::string& text);
/// The text with "{run}" replaced by the first run's label and "{EXPRESSION}" by its number, "–" if that is unknown:
/// three digits, or as "{EXPRESSION:.2f}" says; "{mean(...):±}" is a mean with its standard error. Throws InputError if
/// an expression does not parse, or names what the runs do not have.
std::string filled_detail(const std::string& text, const std::vector<RunView>& runs);
/// Throws InputError if one of its expressions does not parse.
void check_detail(const std::string& text);

/// The claim's `value`, with the detail filled. NaN with the reason as detail if it names what the runs do not have.
Measurement measured_value(const Claim& claim, const std::vector<RunView>& runs);

// Claims as data: assets/figures/*.toml, and files that people write, with the keys that assets/handbook/lab/claims.md
// lists. A claim may name another experiment than its file's.

/// The keys of such a file, with those of a figure's recipe (core/experiments/figure_file.h).
const std::vector<std::string>& figure_file_keys();

/// Reads the claims of a file, in its order, and adds every fault to `faults`.
std::vector<Claim> parse_claims(std::string_view text, const std::string& source,
                                const std::vector<ExperimentInfo>& experiments, std::vector<FileFault>& faults);

/// Claims of several files, and all that is wrong with them: "file:12: at_least: …".
struct ReadClaims {
    std::vector<Claim> claims;
    std::vector<std::string> faults;
};
/// Files that cannot be read, and names that two files have, are faults too.
ReadClaims read_claims(const std::vector<std::filesystem::path>& files, const std::vector<ExperimentInfo>& experiments);
/// The claims in the TOML files of `folder`, by experiment in the order of `experiments`, those without a figure first.
ReadClaims read_all_claims(const std::filesystem::path& folder, const std::vector<ExperimentInfo>& experiments);
/// The same. Throws InputError with the first fault.
std::vector<Claim> claims_in(const std::filesystem::path& folder, const std::vector<ExperimentInfo>& experiments);

/// What a figure measured for each claim, except functions that its drawing did not call.
std::vector<MeasuredClaim> measured_claims(const std::vector<Claim>& claims, const std::string& figure,
                                           const MadeFigure& made);

// The measured results of a figure's claims, as a file beside the figure, and in assets/results for the README's table.
//
//     figure = "wang-4"
//     version = "0.2.0"
//     commit = "1f2d162ab3"               # optional: files of 0.1.0 have none
//     config = "num_layers = 3, ..."      # settings other than the defaults
//     seconds = 21.3                      # by the clock, of the last command: jobs that it found made are not in it
//     cpu_seconds = 41.9                  # of all jobs and threads: the one to compare
//     threads = 2
//     date = "2026-11-23"                 # optional, like panels, interval and n
//     panels = ["L = 1: num_layers = 1"]  # the figure's runs: what they change of its settings
//
//     [claims.wang-4-one-layer]
//     measured = 0.012
//     detail = "of the panels with one layer"
//     interval = [0.008, 0.016]
//     n = 30

struct ClaimResults {
    std::string figure;
    std::string version;
    std::string config;
    double seconds = 0.0, cpu_seconds = 0.0;
    int64_t threads = 1;
    std::map<std::string, Measurement> claims = {};
    /// "" if unknown.
    std::string commit = {};
    /// YYYY-MM-DD; "" if unknown.
    std::string date = {};
    /// Of a figure of several runs; empty if unknown.
    std::vector<std::string> panels = {};

    bool operator==(const ClaimResults&) const = default;
};

/// The name under which the results of claims without a figure are kept, which `verify` measures.
inline constexpr const char* kVerified = "verify";
/// What `results` hold of the claim; nullptr if nothing.
const Measurement* measured_of(const Claim& claim, const ClaimResults& results);
const Measurement* measured_of(const Claim& claim, const std::vector<ClaimResults>& all);

/// The text of the file, which reads back to the same results.
std::string claim_results_to_toml(const ClaimResults& results);

/// Parses the format above. Throws InputError, naming `source` and the key, if a part is missing or has a wrong type.
ClaimResults parse_claim_results(std::string_view text, const std::string& source);
/// The same from a file. Throws InputError also if the file cannot be read.
ClaimResults read_claim_results(const std::filesystem::path& path);

/// The results in every TOML file of `folder`, sorted by file name; none if the folder does not exist.
std::vector<ClaimResults> read_all_claim_results(const std::filesystem::path& folder);

}  // namespace emergence
