#include "core/measures/network_evaluator.h"

#include <algorithm>
#include <cmath>

#include "core/algorithms/context_algorithms.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/base/ranges.h"
#include "core/models/attention_naive.h"
#include "core/models/constructions.h"
#include "core/optim/descent.h"

namespace emergence {

double value_difference(const Vec& v1, const Vec& v2, const Vec& stationary) {
    const Vec off = v1 - v2;
    return off.cwiseProduct(off).dot(stationary);
}

Vec implicit_weight(const Mat& features, const Vec& v, const Vec& stationary) {
    const Vec root = stationary.cwiseSqrt();
    const Mat design = root.asDiagonal() * features.transpose();
    return least_norm_solution(design, root.asDiagonal() * v);
}

double cosine_similarity(const Vec& a, const Vec& b) {
    const double norms = a.norm() * b.norm();
    return norms == 0 ? 0.0 : a.dot(b) / norms;
}

double sensitivity_similarity(const Mat& gradients1, const Mat& gradients2, const Vec& stationary) {
    double sum = 0;
    for (Index s = 0; s < stationary.size(); ++s)
        sum += stationary[s] * cosine_similarity(gradients1.col(s), gradients2.col(s));
    return sum;
}

DecoySimilarities decoy_similarities(const HeldOutBank& bank, int count, int layers, float alpha) {
    GramBank contexts = bank.batch_td_contexts(0);
    const int d = contexts.d, rows = 2 * d + 1, size = smaller(count, bank.options().size);
    contexts.groups = (size + kContextsInGroup - 1) / kContextsInGroup;
    std::vector<float> grams(contexts.grams, contexts.grams + contexts.groups * contexts.group_size());
    const auto next = [d](int k) { return k >= d && k < 2 * d; };
    for (int i = 0; i < size; i += kContextsInGroup)
        for (int a = 0; a < rows; ++a)
            for (int b = 0; b < rows; ++b)
                if (next(a) || next(b))
                    std::fill_n(&grams[lane_place(i, rows * rows, a * rows + b)], kContextsInGroup, 0.0F);
    GramBank without_bootstrap = contexts;
    without_bootstrap.grams = grams.data();
    const std::vector<float> td = batch_td_weights(contexts, layers, alpha),
                             regression = batch_td_weights(without_bootstrap, layers, alpha),
                             one_step = batch_td_weights(contexts, 1, alpha);
    DecoySimilarities mean;
    for (int i = 0; i < size; ++i) {
        const Vec w = lane_vector(td, d, i);
        mean.no_bootstrap += cosine_similarity(w, lane_vector(regression, d, i)) / size;
        mean.reward_correlation += cosine_similarity(w, lane_vector(one_step, d, i)) / size;
    }
    return mean;
}

NetworkEvaluator::NetworkEvaluator(const NetworkShape& shape, std::shared_ptr<const HeldOutBank> bank)
    : shape_(shape), bank_(std::move(bank)) {
    check(shape.d == bank_->options().tasks.d, "a network of the bank's features");
    check(!shape.is_masked() || bank_->options().keeps_states, "a bank that keeps its states");
    if (is_linear(shape)) return;
    const BankOptions& options = bank_->options();
    const int d = options.tasks.d, longest = options.context_lengths.back();
    const std::unique_ptr<Task> walk = make_task(options.tasks);
    for (int number = 0; number < options.size; ++number) {
        Stream stream = bank_->start_context(*walk, static_cast<uint32_t>(number));
        for (int t = 0; t <= longest; ++t, walk->step(stream))
            for (int k = 0; k <= d; ++k) contexts_.push_back(static_cast<float>(walk->row()[k]));
        Queries task;
        if (const Mrp* mrp = walk->mrp()) {
            task.features = mrp->features;
            const Vec stationary = stationary_distribution(*mrp);
            task.weight = options.average_reward ? stationary : error_weights(*mrp, stationary);
            task.v = bank_->true_values(*mrp, stationary);
        } else {
            constexpr int kVisitedStates = 10;  // queries per task without a finite set of states
            task.features.resize(d, kVisitedStates);
            for (int s = 0; s < kVisitedStates; ++s, walk->step(stream))
                task.features.col(s) = ConstMatView::column(walk->row(), d);
            task.weight = Vec::Constant(kVisitedStates, 1.0 / kVisitedStates);
        }
        task.first_prompt = static_cast<int>(context_of_.size());
        for (Index s = 0; s < task.features.cols(); ++s) {
            context_of_.push_back(number);
            for (int k = 0; k < d; ++k) queries_.push_back(static_cast<float>(task.features(k, s)));
        }
        tasks_.push_back(std::move(task));
    }
}

NetworkEvaluator::Answer NetworkEvaluator::run(size_t index, const std::vector<float>& weights, bool gradients) const {
    const int d = shape_.d, longest = bank_->options().context_lengths.back();
    NetworkShape shape = shape_;
    shape.context_length = bank_->options().context_lengths[index];
    Answer answer{std::vector<float>(context_of_.size()), {}};
    if (gradients) answer.by_query.resize(queries_.size());
    make_network_prompts(shape)->run({contexts_.data(), (longest + 1) * (d + 1), context_of_.data(), queries_.data(),
                                      static_cast<int>(context_of_.size()), static_cast<float>(bank_->prompt_gamma())},
                                     weights.data(), answer.values.data(),
                                     gradients ? answer.by_query.data() : nullptr);
    return answer;
}

Vec NetworkEvaluator::values_of(const Queries& task, const Answer& answer) {
    return Vec::from_floats(answer.values.data() + task.first_prompt, task.weight.size());
}

// sum_s d(s) (a(s) - b(s))^2, for average reward minimised over a constant.
double NetworkEvaluator::squared_distance(const Queries& task, const Vec& a, const Vec& b) const {
    const double constant = bank_->options().average_reward ? (a - b).dot(task.weight) : 0.0;
    return value_difference(a, b, task.weight) - constant * constant;
}

BankScores NetworkEvaluator::compare(size_t index, const std::vector<float>& weights, float alpha) const {
    if (is_linear(shape_)) return bank_->compare(index, view(weights), alpha);
    const int d = shape_.d;
    const Answer answer = run(index, weights, true);
    const std::vector<Vec> td_weights = bank_->batch_td_vectors(index, shape_.layers, alpha);
    BankScores sum;
    for (size_t i = 0; i < tasks_.size(); ++i) {
        const Queries& task = tasks_[i];
        const Vec v = values_of(task, answer), &w = td_weights[i];
        const Vec td = task.features.transpose() * w;
        const Mat gradients = Mat::from_floats(answer.by_query.data() + task.first_prompt * d, v.size(), d).transpose();
        sum.implicit_weight_similarity += cosine_similarity(implicit_weight(task.features, v, task.weight), w);
        sum.sensitivity_similarity +=
            sensitivity_similarity(gradients, w * Mat::Constant(1, v.size(), 1.0), task.weight);
        if (!bank_->has_values()) continue;
        sum.value_difference += squared_distance(task, v, td);
        sum.mean_square_value += squared_distance(task, v, Vec::Zero(v.size()));
        sum.msve += squared_distance(task, v, task.v);
        sum.msve_batch_td += squared_distance(task, td, task.v);
    }
    for (double* score : {&sum.value_difference, &sum.implicit_weight_similarity, &sum.sensitivity_similarity,
                          &sum.msve, &sum.mean_square_value, &sum.msve_batch_td})
        *score /= static_cast<double>(tasks_.size());
    return sum;
}

float NetworkEvaluator::nearest_alpha(size_t index, const std::vector<float>& weights) const {
    if (!bank_->has_values()) return 1.0F;
    const bool linear = is_linear(shape_);
    const Answer answer = linear ? Answer() : run(index, weights, false);
    const auto alpha_at = [](double power) { return static_cast<float>(std::exp2(power)); };
    const auto distance = [&](double power) {
        if (linear) return compare(index, weights, alpha_at(power)).value_difference;
        const auto td = bank_->batch_td_vectors(index, shape_.layers, alpha_at(power));
        double sum = 0.0;
        for (size_t i = 0; i < tasks_.size(); ++i)
            sum += squared_distance(tasks_[i], values_of(tasks_[i], answer), tasks_[i].features.transpose() * td[i]);
        return sum;
    };
    return alpha_at(line_minimum(distance, -8, 5, 0.25, 40));
}

std::vector<double> NetworkEvaluator::errors(size_t index, const std::vector<float>& weights) const {
    check(bank_->has_values(), "value errors need true values");
    if (is_linear(shape_)) return bank_->errors(index, view(weights));
    const Answer answer = run(index, weights, false);
    return mapped(tasks_, [&](const Queries& task) { return squared_distance(task, values_of(task, answer), task.v); });
}

std::vector<double> NetworkEvaluator::msve_by_length(const std::vector<float>& weights) const {
    std::vector<double> result;
    for (size_t index = 0; index < bank_->options().context_lengths.size(); ++index)
        result.push_back(mean_of(errors(index, weights)));
    return result;
}

namespace {

using Attention = NaiveAttention<double>;

Attention attention_of(const TracedNetwork& network, int layers) {
    const auto copy = [](const Mat& matrix) { return Eigen::MatrixXd(eigen(matrix)); };
    return {mapped(network.P, copy), mapped(network.Q, copy), layers, network.activation};
}

// Row l: minus the first d entries of the last row of T_{l-1} .. T_0,  T_l = I + (1/n) P G_l Q.
Mat weights_from_grams(const TdTrace& trace, const TracedNetwork& network, Index d, double n) {
    const auto rows = trace.gram.front().rows();
    Mat product = Mat::Identity(rows, rows), weights(network.layers + 1, d);
    for (int l = 0; l <= network.layers; ++l) {
        weights.row(l) = -product.row(rows - 1).head(d);
        if (l == network.layers) break;
        const int stored = network.P.size() == 1 ? 0 : l;
        product += network.P[stored] * trace.gram[l] * network.Q[stored] * product / n;
    }
    return weights;
}

// Row l: the regression of all states' values after l layers on their features.
Mat weights_by_regression(const Transitions& context, const TracedNetwork& network, const TracedStates& states) {
    const auto d = states.features.rows(), m = states.features.cols(), n = context.phi.cols();
    Mat values(network.layers + 1, m);
    for (Index s = 0; s < m; ++s) {
        Attention attention = attention_of(network, network.layers);
        attention.forward(eigen(td_prompt(context, states.features.col(s))));
        for (int l = 0; l < network.layers; ++l) values(l, s) = -attention.input(l)(2 * d, n);
        values(network.layers, s) = attention.value();
    }
    Mat weights(network.layers + 1, d);
    for (Index l = 0; l < values.rows(); ++l)
        weights.row(l) = implicit_weight(states.features, values.row(l).transpose(), states.stationary).transpose();
    return weights;
}

// Row l, column j: R_{j+1} + gamma w_l' phi_{j+1} - w_l' phi_j. weights: w_l by rows.
Mat td_errors(const Transitions& context, const Mat& weights) {
    Mat errors = weights * (context.gamma_phi_next - context.phi);
    for (Index l = 0; l < errors.rows(); ++l) errors.row(l) += context.reward.transpose();
    return errors;
}

}  // namespace

TdTrace td_trace(const Transitions& context, const Vec& query, const TracedNetwork& network, const Mat& C,
                 const TracedStates& states) {
    const auto d = context.phi.rows(), n = context.phi.cols();
    const bool shared = network.P.size() == 1;
    check(network.layers >= 1 && network.P.size() == network.Q.size() &&
              (shared || network.P.size() == static_cast<size_t>(network.layers)),
          "one P and Q, or one a layer");
    TdTrace trace;
    // Shared weights allow one more layer, which shows its attention.
    const int run = shared ? network.layers + 1 : network.layers;
    Attention attention = attention_of(network, run);
    const Mat mask = td_lambda_mask(static_cast<int>(n), network.mask_lambda);
    if (network.mask_lambda != 0) attention.set_mask(eigen(mask));
    const Mat last = mat_of(attention.forward(eigen(td_prompt(context, query))));
    for (int l = 0; l < run; ++l) {
        trace.Z.push_back(mat_of(attention.input(l)));
        trace.attention.push_back(mat_of(attention.attention(l)));
    }
    if (!shared) trace.Z.push_back(last);
    trace.value.resize(network.layers + 1);
    for (int l = 0; l <= network.layers; ++l) {
        const Mat& Z = trace.Z[l];
        trace.gram.push_back(network.mask_lambda != 0 ? Z * mask * Z.transpose()
                                                      : Z.leftCols(n) * Z.leftCols(n).transpose());
        trace.value[l] = -Z(2 * d, n);
    }
    trace.network = network.activation == Activation::identity
                        ? weights_from_grams(trace, network, d, static_cast<double>(n))
                        : weights_by_regression(context, network, states);
    trace.batch_td.resize(network.layers + 1, d);
    const std::vector<Vec> iterates = batch_td(context, {C}, network.layers);
    for (int l = 0; l <= network.layers; ++l) trace.batch_td.row(l) = iterates[l].transpose();
    trace.batch_td_value = trace.batch_td * query;
    trace.network_errors = td_errors(context, trace.network);
    trace.batch_td_errors = td_errors(context, trace.batch_td);
    return trace;
}

}  // namespace emergence
