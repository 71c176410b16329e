#include "core/measures/families.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/measures/held_out_bank.h"

namespace emergence {

// Each compiled instruction set has its own, see family_sums_kernels.cpp. sums: loss; gradient; the upper half of
// curvature and, for scalar steps, that of scatter, row by row.
EMERGENCE_DECLARE_ON_LANES(void family_lane_sums(const FamilyBank&, const FamilyTarget&, const double* parameters,
                                                 int size, Steps, bool derivatives, double* sums);
                           void family_lane_errors(const FamilyBank&, const double* wanted, const double* parameters,
                                                   int size, Steps, double* errors);
                           void family_lane_values(const FamilyBank&, const double* queries, const double* parameters,
                                                   int size, double* values);
                           void power_lane_sums(const FamilyBank&, const FamilyTarget&, double beta, double c,
                                                int layers, double* sums);)

FamilySums family_sums(const FamilyBank& bank, const FamilyTarget& target, const std::vector<double>& parameters,
                       Steps steps, bool derivatives) {
    const size_t p = parameters.size(), half = p * (p + 1) / 2;
    std::vector<double> flat(derivatives ? 1 + p + (steps == Steps::scalar ? 2 : 1) * half : 1);
    EMERGENCE_ON_LANES(instruction_set(), family_lane_sums(bank, target, parameters.data(), static_cast<int>(p), steps,
                                                           derivatives, flat.data()));
    FamilySums sums;
    sums.loss = flat[0];
    if (!derivatives) return sums;
    sums.gradient = Eigen::Map<const Eigen::VectorXd>(flat.data() + 1, parameters.size());
    const double* entry = flat.data() + 1 + p;
    for (Eigen::MatrixXd* whole : {&sums.curvature, &sums.scatter}) {
        if (whole == &sums.scatter && steps != Steps::scalar) break;
        whole->resize(p, p);
        for (size_t a = 0; a < p; ++a)
            for (size_t b = a; b < p; ++b) (*whole)(a, b) = (*whole)(b, a) = *entry++;
    }
    return sums;
}

std::vector<double> family_errors(const FamilyBank& bank, const double* wanted, const std::vector<double>& parameters,
                                  Steps steps) {
    std::vector<double> errors(static_cast<size_t>(bank.groups) * 16);
    EMERGENCE_ON_LANES(
        instruction_set(),
        family_lane_errors(bank, wanted, parameters.data(), static_cast<int>(parameters.size()), steps, errors.data()));
    return errors;
}

std::vector<double> family_values(const FamilyBank& bank, const double* queries,
                                  const std::vector<double>& parameters) {
    std::vector<double> values(static_cast<size_t>(bank.groups) * (1 + parameters.size()) * 16);
    EMERGENCE_ON_LANES(instruction_set(), family_lane_values(bank, queries, parameters.data(),
                                                             static_cast<int>(parameters.size()), values.data()));
    return values;
}

std::vector<double> power_sums(const FamilyBank& bank, const FamilyTarget& target, double beta, double c, int layers) {
    std::vector<double> sums(static_cast<size_t>(layers * (layers + 1) / 2 + layers));
    EMERGENCE_ON_LANES(instruction_set(), power_lane_sums(bank, target, beta, c, layers, sums.data()));
    return sums;
}

std::vector<Landmark> landmarks_of(PlaceAxis axis, double own) {
    const char* const td = axis == PlaceAxis::gradient ? "TD" : "TD(0)";
    const double second = axis == PlaceAxis::gradient ? 0 : axis == PlaceAxis::trace ? own : 1;
    const Landmark own_one[] = {{"residual_gradient", "residual gradient", 1, 1},
                                {"td_lambda", "TD(\u03bb)", 1, own},
                                {"average_reward", "average-reward TD", 1, 1}};
    return {{"reward_correlation", "one reward step", 0, 0, true},
            {"no_bootstrap", "no bootstrapping", 0, second},
            {"td", td, 1, 0},
            own_one[static_cast<size_t>(axis)]};
}

FitPrompts::FitPrompts(const HeldOutBank& bank, size_t index, int first, int count, PlaceAxis axis)
    : d_(bank.options().tasks.d), size_(count), axis_(axis), gamma_(bank.prompt_gamma()) {
    check(first % kContextsInGroup == 0 && count > 0 && first + count <= bank.options().size,
          "the bank's own contexts");
    const GramBank all = bank.contexts(index);
    const int first_group = first / kContextsInGroup, last_group = first_group + groups_;
    context_length_ = all.context_length;
    times_ = all.times;
    grams_.assign(all.grams + first_group * all.group_size(), all.grams + last_group * all.group_size());
    if (all.states != nullptr)
        float_states_.assign(all.states + first_group * all.group_states(),
                             all.states + last_group * all.group_states());
    const int rows = 2 * d_ + 1, moments = num_moments(d_), width = d_ + 1, used = context_length_ + 1;
    moments_.resize(groups_ * moments * kContextsInGroup);
    weights_.resize(groups_ * d_ * d_ * kContextsInGroup);
    if (axis == PlaceAxis::trace) states_.resize(groups_ * used * width * kContextsInGroup);
    for (int i = 0; i < size_; ++i) {
        const auto gram = [&](int a, int b) {
            return static_cast<double>(grams_[lane_place(i, rows * rows, a * rows + b)]) / context_length_;
        };
        const auto state = [&](int t, int k) {
            return static_cast<double>(float_states_[lane_place(i, times_ * width, t * width + k)]);
        };
        int entry = 0;
        const auto add = [&](double value) { moments_[lane_place(i, moments, entry++)] = value; };
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
            for (int b = 0; b < d_; ++b) weights_[lane_place(i, d_ * d_, a * d_ + b)] = form(a, b);
        for (int t = 0; axis == PlaceAxis::trace && t < used; ++t)
            for (int k = 0; k <= d_; ++k) states_[lane_place(i, used * width, t * width + k)] = state(t, k);
    }
}

std::vector<double> FitPrompts::in_lanes(const std::vector<Eigen::VectorXd>& weights) const {
    std::vector<double> lanes(groups_ * d_ * kContextsInGroup);
    for (int i = 0; i < size_; ++i)
        for (int k = 0; k < d_; ++k) lanes[lane_place(i, d_, k)] = weights[i][k];
    return lanes;
}

std::vector<double> FitPrompts::values(const LinearAttentionView& network) const {
    const GramBank bank{
        grams_.data(), groups_, d_, context_length_, float_states_.data(), times_, static_cast<float>(gamma_)};
    const std::vector<float> computed = network_implicit_weights(bank, network);
    std::vector<double> lanes(computed.size());
    for (int i = 0; i < size_; ++i)
        for (int k = 0; k < d_; ++k) lanes[lane_place(i, d_, k)] = computed[lane_place(i, d_, k)];
    return lanes;
}

}  // namespace emergence
