// Experiment "softmax-convergence": weighted softmax TD, layer by layer, on contexts of a thousand to a
// million transitions. Its error falls geometrically with the layers to a floor that falls as n^-1/2 (Theorem
// 2 of the softmax paper). Nothing is trained. One step is one layer, one seed is a chain with its
// trajectory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/softmax_td/softmax_td.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/measures/bandit_measures.h"
#include "core/measures/softmax_td_measures.h"
#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Every setting of experiment "softmax-convergence".
struct SoftmaxConvergenceConfig : SoftmaxConvergenceOptions {
    // The longest context; the others are beginnings of it.
    int longest = 1000000;
    int64_t num_layers = 200;
    int64_t seed = 0;
    int seeds = 10;

    void fields(Fields& f) {
        f.group("model");
        f.choice(
            one_hot, {{"one-hot", true}, {"features", false}}, "scores", "scores",
            "How states are compared. one-hot: q(s, s') = sharpness if they are equal, else 0. features: by random "
            "features, q = sharpness x' x.");
        f(sharpness, "sharpness", "sharpness",
          "Factor of the scores. A sharper kernel is more diagonal, as Assumption 5.1 requires.")
            .range(0, 32);
        advanced(f, step, "step_size", "step size \u03b1", "Factor of the layer's update. The theorem has 1.")
            .range(0.05, 2);
        states_field(f, num_states, "States of each random Boyan chain.", 32);
        f.group("task");
        f(d, "d", "features d", "Features of a state. True values are linear in them, and scores can use them.")
            .range(1, 64);
        gamma_field(
            f, gamma,
            "Discount factor. The nearer to 1, the more diagonal the kernel must be, and the more layers are needed.");
        f(longest, "longest", "longest context",
          "Transitions in the longest context. A tenth, a hundredth and a thousandth of the same trajectory are compared.")
            .unit("transitions")
            .log_range(20000, 10000000);
        stop_after_field(f, num_layers, "num_layers", "layers", "Layers of the transformer, steps of the algorithm.",
                         10000);
        first_seed_field(f, seed, "Each seed draws its own chain and trajectory.");
        num_seeds_field(f, seeds, "How many chains.");
        lengths = {longest / 1000, longest / 100, longest / 10, longest};
    }
};

constexpr StudyNames kConvergenceStudy = {"softmax-convergence", "layers", "num_layers"};

// The largest error over states at each context length.
struct ConvergenceMeasured {
    std::vector<int> lengths;
    std::vector<double> errors;

    void say(Row& row) const {
        HistoryPlot& plot = row.plot("error", "Error against layers");
        plot.y("largest error of a state's value").logarithmic();
        plot.note(
            "max over states of |v_l(s) - true v(s)|. It falls geometrically where the margin of Assumption 5.1 is "
            "positive, to a floor that longer contexts lower.");
        for (size_t i = 0; i < lengths.size(); ++i)
            row(fmt::format("error_{}", i + 1), fmt::format("n = {}", lengths[i]),
                "Largest error over states, with this context length.", errors[i])
                .line(plot, static_cast<int>(i));
    }
};

// One chain.
class ConvergenceSeed final : public RetracedSeed<ConvergenceMeasured> {
  public:
    ConvergenceSeed(const SoftmaxConvergenceConfig& config, int seed_index)
        : RetracedSeed(config.seed, seed_index, config.num_layers, "told", 0),
          options_(config),
          iteration_(options_, seed()) {}

    const SoftmaxConvergence& iteration() const { return iteration_; }

  protected:
    void take_step() override {
        iteration_.apply_layer();
        ++step_;
    }
    void restart() override { iteration_ = SoftmaxConvergence(options_, seed()); }
    ConvergenceMeasured measure() override { return {options_.lengths, iteration_.errors()}; }

  private:
    SoftmaxConvergenceOptions options_;
    SoftmaxConvergence iteration_;
};

using Chains = std::vector<const ConvergenceSeed*>;

ShownMatrix kernel_matrix(const char* name, std::string title, std::string help, int m) {
    ShownMatrix matrix(name, std::move(title), std::move(help));
    matrix.square(numbered_blocks(1, m)).as_is("rows: states, columns: the states they learn from");
    return matrix.nonnegative().unit("weight");
}

bool has_margin(const ConvergenceSeed& chain) { return chain.iteration().margin() > 0; }

// Plots the floors against n, with a line of slope -1/2 through their mean at the longest context.
PlotSpec floor_plot(const std::vector<int>& lengths, const Chains& chains) {
    const std::vector<double> n(lengths.begin(), lengths.end());
    Plot plot("floor", "The floor against context length");
    plot.x("n").logarithmic();
    plot.y("largest error in the end").logarithmic();
    plot.row_word("chain");
    // The floors those of the chains with a positive margin, and those of the others; the other rows are missing.
    for (const bool holds : {true, false}) {
        std::vector<std::vector<double>> rows;
        for (const ConvergenceSeed* chain : chains)
            rows.push_back(has_margin(*chain) == holds ? chain->iteration().floors()
                                                       : std::vector<double>(n.size(), kMissing));
        if (any_of(chains, [holds](const ConvergenceSeed* chain) { return has_margin(*chain) == holds; }))
            plot.line(holds ? "C > 0" : "C \u2264 0", n, std::move(rows)).color(holds ? 0 : 1);
    }
    const double last = summarise(plot.spec().series.front().rows, n.size() - 1).mean;
    std::vector<double> law;
    for (const double length : n) law.push_back(last * std::sqrt(n.back() / length));
    plot.path("n^-1/2", n, std::move(law)).color(7).dashed();
    plot.note(
        "max over states of |v(s) - true v(s)| at the fixed point of Eq. (25), the limit of many layers. By Theorem 2 "
        "it falls as n^-1/2 (dashed) for chains whose margin C of Assumption 5.1 is above 0.");
    return plot;
}

std::vector<Scalar> convergence_scalars(const Chains& chains, const std::vector<int>& lengths) {
    double margin = 0;
    std::vector<std::vector<double>> floors;  // where the margin is positive
    for (const ConvergenceSeed* chain : chains) {
        margin += chain->iteration().margin();
        if (has_margin(*chain)) floors.push_back(chain->iteration().floors());
    }
    std::vector<Scalar> scalars = {
        {"margin", "margin C", margin / static_cast<double>(chains.size()), "",
         std::string("Margin of the population's kernel, mean over chains. ") + kMarginHelp},
        {"margin_holds", "C > 0 on", static_cast<double>(floors.size()), fmt::format("of {} chains", chains.size()),
         "How many chains satisfy Assumption 5.1.", true}};
    if (floors.size() < 2) return scalars;
    const FittedExponent slope = fitted_exponent({lengths.begin(), lengths.end()}, floors);
    scalars.push_back({"floor_slope", "there the floor falls with slope", slope.value,
                       fmt::format("({:.3f} to {:.3f})", slope.low, slope.high),
                       "Slope of log mean floor against log n, with a bootstrap 95 % interval. Theorem 2 says -1/2."});
    return scalars;
}

class ConvergenceStudy final : public StudyOf<SoftmaxConvergenceConfig, ConvergenceSeed> {
  public:
    explicit ConvergenceStudy(const Settings& settings) : StudyOf(kConvergenceStudy, settings) {
        declare(ConvergenceMeasured{config_.lengths, std::vector<double>(config_.lengths.size())});
    }

  protected:
    void show(const Seeds& chains, Snapshot& snapshot) const override {
        ShownMatrix population = kernel_matrix("M", "Kernel M of the population",
                                               "The weight that a state gives to each source, by the stationary "
                                               "distribution (Eq. 27).",
                                               config_.num_states),
                    shortest =
                        kernel_matrix("Mhat", fmt::format("Kernel of n = {}", config_.lengths.front()),
                                      "The same, by the counts of the shortest context (Eq. 24).", config_.num_states);
        for (const ConvergenceSeed* chain : chains) {
            population.seed(table_of(chain->iteration().population_kernel()));
            shortest.seed(table_of(chain->iteration().operators(0).M));
        }
        snapshot.weights["M"] = stacked(population.spec().seeds);  // chains x m x m
        snapshot.matrices = {population, shortest};
        snapshot.plots = {floor_plot(config_.lengths, chains)};
        snapshot.scalars = convergence_scalars(chains, config_.lengths);
        snapshot.headline =
            "nothing is trained; the constructed transformer has applied " + counted(snapshot.step, "layer");
    }
};

void measure_convergence(Draft& draft) {
    const Series floors = plot_of_run(draft.run(), "floor", "").series[0];  // of the chains with a positive margin
    SeedRows rows;
    for (const auto& row : floors.rows)
        if (std::isfinite(row.front())) rows.push_back(row);
    std::string means;
    for (size_t i = 0; i < floors.x.size(); ++i)
        means += fmt::format("{}n = {:.0f}: {}", i == 0 ? "" : ", ", floors.x[i], mean_text(summarise(floors.rows, i)));
    const FittedExponent exponent = fitted_exponent(floors.x, rows);
    draft.measure("softmax-theorem-2-floor",
                  Measurement{exponent.value, "floors there " + means, Range{exponent.low, exponent.high},
                              static_cast<int64_t>(rows.size())});
    const auto holds = static_cast<int>(find_named(draft.run().snapshot.scalars, "margin_holds")->value);
    draft.measure("softmax-theorem-2-margin", fraction(holds, static_cast<int>(draft.run().snapshot.seeds.size())));
}

}  // namespace

ExperimentInfo softmax_convergence() {
    return experiment_of<ConvergenceStudy>(
        kConvergenceStudy, "Softmax TD: layers and context length",
        "The constructed softmax transformer runs weighted softmax TD, on contexts of up to millions of transitions. "
        "The error falls geometrically with layers, to a floor that falls as n^-1/2 (Theorem 2). Nothing is trained; "
        "change sharpness and \u03b3 and watch the margin of Assumption 5.1.",
        {shipped_figure("softmax-convergence", {.measures = {"softmax-theorem-2-floor", "softmax-theorem-2-margin"},
                                                .draw = measure_convergence})});
}

}  // namespace emergence
