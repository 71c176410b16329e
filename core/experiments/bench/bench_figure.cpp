// The figure of the bench, and what claims ask of it.
#include <fmt/format.h>

#include "core/experiments/bench/bench.h"
#include "core/experiments/figure_recipe.h"

namespace emergence {
namespace {

Measurement measurement_of(const Score& score, const std::string& detail = "") {
    return {score.value, detail, Range{score.low, score.high}, score.n};
}

size_t judge_named(const std::string& name) {
    size_t judge = 0;
    while (bench_judges()[judge].name != name) ++judge;
    return judge;
}

// The shares of disguised networks that the map names right, by disguise and by step size.
std::string map_by_disguise(const BenchScores& scores) {
    std::string text;
    for (int k = 0; k < kDisguises; ++k) {
        int right = 0, all = 0;
        for (size_t i = 0; i < scores.size(); ++i) {
            const JudgedNetwork& network = scores.network(i);
            if (network.disguise != static_cast<Disguise>(k)) continue;
            ++all;
            right += scores.verdict(kMapJudge, network) == network.truth();
        }
        text += fmt::format("{}{} {} of {}", text.empty() ? "" : ", ", label_of(static_cast<Disguise>(k)), right, all);
    }
    for (const double alpha : {0.1, 0.5, 1.5}) {
        int right = 0, all = 0;
        for (size_t i = 0; i < scores.size(); ++i)
            if (const JudgedNetwork& network = scores.network(i); network.alpha == alpha)
                ++all, right += scores.verdict(kMapJudge, network) == network.truth();
        text += fmt::format("; step size {} {} of {}", alpha, right, all);
    }
    return text;
}

// Whether identify's regions are as good as any, and what they mistake on the half that tests.
void measure_regions(Draft& draft, const BenchScores& scores) {
    constexpr struct {
        const char* name;
        double MapRegions::*size;
    } kSizes[] = {{"beta", &MapRegions::beta},
                  {"c of TD", &MapRegions::td_c},
                  {"c of residual gradient", &MapRegions::residual_c},
                  {"no bootstrapping", &MapRegions::no_bootstrap}};
    std::string best;
    int cost = 0;
    for (const auto& [name, size] : kSizes) {
        const BenchScores::RegionSizes sizes = scores.best_sizes(size);
        best += fmt::format("{}{} from {:.2f} to {:.2f}", best.empty() ? "best: " : ", ", name, sizes.low, sizes.high);
        cost = std::max(cost, sizes.cost);
    }
    draft.measure("bench-regions", static_cast<double>(cost), best);
    draft.measure("bench-td-region", scores.identified_as_td(false),
                  fmt::format("of those that run TD {}", fraction_text(scores.identified_as_td(true))));
}

void draw_bench(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    const auto streams = judged_networks(snapshot);
    std::vector<const std::vector<JudgedNetwork>*> all;
    for (const auto& stream : streams) all.push_back(&stream);
    const BenchScores scores(all, kFigureDraws);
    for (const NamedJudge& judge : bench_judges())
        draft.add(heatmap_of_run(draft.run(), std::string("confusion_") + judge.name, MatrixView::Mode::raw));
    for (PlotSpec& plot : bench_plots(scores)) draft.add(std::move(plot));
    const auto config = config_from<BenchConfig>(snapshot.settings);
    draft.caption = fmt::format(
        "Ours. Networks of L = {} layers and d = {} features whose algorithm is known, step sizes 0.1, 0.5 and 1.5, most "
        "of them disguised: P and Q rescaled, features rotated, noise of {:g} on every entry, blocks filled that the value "
        "never reads, TD errors planted there, or taught instead of built. {} of them calibrated the judges' thresholds; "
        "shown are the other {}. Rows: truth; columns: verdict. Lines: 95 % intervals by bootstrap over networks, of false "
        "alarms Wilson's.",
        config.num_layers, config.bank.tasks.d, config.noise,
        static_cast<size_t>(snapshot.step) * snapshot.seeds.size() - scores.size(), scores.size());
    const size_t iws = judge_named("iws"), probe = judge_named("probe_errors");
    draft.measure("bench-iws", measurement_of(scores.auc(iws, true),
                                              fmt::format("against all others {:.3f}", scores.auc(iws).value)));
    draft.measure("bench-probes", scores.false_alarms(probe),
                  fmt::format("of all that do not run TD {}", fraction_text(scores.all_false_alarms(probe))));
    const BenchScores::Threshold& limit = scores.threshold(kMapJudge);
    draft.measure("bench-limit", scores.cost_of(kMapJudge, -kMapExplained),
                  fmt::format("limits from {:.3f} to {:.3f} calibrate alike", -limit.high, -limit.low));
    measure_regions(draft, scores);
    draft.measure("bench-map",
                  measurement_of(scores.named_right(kMapJudge, true),
                                 fmt::format("with those in no disguise {:.3f}; {}",
                                             scores.named_right(kMapJudge).value, map_by_disguise(scores))));
}

}  // namespace

FigureInfo figure_of_bench() {
    return figure_of(
        {.name = "bench",
         .title = "The bench: how far to trust each judge",
         .page = {"How far can each judge be trusted?", {1, 1, 1, 1}, {1, 1, 1}, 13, 10.5},
         .runs = {{}},
         .start = {{"seeds", 4}, {"num_networks", 120}},
         .measures = {"bench-iws", "bench-probes", "bench-map", "bench-limit", "bench-regions", "bench-td-region"},
         .draw = draw_bench,
         .of_any_run = true});
}

}  // namespace emergence
