#include "core/experiments/in_context_td/seed/td_seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/start_weights.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/seed/td_line_up.h"
#include "core/experiments/in_context_td/seed/td_map.h"
#include "core/experiments/in_context_td/seed/td_masked_map.h"
#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/settings/td_network.h"

namespace emergence {

namespace {

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
      pool_(make_pool_evaluator(config, training_options(config, measures_->worlds), seed())),
      map_(make_map_follower(config, *measures_)),
      line_up_(make_line_up(config, *measures_)) {
    if (const auto start = start_weights(config, seed_index)) {
        const bool has_alpha = std::isfinite(start->alpha);
        set_weights(start->weights, has_alpha ? start->alpha : measures_->evaluator->nearest_alpha(0, start->weights));
    }
    initial_weights_ = training().weights();
}

InContextTdSeed::~InContextTdSeed() = default;

void InContextTdSeed::state(Archive& archive) {
    TrainedSeed::state(archive);
    if (map_ && archive.loads() && !archive.has("map")) map_->forget();  // version 0.2.0 saved none
    if (map_ && (archive.loads() ? archive.has("map") : map_->has_state())) {
        Array fit = map_->save();
        archive("map", fit);
        if (archive.loads()) map_->load(fit);
    }
    if (!line_up_) return;
    Array fits = line_up_->save();
    archive("line_up", fits);
    if (archive.loads()) line_up_->load(fits);
}

void InContextTdSeed::set_weights(const std::vector<float>& weights, float alpha) {
    ArrayMap state = own_training().save();
    state["weights"].values = weights;
    state["alpha"].values = std::vector<float>{alpha};
    state["progress"].values = std::vector<int64_t>{0, 0, 0};
    own_training().load(state);
}

Table InContextTdSeed::matrix(const NamedBlock& block) const { return matrix_in(training().weights(), block); }

ElementWise InContextTdSeed::elements(std::string& lacks) const {
    const auto& blocks = training().blocks();  // all P, then all Q
    const auto stored = static_cast<size_t>(shape_.stored);
    ElementWise mean;
    lacks = has_target(config_) ? "" : "this algorithm has no matrices of theory";
    for (size_t l = 0; l < stored; ++l) {
        const ElementWise e = element_wise(matrix(blocks[l]), matrix(blocks[stored + l]));
        // With sequential layers only the query's column of the last layer matters. It has no gamma phi' to
        // bootstrap from, so the upper-right block is free, as with a single layer, and fades.
        const int layers = stored > 1 && l + 1 == stored ? 1 : config_.num_layers;
        if (lacks.empty()) {
            lacks = config_.loss.kind == LossKind::residual_gradient
                        ? lacks_to_emerge_residual(e, config_.tasks.d, layers)
                        : lacks_to_emerge(e, config_.tasks.d, layers);
            if (!lacks.empty() && stored > 1) lacks = fmt::format("layer {}: {}", l, lacks);
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

std::array<ElementWise, 2> InContextTdSeed::heads(std::string& lacks) const {
    const auto& blocks = training().blocks();
    std::array<ElementWise, 2> heads;
    for (size_t head = 0; head < 2; ++head)
        heads[head] =
            head_elements(matrix(blocks[2 * head]), matrix(blocks[shape_.shares_Q ? 1 : 2 * head + 1]), head == 0);
    lacks = has_target(config_) ? lacks_to_emerge_heads(heads[0], heads[1], config_.tasks.d, config_.num_layers)
                                : "this algorithm has no matrices of theory";
    return heads;
}

void InContextTdSeed::measure_elements(TdMeasured& measured) {
    if (shape_.model == Model::rnn) return;
    std::string lacks;
    if (shape_.model == Model::two_heads)
        measured.heads = heads(lacks);
    else
        measured.elements = elements(lacks);
    judge(lacks.empty(), lacks);
    measured.pattern = has_lasted() ? 1 : 0;
}

void InContextTdSeed::measure_place(TdMeasured& measured) {
    if (!map_) return;
    const std::vector<float>& weights = training().weights();
    measured.place = follow_map(config_, weights, *map_);
    map_->count(lacks_own_place(config_, measured.place, weights).empty());
    if (has_own_place(config_)) measured.function = map_->lasting() >= lasting_steps() ? 1 : 0;
    if (!shape_.is_masked()) return;
    const LinearAttentionView network = view_of(config_, weights);
    const double own = own_second_coordinate(config_, weights);
    measured.own_unexplained = map_->unexplained_at(network, 1, own);
    measured.td_unexplained = map_->unexplained_at(network, 1, 0);
    if (shape_.learns_lambda) measured.mask_lambda = own;
}

// Weights that stand still need not last.
int64_t InContextTdSeed::lasting_steps() const { return stands_still(config_) ? 1 : kLastingSteps; }

SeedStatus InContextTdSeed::status() const {
    SeedStatus status = TrainedSeed::status();
    if (!map_ || last_logged() < 0) return status;
    // A seed that was loaded has measured nothing yet.
    const MapPlace place =
        latest_.seed != nullptr ? latest_.place : map_->place(view_of(config_, training().weights()));
    status.computes = shape_.is_masked() ? words_of_masked_place(map_axis(config_), place) : words_of_place(place);
    if (!has_own_place(config_)) return status;
    const int64_t lasting = map_->lasting();
    status.function = lasting >= lasting_steps();
    if (*status.function)
        status.function_at = last_logged() - (lasting - 1) * config_.log_interval;
    else if (lasting > 0)
        status.function_lacks = status.computes +=
            fmt::format("; so for {} of {} logged steps", lasting, lasting_steps());
    else
        status.function_lacks = lacks_own_place(config_, place, training().weights());
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
    measure_place(measured);
    if (line_up_) {
        follow_line_up(config_, weights, *line_up_);
        measured.line_up = line_up_.get();
    }
    return latest_ = measured;
}

std::string InContextTdSeed::why_diverged() const {
    return fmt::format("diverged in MRP {}, its loss or weights not finite", step() + 1);
}

}  // namespace emergence
