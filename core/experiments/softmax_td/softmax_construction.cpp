#include "core/experiments/softmax_td/softmax_construction.h"

#include <fmt/format.h>

#include <cmath>

#include "core/algorithms/weighted_softmax_td.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/softmax_td/softmax_td.h"
#include "core/measures/softmax_td_bank.h"
#include "core/measures/softmax_td_difference.h"

namespace emergence {

void SoftmaxConstructionConfig::fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L",
      "How many times the constructed layer is applied: steps of weighted softmax TD.")
        .log_range(1, 40);
    f(sharpness, "sharpness", "sharpness of Q",
      "Q = sharpness diag(I, 0). The theorem holds for any; a sharper Q lets a state learn more from itself.")
        .range(0, 64);
    f(step_size, "step_size", "step size \u03b1", "P = \u03b1 times reward + bootstrap - current value.")
        .range(0.05, 2);
    context_length_field(f, context_length, 128);
    features_field(f, tasks.d, "Features of a state. Z, P and Q have d+3 rows.");
    states_field(f, tasks.num_states, "States of each random Boyan chain.", 32);
    gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted, and of the temporal shift.");
    stop_after_field(f, num_chains, "num_chains", "chains", "Chains of each seed.", 1000).live();
    first_seed_field(f, seed, "Each draws its own stream of chains.");
    num_seeds_field(f, seeds, "How many independent streams of chains.");
    f.group("evaluation");
    f(show, "show", "show",
      "prompt: the kernel, values and TD errors of one prompt. weights: P, Q and the temporal shift. "
      "chain: the transitions of that prompt's chain.")
        .choices({"prompt", "weights", "chain"})
        .live();
    f(prompt, "prompt", "prompt", "The prompt that is shown, n transitions of its own chain.").range(0, 63).live();
    f(layer, "layer", "layer", "The layer whose kernel A is shown, from 1; at most L.")
        .range(1, 40)
        .live()
        .acts_while("show", {"prompt"});
}

namespace {

constexpr size_t kNumContexts = std::size(kConstructionLengths);
constexpr int kDifferenceLayers = 40;

double column_mean(const std::vector<std::vector<double>>& rows, size_t column) { return summarise(rows, column).mean; }

constexpr StudyNames kSoftmaxConstructionStudy = {"softmax-construction", "chains", "num_chains"};

// The means of the squared errors so far.
struct ChainsMeasured {
    double shorter = 0, middle = 0, longer = 0, zero = 0;

    void say(Row& row) const {
        HistoryPlot& plot = row.plot("running_mean", "Mean error, chain after chain");
        plot.y("squared error so far").logarithmic();
        plot.note("Mean over the chains seen so far. Errors are heavy-tailed where contexts are short.");
        row("error_short", "n = 5", "Mean squared error of the query's value so far, n = 5.", shorter).line(plot);
        row("error_middle", "n = 20", "The same at n = 20.", middle).line(plot).color(1);
        row("error_long", "n = 120", "The same at n = 120.", longer).line(plot).color(2);
        row("zero", "predict zero", "The error of predicting 0.", zero).line(plot).color(7).dashed();
    }
};

/// One stream of chains.
class ChainStream final : public SampledSeed<ChainsMeasured> {
  public:
    ChainStream(const SoftmaxConstructionConfig& config, int seed_index)
        : SampledSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, 1), config_(config) {}

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
        std::vector<double> transformer, zero;
        for (const int n : kConstructionLengths) {
            const SoftmaxTdBank bank({softmax_training_options(config_).tasks, n, 1,
                                      derive_seed(seed(), Purpose::held_out) + static_cast<uint64_t>(step_)});
            const ConstructionErrors errors = construction_errors(bank, 0, config_, config_.sharpness);
            transformer.push_back(errors.transformer);
            zero.push_back(errors.zero);
        }
        record_.transformer.push_back(std::move(transformer));
        record_.zero.push_back(std::move(zero));
    }
    void measure_differences() {
        for (size_t k = 0; k < std::size(kConstructionKernels); ++k) {
            const SoftmaxDifferences both = softmax_td_difference({.kernel = kConstructionKernels[k].kernel,
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

class SoftmaxConstructionStudy final : public StudyOf<SoftmaxConstructionConfig, ChainStream> {
  public:
    explicit SoftmaxConstructionStudy(const Settings& settings)
        : StudyOf(kSoftmaxConstructionStudy, settings), bank_(softmax_bank(config_)) {
        declare(ChainsMeasured());
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        std::vector<const ConstructionRecord*> records;
        for (const ChainStream* seed : seeds) records.push_back(&seed->record());
        snapshot.headline = "nothing is trained: the construction on one random chain after another";
        snapshot.plots = {construction_error_plot(records), construction_difference_plot(records)};
        snapshot.scalars = scalars_of(snapshot.plots[0], snapshot.plots[1]);
    }
    void evaluate(const SoftmaxConstructionConfig& config, Snapshot& snapshot) const override {
        show_construction(snapshot, config, *bank_);
    }

  private:
    static std::vector<Scalar> scalars_of(const PlotSpec& errors, const PlotSpec& differences) {
        const auto& rows = errors.series[0].rows;
        if (rows.empty()) return {};
        double largest = 0;
        for (const auto& row : differences.series[0].rows)
            for (const double difference : row) largest = larger(largest, difference);
        return {{"chains", "chains", static_cast<double>(rows.size()), "", "Over all seeds."},
                {"error_short", "error at n = 5", column_mean(rows, 0), "", "Mean squared error over chains."},
                {"error_long", "at n = 120", column_mean(rows, kNumContexts - 1), "", "With the longest context."},
                {"largest_difference", "from its algorithm", largest, "",
                 "Largest relative difference of transformer, its other form and weighted softmax TD, over "
                 "40 layers, in double precision, with the softmax kernel."}};
    }

    std::shared_ptr<const SoftmaxTdBank> bank_;
};

}  // namespace

ConstructionErrors construction_errors(const SoftmaxTdBank& bank, int index, const SoftmaxConstructionConfig& c,
                                       double sharpness) {
    const int n = bank.options().context_length;
    const SoftmaxTdBank::Prompt prompt = bank.prompt(index);
    const std::vector<float> weights = constructed_softmax_weights(c.tasks.d, c.step_size, sharpness);
    const auto trace = softmax_td_trace(prompt, {weights}, c.num_layers, c.tasks.gamma);
    const StateSequence sequence{prompt.Z.topRows(c.tasks.d), prompt.Z.row(c.tasks.d).head(n).transpose()};
    const auto similarity = [sharpness](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
        return std::exp(sharpness * a.dot(b));
    };
    const auto v = weighted_softmax_td(sequence, similarity, true, c.tasks.gamma, c.step_size, c.num_layers);
    const double truth = prompt.values[prompt.states.back()];
    const double network = trace.values(c.num_layers, n), algorithm = v.back()[n];
    return {std::pow(network - truth, 2), std::pow(algorithm - truth, 2), truth * truth,
            std::abs(network - algorithm) / larger(1.0, std::abs(algorithm))};
}

ExperimentInfo softmax_construction() {
    return experiment_of<SoftmaxConstructionStudy>(
        kSoftmaxConstructionStudy, "Softmax TD, constructed",
        "The softmax transformer with the weights of Theorem 1, on one random Boyan chain after another: its error "
        "falls as the context grows, and with four kernels it equals its algorithm to rounding. Nothing is trained; "
        "look into its layers, its temporal shift and its chains.",
        softmax_construction_figures());
}

}  // namespace emergence
