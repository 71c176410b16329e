#include "core/experiments/in_context_td/policy_evaluation.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/in_context_td/pictures/td_pictures.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/stacked.h"
#include "core/experiments/study_of.h"
#include "core/measures/held_out_bank.h"
#include "core/models/constructions.h"

namespace emergence {

void PolicyEvaluationConfig::fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L", "How many times the constructed layer is applied: steps of batch TD.")
        .log_range(1, 100);
    f(alpha, "alpha", "step size \u03b1", "C_l = \u03b1 I in the construction of Theorem 1, Eq. (7).").range(0, 4);
    f.group("task");
    f.choice(tasks.kind, {{"loop", TaskKind::loop}, {"boyan", TaskKind::boyan}}, "task", "tasks",
             "Random loops, as in Figure 1, or random Boyan chains.")
        .called({{"boyan", "Boyan chains"}});
    f(tasks.num_states, "num_states", "states m, at most",
      "A loop draws m between both bounds: 15 in the authors' code, 10 in the text of Wang et al. 2025. "
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
                     "Tasks of each seed. Wang et al. 2025 average 300 in all, our reference 20,000.")
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

constexpr StudyNames kEvaluationStudy = {"evaluation", "tasks", "num_tasks"};

/// One stream of tasks, with every task's error at every context length.
class EvaluationSeed final : public SampledSeed<EvaluationMeasured> {
  public:
    EvaluationSeed(const PolicyEvaluationConfig& config, int seed_index)
        : SampledSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, config.log_interval,
                      policy_evaluation_metrics()),
          config_(config),
          weights_(config),
          lengths_(context_lengths(config.max_context_length)),
          transformer_(lengths_.size()),
          batch_td_(lengths_.size()) {}

    void state(Archive& archive) override {
        errors(archive, "transformer", transformer_);
        errors(archive, "batch_td", batch_td_);
        Array zero = array_of(zero_);
        archive("zero", zero);
        archive.require(
            zero.shape == std::vector<size_t>{transformer_[0].size()} && batch_td_[0].size() == transformer_[0].size(),
            "zero", "is not of as many tasks as the others");
        if (!archive.loads()) return;
        zero_ = as_doubles(zero);
        resume_at(static_cast<int64_t>(zero_.size()));
    }

    /// [length][task]: each task's value error.
    const std::vector<std::vector<double>>& transformer() const { return transformer_; }
    const std::vector<std::vector<double>>& batch_td() const { return batch_td_; }
    const std::vector<double>& zero() const { return zero_; }

  protected:
    void take_step() override {
        evaluate_bank_of(step_);
        const auto i = static_cast<size_t>(step_ % kTasksPerBank);
        for (size_t n = 0; n < lengths_.size(); ++n) {
            transformer_[n].push_back(bank_.transformer[n][i]);
            batch_td_[n].push_back(bank_.batch_td[n][i]);
        }
        zero_.push_back(bank_.zero[i]);
        ++step_;
    }
    EvaluationMeasured measure() override {
        return {mean_of(transformer_.front()), mean_of(transformer_.back()), mean_of(batch_td_.back()), mean_of(zero_)};
    }

  private:
    struct Bank {
        int64_t number = -1;
        std::vector<std::vector<double>> transformer, batch_td;
        std::vector<double> zero;
    };

    void evaluate_bank_of(int64_t step) {
        const int64_t number = step / kTasksPerBank;
        if (bank_.number == number) return;
        BankOptions options{config_.tasks, kTasksPerBank, lengths_, 0};
        options.seed = derive_seed(seed(), Purpose::held_out) + static_cast<uint64_t>(number);
        const HeldOutBank bank(options);
        const auto alpha = static_cast<float>(config_.alpha);
        const LinearAttentionView network{config_.num_layers, 1, weights_.P.data(), weights_.Q.data()};
        bank_ = {number, {}, {}, bank.errors(0, 1, 0.0F)};
        for (size_t n = 0; n < lengths_.size(); ++n) {
            bank_.transformer.push_back(bounded_errors(bank.errors(n, network)));
            bank_.batch_td.push_back(bounded_errors(bank.errors(n, config_.num_layers, alpha)));
        }
    }

    // An array of lengths x tasks.
    void errors(Archive& archive, const char* name, std::vector<std::vector<double>>& rows) const {
        std::vector<double> flat;
        for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
        Array table{{rows.size(), rows[0].size()}, std::move(flat)};
        archive(name, table);
        archive.require(table.shape.size() == 2 && table.shape[0] == lengths_.size(), name,
                        fmt::format("is not of {} context lengths", lengths_.size()));
        if (!archive.loads()) return;
        flat = as_doubles(table);
        const auto count = static_cast<std::ptrdiff_t>(table.shape[1]);
        auto from = flat.begin();
        for (auto& row : rows) row.assign(from, from + count), from += count;
    }

    PolicyEvaluationConfig config_;
    Weights weights_;
    std::vector<int> lengths_;
    Bank bank_;
    std::vector<std::vector<double>> transformer_, batch_td_;
    std::vector<double> zero_;
};

class EvaluationStudy final : public StudyOf<PolicyEvaluationConfig, EvaluationSeed> {
  public:
    explicit EvaluationStudy(const Settings& settings) : StudyOf(kEvaluationStudy, settings) {
        metrics_ = policy_evaluation_metrics().table();
        metric_plots_ = policy_evaluation_plots();
    }
    static void check(const PolicyEvaluationConfig& c) {
        if (c.tasks.min_states > c.tasks.num_states)
            throw InputError(fmt::format("min_states: {} is more than num_states = {}. Lower one or raise the other.",
                                         c.tasks.min_states, c.tasks.num_states));
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        EvaluationErrors errors;
        errors.lengths = context_lengths(config_.max_context_length);
        for (const EvaluationSeed* seed : seeds) {
            errors.transformer.push_back(seed->transformer());
            errors.batch_td.push_back(seed->batch_td());
            errors.zero.push_back(seed->zero());
        }
        snapshot.matrices = policy_evaluation_matrices(config_, static_cast<int>(seeds.size()));
        snapshot.plots = {evaluation_plot(errors)};
        snapshot.weights = evaluation_statistics(errors);
        snapshot.scalars = evaluation_scalars(errors);
    }
};

}  // namespace

ExperimentInfo policy_evaluation() {
    return experiment_of<EvaluationStudy>(
        kEvaluationStudy, "In-context policy evaluation",
        "The transformer that theory constructs evaluates policies in context: its weights are fixed, and its error "
        "falls as the context grows, on tasks that it has never seen (Wang et al. 2025, Figure 1). Nothing is "
        "trained.",
        {wang_1()});
}

}  // namespace emergence
