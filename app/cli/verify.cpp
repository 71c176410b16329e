// Carries out verify, which measures here what the papers claim, and prints claims in the terminal for other commands
// too.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <ostream>

#include "app/cli/answer.h"
#include "app/cli/command.h"
#include "app/cli/grid_figure.h"
#include "app/cli/run_request.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "core/lab/quantity/quantity.h"

namespace emergence::cli {

namespace fs = std::filesystem;

namespace {

Json statement_as_json(const Claim& claim) {
    return {{"name", claim.name},         {"statement", claim.statement},        {"source", claim.source},
            {"quantity", claim.quantity}, {"allowed", range_text(claim.agrees)}, {"figure", claim.figure},
            {"algebra", claim.algebra}};
}

// Writes two lines: the claim with its source, and how it is measured.
std::string statement_text(const Claim& claim, const std::string& detail) {
    return fmt::format("    {} ({})\n    {}{}{}\n", claim.statement, source_text(claim), claim.quantity,
                       detail.empty() ? "" : ": ", detail);
}

// Counts claims as they are measured, and prints them in the terminal one by one or, at the end, as JSON.
class ClaimReport {
  public:
    ClaimReport(bool as_json, std::ostream& out) : as_json_(as_json), out_(out) {}

    // Prints verdict and number, then the statement.
    void add(const Claim& claim, const Measurement& measurement) {
        const Verdict verdict = verdict_of(claim, measurement);
        counts.add(claim, verdict);
        if (as_json_) {
            claims_.push_back(claim_as_json(claim, measurement));
            return;
        }
        out_ << fmt::format("{:<24} {:<18} measured {:<10} allowed {}\n", claim.name, verdict_text(verdict),
                            measured_text(measurement), range_text(claim.agrees))
             << statement_text(claim, measurement.detail);
        if (const std::string power = power_text(claim, measurement); !power.empty()) out_ << "    " << power << '\n';
        if (verdict == Verdict::known_difference) out_ << "    " << claim.known_difference << '\n';
        out_ << std::flush;
    }
    /// `more` belongs to the JSON object.
    void finish(const Json& more = Json::object()) {
        if (!as_json_) {
            out_ << counts_text(counts) << '\n';
            return;
        }
        Json object = {{"claims", claims_}};
        object.update(more);
        print_json(object, out_);
    }

    ClaimCounts counts;

  private:
    bool as_json_;
    std::ostream& out_;
    Json claims_ = Json::array();
};

}  // namespace

Json claim_as_json(const Claim& claim, const Measurement& measurement) {
    Json json = statement_as_json(claim);
    json["measured"] = json_number(measurement.value);
    json["detail"] = measurement.detail;
    if (measurement.interval)
        json["interval"] = {json_number(measurement.interval->low), json_number(measurement.interval->high)};
    if (measurement.n > 0) json["n"] = measurement.n;
    if (const auto smallest = smallest_difference(measurement)) json["smallest_difference"] = json_number(*smallest);
    json["verdict"] = verdict_text(verdict_of(claim, measurement));
    return json;
}

int print_figure_claims(const std::vector<Claim>& claims, const std::string& figure,
                        const std::vector<MeasuredClaim>& measured, std::ostream& out) {
    ClaimReport report(false, out);
    for (const Claim& claim : claims) {
        if (claim.figure != figure) continue;
        const auto found = find_if(measured, [&](const MeasuredClaim& m) { return m.name == claim.name; });
        const Measurement none{std::numeric_limits<double>::quiet_NaN(), "was not measured"};
        report.add(claim, found == measured.end() ? none : found->measurement);
    }
    const Verdicts verdicts = report.counts.all();
    if (verdicts.all() > 0) report.finish();
    return verdicts[Verdict::fails];
}

namespace {

struct VerifyRequest {
    std::vector<std::string> names;  // of experiments, figures or claims; none for all. To check: files, then folders
    bool list = false;               // lists what there is, and measures nothing
    bool check = false;              // says what is wrong with files of claims, or measures those of one on runs
};

// The name "theorem-1" also stands for its controls, theorem-1-mask and the like.
bool names(const std::string& name, const Claim& claim) {
    return name == claim.experiment || name == claim.name || name == claim.figure || claim.name.starts_with(name + "-");
}

// Returns the claims that were asked for. Throws InputError for a name that names none.
std::vector<Claim> find_claims(const std::vector<std::string>& asked, const Environment& environment) {
    std::vector<Claim> found;
    std::vector<bool> used(asked.size(), false);
    std::vector<std::string> known;
    for (const ExperimentInfo& info : environment.experiments) known.push_back(info.name);
    for (const Claim& claim : environment.claims()) {
        known.push_back(claim.name);
        bool wanted = asked.empty();
        for (size_t i = 0; i < asked.size(); ++i)
            if (names(asked[i], claim)) wanted = used[i] = true;
        if (wanted) found.push_back(claim);
    }
    for (size_t i = 0; i < asked.size(); ++i)
        if (!used[i])
            throw InputError(unknown_name("claim", asked[i], known, "'emergence-cli verify --list' names all"));
    return found;
}

// Returns what the last run in assets/results measured of the claim, or nullopt.
std::optional<Measurement> kept_measurement(const Claim& claim, const std::vector<ClaimResults>& last) {
    for (const ClaimResults& results : last) {
        const Measurement* found = measured_of(claim, results);
        if (found == nullptr) continue;
        Measurement measured = *found;
        measured.detail += fmt::format(" (result of the last '{}', version {}{})",
                                       results.figure == kVerified ? kVerified : "figure " + results.figure,
                                       results.version, results.date.empty() ? "" : ", " + results.date);
        return measured;
    }
    return std::nullopt;
}

Measurement measured(const Claim& claim) {
    try {
        return claim.measure();
    } catch (const std::exception& error) {  // the others are still worth knowing
        return {std::numeric_limits<double>::quiet_NaN(), error.what()};
    }
}

Answer list_of_claims(const std::vector<Claim>& claims) {
    Answer answer{Json::array()};
    for (const Claim& claim : claims) {
        answer.value.push_back(statement_as_json(claim));
        answer.text += row_text(answer.value.back(), "{name:<24} allowed {allowed:<18} measured by ") +
                       (claim.figure.empty() ? "verify\n" : "figure " + claim.figure + '\n') +
                       statement_text(claim, "");
    }
    return answer;
}

Json counts_as_json(const Verdicts& verdicts) {
    return {{"agree", verdicts[Verdict::agrees]},
            {"undecided", verdicts[Verdict::undecided]},
            {"differ_as_known", verdicts[Verdict::known_difference]},
            {"fail", verdicts[Verdict::fails]}};
}

// Prints what is wrong with files of claims, those that are named or all that ship.
int check_files(const VerifyRequest& request, const Environment& environment) {
    const bool all = request.names.empty();
    ReadClaims read = all ? read_all_claims(environment.assets() / "figures", environment.experiments)
                          : read_claims({request.names.begin(), request.names.end()}, environment.experiments);
    for (const std::string& fault : read.faults) environment.err << fault << '\n';
    const std::string text =
        fmt::format("{}: {}\n", counted(read.claims.size(), "claim"),
                    read.faults.empty() ? "nothing is wrong" : counted(read.faults.size(), "fault"));
    const Json value = {{"claims", read.claims.size()}, {"faults", read.faults}};
    return print_answer({value, text, read.faults.empty() ? kDone : kBadInput}, environment);
}

// Adds the runs of a figure's folder. Returns false if it belongs to no figure.
bool add_runs_of_figure(const std::string& folder, const Environment& environment, std::vector<FinishedRun>& runs) {
    if (const fs::path own = own_figure_in(folder); !own.empty() && environment.own_figure.empty())
        return with_own_figure(own, {}, environment, [&](const Environment& with, const std::string&) {
                   return add_runs_of_figure(folder, with, runs) ? kDone : kFailure;
               }) == kDone;
    const auto figure = grid_figure_in(folder, environment);
    if (!figure) return false;
    MadeFigure made = saved_figure(*figure, environment);
    if (made.runs.empty()) throw InputError("{}: its figure trains no runs", folder);
    for (FinishedRun& run : made.runs) runs.push_back(std::move(run));
    return true;
}

// Returns the runs in a folder: one, or those of a figure.
void add_runs(const std::string& folder, const Environment& environment, std::vector<FinishedRun>& runs) {
    if (!add_runs_of_figure(folder, environment, runs)) runs.push_back(finished_run(folder, environment));
}

// Measures the claims of a file on the runs in the folders after it.
int measure_file(const VerifyRequest& request, const Environment& environment) {
    const std::string& file = request.names.front();
    const ReadClaims read = read_claims({file}, environment.experiments);
    if (!read.faults.empty()) throw InputError(read.faults.front());
    std::vector<FinishedRun> runs;
    for (size_t i = 1; i < request.names.size(); ++i) add_runs(request.names[i], environment, runs);
    const std::vector<RunView> views(runs.begin(), runs.end());
    // A name that no run has is a mistake in the file, not a result.
    for (const Claim& claim : read.claims) try {
            if (!claim.value.empty()) check_quantity(parse_quantity(claim.value), views);
        } catch (const InputError& error) {
            throw InputError("{}: {}: value: {}", file, claim.name, error.what());
        }
    ClaimReport report(environment.asked.json, environment.out);
    for (const Claim& claim : read.claims) {
        if (!claim.value.empty())
            report.add(claim, measured_value(claim, views));
        else
            environment.notice(fmt::format("{}: function {} is measured by '{}'", claim.name, claim.function,
                                           claim.figure.empty() ? "verify" : "figure " + claim.figure));
    }
    const Verdicts verdicts = report.counts.all();
    report.finish();
    return verdicts[Verdict::fails] > 0 || verdicts.all() == 0 ? kFailure : kDone;
}

// Carries out --check. Files alone are checked. If folders follow a file, its claims are measured on their runs.
int check(const VerifyRequest& request, const Environment& environment) {
    const bool folders = any_of(request.names, [&](const std::string& name) { return is_folder(name); });
    return folders ? measure_file(request, environment) : check_files(request, environment);
}

int run_verify(const VerifyRequest& request, const Environment& environment) {
    if (request.check) return check(request, environment);
    const std::vector<Claim> claims = find_claims(request.names, environment);
    if (request.list) return print_answer(list_of_claims(claims), environment);
    const auto last = read_all_claim_results(environment.assets() / "results");
    ClaimReport report(environment.asked.json, environment.out);
    int unmeasured = 0;
    std::vector<std::string> left_out;
    for (const Claim& claim : claims) {
        if (environment.stopped()) break;
        const bool of_figure = !claim.figure.empty() || claim.function.empty();
        if (!claim.measure && !of_figure) left_out.push_back(claim.name);
        std::optional<Measurement> found;
        if (claim.measure) found = measured(claim);
        // A figure's claims need its runs, often minutes of training. So claims asked for by name show their last
        // results.
        else if (!of_figure || !request.names.empty())
            found = kept_measurement(claim, last);
        if (found)
            report.add(claim, *found);
        else
            ++unmeasured;
    }
    const ClaimCounts& counts = report.counts;
    const Verdicts verdicts = counts.all(), measured = counts.measured();
    Json more = {{"of_papers", counts_as_json(counts.papers)},
                 {"of_ours", counts_as_json(counts.ours)},
                 {"algebra_or_repeated", counts_as_json(counts.apart)},
                 {"hold", measured[Verdict::agrees]}};
    more.update(counts_as_json(measured));
    more["not_measured"] = unmeasured;
    more["left_out"] = left_out;
    report.finish(more);
    if (!environment.asked.json && unmeasured > 0)
        environment.out << fmt::format("{} more {} measured by figures: emergence-cli figure all\n", unmeasured,
                                       unmeasured == 1 ? "is" : "are");
    if (!environment.asked.json && !left_out.empty())
        environment.out << fmt::format(
            "Not measured here: {} without runs: {}\nTo measure them: cmake --build build --target emergence-verify\n",
            left_out.size(), fmt::join(left_out, " "));
    const bool none = verdicts.all() == 0 && left_out.empty();
    return verdicts[Verdict::fails] > 0 || environment.stopped() || none ? kFailure : kDone;
}

}  // namespace

Command verify_command() {
    return command_of<VerifyRequest>(
        "verify", "Check the claims of the papers, or your own claims on your own runs",
        [](Options& options, VerifyRequest& request) {
            options.texts("name", "CLAIM|EXPERIMENT|FIGURE|FILE",
                          "Claims, or an experiment or figure for all of its claims; a theorem includes its controls "
                          "(default: all)",
                          request.names);
            options.flag("--list", "List the claims without measuring them", request.list);
            options.flag("--check",
                         "Find mistakes in claim files (default: the shipped ones). With folders of runs or figures "
                         "after a file: measure its claims on them",
                         request.check);
            options.json();
        },
        run_verify, true);
}

}  // namespace emergence::cli
