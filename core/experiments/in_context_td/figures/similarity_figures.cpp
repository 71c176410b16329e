// Figures 5, 6 and 8 of Wang et al. 2025: runs of experiment "td" against batch TD.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/experiments/figure_file.h"
#include "core/experiments/in_context_td/figures/td_figures.h"

namespace emergence {
namespace {

// The least of the panels' means over seeds, with its panel's interval; the detail has each panel's mean, and the mean
// of its seeds that emerged.
Measurement least_similarity(const std::vector<FinishedRun>& runs, const char* metric) {
    Measurement least{1.0, ""};
    for (const FinishedRun& run : runs) {
        const Summary all = final_summary(run, metric), emerged = final_summary(run, metric, true);
        least.detail += fmt::format("{}{} {:.3f}", least.detail.empty() ? "" : ", ", run.label, all.mean);
        if (emerged.count > 0) least.detail += fmt::format(" (emerged {:.3f})", emerged.mean);
        if (all.mean >= least.value || std::isnan(least.value)) continue;
        least.value = all.mean;
        least.interval = interval_of_mean(all.mean, all.standard_error, all.count);
        least.n = all.count;
    }
    return least;
}

// The largest ratio of VD at `row` (by default in the end) to that at the start. VD is heavy-tailed: one seed that
// nearly diverges outweighs the others in a mean, so the detail has medians too.
Measurement largest_difference(const std::vector<FinishedRun>& runs, size_t row = SIZE_MAX) {
    Measurement largest;
    std::string each;
    for (const FinishedRun& run : runs) {
        const auto first = values_at(run, "value_difference", 0),
                   last = values_at(run, "value_difference", row);
        Measurement one = bootstrapped(last.size(), [&](const Places& places) {
            return summary_at(last, places).mean / summary_at(first, places).mean;
        });
        const Summary then = summarise(last, 0);
        each += fmt::format("{}{} from {:.3g} to {:.3g}, median {:.3g}", each.empty() ? "" : ", ", run.label,
                            summarise(first, 0).mean, then.mean, then.median);
        if (std::isnan(one.value) || one.value > largest.value) largest = std::move(one);
    }
    largest.detail = std::move(each);
    return largest;
}

const char* const kIws = "implicit_weight_similarity";
const char* const kSs = "sensitivity_similarity";

void measure_panels(Draft& draft, const std::string& name) {
    draft.measure(name + "-iws", least_similarity(draft.runs(), kIws));
    draft.measure(name + "-ss", least_similarity(draft.runs(), kSs));
    draft.measure(name + "-vd", largest_difference(draft.runs()));
}

// Figure 6 after "a few hundred MRPs".
void measure_wang_6(Draft& draft) {
    measure_panels(draft, "wang-6");
    constexpr double kFewHundred = 500;
    const auto& steps = draft.run().history.steps();
    const auto row = std::lower_bound(steps.begin(), steps.end(), kFewHundred) - steps.begin();
    draft.measure("wang-6-vd-soon", largest_difference(draft.runs(), static_cast<size_t>(row)));
}

// A metric at the end less its largest logged mean over seeds.
Measurement drop_from_peak(const FinishedRun& run, const char* metric) {
    std::vector<std::vector<std::vector<double>>> logged;
    for (size_t row = 0; row < run.history.steps().size(); ++row)
        logged.push_back(values_at(run, metric, row));
    const auto drop = [&](const Places& places) {
        double highest = -1.0;
        for (const auto& values : logged) highest = std::max(highest, summary_at(values, places).mean);
        return summary_at(logged.back(), places).mean - highest;
    };
    return bootstrapped(logged.empty() ? 0 : logged.back().size(), drop,
                        fmt::format("{} at the end", mean_text(final_summary(run, metric))));
}

// A metric at the end less that at the start, mean over seeds.
Measurement rise(const FinishedRun& run, const char* metric) {
    const auto first = values_at(run, metric, 0), last = values_at(run, metric, SIZE_MAX);
    return bootstrapped(
        last.size(),
        [&](const Places& places) { return summary_at(last, places).mean - summary_at(first, places).mean; },
        fmt::format("from {} to {}", mean_text(summarise(first, 0)), mean_text(summarise(last, 0))));
}

void measure_wang_8(Draft& draft) {
    draft.measure("wang-8-iws", least_similarity(draft.runs(), kIws));
    draft.measure("wang-8-vd", largest_difference(draft.runs()));
    draft.measure("wang-8-iws-rises", rise(draft.run(0), kIws));
    draft.measure("wang-8-ss-rises", rise(draft.run(1), kSs));
    draft.measure("wang-8-ss-drops", drop_from_peak(draft.run(0), kSs));
    const Summary uniform = final_summary(draft.run(0), kSs),
                  representable = final_summary(draft.run(1), kSs);
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
    return figure_of(
        shipped_recipe("wang-5", {.measures = {"wang-5-iws", "wang-5-ss", "wang-5-vd"},
                                  .draw = [](Draft& draft) { measure_panels(draft, "wang-5"); }}));
}

FigureInfo wang_6() {
    return figure_of(shipped_recipe(
        "wang-6",
        {.measures = {"wang-6-iws", "wang-6-ss", "wang-6-vd", "wang-6-vd-soon"}, .draw = measure_wang_6}));
}

FigureInfo wang_8() {
    return figure_of(shipped_recipe(
        "wang-8", {.measures = {"wang-8-iws", "wang-8-vd", "wang-8-iws-rises", "wang-8-ss-rises",
                                "wang-8-ss-drops", "wang-8-ss-representable"},
                   .draw = measure_wang_8}));
}

}  // namespace emergence
