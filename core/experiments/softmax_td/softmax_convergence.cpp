#include "core/experiments/softmax_td/softmax_convergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/configured_study.h"
#include "core/experiments/softmax_td/softmax_convergence_figure.h"
#include "core/experiments/table_of.h"
#include "core/measures/regret_law.h"
#include "core/measures/softmax_td_convergence.h"

namespace emergence {

void SoftmaxConvergenceConfig::fields(Fields& f) {
    f.group("model");
    f(scores, "scores", "scores",
      "one-hot: states are compared by name, q(s, s') = sharpness where they are equal, else 0. "
      "features: by random features, q = sharpness x' x.")
        .choices({"one-hot", "features"});
    f(sharpness, "sharpness", "sharpness",
      "What scores are multiplied by: a sharper kernel is more diagonal, and Assumption 5.1 asks "
      "for a diagonal one.")
        .range(0, 32);
    f(step_size, "step_size", "step size \u03b1",
      "What the layer's update is multiplied by; the theorem has 1.")
        .range(0.05, 2)
        .advanced();
    states_field(f, num_states, "States of each random Boyan chain.", 32);
    f.group("task");
    f(d, "d", "features d", "Features of a state: true values are linear in them, and scores can be.")
        .range(1, 64);
    gamma_field(f, gamma,
                "Discount factor: the nearer to 1, the more diagonal the kernel must be, "
                "and the more layers it takes.");
    f(longest, "longest", "longest context",
      "Four contexts are the beginnings of one trajectory: of this many transitions, a tenth, "
      "a hundredth and a thousandth.")
        .unit("transitions")
        .log_range(20000, 10000000);
    stop_after_field(f, num_layers, "num_layers", "layers",
                     "Layers of the transformer, steps of the algorithm.", 10000);
    first_seed_field(f, seed, "Each has a chain and a trajectory of its own.");
    num_seeds_field(f, seeds, "How many chains.");
}

namespace {

constexpr size_t kNumLengths = 4;

std::vector<int> lengths_of(const SoftmaxConvergenceConfig& c) {
    return {c.longest / 1000, c.longest / 100, c.longest / 10, c.longest};
}

SoftmaxConvergenceOptions convergence_options(const SoftmaxConvergenceConfig& c) {
    return {c.scores == "one-hot", c.sharpness, c.step_size, c.num_states, c.d, c.gamma, lengths_of(c)};
}

/// One chain. load() applies its layers again from its trajectory, which takes no time.
class Chain final : public Experiment {
  public:
    Chain(const SoftmaxConvergenceConfig& config, int seed_index)
        : seed_(static_cast<uint64_t>(config.seed + seed_index)),
          seed_index_(seed_index),
          options_(convergence_options(config)),
          iteration_(options_, seed_) {}

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override {
        for (; told_ <= target_step; ++told_) {
            if (told_ > 0) iteration_.apply_layer();
            rows.push_back({seed_index_, told_, iteration_.errors()});
        }
    }
    int64_t step() const override { return std::max<int64_t>(0, told_ - 1); }
    bool failed() const override { return false; }
    SeedStatus status() const override { return {seed_, step(), false, "", false, -1}; }

    ArrayMap save() const override { return {{"told", {{}, std::vector<int64_t>{told_}}}}; }
    void load(const ArrayMap& state) override {
        const auto found = state.find("told");
        const auto* told =
            found == state.end() ? nullptr : std::get_if<std::vector<int64_t>>(&found->second.values);
        if (state.size() != 1 || told == nullptr || told->size() != 1 || told->front() < 0)
            throw InputError("convergence state: needed is one whole number 'told', at least 0");
        iteration_ = SoftmaxConvergence(options_, seed_);
        told_ = told->front();
        for (int64_t l = 1; l < told_; ++l) iteration_.apply_layer();
    }
    void set_live(const Settings&) override {}  // no setting is live

    const SoftmaxConvergence& iteration() const { return iteration_; }

  private:
    uint64_t seed_;
    int seed_index_;
    SoftmaxConvergenceOptions options_;
    SoftmaxConvergence iteration_;
    int64_t told_ = 0;  // rows reported so far, v_0's included
};

NamedMatrix kernel_matrix(const char* name, std::string title, std::string help, int m) {
    NamedMatrix matrix;
    matrix.name = name;
    matrix.title = std::move(title);
    matrix.help = std::move(help);
    for (int s = 1; s <= m; ++s) matrix.row_blocks.push_back({std::to_string(s), 1});
    matrix.column_blocks = matrix.row_blocks;
    matrix.alignment_note = "rows: states, columns: the states they learn from";
    matrix.may_scale = false;
    matrix.nonnegative = true;
    matrix.unit = "weight";
    return matrix;
}

// The floors of the chains whose margin is positive (`holds`), or of the others; the other rows are missing.
Series floor_series(const std::vector<int>& lengths, const std::vector<const Chain*>& chains, bool holds) {
    Series series{.name = holds ? "C > 0" : "C \u2264 0",
                  .x = {lengths.begin(), lengths.end()},
                  .rows = {},
                  .color = holds ? 0 : 1};
    const std::vector<double> missing(lengths.size(), std::numeric_limits<double>::quiet_NaN());
    for (const Chain* chain : chains)
        series.rows.push_back((chain->iteration().margin() > 0) == holds ? chain->iteration().floors()
                                                                         : missing);
    return series;
}

// Plots the floors against n, with a line of slope -1/2 through their mean at the longest context.
PlotSpec floor_plot(const std::vector<int>& lengths, const std::vector<const Chain*>& chains) {
    PlotSpec plot;
    plot.id = "floor";
    plot.title = "The floor against context length";
    plot.x = {"n", "", Scale::logarithmic, std::nullopt, std::nullopt, std::nullopt};
    plot.y = {"largest error in the end", "", Scale::logarithmic, std::nullopt, std::nullopt, std::nullopt};
    plot.row_word = "chain";
    for (const bool holds : {true, false})
        if (std::any_of(chains.begin(), chains.end(),
                        [&](const Chain* chain) { return (chain->iteration().margin() > 0) == holds; }))
            plot.series.push_back(floor_series(lengths, chains, holds));
    const double last = summarise(plot.series.front().rows, lengths.size() - 1).mean;
    Series law{.name = "n^-1/2", .x = plot.series.front().x, .rows = {{}}, .color = 7, .dashed = true};
    for (const double n : law.x) law.rows[0].push_back(last * std::sqrt(law.x.back() / n));
    plot.series.push_back(std::move(law));
    plot.note =
        "max over states of |v(s) - true v(s)| at the fixed point of Eq. (25), where layers never end, "
        "solved directly; chains with Assumption 5.1's margin C above 0, for which Theorem 2 has it fall as "
        "n^-1/2, apart from the others. The dashed line has that slope.";
    return plot;
}

class ConvergenceStudy final : public ConfiguredStudy<SoftmaxConvergenceConfig> {
  public:
    explicit ConvergenceStudy(const Settings& settings)
        : ConfiguredStudy("softmax-convergence", "layers", settings) {
        MetricPlot errors;
        errors.id = "error";
        errors.title = "Error against layers";
        errors.y.label = "largest error of a state's value";
        errors.y.scale = Scale::logarithmic;
        errors.note =
            "max over states of |v_l(s) - true v(s)|, of the recursion that the constructed transformer is. "
            "It "
            "falls geometrically where Assumption 5.1's margin is positive, to a floor that longer contexts "
            "lower.";
        const std::vector<int> lengths = lengths_of(config_);
        for (size_t i = 0; i < kNumLengths; ++i) {
            const std::string name = fmt::format("error_{}", i + 1),
                              label = fmt::format("n = {}", lengths[i]);
            metrics_.push_back({name, label, "Largest error over states, with this context length."});
            errors.lines.push_back({name, label, static_cast<int>(i), false});
        }
        metric_plots_ = {errors};
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<Chain>(config_, seed_index);
    }
    int64_t target_step() const override { return config_.num_layers; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot = begin_snapshot(seeds);
        std::vector<const Chain*> chains;
        for (const Experiment* experiment : seeds) chains.push_back(&dynamic_cast<const Chain&>(*experiment));
        add_kernels(snapshot, chains);
        snapshot.plots = {floor_plot(lengths_of(config_), chains)};
        snapshot.scalars = scalars_of(chains, lengths_of(config_));
        snapshot.headline = fmt::format("nothing is trained: layer {} of the construction", snapshot.step);
        return snapshot;
    }

  private:
    void add_kernels(Snapshot& snapshot, const std::vector<const Chain*>& chains) const {
        const int m = config_.num_states;
        NamedMatrix population =
            kernel_matrix("M", "Kernel M of the population",
                          "The weight that a state gives to each source, with the stationary distribution in "
                          "place of the context (Eq. 27).",
                          m);
        NamedMatrix shortest =
            kernel_matrix("Mhat", fmt::format("Kernel of n = {}", lengths_of(config_).front()),
                          "The same with the shortest context's own counts (Eq. 24).", m);
        for (const Chain* chain : chains) {
            population.seeds.push_back(table_of(chain->iteration().population_kernel()));
            shortest.seeds.push_back(table_of(chain->iteration().kernel(0)));
        }
        snapshot.weights["M"] = stacked(population);
        snapshot.matrices = {std::move(population), std::move(shortest)};
    }
    static Array stacked(const NamedMatrix& matrix) {
        std::vector<double> values;
        for (const Table& table : matrix.seeds)
            values.insert(values.end(), table.values.begin(), table.values.end());
        const auto m = static_cast<size_t>(matrix.seeds.front().rows);
        return {{matrix.seeds.size(), m, m}, std::move(values)};
    }
    static std::vector<Scalar> scalars_of(const std::vector<const Chain*>& chains,
                                          const std::vector<int>& lengths) {
        double margin = 0, holds = 0;
        for (const Chain* chain : chains) {
            margin += chain->iteration().margin();
            holds += chain->iteration().margin() > 0 ? 1 : 0;
        }
        const auto count = static_cast<double>(chains.size());
        std::vector<Scalar> scalars = {
            {"margin", "margin C", margin / count, "",
             "Assumption 5.1's margin of the population's kernel, mean over chains: min over states of "
             "K(s,s) - sum of the others - \u03b3. Positive: the iteration contracts by 1 - C. Its formula "
             "is lost in the paper's text: this form is ours."},
            {"margin_holds", "C > 0 on", holds, fmt::format("of {} chains", chains.size()),
             "The chains on which Assumption 5.1 holds."}};
        if (holds < 2) return scalars;
        const FittedExponent slope = floor_slope(lengths, chains);
        scalars.push_back(
            {"floor_slope", "there the floor falls with slope", slope.value,
             fmt::format("({:.3f} to {:.3f})", slope.low, slope.high),
             "Of log mean floor against log n, over the chains with C > 0, with a 95 % interval by "
             "a bootstrap over them. Theorem 2 has -1/2. Few chains say little."});
        return scalars;
    }
    static FittedExponent floor_slope(const std::vector<int>& lengths,
                                      const std::vector<const Chain*>& chains) {
        std::vector<std::vector<double>> rows;
        for (const Chain* chain : chains)
            if (chain->iteration().margin() > 0) rows.push_back(chain->iteration().floors());
        return fitted_exponent({lengths.begin(), lengths.end()}, rows);
    }
};

}  // namespace

ExperimentInfo softmax_convergence() {
    ExperimentInfo info;
    info.name = "softmax-convergence";
    info.title = "Softmax TD: layers and context length";
    info.summary =
        "Weighted softmax TD, which the constructed softmax transformer runs in its layers, on contexts of "
        "up to "
        "millions of transitions: the error falls geometrically with layers to a floor that falls as n^-1/2 "
        "(Theorem 2). Nothing is trained; change sharpness and \u03b3 and watch the margin of Assumption "
        "5.1.";
    info.fields = std::make_shared<const FieldTable>(fields_of<SoftmaxConvergenceConfig>());
    info.make = [](const Settings& settings) { return std::make_unique<ConvergenceStudy>(settings); };
    info.figures = {figure_of_convergence()};
    info.claims = softmax_convergence_claims();
    return info;
}

}  // namespace emergence
