// Figures of experiment "td" that need more than a file: those of Wang et al. 2025, and our own about the same
// networks.
#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <utility>

#include "core/base/error.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/pictures/td_pictures.h"
#include "core/experiments/in_context_td/td.h"

namespace emergence {
namespace {

void draw_wang_2(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    auto config = config_from<InContextTdConfig>(snapshot.settings);
    if (config.model != "attention")
        throw InputError("Figure 2 shows a transformer's P and Q, but this run trains {}",
                         config.model == "rnn" ? "an RNN" : "two heads");
    draft.caption = fmt::format(
        "After Figure 2 of Wang et al. 2025: L = {}, d = {}, n = {}, m = {}, gamma = {}, {} MRPs. ", config.num_layers,
        config.tasks.d, config.context_length, config.tasks.num_states, config.tasks.gamma, snapshot.step);
    for (int row = 0; const char* const name : {"P0", "Q0"}) {
        const HeatmapSpec learned = heatmap_of_run(draft.run(), name, {MatrixView::Mode::scaled});
        draft.caption += learned.note + ". ";
        draft.add(learned, row, 0);
        if (find_matrix(snapshot, name)->target)
            draft.add(heatmap_of_run(draft.run(), name, {MatrixView::Mode::theory}), row, 1);
        ++row;
    }
    const bool masked = has_masks(config);
    if (config.loss.kind != LossKind::td || config.tasks.kind != TaskKind::boyan || masked) {
        // The run has another algorithm, task or network than Figure 2.
        draft.name = "td-weights";
        draft.caption.replace(0, std::string("After Figure 2 of Wang et al. 2025").size(),
                              fmt::format("{}Loss {}, task {}", masked ? "A mask of traces. " : "",
                                          snapshot.settings.text("loss"), snapshot.settings.text("task")));
    }
    // Without theory's matrices the curves stand beside the learned ones.
    const NamedMatrix& first = *find_matrix(snapshot, "P0");
    if (first.target)
        draft.caption += fmt::format("Theory: {}. ", first.target_name);
    else
        draft.page = {draft.page.title, {1, 1.7}, {1, 1}, 9, 7};
    if (snapshot.seeds.size() > 1) draft.caption += "Curves: mean and standard error over seeds.";
    const AxisSpec x{"MRPs", "", Scale::linear, 0.0, std::nullopt, std::nullopt};
    for (const MetricPlot& plot : in_context_td_plots(config, nullptr)) {
        const bool similarity = plot.id == "similarity";
        // Batch TD runs TD(0), so it cannot be compared with TD(lambda).
        if (plot.id == "element_wise" || (similarity && !masked))
            draft.add(draft.run().history.plot(plot, x, snapshot.step), similarity ? 1 : 0, first.target ? 2 : 1);
    }
}

// The matrix of each seed that did not fail, with aligned signs.
std::vector<Table> aligned_seeds(const Snapshot& snapshot, const std::string& name) {
    const NamedMatrix* matrix = find_matrix(snapshot, name);
    if (matrix == nullptr) throw InputError("matrix '{}': the run does not have it", name);
    std::vector<Table> seeds;
    for (const size_t k : live_seeds(snapshot))
        seeds.push_back(heatmap_of(snapshot, *matrix, {MatrixView::Mode::raw, static_cast<int>(k)}).values);
    return seeds;
}

Table mean_table(const std::vector<Table>& seeds, const Places& places) {
    Table mean(seeds.front().rows, seeds.front().columns);
    for (const size_t place : places)
        for (size_t i = 0; i < mean.values.size(); ++i)
            mean.values[i] += seeds[place].values[i] / static_cast<double>(places.size());
    return mean;
}

// The trace of a d x d block of a mean Q, from column `column` of its first rows.
double block_trace(const Table& mean, int d, int column) {
    double trace = 0.0;
    for (int i = 0; i < d; ++i) trace += mean(i, column + i);
    return trace;
}

// How close a mean Q is to Theorem 1's, both of whose blocks are the identity; 1 if equal:
//     min(-tr Q[:d,:d], tr Q[:d,d:2d]) / (d max |Q[i,j]|)
Measurement theorem_share(const Snapshot& snapshot, const std::string& name) {
    const std::vector<Table> seeds = aligned_seeds(snapshot, name);
    const int d = static_cast<int>(snapshot.settings.integer("d"));
    const auto share = [&](const Places& places) {
        const Table mean = mean_table(seeds, places);
        return smaller(-block_trace(mean, d, 0), block_trace(mean, d, d)) / (d * largest_entry(mean));
    };
    return bootstrapped(seeds.size(), share, "seeds emerged: " + fraction_text(emerged_fraction(snapshot)));
}

void measure_wang_7(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    const int d = static_cast<int>(snapshot.settings.integer("d"));
    std::vector<std::vector<Table>> P, Q;
    for (const std::string layer : {"0", "1", "2"}) {
        P.push_back(aligned_seeds(snapshot, "P" + layer));
        Q.push_back(aligned_seeds(snapshot, "Q" + layer));
    }
    const auto share = [&](size_t layer, const Places& places) {
        const Table mean = mean_table(Q[layer], places);
        return std::abs(block_trace(mean, d, d) / block_trace(mean, d, 0));
    };
    const auto others = [&](size_t layer, const Places& places) {
        Table mean = mean_table(P[layer], places);
        const double corner = std::exchange(mean.values.back(), 0.0);
        return largest_entry(mean) / corner;
    };
    const Places all = all_places(Q[0].size());
    if (all.empty()) {
        for (const char* claim : {"wang-7-fades", "wang-7-input", "wang-7-p"})
            draft.measure(claim, kMissing, "all networks diverged");
        return;
    }
    draft.measure(
        "wang-7-fades",
        bootstrapped(
            all.size(), [&](const Places& places) { return share(1, places) / share(0, places); },
            fmt::format("{:.2f}, {:.2f}, {:.2f} in layers 0, 1, 2", share(0, all), share(1, all), share(2, all))));
    draft.measure("wang-7-input", theorem_share(snapshot, "Q0"));
    draft.measure("wang-7-p",
                  bootstrapped(
                      all.size(),
                      [&](const Places& places) {
                          return largest_of({others(0, places), others(1, places), others(2, places)});
                      },
                      fmt::format("P0 {:.2f}, P1 {:.2f}, P2 {:.2f}", others(0, all), others(1, all), others(2, all))));
}

void measure_wang_10(Draft& draft) { draft.measure("wang-10-theorem", theorem_share(draft.run().snapshot, "Q0")); }

// ---- Figure 8 of Wang et al. 2025: softmax attention against batch TD

const char* const kSs = "sensitivity_similarity";

void measure_wang_8(Draft& draft) {
    const Summary uniform = final_summary(draft.run(0), kSs), representable = final_summary(draft.run(1), kSs);
    const double difference = representable.mean - uniform.mean;
    // Both runs have the same seeds but other tasks, so their errors are independent and add up.
    const double error = std::hypot(representable.standard_error, uniform.standard_error);
    draft.measure("wang-8-ss-representable",
                  Measurement{difference, fmt::format("{} and {}", mean_text(representable), mean_text(uniform)),
                              interval_of_mean(difference, error, uniform.count), uniform.count});
}

// ---- Figure 12 of Wang et al. 2025: the recurrent network by context length

// The run's value-error plot under other settings of tasks, with the trained weights.
PlotSpec value_errors(const ExperimentInfo& info, const FinishedRun& run, const Settings& settings) {
    const Snapshot answer = info.make(settings)->inspect(run.snapshot, {"evaluate", settings});
    for (const PlotSpec& plot : answer.plots)
        if (plot.id == "msve_by_context_length") return plot;
    throw InputError("value errors: the tasks have no exact values");
}

// One row per network: its value errors on Boyan chains and on loops.
void draw_wang_12(Draft& draft) {
    for (int i = 0; i < 2; ++i) {
        const FinishedRun& run = draft.run(static_cast<size_t>(i));
        for (const char* task : {"boyan", "loop"}) {
            Settings settings = run.snapshot.settings;
            settings.set("task", std::string(task));
            if (settings.text("task") == "loop") {  // the loops of Figure 1, as the paper's text has them
                settings.set("loop_min_states", int64_t{5});
                settings.set("num_states", int64_t{10});
                settings.set("representable", true);
            }
            PlotSpec plot = value_errors(*draft.info, run, settings);
            plot.id = fmt::format("{}_{}", task, i);
            plot.title = fmt::format("{}, {}", run.label, task);
            draft.add(std::move(plot));
        }
    }
}

}  // namespace

std::vector<FigureInfo> in_context_td_figures() {
    std::vector<FigureInfo> figures = {shipped_figure("wang-2", {.draw = draw_wang_2, .of_any_run = true})};
    const auto as_shipped = [&figures](std::initializer_list<const char*> names) {
        for (const char* name : names) figures.push_back(shipped_figure(name));
    };
    as_shipped({"wang-4", "wang-5", "wang-6"});
    figures.push_back(
        shipped_figure("wang-7", {.measures = {"wang-7-fades", "wang-7-input", "wang-7-p"}, .draw = measure_wang_7}));
    figures.push_back(shipped_figure("wang-8", {.measures = {"wang-8-ss-representable"}, .draw = measure_wang_8}));
    figures.push_back(shipped_figure("wang-10", {.measures = {"wang-10-theorem"}, .draw = measure_wang_10}));
    as_shipped({"cart-pole-mass", "wang-11"});
    figures.push_back(shipped_figure("wang-12", {.draw = draw_wang_12}));
    as_shipped({"recurrent-units", "pool", "too-easy", "depths", "thousand-seeds", "printed", "map-losses", "map-trace",
                "map-settings", "map-others", "td-lambda", "average-reward", "near-relatives-seeds", "features",
                "opening", "star-law", "star-rest", "star-steps", "star-grid"});
    return figures;
}

}  // namespace emergence
