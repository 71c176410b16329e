// reproduce: every figure, every claim, one report.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <ostream>
#include <system_error>

#include "app/cli/commands.h"
#include "app/cli/out_folder.h"
#include "app/cli/report.h"
#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/base/local_time.h"
#include "core/base/near_names.h"
#include "core/base/version.h"
#include "core/experiments/registry.h"
#include "core/files/atomic_write.h"
#include "core/lab/claim_results.h"
#include "core/lab/figure_results.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostPngBytes = size_t{1} << 28;
constexpr size_t kMostPageBytes = size_t{1} << 30;
constexpr const char* kReportFile = "report.html";

// The papers of the experiments that there are; experiments of none stand alone.
std::vector<Paper> papers_of(const Environment& environment) {
    std::vector<Paper> found;
    std::vector<std::string> named;
    const auto exists = [&](const std::string& name) {
        return std::any_of(environment.experiments.begin(), environment.experiments.end(),
                           [&](const ExperimentInfo& info) { return info.name == name; });
    };
    for (const Paper& paper : papers()) {
        Paper one{paper.name, paper.citation, {}};
        for (const std::string& name : paper.experiments)
            if (exists(name)) one.experiments.push_back(name);
        named.insert(named.end(), one.experiments.begin(), one.experiments.end());
        if (!one.experiments.empty()) found.push_back(std::move(one));
    }
    for (const ExperimentInfo& info : environment.experiments)
        if (std::find(named.begin(), named.end(), info.name) == named.end())
            found.push_back({info.name, info.title, {info.name}});
    return found;
}

std::vector<Paper> chosen_papers(const ReproduceRequest& request, const Environment& environment) {
    const std::vector<Paper> all = papers_of(environment);
    if (request.papers.empty()) return all;
    std::vector<std::string> names;
    for (const Paper& paper : all) names.push_back(paper.name);
    std::vector<Paper> chosen;
    for (const std::string& name : request.papers) {
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const Paper& p) { return p.name == name; });
        if (found == all.end()) throw InputError(unknown_name("paper", name, names, "'reproduce' makes all"));
        chosen.push_back(*found);
    }
    return chosen;
}

// What an earlier call has left in the folder, if this version and commit made it.
std::optional<ClaimResults> results_in(const fs::path& folder, const std::string& figure) {
    try {
        ClaimResults results = read_claim_results(folder / "claims.toml");
        const bool whole = fs::exists(folder / (figure + ".png"));
        if (whole && results.figure == figure && results.version == version() && results.commit == commit())
            return results;
    } catch (const InputError&) {
    }
    return std::nullopt;
}

std::vector<ReportedClaim> claims_of(const ExperimentInfo& info, const std::string& figure,
                                     const std::optional<ClaimResults>& results) {
    std::vector<ReportedClaim> reported;
    for (const Claim& claim : info.claims) {
        if (claim.figure != figure) continue;
        Measurement measured{std::numeric_limits<double>::quiet_NaN(), ""};
        if (results)
            if (const auto found = results->claims.find(claim.name); found != results->claims.end())
                measured = found->second;
        reported.push_back({claim, measured});
    }
    return reported;
}

ReportedFigure make_figure(const ExperimentInfo& info, const std::string& name, const std::string& title,
                           const fs::path& folder, const ReproduceRequest& request,
                           const Environment& environment) {
    ReportedFigure figure;
    figure.name = name;
    figure.title = title;
    std::optional<ClaimResults> results = results_in(folder, name);
    if (!results) {
        const Stopwatch watch;
        RunRequest one;
        one.is_figure = true;
        one.name = name;
        one.out = folder.string();
        one.threads = request.threads;
        one.existing = Existing::renew;
        try {
            run_run(one, environment);
        } catch (const std::exception& error) {  // the others are still worth making
            figure.problem = error.what();
        }
        figure.seconds = watch.seconds();
        figure.cpu_seconds = watch.cpu_seconds();
        results = results_in(folder, name);
    }
    if (results) {
        figure.seconds = results->seconds;
        figure.cpu_seconds = results->cpu_seconds;
    }
    try {
        figure.png = read_file(folder / (name + ".png"), kMostPngBytes);
    } catch (const std::exception& error) {
        if (figure.problem.empty()) figure.problem = error.what();
    }
    figure.claims = claims_of(info, name, results);
    return figure;
}

ReportedClaim measure(const Claim& claim) {
    try {
        return {claim, claim.measure()};
    } catch (const std::exception& error) {
        return {claim, {std::numeric_limits<double>::quiet_NaN(), error.what()}};
    }
}

// Whether the folder is one of an earlier reproduce, whose figures stay.
bool holds_report(const fs::path& folder) {
    try {
        return is_report(as_text(read_file(folder / kReportFile, kMostPageBytes)));
    } catch (const std::runtime_error&) {  // missing
        return false;
    }
}

bool stopped(const Environment& environment) { return environment.stop && *environment.stop; }

ReportedPaper reproduce(const Paper& paper, const fs::path& folder, const ReproduceRequest& request,
                        const Environment& environment) {
    ReportedPaper reported{paper.name, paper.citation, {}, {}, 0.0};
    const auto add = [&](const ExperimentInfo& info, const std::string& name, const std::string& title) {
        if (stopped(environment)) return;
        environment.err << fmt::format("reproduce: {}: {}\n", paper.name, name) << std::flush;
        reported.figures.push_back(make_figure(info, name, title, folder / name, request, environment));
        reported.seconds += reported.figures.back().seconds;
    };
    for (const std::string& name : paper.experiments) {
        const ExperimentInfo& info = find_experiment_in(environment.experiments, name);
        for (const FigureInfo& figure : info.figures) add(info, figure.name, figure.title);
        const Stopwatch watch;
        for (const Claim& claim : info.claims)
            if (claim.measure && !stopped(environment)) reported.theorems.push_back(measure(claim));
        reported.seconds += watch.seconds();
    }
    return reported;
}

}  // namespace

int run_reproduce(const ReproduceRequest& request, const Environment& environment) {
    const std::vector<Paper> wanted = chosen_papers(request, environment);
    const fs::path folder = request.out;
    claim_folder(folder, holds_report(folder), request.existing, environment);
    prepare_folder(folder);
    const int threads = request.threads.value_or(default_threads());
    Report report{
        version_with_commit(),
        local_time("%Y-%m-%d"),
        fmt::format("{} thread{}, {}", threads, threads == 1 ? "" : "s", name_of(instruction_set())),
        {}};
    // From the beginning, so that a folder whose first paper was interrupted is known again.
    const auto write_report = [&] { write_file(folder / kReportFile, std::string_view(html_of(report))); };
    if (!holds_report(folder)) write_report();
    for (const Paper& paper : wanted) {
        if (stopped(environment)) break;
        report.papers.push_back(reproduce(paper, folder, request, environment));
        write_report();  // after every paper, so that an interrupted call leaves what there is
    }
    const Verdicts verdicts = count_verdicts(report);
    environment.out << fmt::format(
        "{}\n{} claims agree, {} are undecided, {} differ for a known reason, {} fail\n",
        (folder / kReportFile).string(), verdicts[Verdict::agrees], verdicts[Verdict::undecided],
        verdicts[Verdict::known_difference], verdicts[Verdict::fails]);
    if (stopped(environment))
        environment.err << fmt::format("emergence-cli: stopped; 'reproduce --out {}' resumes it\n",
                                       folder.string());
    return verdicts[Verdict::fails] > 0 || stopped(environment) ? kFailure : kDone;
}

}  // namespace emergence::cli
