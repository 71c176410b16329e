// Figure 12 of Wang et al. 2025: the recurrent network by context length.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/error.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/in_context_td/figures/td_figures.h"

namespace emergence {
namespace {

// One row per network: its value errors on Boyan chains and on loops.
void draw_wang_12(Draft& draft) {
    for (int i = 0; i < 2; ++i) {
        const FinishedRun& run = draft.run(static_cast<size_t>(i));
        for (const char* task : {"boyan", "loop"}) {
            Settings settings = run.snapshot.settings;
            settings.set("task", std::string(task));
            if (settings.text("task") == "loop") {  // those of Figure 1, by the paper's text
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

PlotSpec value_errors(const ExperimentInfo& info, const FinishedRun& run, const Settings& settings) {
    const Snapshot answer = info.make(settings)->inspect(run.snapshot, {"evaluate", settings});
    for (const PlotSpec& plot : answer.plots)
        if (plot.id == "msve_by_context_length") return plot;
    throw InputError("value errors: the tasks have no exact values");
}

FigureInfo wang_12() {
    return figure_of(
        {.name = "wang-12",
         .title = "Figure 12: recurrent networks and context length",
         .page = {"Recurrent networks: value error against context length", {1, 1}, {1, 1}, 11, 7.4},
         .after = "Figure 12 of Wang et al. 2025",
         .caption =
             "Three layers, tanh, trained on Boyan chains, evaluated on chains and on random loops (5 to 10 states, "
             "values linear in the features, as in Figure 1) with the context lengths of the horizontal axis. Context mean reward (ours): one value for all states, "
             "the mean of the context's rewards times a factor; it explains why ours falls.",
         .runs = {{"h = 4", {{"rnn_width", 4}}}, {"h = 16", {{"rnn_width", 16}}}},
         .draw = draw_wang_12});
}

}  // namespace emergence
