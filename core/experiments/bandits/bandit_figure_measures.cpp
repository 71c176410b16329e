#include "core/experiments/bandits/bandit_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/experiments/bandits/bandit_players.h"
#include "core/experiments/figure_parts.h"
#include "core/pictures/figure_spec.h"

namespace emergence {
namespace {

bool begins(const std::string& label, const char* with) { return label.rfind(with, 0) == 0; }

Measurement no_transformer() { return {std::numeric_limits<double>::quiet_NaN(), "no transformer plays"}; }

std::vector<BanditAlgorithm> experts(ExpertFamily family) {
    using enum BanditAlgorithm;
    if (family == ExpertFamily::linucb) return {linucb, master_linucb, master_linucb_theory};
    return {thompson, master_thompson, master_thompson_theory};
}

std::vector<double> mean_over_rows(const Series& series) {
    std::vector<double> mean(series.x.size(), 0.0);
    for (const auto& row : series.rows)
        for (size_t i = 0; i < mean.size(); ++i) mean[i] += row[i] / static_cast<double>(series.rows.size());
    return mean;
}

const Series* transformer_of(const PlotSpec& plot) {
    const auto found = std::find_if(plot.series.begin(), plot.series.end(),
                                    [](const Series& series) { return is_transformer(series.name); });
    return found == plot.series.end() ? nullptr : &*found;
}

}  // namespace

bool is_expert(const std::string& label, ExpertFamily family) {
    return family == ExpertFamily::linucb ? begins(label, "LinUCB") || begins(label, "MASTER+LinUCB")
                                          : begins(label, "TS") || begins(label, "MASTER+TS");
}
bool is_transformer(const std::string& label) { return begins(label, "transformer"); }

Measurement paired_regrets(const FinishedRun& run, const std::string& worse, const std::string& better) {
    const auto regrets_of = [&run](const std::string& player) {
        const auto found = run.snapshot.weights.find("final_" + player);
        if (found == run.snapshot.weights.end())
            throw InputError(fmt::format("{}: does not play in '{}'", player, run.label));
        return as_doubles(found->second);
    };
    const auto a = regrets_of(worse), b = regrets_of(better);
    std::vector<double> differences;
    for (size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
    const Summary summary = summarise(differences, false);
    return {summary.mean / summary.standard_error,
            fmt::format("{:.1f} +- {:.1f}", summary.mean, summary.standard_error)};
}

Measurement transformer_ahead(const FinishedRun& run, const std::vector<ExpertFamily>& families) {
    if (!run.snapshot.weights.contains("final_transformer")) return no_transformer();
    Measurement least{std::numeric_limits<double>::infinity(), ""};
    for (const ExpertFamily family : families)
        for (const BanditAlgorithm algorithm : experts(family)) {
            const BanditAlgorithmInfo& info = info_of(algorithm);
            if (!run.snapshot.weights.contains(std::string("final_") + info.name)) continue;
            Measurement one = paired_regrets(run, info.name, "transformer");
            one.detail += fmt::format(" to {}", info.label);
            if (std::isnan(one.value) || one.value < least.value) least = std::move(one);
        }
    return least;
}

Measurement transformer_lowest(const FinishedRun& run) {
    const PlotSpec plot = plot_of_run(run, "suboptimality", "");
    const Series* transformer = transformer_of(plot);
    if (transformer == nullptr) return no_transformer();
    const std::vector<double> own = mean_over_rows(*transformer);
    std::vector<bool> lowest(own.size(), true);
    for (const Series& series : plot.series) {
        if (!is_expert(series.name, ExpertFamily::linucb) && !is_expert(series.name, ExpertFamily::thompson))
            continue;
        const std::vector<double> mean = mean_over_rows(series);
        for (size_t i = 0; i < own.size(); ++i) lowest[i] = lowest[i] && own[i] < mean[i];
    }
    const auto first = lowest.begin() + static_cast<std::ptrdiff_t>(lowest.size() / 5);
    const auto count = std::count(first, lowest.end(), true);
    const auto points = lowest.end() - first;
    return {static_cast<double>(count) / static_cast<double>(points),
            fmt::format("{} of {} points", count, points)};
}

Measurement transformer_settles(const FinishedRun& run) {
    const PlotSpec plot = plot_of_run(run, "suboptimality", "");
    const Series* transformer = transformer_of(plot);
    if (transformer == nullptr) return no_transformer();
    std::vector<std::vector<double>> halves;  // of each environment: the first half's mean and the second's
    const size_t half = transformer->x.size() / 2;
    for (const auto& row : transformer->rows) {
        const auto middle = static_cast<std::ptrdiff_t>(half);
        const auto mean = [half](auto begin, auto end) {
            return std::accumulate(begin, end, 0.0) / static_cast<double>(half);
        };
        halves.push_back({mean(row.begin(), row.begin() + middle), mean(row.end() - middle, row.end())});
    }
    return bootstrapped(
        halves.size(),
        [&](const Places& places) {
            return summary_at(halves, places, 1).mean / summary_at(halves, places, 0).mean;
        },
        fmt::format("{:.3f} after {:.3f}", summarise(halves, 1).mean, summarise(halves, 0).mean));
}

Measurement not_the_lowest(const FinishedRun& run) {
    const PlotSpec plot = plot_of_run(run, "master_timeline", "");
    std::map<int, double> lowest, active;  // by round
    for (const Series& series : plot.series) {
        if (series.rows.empty()) continue;
        const std::vector<double>& order = series.rows.front();
        if (series.points) {
            for (size_t i = 0; i < series.x.size(); ++i) active[static_cast<int>(series.x[i])] = order[i];
            continue;
        }
        // x holds triples: an instance's first round, its last round, and a gap.
        for (size_t i = 0; i + 2 < series.x.size(); i += 3)
            for (int round = static_cast<int>(series.x[i]); round <= static_cast<int>(series.x[i + 1]);
                 ++round) {
                const auto [at, first] = lowest.try_emplace(round, order[i]);
                if (!first) at->second = std::min(at->second, order[i]);
            }
    }
    const auto wrong = std::count_if(active.begin(), active.end(), [&](const auto& round) {
        const auto found = lowest.find(round.first);
        return found == lowest.end() || found->second != round.second;
    });
    return {static_cast<double>(wrong), fmt::format("of {} rounds", active.size())};
}

}  // namespace emergence
