#include "core/experiments/softmax_td/softmax_figure_parts.h"
#include "core/pictures/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace emergence {
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
            if (std::isfinite(kappa)) low = std::min(low, kappa), high = std::max(high, kappa);
    const double width = std::max(1e-9, (high - low) / kBins);
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
