#include "core/training/softmax_td_training.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace emergence {
namespace {

// Xavier normal in the last two rows of P and in Q outside its masked block, 0 elsewhere.
std::vector<float> drawn_weights(const SoftmaxTdTrainingOptions& options, uint64_t seed) {
    const int d = options.tasks.d, D = d + 3;
    std::vector<float> weights(2 * D * D, 0.0F);
    for (int matrix = 0; matrix < 2; ++matrix) {
        Stream stream(seed, Purpose::initial_weights, 0, static_cast<uint32_t>(matrix));
        for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j) {
                const double x = options.initial_gain / std::sqrt(static_cast<double>(D)) * stream.normal();
                const bool masked = matrix == 0 ? i < D - 2 : options.mask_scores && i >= d && j >= d;
                if (!masked) weights[(matrix * D + i) * D + j] = static_cast<float>(x);
            }
    }
    return weights;
}

void set_clamped(const SoftmaxTdTrainingOptions& options, std::vector<float>& weights) {
    const int d = options.tasks.d, D = d + 3;
    const auto half = static_cast<std::ptrdiff_t>(D * D);
    if (options.clamp == Clamp::Q) {
        std::fill(weights.begin() + half, weights.end(), 0.0F);
        for (int i = 0; i < d; ++i) weights[(D + i) * D + i] = static_cast<float>(options.clamp_sharpness);
    } else if (options.clamp == Clamp::P) {
        std::fill(weights.begin(), weights.begin() + half, 0.0F);
        const auto step = static_cast<float>(options.clamp_step);
        const auto row = weights.begin() + (D - 1) * D + d;
        row[0] = row[1] = step;
        row[2] = -step;
    }
}

// Linear from `first` to `second` over `length` updates, then `second`.
double ramp(double first, double second, int64_t length, int64_t update) {
    if (update >= length) return second;
    return first + (second - first) * static_cast<double>(update) / static_cast<double>(length);
}

}  // namespace

SoftmaxTdTraining::SoftmaxTdTraining(const SoftmaxTdTrainingOptions& options, uint64_t seed)
    : options_(options), seed_(seed), initial_weights_(drawn_weights(options, seed)) {
    check(options.tasks.has_values(), "finite tasks");
    set_clamped(options, initial_weights_);
    state_ = {initial_weights_, Adam<float>(initial_weights_.size())};
    tables_.resize(SoftmaxTdTables{shape_.num_states}.size());
    table_gradient_.resize(tables_.size());
    gradient_.resize(initial_weights_.size());
    consider_checkpoint();
}

double SoftmaxTdTraining::mixing() const {
    return ramp(options_.mixing, options_.final_mixing, options_.mixing_updates, updates_);
}

// The minibatch of the next update: a new trajectory of its MRP.
void SoftmaxTdTraining::draw_minibatch() {
    const int64_t number = updates_ / options_.minibatches_per_mrp;
    if (number != mrp_number_) {
        mrp_number_ = number;
        draw_mrp(options_.tasks, seed_, static_cast<uint32_t>(number), mrp_);
        features_ = state_features(mrp_);
    }
    Stream stream(seed_, Purpose::trajectory, static_cast<uint32_t>(number),
                  static_cast<uint32_t>(updates_ % options_.minibatches_per_mrp));
    states_ = draw_path(mrp_, shape_.num_times() - 1, stream);
}

// The loss of the drawn minibatch, and its gradient by the trained weights.
float SoftmaxTdTraining::gradient_of_minibatch() {
    const auto temperature = static_cast<float>(options_.temperature);
    softmax_td_tables(features_, state_.weights.data(), temperature, tables_.data());
    const float loss = windows_->td_loss({states_.data(), features_.rewards.data(), tables_.data(),
                                          static_cast<float>(options_.tasks.gamma), static_cast<float>(mixing())},
                                         table_gradient_.data());
    softmax_td_weight_gradient(features_, table_gradient_.data(), temperature, gradient_.data());
    const int d = options_.tasks.d, D = rows();
    if (options_.mask_scores)
        for (int i = d; i < D; ++i)
            for (int j = d; j < D; ++j) gradient_[(D + i) * D + j] = 0.0F;
    return loss;
}

void SoftmaxTdTraining::consider_checkpoint() {
    const SoftmaxEmergence now = emergence();
    const double score = now.v_emergence * now.a_emergence;
    // While all scores are 0, the latest weights are preferred to earlier ones.
    if (score > best_.score || best_.score == 0) best_ = {state_.weights, updates_, score};
}

void SoftmaxTdTraining::update() {
    if (diverged_) return;
    draw_minibatch();
    last_good_ = state_;
    const float loss = gradient_of_minibatch();
    AdamOptions adam = options_.adam;
    adam.learning_rate *= ramp(1.0, options_.final_rate_share, options_.rate_updates, updates_);
    if (std::isfinite(loss)) state_.adam.step(state_.weights.data(), gradient_.data(), adam);
    set_clamped(options_, state_.weights);
    if (!std::isfinite(loss) || !all_finite(state_.weights)) {
        state_ = last_good_;
        diverged_ = true;
        return;
    }
    ++updates_;
    loss_.add(static_cast<double>(loss));
    // Near zero the loss is almost even in (P, Q), so the two basins are mirror images.
    if (updates_ != options_.flip_at || options_.clamp != Clamp::none || emergence().q_mean >= 0) return;
    for (float& w : state_.weights) w = -w;
    for (float& m : state_.adam.first_moment) m = -m;
    flipped_ = true;
}

double SoftmaxTdTraining::take_mean_loss() {
    if (loss_.count > 0) return loss_.take();
    draw_minibatch();
    return static_cast<double>(gradient_of_minibatch());
}

void SoftmaxTdTraining::state(Archive& archive) {
    archive("weights", state_.weights);
    archive("best_weights", best_.weights);
    archive("adam", state_.adam);
    // Streams are keyed by the update's number, so this number gives the position in them.
    archive("progress", updates_, diverged_, flipped_, loss_.count, best_.update);
    archive("sums", loss_.sum, best_.score);
    archive.require(updates_ >= 0 && loss_.count >= 0 && best_.update >= 0 && best_.update <= updates_, "progress",
                    "is not a number of updates, 0 or 1 for diverged, 0 or 1 for flipped, a number of losses, the best "
                    "update");
}

}  // namespace emergence
