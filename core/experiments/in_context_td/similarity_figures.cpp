// Figures 5, 6 and 8 of Wang et al. 2025: runs of experiment "td" against batch TD.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/td_figures.h"

namespace emergence {
namespace {

// The least of the panels' means over seeds; the detail has each panel's mean, and the mean of its seeds that
// emerged.
Measurement least_similarity(const std::vector<FinishedRun>& runs, const char* metric) {
    Measurement least{1.0, ""};
    for (const FinishedRun& run : runs) {
        const double mean = final_summary(run, metric).mean;
        const Summary emerged = final_summary(run, metric, true);
        least.value = std::min(least.value, mean);
        least.detail += fmt::format("{}{} {:.3f}", least.detail.empty() ? "" : ", ", run.label, mean);
        if (emerged.count > 0) least.detail += fmt::format(" (emerged {:.3f})", emerged.mean);
    }
    return least;
}

// The largest ratio of final to initial VD. VD is heavy-tailed: one seed that nearly diverges outweighs the
// others in a mean, so the detail has medians too.
Measurement largest_difference(const std::vector<FinishedRun>& runs) {
    Measurement largest;
    for (const FinishedRun& run : runs) {
        std::vector<std::vector<double>> first;
        for (int k = 0; k < run.history.num_seeds(); ++k)
            if (const auto& column = run.history.column("value_difference", k); !column.empty())
                first.push_back({column.front()});
        const Summary last = final_summary(run, "value_difference");
        const double start = summarise(first, 0).mean;
        largest.value = std::max(largest.value, last.mean / start);
        largest.detail +=
            fmt::format("{}{} from {:.3g} to {:.3g}, median {:.3g}", largest.detail.empty() ? "" : ", ",
                        run.label, start, last.mean, last.median);
    }
    return largest;
}

// One similarity plot per run, in `columns` columns. Measures NAME-iws, NAME-ss and NAME-vd; `more` adds to that.
FigureInfo similarity_figure(const std::string& name, const char* number, const char* title,
                             const char* page_title, int columns, std::vector<RecipeRun> runs,
                             const std::function<void(Draft&)>& more = {}) {
    const int rows = (static_cast<int>(runs.size()) + columns - 1) / columns;
    return figure_of(
        {.name = name,
         .title = fmt::format("{}: {}", number, title),
         .page = even_page(page_title, rows, columns, 4.6, 3.4, 0.4),
         .after = fmt::format("{} of Wang et al. 2025", number),
         .caption = "Against batch TD whose step size is trained too, on the held-out bank.",
         .runs = std::move(runs),
         .draw = [name, more](Draft& draft) {
             for (size_t i = 0; i < draft.runs().size(); ++i)
                 draft.add(plot_of_run(draft.run(i), "similarity", draft.run(i).label,
                                       fmt::format("similarity_{}", i)));
             draft.measure(name + "-iws", least_similarity(draft.runs(), "implicit_weight_similarity"));
             draft.measure(name + "-ss", least_similarity(draft.runs(), "sensitivity_similarity"));
             draft.measure(name + "-vd", largest_difference(draft.runs()));
             if (more) more(draft);
         }});
}

// The largest mean over seeds that a run logged.
double peak(const MetricHistory& history, const char* metric) {
    double highest = -1.0;
    for (size_t i = 0; i < history.steps().size(); ++i) {
        std::vector<std::vector<double>> row;
        for (int k = 0; k < history.num_seeds(); ++k) row.push_back({history.column(metric, k)[i]});
        highest = std::max(highest, summarise(row, 0).mean);
    }
    return highest;
}

void measure_sensitivities(Draft& draft) {
    const char* const metric = "sensitivity_similarity";
    const Summary uniform = final_summary(draft.run(0), metric),
                  representable = final_summary(draft.run(1), metric);
    draft.measure("wang-8-ss-drops", uniform.mean - peak(draft.run(0).history, metric),
                  fmt::format("{} at the end", mean_text(uniform)));
    const double difference = representable.mean - uniform.mean;
    // Of one seed list, but of other tasks: the errors add up.
    const double error = std::hypot(representable.standard_error, uniform.standard_error);
    draft.measure(
        "wang-8-ss-representable",
        Measurement{difference, fmt::format("{} and {}", mean_text(representable), mean_text(uniform)),
                    interval_of_mean(difference, error, uniform.count), uniform.count});
}

}  // namespace

FigureInfo wang_5() {
    const auto small = [](int layers) {
        return RecipeRun{fmt::format("L = {}", layers),
                         {{"num_layers", layers}, {"d", 4}, {"n", 30}, {"num_states", 10}}};
    };
    return similarity_figure("wang-5", "Figure 5", "how close to batch TD, by layers and size",
                             "Autoregressive transformers against batch TD", 3,
                             {small(1), small(2), small(3), small(4), {"L = 3, d = 8, n = 60, m = 20"}});
}

FigureInfo wang_6() {
    return similarity_figure(
        "wang-6", "Figure 6", "sequential layers against batch TD", "Sequential layers against batch TD", 3,
        {{"L = 2", {{"num_layers", 2}}}, {"L = 3", {{"num_layers", 3}}}, {"L = 4", {{"num_layers", 4}}}});
}

FigureInfo wang_8() {
    return similarity_figure("wang-8", "Figure 8", "softmax attention against batch TD",
                             "Softmax attention against linear batch TD", 2,
                             {{"rewards uniform", {{"representable", false}}},
                              {"values representable", {{"representable", true}}}},
                             measure_sensitivities);
}

}  // namespace emergence
