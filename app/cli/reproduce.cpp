// reproduce: every figure, every claim, one report.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <system_error>

#include "app/cli/claim_lines.h"
#include "app/cli/command.h"
#include "app/cli/figure_folders.h"
#include "app/cli/job.h"
#include "app/cli/out_folder.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/run_request.h"
#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/experiments/registry.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/lab/figures/claim_results.h"
#include "core/lab/figures/figure_results.h"
#include "core/lab/jobs/job_folder.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

// Every figure and every claim of some papers, and a report.
struct ReproduceRequest {
    std::vector<std::string> papers;  // none is all
    std::string out = "out/reproduce";
    std::optional<int> threads;
    Existing existing = Existing::refuse;
};

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
        const auto found = std::find_if(all.begin(), all.end(), [&](const Paper& p) { return p.name == name; });
        if (found == all.end()) throw InputError(unknown_name("paper", name, names, "'reproduce' makes all"));
        chosen.push_back(*found);
    }
    return chosen;
}

// Results in a figure's folder, or why it has to be made.
struct KeptFigure {
    std::optional<ClaimResults> results;
    std::string why_not;  // "" if nothing has been made there
};

// What an earlier call has left in the folder. It counts if this version and commit made it, with these settings.
KeptFigure kept_figure(const fs::path& folder, const std::string& figure, const std::string& settings) {
    std::error_code ignored;
    if (!fs::exists(folder / "claims.toml", ignored)) return {};
    try {
        ClaimResults results = read_claim_results(folder / "claims.toml");
        if (results.figure != figure) return {{}, fmt::format("its folder holds {}", results.figure)};
        if (results.version != version() || results.commit != commit())
            return {
                {},
                fmt::format("made by {}{}, this is {}", results.version,
                            results.commit.empty() ? "" : fmt::format(" ({})", results.commit), version_with_commit())};
        if (results.config != settings)
            return {{}, fmt::format("made with {}, its preset has {}", results.config, settings)};
        if (!fs::exists(folder / (figure + ".png"))) return {{}, "its picture is missing"};
        return {std::move(results), ""};
    } catch (const InputError& error) {
        return {{}, error.what()};
    }
}

std::vector<ReportedClaim> claims_of(const std::vector<Claim>& claims, const std::string& figure,
                                     const std::optional<ClaimResults>& results) {
    std::vector<ReportedClaim> reported;
    for (const Claim& claim : claims) {
        if (claim.figure != figure) continue;
        Measurement measured{std::numeric_limits<double>::quiet_NaN(), ""};
        if (results)
            if (const auto found = results->claims.find(claim.name); found != results->claims.end())
                measured = found->second;
        reported.push_back({claim, measured});
    }
    return reported;
}

// A figure of the chosen papers, and how making it went in this process.
struct PlannedFigure {
    const Paper* paper;
    const ExperimentInfo* info;
    const FigureInfo* figure;
    std::string settings;  // its preset's, as results name them
    std::string problem = {};
    double seconds = 0.0, cpu_seconds = 0.0;
};

// The settings of a figure's preset; "" where there is no such preset, which making the figure will tell.
std::string preset_settings(const ExperimentInfo& info, const FigureInfo& figure, const Environment& environment) {
    try {
        return named_settings(figure_settings(info, figure, environment.assets()));
    } catch (const std::runtime_error&) {
        return "";
    }
}

std::vector<PlannedFigure> planned_figures(const std::vector<Paper>& papers, const Environment& environment) {
    std::vector<PlannedFigure> planned;
    for (const Paper& paper : papers)
        for (const std::string& name : paper.experiments) {
            const ExperimentInfo& info = find_experiment_in(environment.experiments, name);
            for (const FigureInfo& figure : info.figures)
                planned.push_back({&paper, &info, &figure, preset_settings(info, figure, environment)});
        }
    return planned;
}

// Makes a figure unless the folder holds it.
void make_figure(PlannedFigure& planned, const fs::path& folder, const ReproduceRequest& request,
                 const std::vector<fs::path>& others, const Environment& environment) {
    const std::string& name = planned.figure->name;
    const KeptFigure kept = kept_figure(folder / name, name, planned.settings);
    if (kept.results) return;
    environment.err << fmt::format("reproduce: {}: {}{}\n", planned.paper->name, name,
                                   kept.why_not.empty() ? "" : ", again: " + kept.why_not)
                    << std::flush;
    const Stopwatch watch;
    RunRequest one;
    one.is_figure = true;
    one.name = name;
    one.out = (folder / name).string();
    one.threads = request.threads;
    one.existing = Existing::renew;
    one.others = others;
    try {
        run_run(one, environment);
        planned.problem.clear();
    } catch (const std::exception& error) {  // the others are still worth making
        planned.problem = error.what();
    }
    planned.seconds = watch.seconds();
    planned.cpu_seconds = watch.cpu_seconds();
}

// A figure of the report, from what its folder holds.
ReportedFigure reported_figure(const PlannedFigure& planned, const std::vector<Claim>& claims, const fs::path& folder) {
    const std::string& name = planned.figure->name;
    ReportedFigure figure;
    figure.name = name;
    figure.title = planned.figure->title;
    figure.problem = planned.problem;
    figure.seconds = planned.seconds;
    figure.cpu_seconds = planned.cpu_seconds;
    const std::optional<ClaimResults> results = kept_figure(folder / name, name, planned.settings).results;
    if (results) {
        figure.seconds = results->seconds;
        figure.cpu_seconds = results->cpu_seconds;
    }
    try {
        figure.png = read_file(folder / name / (name + ".png"), kMostPngBytes);
    } catch (const std::exception& error) {
        if (figure.problem.empty()) figure.problem = error.what();
    }
    figure.claims = claims_of(claims, name, results);
    return figure;
}

// A theorem's measurement, with the seconds that it took.
struct TimedMeasurement {
    Measurement measurement;
    double seconds = 0.0;

    void numbers(auto& list) {
        bool has_interval = measurement.interval.has_value();
        Range interval = measurement.interval.value_or(Range{});
        list(measurement.value, seconds, measurement.n, has_interval, interval.low, interval.high, measurement.detail);
        measurement.interval = has_interval ? std::optional(interval) : std::nullopt;
    }
};

// Those that only emergence-verify measures.
std::vector<const Claim*> left_out(const std::vector<Paper>& papers, const std::vector<Claim>& claims) {
    std::vector<const Claim*> found;
    for (const Paper& paper : papers)
        for (const std::string& name : paper.experiments)
            for (const Claim& claim : claims)
                if (claim.experiment == name && claim.figure.empty() && !claim.function.empty() && !claim.measure)
                    found.push_back(&claim);
    return found;
}

// The theorems of the chosen papers by their names: jobs of one grid, and what is stored of those left out. Empty if it was
// stopped.
std::map<std::string, TimedMeasurement> measure_theorems(const std::vector<Paper>& papers,
                                                         const std::vector<Claim>& claims, const fs::path& folder,
                                                         int threads, const Environment& environment) {
    std::vector<GridJob<TimedMeasurement>> jobs;
    for (const Paper& paper : papers)
        for (const std::string& name : paper.experiments)
            for (const Claim& claim : claims)
                if (claim.experiment == name && claim.measure)
                    jobs.push_back({claim.name, [&claim](JobHandle&) {
                                        const Stopwatch watch;
                                        TimedMeasurement timed{claim.measure()};
                                        timed.seconds = watch.seconds();
                                        return timed;
                                    }});
    JobFolder saved(folder, "theorems\n" + version_with_commit());
    GridProgressLine line(environment.err, environment.err_is_terminal, environment.err_columns);
    GridOptions options = grid_options("theorems", threads, line, environment);
    options.folder = &saved;
    const Stopwatch watch;
    const auto grid = run_grid(jobs, options);
    line.finish(watch.seconds());
    std::map<std::string, TimedMeasurement> measured;
    for (size_t i = 0; i < jobs.size(); ++i)
        if (grid.results[i]) measured[jobs[i].label] = *grid.results[i];
    for (const JobFailure& failure : grid.failures)
        measured[failure.label] = {{std::numeric_limits<double>::quiet_NaN(), failure.reason}};
    const auto last = read_all_claim_results(environment.assets() / "results");
    for (const Claim* claim : left_out(papers, claims))
        if (const auto kept = kept_measurement(*claim, last)) measured[claim->name] = {*kept};
    return measured;
}

// Whether the folder is one of an earlier reproduce, whose figures stay.
bool holds_report(const fs::path& folder) {
    try {
        return is_report(as_text(read_file(folder / kReportFile, kMostPageBytes)));
    } catch (const std::runtime_error&) {  // missing
        return false;
    }
}

// The papers whose figures have all been made, as far as `theorems` goes.
std::vector<ReportedPaper> reported_papers(const std::vector<Paper>& papers, const std::vector<PlannedFigure>& planned,
                                           const std::vector<bool>& made,
                                           const std::map<std::string, TimedMeasurement>& theorems,
                                           const std::vector<Claim>& claims, const fs::path& folder) {
    std::vector<ReportedPaper> reported;
    for (const Paper& paper : papers) {
        ReportedPaper one{paper.name, paper.citation, {}, {}, 0.0};
        for (size_t i = 0; i < planned.size(); ++i) {
            if (planned[i].paper != &paper || !made[i]) continue;
            one.figures.push_back(reported_figure(planned[i], claims, folder));
            one.seconds += one.figures.back().seconds;
        }
        for (const std::string& name : paper.experiments)
            for (const Claim& claim : claims)
                if (const auto found = theorems.find(claim.name); claim.experiment == name && found != theorems.end()) {
                    one.theorems.push_back({claim, found->second.measurement});
                    one.seconds += found->second.seconds;
                }
        if (!one.figures.empty() || !one.theorems.empty()) reported.push_back(std::move(one));
    }
    return reported;
}

int print_verdicts(const Report& report, const fs::path& folder, const Environment& environment) {
    const ClaimCounts counts = count_verdicts(report);
    environment.wrote(folder / kReportFile);
    environment.out << counts_text(counts) << '\n';
    return counts.all()[Verdict::fails] > 0 ? kFailure : kDone;
}

int run_reproduce(const ReproduceRequest& request, const Environment& environment) {
    const std::vector<Paper> wanted = chosen_papers(request, environment);
    const std::vector<Claim> claims = environment.claims();
    const fs::path folder = folder_named(request.out);
    std::vector<PlannedFigure> planned = planned_figures(wanted, environment);
    for (const PlannedFigure& one : planned)
        environment.would(fmt::format("draw {} of {}", one.figure->name, one.paper->name));
    claim_folder(folder, holds_report(folder), request.existing, environment);
    prepare_folder(folder);
    const FolderLock lock = enter_folder(folder, [] { return true; });
    const int threads = request.threads.value_or(default_threads());
    Report report{version_with_commit(),
                  local_time("%Y-%m-%d"),
                  fmt::format("{}, instruction set {}", counted(threads, "thread"), name_of(instruction_set())),
                  {}};
    std::vector<bool> made(planned.size(), false);
    std::map<std::string, TimedMeasurement> theorems;
    const auto write_report = [&] {
        report.papers = reported_papers(wanted, planned, made, theorems, claims, folder);
        write_file(folder / kReportFile, std::string_view(html_of(report)));
    };
    // From the beginning, so that a folder whose first paper was interrupted is known again.
    if (!holds_report(folder)) write_report();
    write_command(folder, environment);
    std::vector<std::string> figures;
    for (const PlannedFigure& one : planned) figures.push_back(one.figure->name);
    environment.has_saved("Finished figures and theorems are saved", folder);
    const std::vector<fs::path> others = sharing_folders(folder, figures);
    for (size_t i = 0; i < planned.size() && !environment.stopped(); ++i) {
        make_figure(planned[i], folder, request, others, environment.without_saved());
        made[i] = !environment.stopped();
        // After every paper, so that an interrupted call leaves what there is.
        if (i + 1 == planned.size() || planned[i + 1].paper != planned[i].paper) write_report();
    }
    if (!environment.stopped()) {
        theorems = measure_theorems(wanted, claims, folder, threads, environment);
        made.assign(planned.size(), true);
    }
    if (environment.stopped()) return kFailure;
    write_report();
    std::vector<std::string> names;
    for (const Claim* claim : left_out(wanted, claims)) names.push_back(claim->name);
    print_left_out(names, environment);
    return print_verdicts(report, folder, environment);
}

}  // namespace

Command reproduce_command() {
    return command_of<ReproduceRequest>(
        "reproduce", "Make every figure, check every claim, and write one report (report.html)",
        [](Options& options, ReproduceRequest& request) {
            options.texts("paper", "PAPER",
                          "in-context-td, softmax-td, bandits, regression or policy-improvement (default: all)",
                          request.papers);
            options.out("Folder for the results (default: out/reproduce); figures that it holds are not made again",
                        request.out, request.existing);
            options.threads(request.threads);
            options.files_as_json();
        },
        run_reproduce, true);
}

}  // namespace emergence::cli
