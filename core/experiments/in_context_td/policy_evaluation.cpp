#include "core/experiments/in_context_td/policy_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/configured_study.h"
#include "core/experiments/in_context_td/policy_evaluation_figure.h"
#include "core/experiments/table_of.h"
#include "core/measures/held_out_bank.h"
#include "core/models/constructions.h"

namespace emergence {

void PolicyEvaluationConfig::fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L",
      "How many times the constructed layer is applied: steps of batch TD.")
        .log_range(1, 100);
    f(alpha, "alpha", "step size \u03b1", "C_l = \u03b1 I in the construction of Theorem 1, Eq. (7).")
        .range(0, 4);
    f.group("task");
    f.choice(tasks.kind, {{"loop", TaskKind::loop}, {"boyan", TaskKind::boyan}}, "task", "tasks",
             "Random loops, as in Figure 1, or random Boyan chains.");
    f(tasks.num_states, "num_states", "states m, at most",
      "A loop draws m between both bounds: 15 in the authors' code, 10 in the paper's text. "
      "Boyan chains have this many.")
        .range(3, 64);
    f(tasks.min_states, "min_states", "states m, at least", "The lower bound of a loop's m.")
        .range(2, 64)
        .acts_while("task", {"loop"});
    features_field(f, tasks.d, "Features of a state. Z, P and Q have 2d+1 rows.");
    gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted.");
    representable_field(f, tasks.representable,
                        "Make each task's true value exactly linear in its features (Algorithm 3), "
                        "so that the least possible error is 0.");
    true_weights_field(f, tasks.normal_true_weights);
    f.group("evaluation");
    f(max_context_length, "max_context_length", "longest context",
      "The error is measured at context lengths 1, 3, 5, ... up to here.")
        .log_range(1, 400);
    stop_after_field(f, num_tasks, "num_tasks", "tasks",
                     "Tasks of each seed. The paper averages 300 in all, our reference 20,000.")
        .live();
    first_seed_field(f, seed, "Each draws its own stream of tasks.");
    num_seeds_field(f, seeds, "How many independent streams of tasks.");
    log_interval_field(f, log_interval, "tasks");
}

namespace {

// Tasks are drawn and evaluated in banks of this size, three groups of lanes, wherever a run is interrupted.
constexpr int kTasksPerBank = 48;

std::vector<int> context_lengths(int longest) {
    std::vector<int> lengths;
    for (int n = 1; n <= longest; n += 2) lengths.push_back(n);
    return lengths;
}

// The layer's P and Q, row by row.
struct Weights {
    explicit Weights(const PolicyEvaluationConfig& c) {
        const auto layer = td_construction(c.alpha * Eigen::MatrixXd::Identity(c.tasks.d, c.tasks.d));
        P = floats_of(layer.P);
        Q = floats_of(layer.Q);
    }
    std::vector<float> P, Q;
};

/// One stream of tasks, with every task's error at every context length.
class Seed final : public Experiment {
  public:
    Seed(const PolicyEvaluationConfig& config, int seed_index)
        : config_(config),
          seed_(static_cast<uint64_t>(config.seed + seed_index)),
          seed_index_(seed_index),
          weights_(config),
          lengths_(context_lengths(config.max_context_length)),
          transformer_(lengths_.size()),
          batch_td_(lengths_.size()) {}

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override {
        while (step_ < target_step) {
            evaluate_chunk_of(step_);
            const int64_t end = std::min(target_step, (step_ / kTasksPerBank + 1) * kTasksPerBank);
            for (; step_ < end; ++step_) {
                const auto i = static_cast<size_t>(step_ % kTasksPerBank);
                for (size_t n = 0; n < lengths_.size(); ++n) {
                    transformer_[n].push_back(chunk_.transformer[n][i]);
                    batch_td_[n].push_back(chunk_.batch_td[n][i]);
                }
                zero_.push_back(chunk_.zero[i]);
                if ((step_ + 1) % config_.log_interval == 0) log(rows);
            }
        }
    }
    int64_t step() const override { return step_; }
    bool failed() const override { return false; }
    SeedStatus status() const override { return {seed_, step_, false, "", false, -1}; }

    ArrayMap save() const override {
        ArrayMap map;
        const std::vector<size_t> shape = {lengths_.size(), static_cast<size_t>(step_)};
        map["transformer"] = {shape, joined(transformer_)};
        map["batch_td"] = {shape, joined(batch_td_)};
        map["zero"] = {{zero_.size()}, zero_};
        return map;
    }
    void load(const ArrayMap& state) override {
        if (state.size() != 3 || !state.contains("transformer") || !state.contains("batch_td") ||
            !state.contains("zero"))
            throw InputError("evaluation state: needed are arrays 'transformer', 'batch_td' and 'zero'");
        const auto count = state.at("zero").shape.empty() ? 0 : state.at("zero").shape[0];
        const std::vector<size_t> shape = {lengths_.size(), count};
        if (state.at("transformer").shape != shape || state.at("batch_td").shape != shape)
            throw InputError(
                fmt::format("evaluation state: needed are errors at {} context lengths of {} tasks",
                            lengths_.size(), count));
        zero_ = as_doubles(state.at("zero"));
        transformer_ = split(as_doubles(state.at("transformer")), count);
        batch_td_ = split(as_doubles(state.at("batch_td")), count);
        step_ = static_cast<int64_t>(count);
    }
    void set_live(const Settings&) override {}  // the only live setting is the last step

    /// [length][task]: each task's value error.
    const std::vector<std::vector<double>>& transformer() const { return transformer_; }
    const std::vector<std::vector<double>>& batch_td() const { return batch_td_; }
    const std::vector<double>& zero() const { return zero_; }

  private:
    struct Chunk {
        int64_t number = -1;
        std::vector<std::vector<double>> transformer, batch_td;
        std::vector<double> zero;
    };

    void evaluate_chunk_of(int64_t step) {
        const int64_t number = step / kTasksPerBank;
        if (chunk_.number == number) return;
        BankOptions options{config_.tasks, kTasksPerBank, lengths_, 0};
        options.seed = derive_seed(seed_, Purpose::held_out) + static_cast<uint64_t>(number);
        const HeldOutBank bank(options);
        const auto alpha = static_cast<float>(config_.alpha);
        const LinearAttentionView network{config_.num_layers, 1, weights_.P.data(), weights_.Q.data()};
        chunk_ = {number, {}, {}, bank.errors(0, 1, 0.0F)};
        for (size_t n = 0; n < lengths_.size(); ++n) {
            chunk_.transformer.push_back(bank.errors(n, network));
            chunk_.batch_td.push_back(bank.errors(n, config_.num_layers, alpha));
        }
    }

    void log(std::vector<MetricRow>& rows) const {
        const auto mean = [](const std::vector<double>& values) {
            double sum = 0;
            for (const double x : values) sum += x;
            return sum / static_cast<double>(values.size());
        };
        rows.push_back(
            {seed_index_,
             step_ + 1,
             {mean(transformer_.front()), mean(transformer_.back()), mean(batch_td_.back()), mean(zero_)}});
    }

    static std::vector<double> joined(const std::vector<std::vector<double>>& rows) {
        std::vector<double> all;
        for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
        return all;
    }
    // One row per context length.
    std::vector<std::vector<double>> split(const std::vector<double>& all, size_t count) const {
        std::vector<std::vector<double>> rows;
        for (size_t n = 0; n < lengths_.size(); ++n) {
            const auto from = all.begin() + static_cast<std::ptrdiff_t>(n * count);
            rows.emplace_back(from, from + static_cast<std::ptrdiff_t>(count));
        }
        return rows;
    }

    PolicyEvaluationConfig config_;
    uint64_t seed_;
    int seed_index_;
    Weights weights_;
    std::vector<int> lengths_;
    int64_t step_ = 0;
    Chunk chunk_;
    std::vector<std::vector<double>> transformer_, batch_td_;
    std::vector<double> zero_;
};

class EvaluationStudy final : public ConfiguredStudy<PolicyEvaluationConfig> {
  public:
    explicit EvaluationStudy(const Settings& settings) : ConfiguredStudy("evaluation", "tasks", settings) {
        metrics_ = policy_evaluation_metrics();
        metric_plots_ = policy_evaluation_plots();
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<Seed>(config_, seed_index);
    }
    int64_t target_step() const override { return config_.num_tasks; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;
};

Snapshot EvaluationStudy::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = begin_snapshot(seeds);
    EvaluationErrors errors;
    errors.lengths = context_lengths(config_.max_context_length);
    for (const Experiment* experiment : seeds) {
        const auto& seed = dynamic_cast<const Seed&>(*experiment);
        errors.transformer.push_back(seed.transformer());
        errors.batch_td.push_back(seed.batch_td());
        errors.zero.push_back(seed.zero());
    }
    snapshot.matrices = policy_evaluation_matrices(config_, static_cast<int>(seeds.size()));
    snapshot.plots = {evaluation_plot(errors)};
    snapshot.weights = evaluation_statistics(errors);
    snapshot.scalars = evaluation_scalars(errors);
    return snapshot;
}

}  // namespace

ExperimentInfo policy_evaluation() {
    ExperimentInfo info;
    info.name = "evaluation";
    info.title = "In-context policy evaluation";
    info.summary =
        "The transformer that theory constructs evaluates policies in context: its weights are fixed, and "
        "its "
        "error falls as the context grows, on tasks that it has never seen (Wang et al. 2025, Figure 1). "
        "Nothing is trained.";
    info.fields = std::make_shared<const FieldTable>(fields_of<PolicyEvaluationConfig>());
    info.check = [](const Settings& settings) {
        const auto c = config_from<PolicyEvaluationConfig>(settings);
        if (c.tasks.min_states > c.tasks.num_states)
            throw InputError(fmt::format("min_states: found {}, allowed is at most num_states = {}",
                                         c.tasks.min_states, c.tasks.num_states));
        if (c.log_interval > c.num_tasks)
            throw InputError(fmt::format(
                "log_interval: found {}, allowed is at most num_tasks = {}, else nothing is logged",
                c.log_interval, c.num_tasks));
    };
    info.make = [](const Settings& settings) { return std::make_unique<EvaluationStudy>(settings); };
    info.figures = {wang_1()};
    info.claims = policy_evaluation_claims();
    return info;
}

}  // namespace emergence
