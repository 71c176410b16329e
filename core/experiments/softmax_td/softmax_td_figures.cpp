// Figures 3, 5 and 6 of the softmax paper, and our figure of a held kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/softmax_td/softmax_td.h"
#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr int kBins = 20;

// The places of the live seeds whose Q ends positive. In the basin with both signs wrong A is high at a small kappa,
// which means nothing, because A cannot see Q's sign.
std::vector<size_t> upright_seeds(const FinishedRun& run) {
    std::vector<size_t> seeds = live_seeds(run.snapshot);
    std::erase_if(seeds, [&](size_t k) {
        const auto& q = run.history.column("q_mean", static_cast<int>(k));
        return q.empty() || !(q.back() > 0.0);
    });
    return seeds;
}

// The row of a seed's best checkpoint, the logged point with the largest product of V and A.
size_t best_row(const FinishedRun& run, size_t seed) {
    return run.history.best_point({"v_emergence", "a_emergence"}, static_cast<int>(seed), run.snapshot.step)
        .value_or(0);
}

// Each upright seed's mean of a metric in equal bins of kappa, from the least to the largest kappa of these seeds.
Series binned_by_kappa(const FinishedRun& run, const char* metric, const char* name, int color) {
    double low = 1.0, high = 0.0;
    for (const size_t k : upright_seeds(run))
        for (const double kappa : run.history.column("kappa", static_cast<int>(k)))
            if (std::isfinite(kappa)) low = smaller(low, kappa), high = larger(high, kappa);
    const double width = larger(1e-9, (high - low) / kBins);
    Series series{.name = name, .x = {}, .rows = {}, .color = color};
    for (int bin = 0; bin < kBins; ++bin) series.x.push_back(low + (bin + 0.5) * width);
    for (const size_t k : upright_seeds(run)) {
        const auto& kappa = run.history.column("kappa", static_cast<int>(k));
        const auto& values = run.history.column(metric, static_cast<int>(k));
        std::vector<double> sum(kBins, 0.0), count(kBins, 0.0);
        for (size_t i = 0; i < kappa.size(); ++i) {
            if (!std::isfinite(kappa[i])) continue;
            const auto bin = static_cast<size_t>(std::clamp((kappa[i] - low) / width, 0.0, kBins - 1.0));
            sum[bin] += values[i];
            count[bin] += 1;
        }
        for (size_t bin = 0; bin < kBins; ++bin) sum[bin] = count[bin] > 0 ? sum[bin] / count[bin] : kMissing;
        series.rows.push_back(std::move(sum));
    }
    return series;
}

// V and A in those bins: median over seeds and quartiles, as Figure 3b.
PlotSpec binned_plot(const FinishedRun& run, const std::string& id, const std::string& title) {
    Plot plot(id, title);
    plot.x("\u03ba");
    plot.y("V, A").from(0.0).to(1.0);
    plot.spread(Spread::median);
    plot.add(binned_by_kappa(run, "a_emergence", "A-emergence", 1));
    plot.add(binned_by_kappa(run, "v_emergence", "V-emergence", 0));
    return plot;
}

// The run with only these seeds of its last snapshot.
FinishedRun with_seeds(const FinishedRun& run, const std::vector<size_t>& seeds) {
    FinishedRun part{run.label, run.snapshot, {}};
    part.snapshot.seeds.clear();
    for (const size_t k : seeds) part.snapshot.seeds.push_back(run.snapshot.seeds[k]);
    for (size_t i = 0; i < run.snapshot.matrices.size(); ++i) {
        const NamedMatrix& all = run.snapshot.matrices[i];
        NamedMatrix& some = part.snapshot.matrices[i];
        some.seeds.clear();
        some.initial_products = {};
        for (const size_t k : seeds) some.seeds.push_back(all.seeds[k]);
    }
    return part;
}

// Adds P and Q of run number `number` as trained: their mean over upright seeds, because a mean over both basins would
// be the weights of no network.
void add_matrices(Draft& draft, const FinishedRun& run, size_t number) {
    const std::vector<size_t> upright = upright_seeds(run);
    for (const char* name : {"P", "Q"}) {
        HeatmapSpec heatmap = heatmap_of_run(with_seeds(run, upright), name, {MatrixView::Mode::raw});
        heatmap.id += fmt::format("_{}", number);
        heatmap.title =
            fmt::format("{}, {}: {} of {} seeds", name, run.label, upright.size(), run.snapshot.seeds.size());
        draft.add(std::move(heatmap));
    }
}

// ---- Figure 3

// The least x at which the mean over these seeds reaches half of its largest value.
double half_height(const Series& series, const Places& places) {
    std::vector<double> means;
    double largest = 0.0;
    for (size_t i = 0; i < series.x.size(); ++i) {
        means.push_back(summary_at(series.rows, places, i).mean);
        if (std::isfinite(means[i])) largest = larger(largest, means[i]);
    }
    for (size_t i = 0; i < series.x.size(); ++i)
        if (means[i] >= 0.5 * largest) return series.x[i];
    return kMissing;
}

Settings defaults(const ExperimentInfo& info, const Settings& preset) {
    Settings settings(info.fields);
    for (const char* field : {"seed", "seeds", "num_updates", "log_interval", "bank_size"})
        settings.set(field, preset.value(field));
    return settings;
}

std::vector<GridConfig> demonstration_and_defaults(const ExperimentInfo& info, const Settings& settings) {
    const Settings plain = defaults(info, settings);
    return {config_with("demonstration", settings, {{"show", "best"}}),
            config_with("defaults, signs changed", plain, {{"show", "best"}, {"flip", true}}),
            config_with("defaults", plain, {{"show", "best"}})};
}

void draw_softmax_3(Draft& draft) {
    for (size_t i = 0; i < draft.runs().size(); ++i) {
        add_matrices(draft, draft.run(i), i);
        draft.add(binned_plot(draft.run(i), fmt::format("against_kappa_{}", i), draft.run(i).label));
    }
    const FinishedRun& demo = draft.run(0);
    const Series v = binned_by_kappa(demo, "v_emergence", "", 0), a = binned_by_kappa(demo, "a_emergence", "", 0);
    const Places all = all_places(v.rows.size());
    draft.measure("softmax-3-v-later",
                  bootstrapped(
                      all.size(), [&](const Places& places) { return half_height(v, places) - half_height(a, places); },
                      fmt::format("V at {:.3f}, A at {:.3f}", half_height(v, all), half_height(a, all))));
}

// ---- Figures 5 and 6 of the softmax paper: emergence while training, masks and mixing

// The trailing mean of kWindow logged points, up to the seed's best checkpoint.
std::vector<double> trailing(const FinishedRun& run, const char* metric, size_t seed) {
    constexpr size_t kWindow = 5;
    const auto& column = run.history.column(metric, static_cast<int>(seed));
    std::vector<double> smooth(column.size(), kMissing);
    const size_t last = best_row(run, seed);
    for (size_t i = 0; i <= last && i < column.size(); ++i) {
        const size_t from = i + 1 >= kWindow ? i + 1 - kWindow : 0;
        double sum = 0;
        for (size_t j = from; j <= i; ++j) sum += column[j];
        smooth[i] = sum / static_cast<double>(i + 1 - from);
    }
    return smooth;
}

PlotSpec trajectory(const FinishedRun& run, const std::string& id, const std::string& title,
                    const std::vector<MetricPlot::Line>& lines) {
    Plot plot(id, title);
    plot.x(run.snapshot.step_unit).from(0.0);
    plot.spec().y.minimum = 0.0;
    for (const MetricPlot::Line& line : lines) {
        Series series{.name = line.label, .x = run.history.steps(), .rows = {}, .color = line.color};
        for (const size_t k : live_seeds(run.snapshot)) series.rows.push_back(trailing(run, line.metric.c_str(), k));
        plot.add(std::move(series));
        plot.spec().y.label += (plot.spec().y.label.empty() ? "" : ", ") + line.label;
    }
    return plot;
}

const std::vector<MetricPlot::Line> kScores = {{"v_emergence", "V", 0, false}, {"a_emergence", "A", 1, false}};
const std::vector<MetricPlot::Line> kKappa = {{"kappa", "\u03ba", 2, false},
                                              {"kappa_state", "\u03ba by state", 3, false}};

void draw_scores(Draft& draft) {
    const FinishedRun& run = draft.run();
    draft.add(trajectory(run, "scores", "V- and A-emergence", kScores));
    draft.add(trajectory(run, "kappa", "Kernel diagonality", kKappa));
}

// One row per run: while training, against kappa, P and Q.
void draw_masks(Draft& draft) {
    for (size_t i = 0; i < draft.runs().size(); ++i) {
        const FinishedRun& run = draft.run(i);
        draft.add(trajectory(run, fmt::format("scores_{}", i), run.label, kScores));
        draft.add(binned_plot(run, fmt::format("against_kappa_{}", i), run.label));
        add_matrices(draft, run, i);
    }
}

// ---- Our figure: P or Q is held while the other learns, a test of what the paper's Figure 3b suggests

// Adds the free runs, while they train, behind the runs whose Q is held.
void draw_free_runs(Draft& draft) {
    Series free = plot_of_run(draft.run(), "emergence_against_kappa", "").series[1];  // V's
    free.name = "V of free runs, while they train";
    free.color = 7;
    auto& series = std::get<PlotSpec>(draft.made.figure.cells.front().content).series;
    series.insert(series.begin(), std::move(free));
}

}  // namespace

std::vector<FigureInfo> softmax_td_figures() {
    return {
        shipped_figure("softmax-3",
                       {.plan = demonstration_and_defaults, .measures = {"softmax-3-v-later"}, .draw = draw_softmax_3}),
        shipped_figure("softmax-5", {.draw = draw_scores}), shipped_figure("softmax-6", {.draw = draw_masks}),
        shipped_figure("softmax-clamp", {.draw = draw_free_runs})};
}

}  // namespace emergence
