#include "core/lab/figures/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/files/csv.h"
#include "core/lab/figures/figures.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// The seed of bootstrap and permutation draws, which no run has.
constexpr uint64_t kComparisonSeed = 2023;
constexpr int kRandomPermutations = 20'000;

double mean_at(const std::vector<double>& values, const Places& places) {
    double sum = 0.0;
    for (const size_t place : places) sum += values[place];
    return sum / static_cast<double>(values.size());
}

// A sum as large as the observed one up to rounding counts.
bool reaches(double sum, double observed) { return std::abs(sum) >= std::abs(observed) * (1.0 - 1e-12); }

// The share of flips of signs whose sum is at least as far from 0.
double flip_test(const std::vector<double>& differences) {
    const double observed = std::accumulate(differences.begin(), differences.end(), 0.0);
    const size_t n = differences.size();
    const auto reaches_with = [&](const auto& is_flipped) {
        double sum = 0.0;
        for (size_t i = 0; i < n; ++i) sum += is_flipped(i) ? -differences[i] : differences[i];
        return reaches(sum, observed);
    };
    uint32_t count = 0;
    if (n <= static_cast<size_t>(kExactPairs)) {
        const uint32_t flips = uint32_t{1} << n;
        for (uint32_t flip = 0; flip < flips; ++flip)
            count += reaches_with([flip](size_t i) { return (flip >> i & 1U) != 0; });
        return static_cast<double>(count) / flips;
    }
    Stream stream(kComparisonSeed, Purpose::testing, 1);
    for (int k = 0; k < kRandomPermutations; ++k) count += reaches_with([&](size_t) { return stream.uniform() < 0.5; });
    return static_cast<double>(count + 1) / (kRandomPermutations + 1);  // with the observed one
}

// The share of divisions of all seeds into two runs whose means are at least as far apart.
double mix_test(const std::vector<double>& a, const std::vector<double>& b) {
    const double observed = mean_of(b) - mean_of(a);
    std::vector<double> all = a;
    all.insert(all.end(), b.begin(), b.end());
    Stream stream(kComparisonSeed, Purpose::testing, 2);
    int count = 1;
    for (int k = 0; k < kRandomPermutations; ++k) {
        double first = 0.0;
        for (size_t i = 0; i < a.size(); ++i) {
            const size_t left = all.size() - i;
            std::swap(all[i],
                      all[i + std::min(left - 1, static_cast<size_t>(stream.uniform() * static_cast<double>(left)))]);
            first += all[i];
        }
        const double rest = std::accumulate(all.begin(), all.end(), 0.0) - first;
        if (reaches(rest / static_cast<double>(b.size()) - first / static_cast<double>(a.size()), observed)) ++count;
    }
    return static_cast<double>(count) / (kRandomPermutations + 1);
}

// The partner of this matrix in rescaling (Q0 for P0): P times a and Q divided by a give the same network.
const NamedMatrix* scale_partner(const Snapshot& snapshot, const NamedMatrix& matrix) {
    if (!matrix.may_scale || matrix.name.empty() || (matrix.name[0] != 'P' && matrix.name[0] != 'Q')) return nullptr;
    const NamedMatrix* partner = find_matrix(snapshot, (matrix.name[0] == 'P' ? "Q" : "P") + matrix.name.substr(1));
    return partner != nullptr && partner->may_scale ? partner : nullptr;
}

Quantity norm_of(const NamedMatrix& matrix) { return {.kind = QuantityKind::norm, .name = matrix.name}; }

void add_norms(const Snapshot& snapshot, const NamedMatrix& matrix,
               std::vector<std::pair<std::string, Quantity>>& found) {
    const NamedMatrix* partner = scale_partner(snapshot, matrix);
    for (const Block& rows : matrix.row_blocks)
        for (const Block& columns : matrix.column_blocks) {
            Quantity norm = norm_of(matrix);
            norm.part = rows.label;
            norm.columns = columns.label;
            if (partner != nullptr) norm = Quantity{.kind = QuantityKind::over, .operands = {norm, norm_of(matrix)}};
            found.emplace_back(fmt::format("norm{} {} {},{}", partner != nullptr ? " share" : "", matrix.name,
                                           rows.label, columns.label),
                               std::move(norm));
        }
    if (partner != nullptr && matrix.name[0] == 'P')
        found.emplace_back(fmt::format("norm {} x norm {}", matrix.name, partner->name),
                           Quantity{.kind = QuantityKind::times, .operands = {norm_of(matrix), norm_of(*partner)}});
}

// The quantities that two runs are compared by, under the names that files have.
std::vector<std::pair<std::string, Quantity>> compared_quantities(const FinishedRun& run, const std::string& also) {
    std::vector<std::pair<std::string, Quantity>> found;
    if (!run.snapshot.emergence_rule.empty())
        found.emplace_back(kEmergedScore, Quantity{.kind = QuantityKind::emerged});
    for (const MetricInfo& metric : run.history.table())
        if (!metric.of_scale) found.emplace_back(metric.name, metric_quantity(metric.name));
    for (const NamedMatrix& matrix : run.snapshot.matrices)
        if (!matrix.free_aspect) add_norms(run.snapshot, matrix, found);
    if (!also.empty() && !any_of(found, [&](const auto& one) { return one.first == also; }))
        found.emplace(found.begin(), also, score_quantity(also));
    return found;
}

bool is_share(const FinishedRun& run, const std::string& score) {
    const MetricInfo* metric = find_named(run.history.table(), score);
    return score == kEmergedScore || (metric != nullptr && metric->share);
}

// Why the seeds of a run do not count for a score, for each of its seeds; "" of one that counts.
std::string why_dropped(const FinishedRun& run, const std::vector<double>& values, const Snapshot& other, bool paired) {
    std::string text;
    for (size_t k = 0; k < values.size(); ++k) {
        const SeedStatus& seed = run.snapshot.seeds[k];
        const bool missing =
            paired && !any_of(other.seeds, [&](const SeedStatus& one) { return one.seed == seed.seed; });
        const char* why = seed.failed                 ? "failed"
                          : !std::isfinite(values[k]) ? "has no value"
                          : missing                   ? "is not in both"
                                                      : "";
        if (*why != '\0') text += fmt::format("{}seed {} {}", text.empty() ? "" : ", ", seed.seed, why);
    }
    return text.empty() ? "" : run.label + ": " + text;
}

// The finite scores of the seeds that both runs have, in b's order; if no seed is in both, those of each run.
struct PairedScores {
    bool paired = true;
    std::vector<double> a, b;
};
PairedScores paired_scores(const FinishedRun& a, const FinishedRun& b, const std::vector<double>& of_a,
                           const std::vector<double>& of_b) {
    const SeedPairing pairing = pair_seeds(b.snapshot, all_places(b.snapshot.seeds.size()), a.snapshot);
    PairedScores found{pairing.paired, {}, {}};
    for (size_t i = 0; pairing.paired && i < pairing.here.size(); ++i) {
        const double here = of_b[pairing.here[i]], there = of_a[pairing.there[i]];
        if (!std::isfinite(here) || !std::isfinite(there)) continue;
        found.a.push_back(there);
        found.b.push_back(here);
    }
    if (pairing.paired) return found;
    found.a = of_a;
    found.b = of_b;
    for (auto* values : {&found.a, &found.b}) std::erase_if(*values, [](double x) { return !std::isfinite(x); });
    return found;
}

void check_compared(const FinishedRun& run, const std::string& score) {
    if (find_named(run.history.table(), score) != nullptr) return;
    const bool one_word = score.find_first_of(" (") == std::string::npos;
    if (one_word && score != kEmergedScore && score != kEmergedAtColumn)
        throw InputError("{}: no metric '{}'. Metrics: {}", run.label, score,
                         listed(run.history.table(), &MetricInfo::name));
    // As the table names it: "norm P0 value,phi".
    if (any_of(compared_quantities(run, ""), [&](const auto& one) { return one.first == score; })) return;
    check_quantity(score_quantity(score), {RunView(run)});
}

PlotSpec curves_of(const std::vector<FinishedRun>& runs, const MetricInfo& metric) {
    const std::string quantity = metric.label.empty() ? metric.name : metric.label;
    Plot plot("curves", quantity);
    plot.x(runs.front().snapshot.step_unit);
    plot.y(quantity);
    plot.sparse_markers().no_markers();
    MetricPlot only;
    only.metrics.push_back({metric.name, ""});
    for (size_t r = 0; r < runs.size(); ++r) {
        const FinishedRun& run = runs[r];
        if (find_named(run.history.table(), metric.name) == nullptr) continue;
        Series curve = run.history.plot(only, {}, run.snapshot.step).series.front();
        plot.line(run.label, std::move(curve.x), std::move(curve.rows)).color(static_cast<int>(r));
    }
    return plot;
}

// The last value of each shared seed, against the first run's.
PlotSpec seeds_of(const std::vector<FinishedRun>& runs, const std::string& score) {
    const bool is_metric = find_named(runs.front().history.table(), score) != nullptr;
    Plot plot("seeds", is_metric ? "Each seed" : "Each seed: " + score);
    plot.x(runs.front().label);
    plot.y("the others");
    plot.no_markers();
    const std::vector<double> first = values_of(scores_of_seeds(runs.front(), score), score);
    std::vector<double> values;
    for (size_t r = 1; r < runs.size(); ++r) {
        if (is_metric && find_named(runs[r].history.table(), score) == nullptr) continue;
        PairedScores scores =
            paired_scores(runs.front(), runs[r], first, values_of(scores_of_seeds(runs[r], score), score));
        if (!scores.paired) continue;
        for (const auto* all : {&scores.a, &scores.b}) values.insert(values.end(), all->begin(), all->end());
        plot.points(runs[r].label, std::move(scores.a), std::move(scores.b)).color(static_cast<int>(r));
    }
    if (values.empty()) return plot;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (*low < *high) plot.path("equal", {*low, *high}, {*low, *high}).color(7).dashed();
    return plot;
}

}  // namespace

CellScores scores_of_seeds(const FinishedRun& run, const std::string& also) {
    CellScores all(run.snapshot.seeds.size());
    for (const auto& [name, quantity] : compared_quantities(run, also))
        for (const SeedValue& one : values(RunView(run), quantity))
            all[one.index].emplace_back(name, one.failed ? kMissing : one.value);
    return all;
}

ScoreDifference difference_of(const std::string& score, const std::vector<double>& a, const std::vector<double>& b,
                              bool paired, bool share) {
    ScoreDifference result;
    result.score = score;
    result.paired = paired;
    result.n_a = static_cast<int>(a.size());
    result.n_b = static_cast<int>(b.size());
    result.mean_a = mean_of(a);
    result.mean_b = mean_of(b);
    std::vector<double> differences = b;
    for (size_t i = 0; paired && i < a.size(); ++i) differences[i] -= a[i];
    result.difference = paired ? mean_of(differences) : result.mean_b - result.mean_a;
    const std::vector<size_t> lists = paired ? std::vector{b.size()} : std::vector{a.size(), b.size()};
    const BootstrapInterval interval = bootstrap_of_lists(
        lists, kBootstrapSamples, Stream(kComparisonSeed, Purpose::testing, 0), [&](const std::vector<Places>& drawn) {
            return paired ? mean_at(differences, drawn[0]) : mean_at(b, drawn[1]) - mean_at(a, drawn[0]);
        });
    result.p = paired ? flip_test(differences) : mix_test(a, b);
    result.low = interval.low;
    result.high = interval.high;
    if (share) {
        const auto count = [](const std::vector<double>& seeds) {
            return fraction(static_cast<int>(std::count(seeds.begin(), seeds.end(), 1.0)),
                            static_cast<int>(seeds.size()));
        };
        int both = 0;
        for (size_t i = 0; paired && i < a.size(); ++i) both += a[i] == 1.0 && b[i] == 1.0 ? 1 : 0;
        const Fraction of_a = count(a), of_b = count(b);
        std::tie(result.low, result.high) = share_sum_interval({{of_a, -1.0}, {of_b, 1.0}}, [&](size_t, size_t) {
            return paired ? share_correlation(of_a, of_b, both) : 0.0;
        });
    }
    return result;
}

std::vector<ScoreDifference> differences_of(const FinishedRun& a, const FinishedRun& b, const std::string& also) {
    const CellScores of_a = scores_of_seeds(a, also), of_b = scores_of_seeds(b, also);
    std::vector<ScoreDifference> differences;
    bool all_equal = true;
    if (of_a.empty() || of_b.empty()) return differences;
    for (const auto& [score, unused] : of_a.front()) {
        const std::vector<double> from = values_of(of_a, score), to = values_of(of_b, score);
        const auto [paired, left, right] = paired_scores(a, b, from, to);
        if (left.empty() || right.empty()) continue;
        all_equal = all_equal && paired && left == right;
        differences.push_back(difference_of(score, left, right, paired, is_share(a, score)));
        const std::string in_a = why_dropped(a, from, b.snapshot, paired),
                          in_b = why_dropped(b, to, a.snapshot, paired);
        differences.back().dropped = in_a + (in_a.empty() || in_b.empty() ? "" : "; ") + in_b;
    }
    // If the same seeds have the same numbers throughout, both runs are one training, and nothing differs.
    for (ScoreDifference& same : differences)
        if (all_equal) same.low = same.high = 0.0;
    return differences;
}

std::string why_not_compared(const FinishedRun& a, const FinishedRun& b) {
    for (const FinishedRun* run : {&a, &b})
        if (all_failed(run->snapshot))
            return fmt::format("cannot be compared, because every network of {} failed", run->label);
    return "have no score in common";
}

std::vector<std::string> differing_settings(const std::vector<FinishedRun>& runs) {
    std::vector<std::string> lines;
    const Settings& first = runs.front().snapshot.settings;
    const bool same_experiment = all_of(
        runs, [&](const FinishedRun& run) { return run.snapshot.experiment == runs.front().snapshot.experiment; });
    if (!same_experiment)
        return {"experiment: " + listed(runs, [](const FinishedRun& run) { return run.snapshot.experiment; })};
    for (const FieldInfo& field : first.fields()) {
        const bool differs = any_of(runs, [&](const FinishedRun& run) {
            return run.snapshot.settings.value(field.name) != first.value(field.name);
        });
        const auto value_of = [&](const FinishedRun& run) { return to_text(run.snapshot.settings.shown(field.name)); };
        if (differs) lines.push_back(field.name + ": " + listed(runs, value_of));
    }
    return lines;
}

std::string comparison_csv(const std::vector<PairOfRuns>& pairs) {
    std::string text = "run_a,run_b,score,paired,n_a,n_b,mean_a,mean_b,difference,low,high,p,dropped\n";
    for (const PairOfRuns& pair : pairs)
        for (const ScoreDifference& one : pair.differences)
            text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(pair.a), csv_field(pair.b),
                                csv_field(one.score), one.paired ? 1 : 0, one.n_a, one.n_b, csv_field(one.mean_a),
                                csv_field(one.mean_b), csv_field(one.difference), csv_field(one.low),
                                csv_field(one.high), csv_field(one.p), csv_field(one.dropped));
    return text;
}

SeedPairing pair_seeds(const Snapshot& here, const std::vector<size_t>& chosen, const Snapshot& there) {
    SeedPairing pairing;
    for (const size_t index : chosen) {
        const auto same =
            find_if(there.seeds, [&](const SeedStatus& status) { return status.seed == here.seeds[index].seed; });
        if (same == there.seeds.end()) continue;
        pairing.here.push_back(index);
        pairing.there.push_back(static_cast<size_t>(same - there.seeds.begin()));
    }
    if (!pairing.here.empty()) return pairing;
    pairing.paired = false;
    pairing.here = chosen;
    const bool none_left = all_failed(there);
    pairing.there =
        filtered(all_places(there.seeds.size()), [&](size_t i) { return none_left || !there.seeds[i].failed; });
    return pairing;
}

FigureSpec comparison_figure(const std::vector<FinishedRun>& runs, const std::string& score) {
    check_compared(runs.front(), score);
    const MetricInfo* metric = find_named(runs.front().history.table(), score);
    FigureSpec figure;
    figure.name = "comparison";
    const std::string names = listed(runs, &FinishedRun::label);
    const std::string seeds = listed(runs, [](const FinishedRun& run) { return run.snapshot.seeds.size(); });
    figure.title = "Compared: " + names;
    const std::string differing = listed(differing_settings(runs), std::identity(), "; ");
    figure.caption =
        fmt::format("Runs {} with {} seeds. {}. Emergence {}.", names, seeds,
                    differing.empty() ? "All settings are the same" : "They differ in " + differing, version());
    PictureOrigin origin{figure.name, runs.front().snapshot.step, ViewValues()};
    std::vector<std::string> beside;
    for (size_t r = 1; r < runs.size(); ++r)
        beside.push_back(other_run_text({"Run", runs[r].label, std::make_shared<const Snapshot>(runs[r].snapshot)},
                                        runs.front().snapshot));
    (*origin.view)[kBesideView] = beside;
    figure.config = settings_to_toml(runs.front().snapshot.experiment, runs.front().snapshot.settings, origin);
    figure.column_weights = {1, 1};
    figure.row_weights = {1};
    figure.width_inches = 10;
    figure.height_inches = 4.2;
    if (metric != nullptr)
        figure.cells = {{curves_of(runs, *metric), 0, 0}, {seeds_of(runs, score), 0, 1}};
    else
        figure.cells = {{seeds_of(runs, score), 0, 0, 1, 2}};
    return figure;
}

}  // namespace emergence
