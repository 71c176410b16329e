// Our figures: which algorithms networks compute, by the basin in which they end and by the loss that trained them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/basins/basins.h"
#include "core/experiments/in_context_td/figures/td_figures.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/seed/td_line_up.h"
#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/pictures/matrix_cells.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Enough steps for the fits to converge, and enough prompts that TD(C_l) does not fit a few of them with
// heavy tails.
constexpr int kFigureFitted = 320, kFigureJudged = 480, kFittingSteps = 40;

constexpr const char* kGroupNames[] = {"emerged", "second basin", "neither"};
constexpr int kBasinGroups = 3;
// Shares unexplained, in the order of the families: of the mean square value, which few prompts rule, then those of the
// median prompt.
using FamilyShares = std::array<double, 2 * kFamilies>;

struct FittedSeed {
    uint64_t seed = 0;
    int group = 0;
    FamilyShares unexplained = {};
};

// The group of every seed that did not diverge, in order.
std::vector<int> basin_groups(const FinishedRun& run) {
    std::vector<int> groups;
    for (const Basin basin : basins_of(run))
        groups.push_back(basin == Basin::emerged ? 0 : basin == Basin::second ? 1 : 2);
    return groups;
}

// A job per seed that did not diverge and is `wanted`, by its place among those.
template <class Wanted>
std::vector<GridJob<FamilyShares>> fitting_jobs(const FinishedRun& run, const Wanted& wanted) {
    const auto config =
        std::make_shared<const InContextTdConfig>(config_from<InContextTdConfig>(run.snapshot.settings));
    const auto bank = make_bank(*config, kFigureFitted + kFigureJudged, {config->context_length});
    const auto prompts =
        std::make_shared<const MapBench>(std::make_shared<const LineUpPrompts>(*bank, 0, 0, kFigureFitted),
                                         std::make_shared<const LineUpPrompts>(*bank, 0, kFigureFitted, kFigureJudged));
    std::vector<GridJob<FamilyShares>> jobs;
    size_t k = 0;
    for (const LearnedWeights& seed : trained_seeds(network_shape(*config), run.snapshot)) {
        if (seed.failed || !wanted(k++)) continue;
        jobs.push_back({fmt::format("{}fit no. {}", run.label.empty() ? "" : run.label + ", ", jobs.size() + 1),
                        [config, prompts, weights = seed.weights](JobHandle& handle) {
                            LineUp line_up(prompts, config->num_layers);
                            const LinearAttentionView network = view_of(*config, weights);
                            line_up.follow(network, kFittingSteps);
                            handle.reached(1.0);
                            FamilyShares shares;
                            for (size_t f = 0; f < kFamilies; ++f) {
                                const auto family = static_cast<Family>(f);
                                shares[f] = line_up.unexplained(family);
                                std::vector<double> by_prompt = line_up.unexplained_by_prompt(network, family);
                                shares[kFamilies + f] = summarise(by_prompt, true).median;
                            }
                            return shares;
                        }});
    }
    return jobs;
}

// A group's shares, one row per seed: of the mean square value, of the median prompt.
std::vector<std::vector<double>> group_shares(const std::vector<FittedSeed>& seeds, int group, Family family) {
    std::vector<std::vector<double>> shares;
    const auto f = static_cast<size_t>(family);
    for (const FittedSeed& seed : seeds)
        if (seed.group == group) shares.push_back({seed.unexplained[f], seed.unexplained[kFamilies + f]});
    return shares;
}

// What one family leaves unexplained over what another one leaves, medians of a group.
Measurement ratio_of_families(const std::vector<FittedSeed>& seeds, int group, Family family, Family other) {
    const auto own = group_shares(seeds, group, family), others = group_shares(seeds, group, other);
    return bootstrapped(
        own.size(),
        [&](const Places& places) { return summary_at(own, places).median / summary_at(others, places).median; },
        fmt::format("{:.3f} and {:.3f} of {} seeds; of the median prompt {:.3f} and {:.3f}", summarise(own, 0).median,
                    summarise(others, 0).median, own.size(), summarise(own, 1).median, summarise(others, 1).median));
}

// Families as rows, seeds as columns, ordered by basin.
HeatmapSpec share_map(const std::vector<FittedSeed>& seeds) {
    HeatmapSpec map;
    map.id = "line_up_shares";
    map.title = "Share of the network's values that a family leaves unexplained";
    map.values = Table(kFamilies, static_cast<int>(seeds.size()), 0.0);
    for (const FamilyText& text : family_texts()) map.row_blocks.push_back({text.label, 1});
    for (int group = 0; group < kBasinGroups; ++group) {
        const auto count = static_cast<int>(
            std::count_if(seeds.begin(), seeds.end(), [group](const FittedSeed& seed) { return seed.group == group; }));
        if (count > 0) map.column_blocks.push_back({kGroupNames[group], count});
    }
    for (int k = 0; k < map.values.columns; ++k)
        for (int f = 0; f < kFamilies; ++f)
            map.values(f, k) = seeds[static_cast<size_t>(k)].unexplained[static_cast<size_t>(f)];
    for (const FittedSeed& seed : seeds) map.seeds.push_back(seed.seed);
    map.raw = map.values;
    map.limit = 0.5;  // where half of the mean square value is unexplained
    map.largest = largest_entry(map.values);
    map.magnitudes = true;
    map.unit = "share";
    map.free_aspect = true;
    map.note = "each column a seed; the lighter the colour the nearer the family, 0 is all explained";
    return map;
}

// Shows what bootstrapping adds; on the diagonal it adds nothing.
PlotSpec bootstrap_plot(const std::vector<FittedSeed>& seeds) {
    Plot plot("line_up_bootstrap", "What bootstrapping explains");
    plot.x("unexplained without bootstrapping").logarithmic();
    plot.y("by TD(\u03b1_l)").logarithmic();
    const int colors[] = {2, 3, 0};
    for (int group = 0; group < kBasinGroups; ++group) {
        Series series{kGroupNames[group], {}, {{}}, colors[group]};
        series.points = true;
        for (const FittedSeed& seed : seeds) {
            if (seed.group != group) continue;
            series.x.push_back(seed.unexplained[static_cast<size_t>(Family::no_bootstrap)]);
            series.rows[0].push_back(seed.unexplained[static_cast<size_t>(Family::td_steps)]);
            series.seeds.push_back(seed.seed);
        }
        if (!series.x.empty()) plot.add(std::move(series));
    }
    plot.add({"no better with it", {0.05, 0.5}, {{0.05, 0.5}}, 7, true});
    plot.note(
        "One mark a seed: the share of the network's mean square value that TD with a step size a layer "
        "leaves unexplained, against that which the same leaves with its bootstrapping deleted.");
    return plot;
}

// Fits the seeds of the first run that are `wanted` by group and place, draws them, and says so. False if stopped.
template <class Wanted>
bool draw_groups(Draft& draft, const Wanted& wanted, const char* networks, std::vector<FittedSeed>& seeds) {
    const FinishedRun& run = draft.run();
    const std::vector<int> groups = basin_groups(run);
    std::vector<uint64_t> numbers;  // in the order of the groups
    for (const SeedStatus& seed : run.snapshot.seeds)
        if (!seed.failed) numbers.push_back(seed.seed);
    std::vector<int> chosen;
    std::vector<uint64_t> chosen_numbers;
    const auto jobs = fitting_jobs(run, [&](size_t k) {
        if (!wanted(groups[k], chosen)) return false;
        chosen.push_back(groups[k]);
        chosen_numbers.push_back(numbers[k]);
        return true;
    });
    const auto fits = run_grid(jobs, draft.options);
    draft.made.stopped = fits.stopped;
    if (fits.stopped) return false;
    draft.made.failures.insert(draft.made.failures.end(), fits.failures.begin(), fits.failures.end());
    for (size_t k = 0; k < chosen.size(); ++k)
        if (fits.results[k]) seeds.push_back({chosen_numbers[k], chosen[k], *fits.results[k]});
    std::stable_sort(seeds.begin(), seeds.end(),
                     [](const FittedSeed& a, const FittedSeed& b) { return a.group < b.group; });
    draft.add(share_map(seeds));
    draft.add(bootstrap_plot(seeds));
    draft.caption = fmt::format(
        "Ours, of {}: {} seeds fitted, {} {}. Families of algorithms fitted to each network's values on {} held-out "
        "prompts ({} steps of least squares) and judged on {} others. Second basin: not emerged, P's corner within "
        "0.5 of 0 and IWS above 0.7. Right, one mark a seed: on the diagonal bootstrapping explains nothing.",
        networks, seeds.size(), run.snapshot.step, run.snapshot.step_unit, kFigureFitted, kFittingSteps, kFigureJudged);
    return true;
}

void draw_line_up(Draft& draft) {
    std::vector<FittedSeed> seeds;
    const auto all = [](int, const std::vector<int>&) { return true; };
    if (!draw_groups(draft, all, "the networks of Figure 2 of Wang et al. 2025", seeds)) return;
    const auto td_over = [&](int group, Family other) {
        return ratio_of_families(seeds, group, Family::td_steps, other);
    };
    draft.measure("second-basin-residual-gradient", td_over(0, Family::residual_gradient));
    draft.measure("second-basin-emerged", td_over(0, Family::no_bootstrap));
    draft.measure("second-basin-bootstrap", td_over(1, Family::no_bootstrap));
}

// All of the second basin, and as many that emerged as a page can show.
void draw_fresh_line_up(Draft& draft) {
    constexpr std::ptrdiff_t kMostEmerged = 30;
    std::vector<FittedSeed> seeds;
    const auto wanted = [](int group, const std::vector<int>& chosen) {
        return group == 1 || (group == 0 && std::count(chosen.begin(), chosen.end(), 0) < kMostEmerged);
    };
    if (!draw_groups(draft, wanted, "fresh seeds, all of the second basin and the first 30 that emerged", seeds))
        return;
    std::vector<int> groups = basin_groups(draft.run());
    const auto second = static_cast<int>(std::count(groups.begin(), groups.end(), 1));
    draft.measure("second-basin-fresh-share", fraction(second, static_cast<int>(groups.size())));
    draft.measure("second-basin-fresh-bootstrap", ratio_of_families(seeds, 1, Family::td_steps, Family::no_bootstrap));
}

// ---- losses

// Rows: families; columns: losses. The medians over all seeds that did not diverge.
void draw_losses(Draft& draft) {
    std::vector<FittedSeed> medians;
    std::vector<std::vector<FittedSeed>> by_loss;
    std::vector<Block> losses;
    std::vector<GridJob<FamilyShares>> jobs;
    std::vector<size_t> ends;
    for (const FinishedRun& run : draft.runs()) {
        for (auto& job : fitting_jobs(run, [](size_t) { return true; })) jobs.push_back(std::move(job));
        ends.push_back(jobs.size());
        losses.push_back({run.label, 1});
    }
    const auto fits = draft.results_of(jobs);
    if (!fits) return;
    size_t first = 0;
    for (const size_t end : ends) {
        std::vector<FittedSeed> seeds;
        for (; first < end; ++first) seeds.push_back({0, 0, (*fits)[first]});
        FittedSeed median;
        for (size_t f = 0; f < kFamilies; ++f)
            median.unexplained[f] = summarise(group_shares(seeds, 0, static_cast<Family>(f)), 0).median;
        medians.push_back(median);
        by_loss.push_back(std::move(seeds));
    }
    HeatmapSpec shares = share_map(medians);
    shares.id = "losses";
    shares.title = "Median share that a family leaves unexplained, by the loss of training";
    shares.column_blocks = std::move(losses);
    shares.seeds.clear();
    shares.note = "each column a loss; the lighter the colour the nearer the family, 0 is all explained";
    draft.add(std::move(shares));
    const auto ratio = [&](const char* claim, size_t loss, Family family, Family other) {
        draft.measure(claim, ratio_of_families(by_loss[loss], 0, family, other));
    };
    ratio("losses-td", 0, Family::td_steps, Family::residual_gradient);
    ratio("losses-residual-gradient", 1, Family::residual_gradient, Family::td_steps);
    ratio("losses-monte-carlo", 3, Family::td_steps, Family::residual_gradient);
}

}  // namespace

FigureInfo figure_of_line_up() {
    return figure_of({.name = "second-basin",
                      .title = "What each basin computes: families fitted to 30 networks",
                      .page = {"What each basin computes", {1.7, 1}, {1}, 12, 4.4},
                      .runs = {{"L = 3"}},
                      .start = {{"line_up", false}},
                      .measures = {"second-basin-residual-gradient", "second-basin-emerged", "second-basin-bootstrap"},
                      .draw = draw_line_up});
}

FigureInfo figure_of_fresh_line_up() {
    return figure_of({.name = "second-basin-fresh",
                      .title = "The second basin again: 250 fresh seeds",
                      .page = {"What each basin computes, on fresh seeds", {1.7, 1}, {1}, 12, 4.4},
                      .runs = {{"L = 3"}},
                      .start = {{"line_up", false}, {"seeds", 250}},
                      .measures = {"second-basin-fresh-share", "second-basin-fresh-bootstrap"},
                      .draw = draw_fresh_line_up});
}

FigureInfo figure_of_losses() {
    const auto run = [](const char* label, const char* loss) { return RecipeRun{label, {{"loss", loss}}}; };
    return figure_of(
        {.name = "losses",
         .title = "The outer loss and the inner algorithm",
         .page = {"Which algorithm does which loss teach?", {1}, {1}, 7, 4.2},
         .caption = "Ours: networks of each loss, with the settings of Figure 2 of Wang et al. 2025. Families of "
                    "algorithms fitted to their values on held-out prompts and judged on others; medians of all seeds, "
                    "emerged or not.",
         .runs = {run("TD", "td"), run("residual gradient", "residual_gradient"), run("TD(\u03bb)", "td_lambda"),
                  run("Monte Carlo", "monte_carlo"), run("average reward", "average_reward")},
         .start = {{"loss", "td"}, {"line_up", false}, {"seeds", 30}},
         .measures = {"losses-td", "losses-residual-gradient", "losses-monte-carlo"},
         .draw = draw_losses});
}

}  // namespace emergence
