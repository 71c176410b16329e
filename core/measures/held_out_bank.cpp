#include "core/measures/held_out_bank.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/base/linear_algebra.h"

namespace emergence {

// Each compiled instruction set has its own, see implicit_weights_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(void network_implicit_weights(const GramBank&, const LinearAttentionView&, float*);
                           void batch_td_weights(const GramBank&, int, float, float*);
                           void value_errors(const ErrorGeometry<float>&, const float*, float*);
                           void compare_weights(const ErrorGeometry<double>&, int, const float*, const float*,
                                                ComparedGroup&);)

std::vector<float> network_implicit_weights(const GramBank& bank, const LinearAttentionView& network) {
    std::vector<float> weights(bank.groups * bank.d * kContextsInGroup);
    EMERGENCE_ON_LANES(instruction_set(), network_implicit_weights(bank, network, weights.data()));
    return weights;
}

std::vector<float> batch_td_weights(const GramBank& bank, int layers, float alpha) {
    std::vector<float> weights(bank.groups * bank.d * kContextsInGroup);
    EMERGENCE_ON_LANES(instruction_set(), batch_td_weights(bank, layers, alpha, weights.data()));
    return weights;
}

namespace {

// Whether features express the values: what the normal equations leave is rounding then, of either sign, which grows
// with the square of the features' condition. A small error is looked at again without squaring.
bool is_representable(const Mat& features, const Vec& weight, const Vec& values, double error) {
    constexpr double kSmall = 1e-6, kRounding = 1e-12;  // of the error of predicting zero
    const Vec root = weight.cwiseSqrt(), target = root.cwiseProduct(values);
    if (error > kSmall * target.squaredNorm()) return false;
    const Mat scaled = root.asDiagonal() * features.transpose();
    const Vec best = least_norm_solution(scaled, target);
    return (scaled * best - target).squaredNorm() <= kRounding * target.squaredNorm();
}

}  // namespace

HeldOutBank::HeldOutBank(const BankOptions& options)
    : options_(options), groups_((options.size + kContextsInGroup - 1) / kContextsInGroup) {
    check(options.size >= 1 && !options.context_lengths.empty(), "a bank has tasks and context lengths");
    check(std::is_sorted(options.context_lengths.begin(), options.context_lengths.end()) &&
              options.context_lengths.front() >= 1,
          "context lengths ascend from at least 1");
    const GramBank shape{nullptr, groups_, options.tasks.d, 1};
    grams_.assign(options.context_lengths.size(), std::vector<float>(shape.group_size() * groups_));
    if (options.average_reward) batch_td_grams_ = grams_;
    if (options.keeps_states)
        states_.resize(groups_ * (options.context_lengths.back() + 1) * (options.tasks.d + 1) * kContextsInGroup);
    mean_rewards_.resize(options.context_lengths.size());
    const int lanes = groups_ * kContextsInGroup, d = options.tasks.d;
    C_.resize(lanes * d * d);
    b_.resize(lanes * d);
    c_.resize(lanes);
    const std::unique_ptr<Task> task = make_task(options.tasks);
    for (int i = 0; i < options.size; ++i) {
        Stream stream = start_context(*task, static_cast<uint32_t>(i));
        if (const Mrp* mrp = task->mrp()) add_geometry(*mrp);
        add_contexts(*task, stream, static_cast<uint32_t>(i));
    }
    C_lanes_.assign(C_.begin(), C_.end());
    b_lanes_.assign(b_.begin(), b_.end());
    c_lanes_.assign(c_.begin(), c_.end());
}

Stream HeldOutBank::start_context(Task& task, uint32_t index) const {
    const bool pool = options_.pool_size > 0;
    task.draw(options_.seed, pool ? index % static_cast<uint32_t>(options_.pool_size) : index);
    Stream stream(pool ? derive_seed(options_.seed, Purpose::held_out) : options_.seed, Purpose::trajectory, index);
    task.start(stream);
    return stream;
}

void HeldOutBank::add_geometry(const Mrp& mrp) {
    const Vec stationary = stationary_distribution(mrp), v = true_values(mrp, stationary);
    const Vec weight = options_.average_reward ? stationary : error_weights(mrp, stationary);
    const int d = mrp.d(), index = static_cast<int>(zero_errors_.size());
    Mat features = mrp.features;
    // Centred features give the error up to a constant.
    if (options_.average_reward) {
        const Vec mean = mrp.features * weight;
        for (Index s = 0; s < features.cols(); ++s) features.col(s) -= mean;
    }
    const Mat weighted = features * weight.asDiagonal();
    const Mat C = weighted * features.transpose();
    const Vec b = weighted * v;
    put_in_lane(C.data(), d * d, index, C_);
    put_in_lane(b.data(), d, index, b_);
    zero_errors_.push_back(c_[lane_place(index, 1, 0)] = v.dot(weight.asDiagonal() * v));
    mean_values_.push_back(weight.dot(v));
    const double error = squared_error(index, least_norm_solution(C, b));
    best_linear_errors_.push_back(is_representable(features, weight, v, error) ? 0.0 : larger(error, 0.0));
}

Vec lane_vector(const std::vector<float>& weights, int d, int i) {
    Vec w(d);
    for (int k = 0; k < d; ++k) w[k] = static_cast<double>(weights[lane_place(i, d, k)]);
    return w;
}

std::vector<float> masked_weight(const NetworkShape& shape, const std::vector<float>& rows, float gamma,
                                 const std::vector<float>& weights) {
    std::vector<float> states(rows.size() * kContextsInGroup), weight;
    for (size_t k = 0; k < rows.size(); ++k) states[k * kContextsInGroup] = rows[k];
    const GramBank bank{nullptr, 1, shape.d, shape.context_length, states.data(), shape.context_length + 1, gamma};
    const std::vector<float> lanes = network_implicit_weights(bank, view_of(shape, weights));
    for (int k = 0; k < shape.d; ++k) weight.push_back(lanes[lane_place(0, shape.d, k)]);
    return weight;
}

void HeldOutBank::add_contexts(Task& task, Stream& stream, uint32_t index) {
    const int d = options_.tasks.d, rows = 2 * d + 1;
    Mat gram = Mat::Zero(rows, rows), batch_td_gram = gram;
    Vec z(rows);
    int step = 0;
    double rewards = 0;
    for (size_t length = 0; length < options_.context_lengths.size(); ++length) {
        for (; step < options_.context_lengths[length]; ++step) {
            const auto row = ConstMatView::column(task.row(), d + 1);
            z.head(d) = row.head(d);
            z[2 * d] = row[d];
            rewards += row[d];
            store_state(task.row(), index, step);
            task.step(stream);
            z.segment(d, d) = prompt_gamma() * ConstMatView::column(task.row(), d);
            gram += z * z.transpose();
            if (batch_td_grams_.empty()) continue;
            z[2 * d] -= rewards / (step + 1);
            batch_td_gram += z * z.transpose();
        }
        mean_rewards_[length].push_back(rewards / step);
        put_in_lane(gram.data(), rows * rows, static_cast<int>(index), grams_[length]);
        if (!batch_td_grams_.empty())
            put_in_lane(batch_td_gram.data(), rows * rows, static_cast<int>(index), batch_td_grams_[length]);
    }
    store_state(task.row(), index, step);
}

void HeldOutBank::store_state(const double* row, uint32_t index, int time) {
    if (states_.empty()) return;
    const int width = options_.tasks.d + 1, times = options_.context_lengths.back() + 1;
    for (int k = 0; k < width; ++k)
        states_[lane_place(static_cast<int>(index), times * width, time * width + k)] = static_cast<float>(row[k]);
}

GramBank HeldOutBank::bank_of(const std::vector<std::vector<float>>& grams, size_t index) const {
    const int n = options_.context_lengths[index], times = options_.context_lengths.back() + 1;
    const auto gamma = static_cast<float>(prompt_gamma());
    return {
        grams[index].data(), groups_, options_.tasks.d, n, states_.empty() ? nullptr : states_.data(), times, gamma};
}

std::vector<double> HeldOutBank::msve_of_mean_reward() const {
    std::vector<double> result;
    for (const std::vector<double>& rewards : mean_rewards_) {
        // Minimum over f of the bank's mean of
        //
        //     sum_s d(s) (f r - v(s))^2 = f^2 r^2 - 2 f r sum_s d(s) v(s) + v' D v
        double both = 0, squares = 0;
        for (size_t i = 0; i < mean_values_.size(); ++i) {
            both += rewards[i] * mean_values_[i];
            squares += rewards[i] * rewards[i];
        }
        const double gain = squares > 0 ? both * both / squares : 0.0;
        result.push_back(msve_of_zero() - gain / static_cast<double>(mean_values_.size()));
    }
    return result;
}

double HeldOutBank::squared_error(int i, const Vec& w) const {
    const int d = options_.tasks.d;
    double quadratic = 0, linear = 0;
    for (int a = 0; a < d; ++a) {
        double row = 0;
        for (int b = 0; b < d; ++b) row += C_[lane_place(i, d * d, a * d + b)] * w[b];
        quadratic += w[a] * row;
        linear += w[a] * b_[lane_place(i, d, a)];
    }
    return quadratic - 2 * linear + c_[lane_place(i, 1, 0)];
}

Mat HeldOutBank::feature_moments(int i) const {
    const int d = options_.tasks.d;
    check(has_values(), "moments are of tasks with states");
    Mat C(d, d);
    for (int k = 0; k < d * d; ++k) C.data()[k] = C_[lane_place(i, d * d, k)];
    return C;
}

std::vector<Vec> HeldOutBank::batch_td_vectors(size_t index, int layers, float alpha) const {
    const std::vector<float> all = batch_td_weights(batch_td_contexts(index), layers, alpha);
    std::vector<Vec> result;
    for (int i = 0; i < options_.size; ++i) result.push_back(lane_vector(all, options_.tasks.d, i));
    return result;
}

std::vector<double> HeldOutBank::errors_of(const std::vector<float>& weights) const {
    const ErrorGeometry<float> geometry{C_lanes_.data(), b_lanes_.data(), c_lanes_.data(), groups_, options_.tasks.d};
    std::vector<float> lanes(groups_ * kContextsInGroup);
    EMERGENCE_ON_LANES(instruction_set(), value_errors(geometry, weights.data(), lanes.data()));
    std::vector<double> errors(lanes.begin(), lanes.begin() + options_.size);
    for (int i = 0; i < options_.size; ++i)
        if (!std::isfinite(errors[i]))  // it overflows float, but not double
            errors[i] = squared_error(i, lane_vector(weights, options_.tasks.d, i));
    return errors;
}

std::vector<double> HeldOutBank::errors(size_t index, const LinearAttentionView& network) const {
    return errors_of(network_implicit_weights(contexts(index), network));
}

std::vector<double> HeldOutBank::errors(size_t index, int layers, float alpha) const {
    return errors_of(batch_td_weights(batch_td_contexts(index), layers, alpha));
}

BankScores HeldOutBank::compare(size_t index, const LinearAttentionView& network, float alpha) const {
    const int d = options_.tasks.d;
    const std::vector<float> network_weights = network_implicit_weights(contexts(index), network),
                             td_weights = batch_td_weights(batch_td_contexts(index), network.layers, alpha);
    const ErrorGeometry<double> geometry{has_values() ? C_.data() : nullptr, b_.data(), c_.data(), groups_, d};
    std::vector<double> terms(2 * d * kContextsInGroup);
    ComparedGroup group;
    group.difference = terms.data();
    group.square = terms.data() + d * kContextsInGroup;
    BankScores sum;
    for (int i = 0; i < options_.size; ++i) {
        const int lane = i % kContextsInGroup;
        if (lane == 0)
            EMERGENCE_ON_LANES(instruction_set(), compare_weights(geometry, i / kContextsInGroup,
                                                                  network_weights.data(), td_weights.data(), group));
        // The value is linear in phi(s), so w_TF is both its least-squares weight and its gradient at every s.
        sum.implicit_weight_similarity += group.cosine[lane];
        if (!has_values()) continue;
        for (int k = 0; k < d; ++k) sum.value_difference += group.difference[k * kContextsInGroup + lane];
        for (int k = 0; k < d; ++k) sum.mean_square_value += group.square[k * kContextsInGroup + lane];
        sum.msve += group.error[lane];
        sum.msve_batch_td += group.other_error[lane];
    }
    for (double* score : {&sum.value_difference, &sum.implicit_weight_similarity, &sum.msve, &sum.mean_square_value,
                          &sum.msve_batch_td})
        *score /= options_.size;
    sum.sensitivity_similarity = sum.implicit_weight_similarity;
    return sum;
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
        const Mat form = bank.has_values() ? bank.feature_moments(first + i) : Mat::Identity(d_, d_);
        for (int a = 0; a < d_; ++a)
            for (int b = 0; b < d_; ++b) weights_[lane_place(i, d_ * d_, a * d_ + b)] = form(a, b);
        for (int t = 0; axis == PlaceAxis::trace && t < used; ++t)
            for (int k = 0; k <= d_; ++k) states_[lane_place(i, used * width, t * width + k)] = state(t, k);
    }
}

std::vector<double> FitPrompts::in_lanes(const std::vector<Vec>& weights) const {
    std::vector<double> lanes(groups_ * d_ * kContextsInGroup);
    for (int i = 0; i < size_; ++i) put_in_lane(weights[i].data(), d_, i, lanes);
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
