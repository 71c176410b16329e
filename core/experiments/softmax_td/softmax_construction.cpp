#include "core/experiments/softmax_td/softmax_construction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/algorithms/softmax_td.h"
#include "core/base/archive.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/softmax_td/softmax_td_claims.h"
#include "core/experiments/softmax_td/softmax_td_figures.h"
#include "core/measures/softmax_td_difference.h"
#include "core/measures/softmax_td_trace.h"

namespace emergence {

void SoftmaxConstructionConfig::fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L",
      "How many times the constructed layer is applied: steps of weighted softmax TD.")
        .log_range(1, 40);
    f(sharpness, "sharpness", "sharpness of Q",
      "Q = sharpness diag(I, 0). The theorem holds for any; "
      "the sharper, the more a state learns from itself.")
        .range(0, 64);
    f(step_size, "step_size", "step size \u03b1", "P = \u03b1 times reward + bootstrap - current value.")
        .range(0.05, 2);
    context_length_field(f, n, 128);
    features_field(f, d, "Features of a state. Z, P and Q have d+3 rows.");
    states_field(f, num_states, "States of each random Boyan chain.", 32);
    gamma_field(f, gamma, "Discount factor of the values to be predicted, and of the temporal shift.");
    stop_after_field(f, num_chains, "num_chains", "chains", "Chains of each seed.", 1000).live();
    first_seed_field(f, seed, "Each draws its own stream of chains.");
    num_seeds_field(f, seeds, "How many independent streams of chains.");
    f.group("evaluation");
    f(show, "show", "show",
      "prompt: the kernel, values and TD errors of one prompt. weights: P, Q and the temporal shift. "
      "chain: the transitions of that prompt's chain.")
        .choices({"prompt", "weights", "chain"})
        .live();
    f(prompt, "prompt", "prompt", "Which prompt, with n transitions of a chain of its own, is shown.")
        .range(0, 63)
        .live();
    f(layer, "layer", "layer", "Whose kernel A is shown, from 1; at most L.")
        .range(1, 40)
        .live()
        .acts_while("show", {"prompt"});
}

namespace {

constexpr size_t kNumContexts = std::size(kConstructionLengths);
constexpr ScoreKernel kKernels[] = {ScoreKernel::softmax, ScoreKernel::relu, ScoreKernel::elu,
                                    ScoreKernel::rbf};
constexpr int kDifferenceLayers = 40;

double column_mean(const std::vector<std::vector<double>>& rows, size_t column) {
    return summarise(rows, column).mean;
}

/// One stream of chains.
class ChainStream final : public Experiment, private Archived<ChainStream> {
    friend Archived;

  public:
    ChainStream(const SoftmaxConstructionConfig& config, int seed_index)
        : config_(config), seed_(static_cast<uint64_t>(config.seed + seed_index)), seed_index_(seed_index) {}

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override {
        for (; step_ < target_step; ++step_) {
            measure_errors();
            measure_differences();
            rows.push_back(
                {seed_index_,
                 step_ + 1,
                 {column_mean(record_.transformer, 0), column_mean(record_.transformer, 3),
                  column_mean(record_.transformer, kNumContexts - 1), column_mean(record_.zero, 0)}});
        }
    }
    int64_t step() const override { return step_; }
    bool failed() const override { return false; }
    SeedStatus status() const override { return {seed_, step_, false, "", false, -1}; }

    ArrayMap save() const override { return Archived::save(); }
    void load(const ArrayMap& stored) override { Archived::load(stored); }
    void state(Archive& archive) {
        archive.rows("transformer", record_.transformer, kNumContexts);
        archive.rows("zero", record_.zero, kNumContexts);
        bool same = record_.transformer.size() == record_.zero.size();
        for (size_t k = 0; k < std::size(kKernels); ++k) {
            archive.rows(fmt::format("differences_{}", k), record_.differences[k], kDifferenceLayers + 1);
            same = same && record_.differences[k].size() == record_.zero.size();
        }
        archive.require(same, "transformer", "is not of as many chains as the others");
        step_ = static_cast<int64_t>(record_.zero.size());
    }
    void set_live(const Settings&) override {}  // live settings change the study only

    const ConstructionRecord& record() const { return record_; }

  private:
    // Measures chain number step_, the same chain at every length.
    void measure_errors() {
        std::vector<double> transformer, zero;
        const SoftmaxTdConfig like = trained_config(config_);
        for (const int n : kConstructionLengths) {
            const SoftmaxTdBank bank({softmax_training_options(like).tasks, n, 1,
                                      derive_seed(seed_, Purpose::held_out) + static_cast<uint64_t>(step_)});
            const ConstructionErrors errors = construction_errors(bank, 0, config_, config_.sharpness);
            transformer.push_back(errors.transformer);
            zero.push_back(errors.zero);
        }
        record_.transformer.push_back(std::move(transformer));
        record_.zero.push_back(std::move(zero));
    }
    void measure_differences() {
        for (size_t k = 0; k < std::size(kKernels); ++k) {
            const SoftmaxDifferences both = softmax_td_difference({.kernel = kKernels[k],
                                                                   .d = config_.d,
                                                                   .n = config_.n,
                                                                   .layers = kDifferenceLayers,
                                                                   .num_states = config_.num_states,
                                                                   .gamma = config_.gamma,
                                                                   .step = config_.step_size},
                                                                  seed_, static_cast<uint32_t>(step_));
            std::vector<double> larger;
            for (size_t l = 0; l < both.to_algorithm.size(); ++l)
                larger.push_back(std::max(both.to_algorithm[l], both.between_forms[l]));
            record_.differences[k].push_back(std::move(larger));
        }
    }

    SoftmaxConstructionConfig config_;
    uint64_t seed_;
    int seed_index_;
    int64_t step_ = 0;
    ConstructionRecord record_;
};

class SoftmaxConstructionStudy final : public ConfiguredStudy<SoftmaxConstructionConfig> {
  public:
    explicit SoftmaxConstructionStudy(const Settings& settings)
        : ConfiguredStudy("softmax-construction", "chains", settings),
          bank_(softmax_bank(trained_config(config_))) {
        metrics_ = {{"error_short", "n = 5", "Mean squared error of the query's value so far, n = 5."},
                    {"error_middle", "n = 20", "The same at n = 20."},
                    {"error_long", "n = 120", "The same at n = 120."},
                    {"zero", "predict zero", "The error of predicting 0."}};
        MetricPlot running;
        running.id = "running_mean";
        running.title = "Mean error, chain after chain";
        running.lines = {{"error_short", "", 0, false},
                         {"error_middle", "", 1, false},
                         {"error_long", "", 2, false},
                         {"zero", "", 7, true}};
        running.y.label = "squared error so far";
        running.y.scale = Scale::logarithmic;
        running.note = "Mean over the chains seen so far. Errors are heavy-tailed where contexts are short.";
        metric_plots_ = {running};
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<ChainStream>(config_, seed_index);
    }
    int64_t target_step() const override { return config_.num_chains; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot = begin_snapshot(seeds);
        std::vector<const ConstructionRecord*> records;
        for (const Experiment* experiment : seeds)
            records.push_back(&dynamic_cast<const ChainStream&>(*experiment).record());
        snapshot.headline = "nothing is trained: the construction on one random chain after another";
        snapshot.plots = {construction_error_plot(records), construction_difference_plot(records)};
        snapshot.scalars = scalars_of(snapshot.plots[0], snapshot.plots[1]);
        show_construction(snapshot, config_, *bank_);
        return snapshot;
    }
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override {
        Snapshot answer = begin_evaluation(snapshot, inspection);
        show_construction(answer, config_from<SoftmaxConstructionConfig>(inspection.settings), *bank_);
        return answer;
    }

  private:
    static std::vector<Scalar> scalars_of(const PlotSpec& errors, const PlotSpec& differences) {
        const auto& rows = errors.series[0].rows;
        if (rows.empty()) return {};
        double largest = 0;
        for (const auto& row : differences.series[0].rows)
            largest = std::max(largest, *std::max_element(row.begin(), row.end()));
        return {
            {"chains", "chains", static_cast<double>(rows.size()), "", "Over all seeds."},
            {"error_short", "error at n = 5", column_mean(rows, 0), "", "Mean squared error over chains."},
            {"error_long", "at n = 120", column_mean(rows, kNumContexts - 1), "",
             "With the longest context."},
            {"largest_difference", "from its algorithm", largest, "",
             "Largest relative difference of transformer, its other form and weighted softmax TD, over "
             "40 layers, in double precision, with the softmax kernel."}};
    }

    std::shared_ptr<const SoftmaxTdBank> bank_;
};

}  // namespace

SoftmaxTdConfig trained_config(const SoftmaxConstructionConfig& c) {
    SoftmaxTdConfig config;
    config.num_layers = c.num_layers;
    config.context_length = c.n;
    config.tasks.d = c.d;
    config.tasks.num_states = c.num_states;
    config.tasks.gamma = c.gamma;
    config.seed = c.seed;
    config.prompt = c.prompt;
    config.layer = c.layer;
    return config;
}

ConstructionErrors construction_errors(const SoftmaxTdBank& bank, int index,
                                       const SoftmaxConstructionConfig& c, double sharpness) {
    const int n = bank.options().context_length;
    const SoftmaxTdBank::Prompt prompt = bank.prompt(index);
    const std::vector<float> weights = constructed_softmax_weights(c.d, c.step_size, sharpness);
    const auto trace = softmax_td_trace(prompt, {weights}, c.num_layers, c.gamma);
    const StateSequence sequence{prompt.Z.topRows(c.d), prompt.Z.row(c.d).head(n).transpose()};
    const auto similarity = [sharpness](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
        return std::exp(sharpness * a.dot(b));
    };
    const auto v = weighted_softmax_td(sequence, similarity, true, c.gamma, c.step_size, c.num_layers);
    const double truth = prompt.values[static_cast<size_t>(prompt.states.back())];
    const double network = trace.values(c.num_layers, n), algorithm = v.back()[n];
    return {std::pow(network - truth, 2), std::pow(algorithm - truth, 2), truth * truth,
            std::abs(network - algorithm) / std::max(1.0, std::abs(algorithm))};
}

ExperimentInfo softmax_construction() {
    ExperimentInfo info;
    info.name = "softmax-construction";
    info.title = "Softmax TD, constructed";
    info.summary =
        "The softmax transformer with the weights of Theorem 1, on one random Boyan chain after another: its "
        "error falls as the context grows, and with four kernels it equals its algorithm to rounding. "
        "Nothing "
        "is trained; look into its layers, its temporal shift and its chains.";
    info.fields = std::make_shared<const FieldTable>(fields_of<SoftmaxConstructionConfig>());
    info.make = [](const Settings& settings) { return std::make_unique<SoftmaxConstructionStudy>(settings); };
    info.figures = softmax_construction_figures();
    info.claims = softmax_construction_claims();
    return info;
}

}  // namespace emergence
