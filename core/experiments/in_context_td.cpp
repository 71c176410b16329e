#include "core/experiments/in_context_td.h"

#include <fmt/format.h>

#include <algorithm>

#include <cmath>
#include <span>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/experiments/in_context_td_study.h"
#include "core/models/network_limits.h"

namespace emergence {
namespace {

const char* const kEmergenceRule =
    "A seed counts as emerged (this laboratory's rule) when P[-1,-1] is P's largest entry and, with Q "
    "divided by its "
    "largest entry, the trace of Q's upper-left block is below -d/2 and, for more than one layer, that of "
    "its upper-right "
    "block is above d/4.";

MultiTaskTdOptions training_options(const InContextTdConfig& c) {
    MultiTaskTdOptions options;
    options.tasks = task_options(c);
    options.num_layers = c.num_layers;
    options.context_length = c.n;
    options.minibatch_size = c.minibatch_size;
    options.minibatches_per_mrp = c.minibatches_per_mrp;
    options.initial_gain = c.initial_gain;
    options.adam.learning_rate = c.learning_rate;
    options.adam.weight_decay = c.weight_decay;
    return options;
}

Table table_of(std::span<const float> values, int rows) {
    Table table(rows, rows);
    for (size_t i = 0; i < table.values.size(); ++i) table.values[i] = static_cast<double>(values[i]);
    return table;
}

double norm_of(std::span<const float> values) {
    double sum = 0;
    for (const float x : values) sum += static_cast<double>(x) * static_cast<double>(x);
    return std::sqrt(sum);
}

LinearAttentionView view_of(const MultiTaskTd& training, int layers) {
    return {layers, training.stored_layers(), training.P().data(), training.Q().data()};
}

}  // namespace

// ---- one seed
// ------------------------------------------------------------------------------------------------------

InContextTdSeed::InContextTdSeed(const InContextTdConfig& config, uint64_t seed, int seed_index,
                                 std::shared_ptr<const HeldOutBank> bank)
    : config_(config),
      seed_(seed),
      seed_index_(seed_index),
      bank_(std::move(bank)),
      training_(training_options(config), seed),
      initial_norm_P_(norm_of(training_.P())),
      initial_norm_Q_(norm_of(training_.Q())) {}

Table InContextTdSeed::P() const { return table_of(training_.P(), training_.rows()); }
Table InContextTdSeed::Q() const { return table_of(training_.Q(), training_.rows()); }

void InContextTdSeed::advance(int64_t target_step, std::vector<MetricRow>& rows) {
    if (last_logged_ < 0) log(rows);
    while (training_.mrps() < target_step && !training_.diverged()) {
        training_.train_one_mrp();
        if (!training_.diverged() && training_.mrps() % config_.log_interval == 0) log(rows);
    }
}

void InContextTdSeed::log(std::vector<MetricRow>& rows) {
    const ElementWise e = element_wise(P(), Q());
    const BankScores scores = bank_->compare(0, view_of(training_, config_.num_layers), training_.alpha());
    last_logged_ = training_.mrps();
    emerged_ = has_emerged(e, config_.d, config_.num_layers);
    if (emerged_ && emerged_at_ < 0) emerged_at_ = last_logged_;
    rows.push_back({seed_index_,
                    last_logged_,
                    {training_.take_mean_loss(), static_cast<double>(training_.alpha()), e.p_corner,
                     e.p_others, e.q_trace_upper_left, e.q_trace_upper_right, e.q_others,
                     scores.value_difference, scores.implicit_weight_similarity,
                     scores.sensitivity_similarity, scores.msve, scores.msve_batch_td}});
}

SeedStatus InContextTdSeed::status() const {
    SeedStatus status{seed_, training_.mrps(), training_.diverged(), "", emerged_, emerged_at_};
    if (training_.diverged())
        status.reason =
            fmt::format("diverged in MRP {}, its loss or weights not finite; the weights before it are kept",
                        training_.mrps() + 1);
    return status;
}

ArrayMap InContextTdSeed::save() const {
    ArrayMap map = training_.save();
    map["log"] = {{3}, std::vector<int64_t>{last_logged_, emerged_at_, emerged_ ? 1 : 0}};
    return map;
}

void InContextTdSeed::load(const ArrayMap& state) {
    const auto found = state.find("log");
    const auto* log =
        found == state.end() ? nullptr : std::get_if<std::vector<int64_t>>(&found->second.values);
    if (!log || log->size() != 3)
        throw InputError("training state: array 'log' with three whole numbers is missing");
    ArrayMap training = state;
    training.erase("log");
    training_.load(training);
    last_logged_ = (*log)[0];
    emerged_at_ = (*log)[1];
    emerged_ = (*log)[2] != 0;
}

// ---- all seeds
// -----------------------------------------------------------------------------------------------------

namespace {

bool same_but_for_live_fields(const Settings& a, const Settings& b) {
    return std::all_of(a.fields().begin(), a.fields().end(), [&](const FieldInfo& field) {
        return field.applies == Applies::live || a.value(field.name) == b.value(field.name);
    });
}

// Plots and scalars, from the snapshot's own weights.
void evaluate(Snapshot& snapshot, const InContextTdConfig& config, const HeldOutBank& bank) {
    const auto P = as_doubles(snapshot.weights.at("P")), Q = as_doubles(snapshot.weights.at("Q")),
               alpha = as_doubles(snapshot.weights.at("alpha"));
    const auto size = static_cast<std::ptrdiff_t>((2 * config.d + 1) * (2 * config.d + 1));
    check(P.size() == static_cast<size_t>(size) * snapshot.seeds.size(),
          "an inspection keeps the trained sizes");
    std::vector<TrainedSeed> trained;
    for (size_t k = 0; k < snapshot.seeds.size(); ++k) {
        const auto at = static_cast<std::ptrdiff_t>(k) * size;
        trained.push_back({{P.begin() + at, P.begin() + at + size},
                           {Q.begin() + at, Q.begin() + at + size},
                           static_cast<float>(alpha[k]),
                           snapshot.seeds[k].failed});
    }
    snapshot.plots = {value_error_plot(config, bank, trained)};
    snapshot.scalars = value_error_scalars(config, bank, snapshot.plots[0]);
    snapshot.evaluated = true;
}

}  // namespace

InContextTdStudy::InContextTdStudy(const Settings& settings)
    : settings_(settings),
      config_(config_from<InContextTdConfig>(settings)),
      bank_(make_bank(config_, config_.bank_size, {config_.n})),
      length_bank_(make_bank(config_, 300, context_length_grid(config_.eval_context_length, config_.n))),
      first_settings_(settings),
      first_length_bank_(length_bank_),
      metric_plots_(in_context_td_plots(config_, *bank_)) {}

std::unique_ptr<Experiment> InContextTdStudy::make_seed(int seed_index) const {
    return std::make_unique<InContextTdSeed>(config_, static_cast<uint64_t>(config_.seed + seed_index),
                                             seed_index, bank_);
}

const MetricTable& InContextTdStudy::metrics() const {
    static const MetricTable table = {
        {"loss", "TD loss",
         "Mean squared TD error of the network over the minibatches since the last point."},
        {"alpha", "\u03b1", "Batch TD's step size, trained beside the network on the same prompts."},
        {"p_corner", "P[-1,-1]", "P's bottom-right entry, sign aligned."},
        {"p_others", "mean |P| of the others", "Mean absolute value of P's other entries."},
        {"q_trace_upper_left", "tr Q[:d,:d]",
         "Trace of Q's upper-left block, sign aligned: the current value, -\u03c6."},
        {"q_trace_upper_right", "tr Q[:d,d:2d]",
         "Trace of Q's upper-right block, sign aligned: bootstrapping, +\u03b3\u03c6'."},
        {"q_others", "mean |Q| of the others", "Mean absolute value of Q's entries outside both traces."},
        {"value_difference", "VD",
         "Squared difference of the network's and batch TD's values, under the stationary "
         "distribution, on held-out MRPs."},
        {"implicit_weight_similarity", "IWS", "Cosine of the network's implicit weight and batch TD's."},
        {"sensitivity_similarity", "SS",
         "Cosine of both values' gradients by the query; equals IWS for linear attention."},
        {"msve", "transformer", "Mean square value error on held-out MRPs."},
        {"msve_batch_td", "batch TD", "The same error of batch TD with its trained \u03b1."},
    };
    return table;
}

Snapshot InContextTdStudy::describe(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot = outline(seeds);
    evaluate(snapshot, config_, *length_bank_);
    return snapshot;
}

Snapshot InContextTdStudy::outline(const std::vector<const Experiment*>& seeds) const {
    Snapshot snapshot;
    snapshot.experiment = "td";
    snapshot.settings = settings_;
    snapshot.evaluated = false;
    snapshot.step_unit = step_unit();
    snapshot.emergence_rule = kEmergenceRule;
    const int rows = 2 * config_.d + 1, count = static_cast<int>(seeds.size());
    const TheoryMatrices theory = in_context_td_theory(config_.d, config_.num_layers);
    const std::vector<Block> blocks = {{"\u03c6", config_.d}, {"\u03b3\u03c6'", config_.d}, {"R", 1}};
    NamedMatrix P{.name = "P0",
                  .help = "What a layer writes: theory adds to the last row only.",
                  .row_blocks = blocks,
                  .column_blocks = blocks,
                  .seeds = {},
                  .signs = {},
                  .may_scale = true,
                  .alignment_note = "signs aligned by P[-1,-1]",
                  .target = theory.P,
                  .target_name = theory.name,
                  .initial_norms = Table(1, count),
                  .meanings = in_context_td_meanings("P0", config_.num_layers)};
    NamedMatrix Q = P;
    Q.name = "Q0";
    Q.help =
        "What a layer compares: theory weighs a transition's \u03c6 against the query's \u03b3\u03c6' - "
        "\u03c6.";
    Q.target = theory.Q;
    Q.meanings = in_context_td_meanings("Q0", config_.num_layers);
    std::vector<float> all_P, all_Q, alphas;
    for (int k = 0; k < count; ++k) {
        const auto& seed = dynamic_cast<const InContextTdSeed&>(*seeds[static_cast<size_t>(k)]);
        const MultiTaskTd& training = seed.training();
        snapshot.seeds.push_back(seed.status());
        snapshot.step = std::max(snapshot.step, seed.step());
        P.seeds.push_back(seed.P());
        Q.seeds.push_back(seed.Q());
        P.signs.push_back(training.P().back() < 0 ? -1.0 : 1.0);
        P.initial_norms(0, k) = seed.initial_norm_P();
        Q.initial_norms(0, k) = seed.initial_norm_Q();
        all_P.insert(all_P.end(), training.P().begin(), training.P().end());
        all_Q.insert(all_Q.end(), training.Q().begin(), training.Q().end());
        alphas.push_back(training.alpha());
    }
    Q.signs = P.signs;
    snapshot.matrices = {std::move(P), std::move(Q)};
    snapshot.formulas = {in_context_td_formula(config_.num_layers)};
    const auto size = static_cast<size_t>(rows);
    snapshot.weights["P"] = {{seeds.size(), 1, size, size}, std::move(all_P)};
    snapshot.weights["Q"] = {{seeds.size(), 1, size, size}, std::move(all_Q)};
    std::vector<int64_t> numbers;
    numbers.reserve(seeds.size());
    for (const SeedStatus& status : snapshot.seeds) numbers.push_back(static_cast<int64_t>(status.seed));
    snapshot.weights["seed"] = {{seeds.size()}, std::move(numbers)};
    snapshot.weights["alpha"] = {{seeds.size()}, std::move(alphas)};
    return snapshot;
}

Snapshot InContextTdStudy::inspect(const Snapshot& snapshot, const Inspection& inspection) const {
    if (inspection.kind != "evaluate")
        throw InputError("inspection '" + inspection.kind + "': experiment td knows 'evaluate'");
    const auto config = config_from<InContextTdConfig>(inspection.settings);
    const auto lengths = context_length_grid(config.eval_context_length, config.n);
    const bool fits = lengths == first_length_bank_->options().context_lengths &&
                      same_but_for_live_fields(inspection.settings, first_settings_);
    const auto bank = fits ? first_length_bank_ : make_bank(config, 300, lengths);
    Snapshot answer = snapshot;
    answer.settings = inspection.settings;
    evaluate(answer, config, *bank);
    return answer;
}

void InContextTdStudy::set_live(const Settings& settings) {
    const int marked = config_.eval_context_length;
    settings_ = settings;
    config_ = config_from<InContextTdConfig>(settings);
    if (config_.eval_context_length != marked &&
        context_length_grid(marked, config_.n) != context_length_grid(config_.eval_context_length, config_.n))
        length_bank_ = make_bank(config_, 300, context_length_grid(config_.eval_context_length, config_.n));
}

// ---- the registry's line
// -------------------------------------------------------------------------------------------

ExperimentInfo in_context_td() {
    ExperimentInfo info;
    info.name = "td";
    info.title = "In-context TD";
    info.summary =
        "A linear transformer is trained to predict the values of random Boyan chains. Nothing tells it how, "
        "and in its "
        "forward pass it comes to run batch TD learning on its prompt (Wang et al. 2025).";
    info.emergence_rule = kEmergenceRule;
    info.fields = std::make_shared<const FieldTable>(fields_of<InContextTdConfig>());
    info.check = [](const Settings& settings) {
        const auto c = config_from<InContextTdConfig>(settings);
        if (c.num_layers + c.eval_extra_layers > kMaxLayers)
            throw InputError(
                fmt::format("eval_extra_layers: found {}, with num_layers = {} at most {} is allowed",
                            c.eval_extra_layers, c.num_layers, kMaxLayers - c.num_layers));
        if (c.log_interval > c.num_mrps)
            throw InputError(fmt::format(
                "log_interval: found {}, allowed is at most num_mrps = {}, else nothing is logged",
                c.log_interval, c.num_mrps));
    };
    info.make = [](const Settings& settings) { return std::make_unique<InContextTdStudy>(settings); };
    info.figures = {{"wang-2", "Figure 2: what the transformer learned, and how", "wang-2", figure_wang_2}};
    info.claims = in_context_td_claims();
    return info;
}

}  // namespace emergence
