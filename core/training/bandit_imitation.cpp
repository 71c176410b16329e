#include "core/training/bandit_imitation.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/statistics.h"

namespace emergence {

double learning_rate_at(const BanditImitationOptions& options, int64_t step) {
    const double full = options.adam.learning_rate;
    if (step < options.warm_up) return full * static_cast<double>(step + 1) / options.warm_up;
    const double share = static_cast<double>(step - options.warm_up) /
                         static_cast<double>(larger<int64_t>(options.steps - options.warm_up, 1));
    const double cosine = 0.5 * (1.0 + std::cos(std::numbers::pi * smaller(share, 1.0)));
    return full * (options.final_rate + (1.0 - options.final_rate) * cosine);
}

BanditImitation::BanditImitation(const BanditImitationOptions& options, uint64_t seed)
    : options_(options),
      world_seed_(derive_seed(seed, Purpose::task_parameters)),
      weights_(initial_causal_weights(options.shape, seed)) {
    check(options.shape.arms == options.family.arms && options.shape.d == options.family.d &&
              options.shape.rounds == options.family.rounds,
          "a network of the family's sizes");
}

uint32_t BanditImitation::index_of(int64_t k) {
    const int64_t size = options_.trajectories;
    if (size == 0) return static_cast<uint32_t>(k);
    if (k / size != epoch_) {
        epoch_ = k / size;
        order_.resize(size);
        std::iota(order_.begin(), order_.end(), 0U);
        Stream stream(world_seed_, Purpose::pool, static_cast<uint32_t>(epoch_));
        for (size_t left = order_.size(); left > 1; --left)
            std::swap(order_[left - 1], order_[static_cast<size_t>(stream.uniform() * static_cast<double>(left))]);
    }
    return order_[k % size];
}

void BanditImitation::play(uint32_t index, bool by_network) {
    draw_bandit(draw_bandit_options(options_.family, world_seed_, index), world_seed_, index, world_);
    Stream random = policy_stream(world_seed_, index, 0);
    if (by_network) {
        play_bandit(world_, policy_, random, play_);
    } else {
        // Random constants, so that contexts differ in style and quality.
        Stream stream(world_seed_, Purpose::task_parameters, index, 1);
        ArmThompson::Options options;
        options.discount = stream.uniform(0.8, 1.0);
        options.scale = world_.noise_scale * stream.uniform(0.3, 1.5);
        ArmThompson thompson(options);
        play_bandit(world_, thompson, random, play_);
    }
    actions_ = network_actions(world_);
    rewards_.clear();
    for (int round = 0; round < world_.rounds(); ++round)
        rewards_.push_back(static_cast<float>(world_.reward(round, play_.arms[round])));
}

void BanditImitation::train_one_step() {
    if (diverged_) return;
    network_->set_weights(weights_.data());
    const bool own = options_.trajectories == 0 && steps_ >= options_.played_by_others;
    if (own) policy_.set_weights(weights_);
    const double terms = static_cast<double>(options_.batch) * options_.shape.rounds;
    double loss = 0;
    for (int i = 0; i < options_.batch; ++i) {
        play(index_of(steps_ * options_.batch + i), own && i % 2 == 1);
        loss += network_->add_cross_entropy(
            {world_.rounds(), actions_.data(), play_.arms.data(), rewards_.data(), world_.best_arm.data()},
            static_cast<float>(1.0 / terms));
    }
    network_->take_gradient(gradient_.data());
    double norm = 0;
    for (const float g : gradient_) norm += static_cast<double>(g) * static_cast<double>(g);
    norm = std::sqrt(norm);
    diverged_ = !std::isfinite(loss) || !std::isfinite(norm);
    if (diverged_) return;
    if (norm > options_.clip) {
        const auto factor = static_cast<float>(options_.clip / norm);
        for (float& g : gradient_) g *= factor;
    }
    AdamOptions adam = options_.adam;
    adam.learning_rate = learning_rate_at(options_, steps_);
    adam_.step(weights_.data(), gradient_.data(), adam);
    ++steps_;
    loss_.add(loss / terms);
}

void BanditImitation::state(Archive& archive) {
    archive("weights", weights_);
    archive("adam", adam_);
    // Streams are keyed by the environment's number, which follows from the steps.
    archive("progress", steps_, diverged_, loss_.count);
    archive("loss_sum", loss_.sum);
    archive.require(steps_ >= 0 && loss_.count >= 0, "progress",
                    "is not a number of steps, 0 or 1 for diverged, a number of losses");
}

}  // namespace emergence
