// Figure 3 of the softmax paper, and the table of figures.

#include "core/experiments/softmax_td/softmax_td_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "core/pictures/plot.h"

namespace emergence {

namespace {

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

}  // namespace

std::vector<FigureInfo> softmax_td_figures() {
    return {figure_of({.name = "softmax-3",
                       .title = "Figure 3: what softmax attention learned, and kernel diagonality",
                       .page = {"P and Q at the best checkpoint, and emergence against the kernel's diagonality",
                                {1.3, 1, 1.5},
                                {1, 1, 1},
                                13,
                                10.5},
                       .after = "Figure 3 of the softmax paper",
                       .caption = "Matrices: each seed's best checkpoint, the logged point with the largest product "
                                  "of V and A; mean as trained, colours up to the largest entry. Right: logged points "
                                  "in 20 equal bins of kappa. Both of the seeds whose Q ends positive.",
                       .curves = "median over seeds and quartiles",
                       .plan = demonstration_and_defaults,
                       .start = {{"show", "best"}},
                       .measures = {"softmax-3-v-later"},
                       .draw = draw_softmax_3}),
            figure_of_scores(), figure_of_masks(), figure_of_clamps()};
}

namespace {

constexpr int kBins = 20;

}  // namespace

std::vector<size_t> upright_seeds(const FinishedRun& run) {
    std::vector<size_t> seeds = live_seeds(run.snapshot);
    std::erase_if(seeds, [&](size_t k) {
        const auto& q = run.history.column("q_mean", static_cast<int>(k));
        return q.empty() || !(q.back() > 0.0);
    });
    return seeds;
}

size_t best_row(const FinishedRun& run, size_t seed) {
    return run.history.best_point({"v_emergence", "a_emergence"}, static_cast<int>(seed), run.snapshot.step)
        .value_or(0);
}

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

PlotSpec binned_plot(const FinishedRun& run, const std::string& id, const std::string& title) {
    Plot plot(id, title);
    plot.x("\u03ba");
    plot.y("V, A").from(0.0).to(1.0);
    plot.spread(Spread::median);
    plot.add(binned_by_kappa(run, "a_emergence", "A-emergence", 1));
    plot.add(binned_by_kappa(run, "v_emergence", "V-emergence", 0));
    return plot;
}

namespace {

// The run's last snapshot with these seeds only.
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

}  // namespace

void add_matrices(Draft& draft, const FinishedRun& run, size_t number) {
    const std::vector<size_t> upright = upright_seeds(run);
    for (const char* name : {"P", "Q"}) {
        HeatmapSpec heatmap = heatmap_of_run(with_seeds(run, upright), name, MatrixView::Mode::raw);
        heatmap.id += fmt::format("_{}", number);
        heatmap.title =
            fmt::format("{}, {}: {} of {} seeds", name, run.label, upright.size(), run.snapshot.seeds.size());
        draft.add(std::move(heatmap));
    }
}

}  // namespace emergence
