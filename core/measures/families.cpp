#include "core/measures/families.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/measures/lane_vectors.h"

namespace emergence {

std::vector<Landmark> landmarks_of(PlaceAxis axis, double own) {
    const char* const td = axis == PlaceAxis::gradient ? "TD" : "TD(0)";
    const double second = axis == PlaceAxis::gradient ? 0 : axis == PlaceAxis::trace ? own : 1;
    std::vector<Landmark> all = {{"reward_correlation", "one reward step", 0, 0, true},
                                 {"no_bootstrap", "no bootstrapping", 0, second},
                                 {"td", td, 1, 0}};
    switch (axis) {
        case PlaceAxis::gradient:
            all.push_back({"residual_gradient", "residual gradient", 1, 1});
            break;
        case PlaceAxis::trace:
            all.push_back({"td_lambda", "TD(\u03bb)", 1, own});
            break;
        case PlaceAxis::mean_reward:
            all.push_back({"average_reward", "average-reward TD", 1, 1});
            break;
    }
    return all;
}

namespace {

size_t at_lane(int lane, int entries, int entry) {
    return static_cast<size_t>((lane / kContextsInGroup * entries + entry) * kContextsInGroup +
                               lane % kContextsInGroup);
}

}  // namespace

FitPrompts::FitPrompts(const HeldOutBank& bank, size_t index, int first, int count, PlaceAxis axis)
    : d_(bank.options().tasks.d),
      size_(count),
      groups_((count + kContextsInGroup - 1) / kContextsInGroup),
      axis_(axis),
      gamma_(bank.prompt_gamma()) {
    check(first % kContextsInGroup == 0 && count > 0 && first + count <= bank.options().size,
          "the bank's own contexts");
    const GramBank all = bank.contexts(index);
    const auto first_group = static_cast<size_t>(first / kContextsInGroup), groups = static_cast<size_t>(groups_);
    context_length_ = all.context_length;
    times_ = all.times;
    grams_.assign(all.grams + first_group * all.group_size(), all.grams + (first_group + groups) * all.group_size());
    if (all.states != nullptr)
        float_states_.assign(all.states + first_group * all.group_states(),
                             all.states + (first_group + groups) * all.group_states());
    const int rows = 2 * d_ + 1, moments = num_moments(d_), width = d_ + 1, used = context_length_ + 1;
    moments_.resize(groups * static_cast<size_t>(moments * kContextsInGroup));
    weights_.resize(groups * static_cast<size_t>(d_ * d_ * kContextsInGroup));
    if (axis == PlaceAxis::trace) states_.resize(groups * static_cast<size_t>(used * width * kContextsInGroup));
    for (int i = 0; i < size_; ++i) {
        const auto gram = [&](int a, int b) {
            return static_cast<double>(grams_[at_lane(i, rows * rows, a * rows + b)]) / context_length_;
        };
        const auto state = [&](int t, int k) {
            return static_cast<double>(float_states_[at_lane(i, times_ * width, t * width + k)]);
        };
        int entry = 0;
        const auto add = [&](double value) { moments_[at_lane(i, moments, entry++)] = value; };
        for (const auto& [row, column] : {std::pair{0, 0}, {0, d_}, {d_, d_}})  // A, B, D
            for (int a = 0; a < d_; ++a)
                for (int b = 0; b < d_; ++b) add(gram(row + a, column + b));
        for (int k = 0; k < d_; ++k) add(gram(k, 2 * d_));  // r
        for (int k = 0; k < d_; ++k) {                      // q, or the mean of rbar phi
            double sum = 0, rewards = 0;
            for (int t = 0; axis == PlaceAxis::mean_reward && t < context_length_; ++t) {
                rewards += state(t, d_);
                sum += rewards / (t + 1) * state(t, k) / context_length_;
            }
            add(axis == PlaceAxis::mean_reward ? sum : gram(d_ + k, 2 * d_));
        }
        const Eigen::MatrixXd form =
            bank.has_values() ? bank.feature_moments(first + i) : Eigen::MatrixXd::Identity(d_, d_);
        for (int a = 0; a < d_; ++a)
            for (int b = 0; b < d_; ++b) weights_[at_lane(i, d_ * d_, a * d_ + b)] = form(a, b);
        for (int t = 0; axis == PlaceAxis::trace && t < used; ++t)
            for (int k = 0; k <= d_; ++k) states_[at_lane(i, used * width, t * width + k)] = state(t, k);
    }
}

std::vector<double> FitPrompts::in_lanes(const std::vector<Eigen::VectorXd>& weights) const {
    std::vector<double> lanes(static_cast<size_t>(groups_ * d_ * kContextsInGroup));
    for (int i = 0; i < size_; ++i)
        for (int k = 0; k < d_; ++k) lanes[at_lane(i, d_, k)] = weights[static_cast<size_t>(i)][k];
    return lanes;
}

std::vector<double> FitPrompts::values(const LinearAttentionView& network) const {
    const GramBank bank{grams_.data(),
                        groups_,
                        d_,
                        context_length_,
                        float_states_.empty() ? nullptr : float_states_.data(),
                        times_,
                        static_cast<float>(gamma_)};
    std::vector<float> computed(static_cast<size_t>(groups_ * d_ * kContextsInGroup));
    network_implicit_weights(bank, network, computed.data());
    std::vector<double> lanes(computed.size());
    for (int i = 0; i < size_; ++i)
        for (int k = 0; k < d_; ++k) {
            const size_t at = at_lane(i, d_, k);
            lanes[at] = static_cast<double>(computed[at]);
        }
    return lanes;
}

}  // namespace emergence
