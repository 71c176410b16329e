// Experiment "softmax-construction": the softmax transformer with the weights of Theorem 1 of the softmax paper, on one
// random Boyan chain after another. Nothing is trained. One step is one chain, one seed is a stream of chains.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>

#include "core/base/rng.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/softmax_td/softmax_td.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/measures/softmax_td_measures.h"
#include "core/models/softmax_td_layer.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Every setting of experiment "softmax-construction": a few of "softmax-td", and the constants of the construction.
struct SoftmaxConstructionConfig : SoftmaxTdConfig {
    SoftmaxConstructionConfig() {
        num_layers = 8;
        context_length = 40;
        tasks.d = 16;
        tasks.num_states = 10;
        tasks.gamma = 0.9;
        seeds = 4;
        show = "prompt";
        log_interval = 1;  // not a setting: every chain is logged
    }
    double sharpness = 4.0;
    double step_size = 1.0;
    int64_t num_chains = 75;

    void fields(Fields& f) {
        f.group("model");
        f(num_layers, "num_layers", "layers L",
          "How many times the constructed layer is applied: steps of weighted softmax TD.")
            .log_range(1, 40);
        f(sharpness, "sharpness", "sharpness of Q",
          "Q = sharpness diag(I, 0). The sharper Q, the more a state learns from itself.")
            .range(0, 64);
        f(step_size, "step_size", "step size \u03b1", "P = \u03b1 times reward + bootstrap - current value.")
            .range(0.05, 2);
        context_length_field(f, context_length, 128);
        features_field(f, tasks.d, "Features of a state. Z, P and Q have d+3 rows.");
        states_field(f, tasks.num_states, "States of each random Boyan chain.", 32);
        gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted, and of the temporal shift.");
        stop_after_field(f, num_chains, "num_chains", "chains", "Random chains of each seed.", 1000).live();
        first_seed_field(f, seed, "Each seed draws its own stream of chains.");
        num_seeds_field(f, seeds, "How many independent streams of chains.");
        f.group("evaluation");
        live(f, show, "show", "show",
             "prompt: the kernel, values and TD errors of one prompt. weights: P, Q and the temporal shift. "
             "chain: the transitions of that prompt's chain.")
            .choices({"prompt", "weights", "chain"});
        live(f, prompt, "prompt", "prompt", "Which prompt is shown: n transitions of its own chain.").range(0, 63);
        live(f, layer, "layer", "layer", "The layer whose kernel A is shown, from 1; at most L.")
            .range(1, 40)
            .acts_while("show", {"prompt"});
    }
};

// Context lengths at which errors are measured, as in Figure 1.
constexpr int kConstructionLengths[] = {5, 10, 15, 20, 30, 40, 60, 80, 120};
constexpr size_t kNumContexts = std::size(kConstructionLengths);
constexpr int kDifferenceLayers = 40;

// The kernels for which transformer and algorithm are compared.
constexpr std::pair<const char*, ScoreKernel> kConstructionKernels[] = {{"softmax", ScoreKernel::softmax},
                                                                        {"ReLU", ScoreKernel::relu},
                                                                        {"ELU", ScoreKernel::elu},
                                                                        {"RBF", ScoreKernel::rbf}};

using ChainRows = std::vector<std::vector<double>>;

// The measurements so far, with a row for each chain: errors at each length; for each kernel and layer the larger of
// two differences, to the algorithm and between both forms of the layer.
struct ConstructionRecord {
    ChainRows transformer, zero;
    std::array<ChainRows, std::size(kConstructionKernels)> differences;
};

double column_mean(const ChainRows& rows, size_t column) { return summarise(rows, column).mean; }

constexpr StudyNames kSoftmaxConstructionStudy = {"softmax-construction", "chains", "num_chains"};

// The means of the squared errors so far.
struct ChainsMeasured {
    double shorter = 0, middle = 0, longer = 0, zero = 0;

    void say(Row& row) const {
        HistoryPlot& plot = row.plot("running_mean", "Mean error, chain after chain");
        plot.y("squared error so far").logarithmic();
        plot.note("Mean over the chains so far. Errors are heavy-tailed for short contexts.");
        row("error_short", "n = 5", "Mean squared error of the query's value so far, n = 5.", shorter).line(plot);
        row("error_middle", "n = 20", "The same at n = 20.", middle).line(plot, 1);
        row("error_long", "n = 120", "The same at n = 120.", longer).line(plot, 2);
        row("zero", "predict zero", "The error of predicting 0.", zero).line(plot, 7).dashed();
    }
};

/// One stream of chains.
class ChainStream final : public SampledSeed<ChainsMeasured> {
  public:
    ChainStream(const SoftmaxConstructionConfig& config, int seed_index)
        : SampledSeed(config.seed, seed_index, 1), config_(config) {}

    void state(Archive& archive) override {
        archive.rows("transformer", record_.transformer, kNumContexts);
        archive.rows("zero", record_.zero, kNumContexts);
        bool same = record_.transformer.size() == record_.zero.size();
        for (size_t k = 0; k < std::size(kConstructionKernels); ++k) {
            archive.rows(fmt::format("differences_{}", k), record_.differences[k], kDifferenceLayers + 1);
            same = same && record_.differences[k].size() == record_.zero.size();
        }
        archive.require(same, "transformer", "is not of as many chains as the others");
        if (archive.loads()) resume_at(static_cast<int64_t>(record_.zero.size()));
    }

    const ConstructionRecord& record() const { return record_; }

  protected:
    void take_step() override {
        measure_errors();
        measure_differences();
        ++step_;
    }
    ChainsMeasured measure() override {
        return {column_mean(record_.transformer, 0), column_mean(record_.transformer, 3),
                column_mean(record_.transformer, kNumContexts - 1), column_mean(record_.zero, 0)};
    }

  private:
    // Measures chain number step_, the same chain at every length.
    void measure_errors() {
        const std::vector<float> weights =
            constructed_softmax_weights(config_.tasks.d, config_.step_size, config_.sharpness);
        std::vector<double> transformer, zero;
        for (const int n : kConstructionLengths) {
            const SoftmaxTdBank bank(
                {config_.tasks, n, 1, derive_seed(seed(), Purpose::held_out) + static_cast<uint64_t>(step_)});
            const SoftmaxTdBank::Prompt prompt = bank.prompt(0);
            const auto trace = softmax_td_trace(prompt, {weights}, config_.num_layers, config_.tasks.gamma);
            const double truth = prompt.values[prompt.states.back()];
            transformer.push_back(std::pow(trace.values(config_.num_layers, n) - truth, 2));
            zero.push_back(truth * truth);
        }
        record_.transformer.push_back(std::move(transformer));
        record_.zero.push_back(std::move(zero));
    }
    void measure_differences() {
        for (size_t k = 0; k < std::size(kConstructionKernels); ++k) {
            const SoftmaxDifferences both = softmax_td_difference({.kernel = kConstructionKernels[k].second,
                                                                   .d = config_.tasks.d,
                                                                   .n = config_.context_length,
                                                                   .layers = kDifferenceLayers,
                                                                   .num_states = config_.tasks.num_states,
                                                                   .gamma = config_.tasks.gamma,
                                                                   .step = config_.step_size},
                                                                  seed(), static_cast<uint32_t>(step_));
            std::vector<double> largest;
            for (size_t l = 0; l < both.to_algorithm.size(); ++l)
                largest.push_back(larger(both.to_algorithm[l], both.between_forms[l]));
            record_.differences[k].push_back(std::move(largest));
        }
    }

    SoftmaxConstructionConfig config_;
    ConstructionRecord record_;
};

// The rows of all seeds.
ChainRows rows_of_chains(const std::vector<const ChainStream*>& streams, const auto& rows_of) {
    ChainRows all;
    for (const ChainStream* stream : streams) {
        const ChainRows& own = rows_of(stream->record());
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

void name_rows_chains(PlotSpec& plot) {
    plot.row_word = "chain";
    for (size_t i = 0; i < plot.series[0].rows.size(); ++i) plot.seeds.push_back(i + 1);
}

// Squared error against context length.
PlotSpec error_plot(const std::vector<const ChainStream*>& streams) {
    Plot plot("error_by_context_length", "Value error against context length");
    plot.x("n").from(0.0);
    plot.y("squared error of the query's value").logarithmic();
    const std::vector<double> lengths(std::begin(kConstructionLengths), std::end(kConstructionLengths));
    plot.line("transformer", lengths, rows_of_chains(streams, std::mem_fn(&ConstructionRecord::transformer)));
    plot.line("predict zero", lengths, rows_of_chains(streams, std::mem_fn(&ConstructionRecord::zero)))
        .color(7)
        .dashed();
    name_rows_chains(plot.spec());
    plot.note("As Figure 1. If the context is too short to visit the chain's states, the iteration diverges.");
    return plot;
}

// Difference of transformer and algorithm against layers, one curve a kernel.
PlotSpec kernel_difference_plot(const std::vector<const ChainStream*>& streams) {
    Plot plot("difference", "Transformer against weighted softmax TD");
    plot.x("layer").from(0.0).whole();
    plot.y("relative difference").logarithmic();
    for (size_t k = 0; k < std::size(kConstructionKernels); ++k) {
        ChainRows rows = rows_of_chains(
            streams, [k](const auto& record) -> auto& { return record.differences[k]; });
        std::vector<double> layers = numbered_points(rows.empty() ? 0 : rows[0].size());
        plot.line(kConstructionKernels[k].first, std::move(layers), std::move(rows)).color(static_cast<int>(k));
    }
    name_rows_chains(plot.spec());
    plot.note(
        "As Figure 7, in double precision: the larger of two differences, to the algorithm and between both forms of "
        "the layer, over the largest value. ReLU, ELU and RBF kernels are divided by n (ours).");
    return plot;
}

// A matrix that is the same in every seed.
ShownMatrix constant(const char* name, const char* title, const char* help, const Mat& values,
                     const std::vector<Block>& blocks, size_t seeds) {
    ShownMatrix matrix(name, title, help);
    return matrix.square(blocks).everywhere(table_of(values), seeds).as_is();
}

std::vector<NamedMatrix> constructed_weights(const SoftmaxConstructionConfig& c, size_t seeds) {
    const int d = c.tasks.d, D = d + 3;
    const std::vector<Block> rows = {{"x", d}, {"R", 1}, {"v\u2032", 1}, {"v", 1}};
    const SoftmaxTdWeights weights = softmax_td_construction(d, c.step_size, c.sharpness);
    Mat clear = Mat::Identity(D, D), route = Mat::Zero(D, D);
    clear(D - 2, D - 2) = 0;
    route(D - 2, D - 1) = c.tasks.gamma;
    // Each unit has its own colour scale, because on a common one a sharp Q would leave the other matrices pale.
    return {constant("P", "P, constructed",
                     "Eq. (15): the last row writes reward + target memory - current memory, times the step size.",
                     weights.P, rows, seeds)
                .unit("step size"),
            constant("Q", "Q, constructed", "Eq. (15): scores are inner products of features.", weights.Q, rows, seeds)
                .unit("sharpness"),
            constant("clear", "I - e e', clears", "Eq. (23): each layer clears the target memory.", clear, rows, seeds),
            constant("route", "gamma e e', routes",
                     "Eq. (23): gamma times the current memory moves into the target memory.", route, rows, seeds),
            constant("shift", "S, to the left",
                     "Eq. (16): taken from the column to the right, where the next state is the current one.",
                     left_shift(c.context_length), {{"context", c.context_length}, {"query", 1}}, seeds)};
}

// Reward, true value and stationary distribution of a chain by state.
Plot chain_plot(std::string title, const Mrp& mrp, double gamma) {
    Plot plot("states", std::move(title));
    plot.x("state").whole();
    plot.note("The chain that is shown, state by state, with exact values.");
    const Vec v = true_value(mrp, gamma), distribution = stationary_distribution(mrp);
    const std::vector<double> states = numbered_points(static_cast<size_t>(mrp.num_states()), 1.0);
    int color = 0;
    for (const auto& [name, values] :
         {std::pair{"stationary probability", &distribution}, {"reward", &mrp.reward}, {"true value", &v}})
        plot.path(name, states, {values->begin(), values->end()}).color(color++);
    return plot;
}

// Adds the matrices and the plots that the live settings select, after the first two plots.
void show_construction(Snapshot& snapshot, const SoftmaxConstructionConfig& config, const SoftmaxTdBank& bank) {
    const size_t seeds = snapshot.seeds.size();
    const std::vector<ShownSeed> shown(
        seeds, ShownSeed{constructed_softmax_weights(config.tasks.d, config.step_size, config.sharpness), 0.0});
    Mrp mrp;
    draw_mrp(bank.options().tasks, bank.options().seed, static_cast<uint32_t>(config.prompt % bank.options().size),
             mrp);
    if (config.show == "weights")
        snapshot.matrices = constructed_weights(config, seeds);
    else if (config.show == "chain")
        snapshot.matrices = {constant("transition", "Transition probabilities",
                                      "Where a state leads: to the next two states; from the last one anywhere.",
                                      mrp.transition, numbered_blocks(1, mrp.num_states()), seeds)
                                 .nonnegative()
                                 .unit("probability")
                                 .note_alignment("rows: states, columns: next states")};
    else
        snapshot.matrices = softmax_microscope(config, bank, shown);
    PlotSpec values = softmax_values_plot(config, bank, {shown.front()});
    name_rows_chains(values);
    PlotSpec chain = chain_plot(fmt::format("The chain of prompt {}", config.prompt), mrp, config.tasks.gamma);
    name_rows_chains(chain);
    snapshot.plots.resize(2);  // keep the two plots of all chains
    snapshot.plots.push_back(std::move(values));
    snapshot.plots.push_back(std::move(chain));
}

class SoftmaxConstructionStudy final : public StudyOf<SoftmaxConstructionConfig, ChainStream> {
  public:
    explicit SoftmaxConstructionStudy(const Settings& settings)
        : StudyOf(kSoftmaxConstructionStudy, settings), bank_(softmax_bank(config_)) {
        declare(ChainsMeasured());
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        snapshot.headline = "nothing is trained; the construction runs on one random chain after another";
        snapshot.plots = {error_plot(seeds), kernel_difference_plot(seeds)};
        double largest = 0;
        for (const auto& row : snapshot.plots[1].series[0].rows)
            for (const double difference : row) largest = larger(largest, difference);
        if (snapshot.step > 0)
            snapshot.scalars = {
                {"largest_difference", "from its algorithm", largest, "",
                 "Largest relative difference between the transformer and weighted softmax TD over 40 layers."}};
    }
    void evaluate(const SoftmaxConstructionConfig& config, Snapshot& snapshot) const override {
        show_construction(snapshot, config, *bank_);
    }

  private:
    std::shared_ptr<const SoftmaxTdBank> bank_;
};

}  // namespace

ExperimentInfo softmax_construction() {
    std::vector<FigureInfo> figures;
    for (const char* name : {"softmax-1", "softmax-2", "softmax-4", "softmax-7"})
        figures.push_back(shipped_figure(name));
    return experiment_of<SoftmaxConstructionStudy>(
        kSoftmaxConstructionStudy, "Softmax TD, constructed",
        "The softmax transformer with the weights of Theorem 1 meets one random Boyan chain after another. Its error "
        "falls as the context grows, and with four kernels it equals its algorithm to rounding. Nothing is trained; "
        "look into its layers, its temporal shift and its chains.",
        std::move(figures));
}

}  // namespace emergence
