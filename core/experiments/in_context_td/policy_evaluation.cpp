// Experiment "evaluation": the constructed transformer evaluates policies in context, with fixed weights, on new tasks
// (Figure 1 of Wang et al. 2025). Nothing is trained. One step is one task.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/stacked.h"
#include "core/experiments/study_of.h"
#include "core/lab/views/run_views.h"
#include "core/models/constructions.h"

namespace emergence {
namespace {

// Every setting, with the defaults of Figure 1 in the authors' code.
struct PolicyEvaluationConfig {
    TaskOptions tasks{.num_states = 15, .d = 5, .representable = true, .kind = TaskKind::loop, .min_states = 5};
    int num_layers = 15;
    double alpha = 0.2;
    int max_context_length = 40;
    int64_t num_tasks = 1000;
    int64_t seed = 0;
    int seeds = 20;
    int log_interval = 50;

    void fields(Fields& f) {
        f.group("model");
        f(num_layers, "num_layers", "layers L", "How many times the constructed layer is applied: steps of batch TD.")
            .log_range(1, 100);
        f(alpha, "alpha", "step size \u03b1", "C_l = \u03b1 I in the construction of Theorem 1, Eq. (7).").range(0, 4);
        f.group("task");
        f.choice(tasks.kind, {{"loop", TaskKind::loop}, {"boyan", TaskKind::boyan}}, "task", "tasks",
                 "The tasks: random loops, as in Figure 1, or random Boyan chains.")
            .called({{"boyan", "Boyan chains"}});
        f(tasks.num_states, "num_states", "states m, at most",
          "A loop draws m up to this: 15 in the authors' code, 10 in Wang et al. 2025; a chain has exactly this.")
            .range(3, 64);
        f(tasks.min_states, "min_states", "states m, at least", "The lower bound of a loop's m.")
            .range(2, 64)
            .acts_while("task", {"loop"});
        features_field(f, tasks.d, "Features of a state. Z, P and Q have 2d+1 rows.");
        gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted.");
        representable_field(f, tasks.representable,
                            "Makes each task's true value exactly linear in its features (Algorithm 3).");
        true_weights_field(f, tasks.normal_true_weights);
        f.group("evaluation");
        f(max_context_length, "max_context_length", "longest context",
          "The error is measured at context lengths 1, 3, 5, ... up to here.")
            .log_range(1, 400);
        stop_after_field(f, num_tasks, "num_tasks", "tasks",
                         "Tasks of each seed. Wang et al. 2025 average 300 in all; our reference averages 20,000.")
            .live();
        first_seed_field(f, seed, "Each seed draws its own stream of tasks.");
        num_seeds_field(f, seeds, "How many independent streams of tasks.");
        log_interval_field(f, log_interval, "tasks");
    }
};

// Tasks are drawn and evaluated in banks of this size (three groups of lanes), so that an interrupted run computes the
// same.
constexpr int kTasksPerBank = 48;

std::vector<int> context_lengths(int longest) {
    std::vector<int> lengths;
    for (int n = 1; n <= longest; n += 2) lengths.push_back(n);
    return lengths;
}

constexpr StudyNames kEvaluationStudy = {"evaluation", "tasks", "num_tasks"};

// The value errors of single tasks: [length][task] for the transformer and for batch TD, [task] for predicting 0.
constexpr const char* kErrorNames[] = {"transformer", "batch_td"};
struct EvaluationErrors {
    std::vector<std::vector<double>> by_length[2];
    std::vector<double> zero;
};

// Mean errors over a stream's tasks so far, at the shortest and the longest context.
struct EvaluationMeasured {
    double shortest = 0, longest = 0, batch_td = 0, zero = 0;

    void say(Row& row) const {
        HistoryPlot& plot = row.plot("running_error", "Value error, mean over the tasks so far");
        plot.y("MSVE").from(0.0);
        plot.note("Single tasks differ widely; each line settles as tasks are added.");
        row("msve_shortest", "n = 1", "Mean squared value error over the tasks so far, at the shortest context.",
            shortest)
            .line(plot, 1)
            .label("transformer, n = 1");
        row("msve_longest", "longest context", "The same at the longest context.", longest)
            .line(plot)
            .label("transformer, longest context");
        row("msve_batch_td", "batch TD, longest context", "The same of batch TD, with a step for each layer.", batch_td)
            .line(plot, 2)
            .dashed();
        row("msve_zero", "predict zero", "The error of predicting 0 everywhere.", zero).line(plot, 7).dashed();
    }
};

ConstructedLayer constructed_layer(const PolicyEvaluationConfig& c, double alpha) {
    return td_construction(alpha * Mat::Identity(c.tasks.d, c.tasks.d));
}

// One stream of tasks, with every task's error at every context length.
class EvaluationSeed final : public SampledSeed<EvaluationMeasured> {
  public:
    EvaluationSeed(const PolicyEvaluationConfig& config, int seed_index)
        : SampledSeed(config.seed, seed_index, config.log_interval),
          config_(config),
          lengths_(context_lengths(config.max_context_length)) {
        for (auto& errors : errors_.by_length) errors.resize(lengths_.size());
    }

    void state(Archive& archive) override {
        Array zero = array_of(errors_.zero);
        archive("zero", zero);
        archive.require(zero.shape.size() == 1, "zero", "is no row of numbers");
        for (const size_t of : {size_t{0}, size_t{1}}) {
            archive.rows(kErrorNames[of], errors_.by_length[of], zero.shape[0]);
            archive.require(errors_.by_length[of].size() == lengths_.size(), kErrorNames[of],
                            fmt::format("is not of {} context lengths", lengths_.size()));
        }
        if (!archive.loads()) return;
        errors_.zero = as_doubles(zero);
        resume_at(static_cast<int64_t>(errors_.zero.size()));
    }

    const EvaluationErrors& errors() const { return errors_; }

  protected:
    void take_step() override {
        evaluate_bank_of(step_);
        const auto i = static_cast<size_t>(step_ % kTasksPerBank);
        for (const size_t of : {size_t{0}, size_t{1}})
            for (size_t n = 0; n < lengths_.size(); ++n) errors_.by_length[of][n].push_back(bank_.by_length[of][n][i]);
        errors_.zero.push_back(bank_.zero[i]);
        ++step_;
    }
    EvaluationMeasured measure() override {
        const auto& [transformer, batch_td] = errors_.by_length;
        return {mean_of(transformer.front()), mean_of(transformer.back()), mean_of(batch_td.back()),
                mean_of(errors_.zero)};
    }

  private:
    void evaluate_bank_of(int64_t step) {
        const int64_t number = step / kTasksPerBank;
        if (bank_number_ == number) return;
        BankOptions options{config_.tasks, kTasksPerBank, lengths_, 0};
        options.seed = derive_seed(seed(), Purpose::held_out) + static_cast<uint64_t>(number);
        const HeldOutBank bank(options);
        const ConstructedLayer layer = constructed_layer(config_, config_.alpha);
        const std::vector<float> P = floats_of(layer.P), Q = floats_of(layer.Q);
        const LinearAttentionView network{config_.num_layers, 1, P.data(), Q.data()};
        const auto alpha = static_cast<float>(config_.alpha);
        bank_ = {{}, bank.errors(0, 1, 0.0F)};
        for (size_t n = 0; n < lengths_.size(); ++n) {
            bank_.by_length[0].push_back(bounded_errors(bank.errors(n, network)));
            bank_.by_length[1].push_back(bounded_errors(bank.errors(n, config_.num_layers, alpha)));
        }
        bank_number_ = number;
    }

    PolicyEvaluationConfig config_;
    std::vector<int> lengths_;
    EvaluationErrors errors_, bank_;
    int64_t bank_number_ = -1;
};

using Streams = std::vector<const EvaluationSeed*>;

// ---- pictures

// P and Q of the constructed layer, the same in every seed.
std::vector<NamedMatrix> policy_evaluation_matrices(const PolicyEvaluationConfig& config, int seeds) {
    const ConstructedLayer layer = constructed_layer(config, config.alpha), pure = constructed_layer(config, 1);
    const auto make = [&](const char* name, const char* help, const Mat& values, const Mat& target) {
        ShownMatrix matrix(name, fmt::format("{} as constructed", name[0]), help);  // all layers share it
        matrix.square(prompt_blocks(config.tasks.d)).target(table_of(target), "theory: Eq. (7), Wang et al. 2025");
        for (int k = 0; k < seeds; ++k) matrix.seed(table_of(values), table_of(values));
        return matrix.note_alignment("constructed: the same in every seed");
    };
    return {make("P0", "What a layer writes: only to the last row.", layer.P, pure.P),
            make("Q0", "What a layer compares: \u03c6 against the query's \u03b3\u03c6' - \u03c6.", layer.Q, pure.Q)};
}

// MSVE against context length, as the mean over each seed's tasks.
PlotSpec evaluation_plot(const std::vector<int>& lengths, const Streams& seeds) {
    const std::vector<double> x(lengths.begin(), lengths.end());
    std::vector<std::vector<double>> rows[2], zero;
    for (const EvaluationSeed* seed : seeds) {
        for (const size_t of : {size_t{0}, size_t{1}}) {
            rows[of].emplace_back();
            for (const auto& tasks : seed->errors().by_length[of]) rows[of].back().push_back(mean_of(tasks));
        }
        zero.emplace_back(x.size(), mean_of(seed->errors().zero));
    }
    Plot plot("msve_by_context_length", "Value error against context length");
    plot.x("context length n").from(0.0);
    plot.y("MSVE").from(0.0);
    plot.line("constructed transformer", x, rows[0]);
    plot.line("batch TD", x, rows[1]).color(1).dashed();
    plot.line("predict zero", x, zero).color(7).dashed();
    plot.note(
        "Mean squared value error over the tasks so far. The transformer has Theorem 1's weights for every task.");
    return plot;
}

// The errors of all tasks of all seeds.
std::vector<double> all_errors(const Streams& seeds, const auto& of) {
    std::vector<double> all;
    for (const EvaluationSeed* seed : seeds) all = both_of(std::move(all), of(seed->errors()));
    return all;
}

// Mean, standard error and median over all tasks of all seeds by context length: arrays "context_length",
// "transformer_mean", ..., "tasks".
ArrayMap evaluation_statistics(const std::vector<int>& lengths, const Streams& seeds) {
    ArrayMap map;
    map["context_length"] = array_of(std::vector<int64_t>(lengths.begin(), lengths.end()));
    for (const size_t of : {size_t{0}, size_t{1}}) {
        std::vector<double> mean, error, median;
        for (size_t n = 0; n < lengths.size(); ++n) {
            auto all = all_errors(seeds, [&](const EvaluationErrors& errors) { return errors.by_length[of][n]; });
            const Summary summary = summarise(all, true);
            mean.push_back(summary.mean);
            error.push_back(summary.standard_error);
            median.push_back(summary.median);
            map["tasks"] = {{}, std::vector<int64_t>{summary.count}};
        }
        const std::string name = kErrorNames[of];
        map[name + "_mean"] = array_of(mean);
        map[name + "_standard_error"] = array_of(error);
        map[name + "_median"] = array_of(median);
    }
    return map;
}

std::vector<Scalar> evaluation_scalars(const std::vector<int>& lengths, const Streams& seeds) {
    const auto mean_at = [&seeds](size_t length) {
        return mean_of(all_errors(seeds, [&](const EvaluationErrors& errors) { return errors.by_length[0][length]; }));
    };
    const double zero = mean_of(all_errors(seeds, [](const EvaluationErrors& errors) { return errors.zero; }));
    return {{"msve_shortest", "MSVE at n = 1", mean_at(0), "", "The error with one transition in the context."},
            {"msve_longest", fmt::format("at n = {}", lengths.back()), mean_at(lengths.size() - 1), "",
             "The error with the longest context.", false,
             fmt::format("value error {{}} (MSVE at n = {})", lengths.back())},
            {"msve_zero", "predict zero", zero, "", "The error of predicting 0 everywhere."}};
}

// ---- Figure 1 beside the authors' curve

// Figure 1 by the authors' published code on 20,000 tasks: MSVE and its standard error at n = 1, 3, .., 39.
struct ReferenceError {
    double mean, standard_error;
};
constexpr std::array<ReferenceError, 20> kReference = {
    {{1.53406, 0.01489}, {0.94225, 0.00836}, {0.64508, 0.00562}, {0.51156, 0.00410}, {0.44346, 0.00359},
     {0.39815, 0.00313}, {0.36799, 0.00274}, {0.34823, 0.00253}, {0.33431, 0.00246}, {0.32317, 0.00231},
     {0.31367, 0.00227}, {0.30745, 0.00223}, {0.29844, 0.00208}, {0.29484, 0.00211}, {0.28988, 0.00207},
     {0.28484, 0.00199}, {0.28177, 0.00198}, {0.27908, 0.00194}, {0.27668, 0.00193}, {0.27356, 0.00187}}};

// The largest distance from the reference, in combined standard errors.
Measurement distance_from_reference(const ArrayMap& statistics, const std::string& name) {
    const auto mean = as_doubles(statistics.at(name + "_mean")),
               error = as_doubles(statistics.at(name + "_standard_error"));
    double worst = 0.0;
    size_t worst_at = 0;
    const size_t compared = smaller(mean.size(), kReference.size());
    for (size_t i = 0; i < compared; ++i) {
        const auto [reference, reference_error] = kReference[i];
        const double distance = std::abs(mean[i] - reference) / std::hypot(error[i], reference_error);
        if (!std::isnan(distance) && !(distance > worst)) continue;
        worst = distance;
        worst_at = i;
    }
    return {worst, fmt::format("at n = {}; {} context lengths", 2 * worst_at + 1, compared)};
}

void draw_wang_1(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    const auto config = config_from<PolicyEvaluationConfig>(snapshot.settings);
    PlotSpec plot = snapshot.plots.at(0);
    plot.title = fmt::format("{} layers, step size {}", config.num_layers, config.alpha);
    Series& reference = plot.series.emplace_back(Series{"authors' code, 20,000 tasks", {}, {{}}, 3, true});
    for (const ReferenceError& at : kReference) {
        reference.x.push_back(2.0 * static_cast<double>(reference.x.size()) + 1);
        reference.rows[0].push_back(at.mean);
    }
    draft.add(std::move(plot));
    draft.measure("wang-1-transformer", distance_from_reference(snapshot.weights, "transformer"));
    draft.measure("wang-1-batch-td", distance_from_reference(snapshot.weights, "batch_td"));
}

class EvaluationStudy final : public StudyOf<PolicyEvaluationConfig, EvaluationSeed> {
  public:
    explicit EvaluationStudy(const Settings& settings) : StudyOf(kEvaluationStudy, settings) {
        declare(EvaluationMeasured());
    }
    static void check(const PolicyEvaluationConfig& c) {
        if (c.tasks.min_states > c.tasks.num_states)
            throw InputError("min_states: {} is more than num_states = {}. Lower one or raise the other.",
                             c.tasks.min_states, c.tasks.num_states);
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const std::vector<int> lengths = context_lengths(config_.max_context_length);
        snapshot.matrices = policy_evaluation_matrices(config_, static_cast<int>(seeds.size()));
        snapshot.plots = {evaluation_plot(lengths, seeds)};
        snapshot.weights = evaluation_statistics(lengths, seeds);
        snapshot.scalars = evaluation_scalars(lengths, seeds);
    }
};

}  // namespace

ExperimentInfo policy_evaluation() {
    return experiment_of<EvaluationStudy>(
        kEvaluationStudy, "In-context policy evaluation",
        "A transformer with theory's weights evaluates policies in context: its weights are fixed, yet its error on "
        "unseen tasks falls as the context grows (Wang et al. 2025, Figure 1). Nothing is trained.",
        {shipped_figure(
            "wang-1",
            {.measures = {"wang-1-transformer", "wang-1-batch-td"}, .draw = draw_wang_1, .of_any_run = true})});
}

}  // namespace emergence
