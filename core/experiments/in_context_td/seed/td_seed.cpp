#include "core/experiments/in_context_td/seed/td_seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/start_weights.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/seed/td_verdict.h"
#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/settings/td_network.h"

namespace emergence {

namespace {

std::vector<Lack> without_target(const InContextTdConfig& config) {
    if (has_target(config)) return {};
    return {{"this algorithm has no matrices of theory"}};
}

InContextTdConfig with_loss_of(InContextTdConfig config, int seed_index) {
    const std::vector<LossKind> losses = losses_in_turn(config);
    config.loss.kind = losses[static_cast<size_t>(seed_index) % losses.size()];
    return config;
}

}  // namespace

InContextTdSeed::InContextTdSeed(const InContextTdConfig& config, int seed_index,
                                 std::shared_ptr<const SeedMeasures> measures)
    : InContextTdSeed(with_loss_of(config, seed_index), seed_index, std::move(measures),
                      in_context_td_metrics(config)) {}

InContextTdSeed::InContextTdSeed(const InContextTdConfig& config, int seed_index,
                                 std::shared_ptr<const SeedMeasures> measures, Metrics<TdMeasured> metrics)
    : TrainedSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, config.log_interval, std::move(metrics),
                  [&](uint64_t own) {
                      return train_network(network_shape(config), training_options(config, measures->worlds), own);
                  }),
      config_(config),
      shape_(network_shape(config)),
      measures_(std::move(measures)),
      pool_(make_pool_evaluator(config, training_options(config, measures_->worlds), seed())) {
    if (const auto start = start_weights(config, seed_index)) {
        const bool has_alpha = std::isfinite(start->alpha);
        set_weights(start->weights, has_alpha ? start->alpha : measures_->evaluator->nearest_alpha(0, start->weights));
    }
    initial_weights_ = training().weights();
}

InContextTdSeed::~InContextTdSeed() = default;

void InContextTdSeed::state(Archive& archive) {
    TrainedSeed::state(archive);
    for (const char* former : {"map", "line_up"})  // fits of earlier versions
        if (archive.has(former)) {
            Array unused;
            archive(former, unused);
        }
    if (!measures_->prompts) return;
    if (archive.loads()) held_ = 0, computed_since_ = -1;  // earlier versions saved none
    if (!archive.loads() || archive.has("computes")) archive("computes", held_);
    if (!archive.loads() || archive.has("computes_since")) archive("computes_since", computed_since_);
    archive.require(held_ >= 0, "computes", "is negative");
}

void InContextTdSeed::set_weights(const std::vector<float>& weights, float alpha) {
    ArrayMap state = own_training().save();
    state["weights"].values = weights;
    state["alpha"].values = std::vector<float>{alpha};
    state["progress"].values = std::vector<int64_t>{0, 0, 0};
    own_training().load(state);
}

Table InContextTdSeed::matrix(const NamedBlock& block) const { return matrix_in(training().weights(), block); }

ElementWise InContextTdSeed::elements(std::vector<Lack>& lacks) const {
    const auto& blocks = training().blocks();  // all P, then all Q
    const auto stored = static_cast<size_t>(shape_.stored);
    ElementWise mean;
    lacks = without_target(config_);
    for (size_t l = 0; l < stored; ++l) {
        const ElementWise e = element_wise(matrix(blocks[l]), matrix(blocks[stored + l]));
        // With sequential layers only the query's column of the last layer matters. It has no gamma phi' to
        // bootstrap from, so the upper-right block is free, as with a single layer, and fades.
        const int layers = stored > 1 && l + 1 == stored ? 1 : config_.num_layers;
        if (lacks.empty()) {
            lacks = config_.loss.kind == LossKind::residual_gradient
                        ? lacks_to_emerge_residual(e, config_.tasks.d, layers)
                        : lacks_to_emerge(e, config_.tasks.d, layers);
            if (stored > 1)
                for (Lack& lack : lacks) lack.what = fmt::format("layer {}: {}", l, lack.what);
        }
        const double sign = may_flip_signs(shape_) ? 1.0 : e.sign;  // as trained
        const auto count = static_cast<double>(stored);
        for (const auto part :
             {&ElementWise::p_corner, &ElementWise::q_trace_upper_left, &ElementWise::q_trace_upper_right})
            mean.*part += sign * e.*part / count;
        for (const auto part : {&ElementWise::p_others, &ElementWise::q_others}) mean.*part += e.*part / count;
    }
    return mean;
}

std::array<ElementWise, 2> InContextTdSeed::heads(std::vector<Lack>& lacks) const {
    const auto& blocks = training().blocks();
    std::array<ElementWise, 2> heads;
    for (size_t head = 0; head < 2; ++head)
        heads[head] =
            head_elements(matrix(blocks[2 * head]), matrix(blocks[shape_.shares_Q ? 1 : 2 * head + 1]), head == 0);
    lacks = without_target(config_);
    if (lacks.empty()) lacks = lacks_to_emerge_heads(heads[0], heads[1], config_.tasks.d, config_.num_layers);
    return heads;
}

void InContextTdSeed::measure_elements(TdMeasured& measured) {
    if (shape_.model == Model::rnn) return;
    std::vector<Lack> lacks;
    if (shape_.model == Model::two_heads)
        measured.heads = heads(lacks);
    else
        measured.elements = elements(lacks);
    judge(lacks.empty(), lacks);
    measured.pattern = has_lasted() ? 1 : 0;
}

void InContextTdSeed::measure_verdict(TdMeasured& measured) {
    if (!measures_->prompts) return;
    measured.verdict = present_verdict();
    if (shape_.learns_lambda) measured.mask_lambda = static_cast<double>(training().weights().back());
    const auto own = own_verdict(config_);
    if (!own) return;
    const bool computes = measured.verdict.name == *own;
    held_ = computes ? held_ + 1 : 0;
    if (held_ >= lasting_steps() && computed_since_ < 0) computed_since_ = step() - (held_ - 1) * config_.log_interval;
    measured.computes_own = computes ? 1 : 0;
    measured.function = held_ >= lasting_steps() ? 1 : 0;
}

NetworkVerdict InContextTdSeed::present_verdict() const {
    const std::vector<float>& weights = training().weights();
    return verdict(view_of(config_, weights), *measures_->prompts, landmarks_of(config_, weights));
}

// Weights that stand still need not last.
int64_t InContextTdSeed::lasting_steps() const { return stands_still(config_) ? 1 : kLastingSteps; }

SeedStatus InContextTdSeed::status() const {
    SeedStatus status = TrainedSeed::status();
    if (!measures_->prompts || last_logged() < 0) return status;
    const bool is_measured = latest_.seed != nullptr && last_logged() == step();  // neither loaded nor stepped since
    status.judged = judged_as(config_, is_measured ? latest_.verdict : present_verdict(), training().weights());
    status.judged->since = computed_since_;
    if (computed_since_ < 0 && held_ >= lasting_steps())  // loaded from an earlier version's file
        status.judged->since = last_logged() - (held_ - 1) * config_.log_interval;
    return status;
}

TdMeasured InContextTdSeed::measure() {
    MultiTaskTd& training = own_training();
    const std::vector<float>& weights = training.weights();
    const float alpha = training.alpha();
    TdMeasured measured;
    measured.seed = this;
    measured.scores = measures_->evaluator->compare(0, weights, alpha);
    measured.loss = training.take_mean_loss();
    measured.alpha = static_cast<double>(alpha);
    measure_elements(measured);
    if (pool_) measured.pool = pool_->compare(0, weights, alpha);
    measured.decoys = measures_->decoys->similarities(config_.num_layers, alpha);
    measure_verdict(measured);
    return latest_ = measured;
}

std::string InContextTdSeed::why_diverged() const {
    return fmt::format("diverged in MRP {}, its loss or weights not finite", step() + 1);
}

}  // namespace emergence
