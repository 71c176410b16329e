#include "core/measures/softmax_td_measures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/array.h"
#include "core/base/linear_algebra.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"

namespace emergence {
namespace {

constexpr int kPrompts = 16;  // prompts per chain, one per lane

// The kernel as a function of two states' features, independent of Z and Q.
Similarity similarity_of(ScoreKernel kernel) {
    const auto of_product = [](double (*function)(double)) {
        return [function](const Vec& a, const Vec& b) { return function(a.dot(b)); };
    };
    if (kernel == ScoreKernel::relu) return of_product([](double s) { return larger(0.0, s); });
    if (kernel == ScoreKernel::elu) return of_product([](double s) { return s > 0 ? s : std::exp(s) - 1.0; });
    if (kernel == ScoreKernel::softmax) return of_product([](double s) { return std::exp(s); });
    return [](const Vec& a, const Vec& b) { return std::exp(-0.5 * (a - b).squaredNorm()); };
}

}  // namespace

SoftmaxTdBank::SoftmaxTdBank(const SoftmaxTdBankOptions& options) : options_(options) {
    Mrp mrp;
    for (int index = 0; index < options.size; ++index) {
        draw_mrp(options.tasks, options.seed, static_cast<uint32_t>(index), mrp);
        const Vec v = true_value(mrp, options.tasks.gamma);
        Stream stream(options.seed, Purpose::trajectory, static_cast<uint32_t>(index));
        chains_.push_back({state_features(mrp),
                           {v.begin(), v.end()},
                           stationary_distribution(mrp),
                           draw_path(mrp, shape(1).num_times() - 1, stream)});
    }
}

SoftmaxTdShape SoftmaxTdBank::shape(int layers) const {
    return {options_.tasks.num_states, layers, options_.context_length, kPrompts};
}

// Mean over all prompts of (value - v(S_n))^2. values_of(chain): a function of the window's number.
template <class ValuesOf>
double SoftmaxTdBank::mean_square_error(const ValuesOf& values_of) const {
    double sum = 0.0;
    for (const Chain& chain : chains_) {
        const auto value_of = values_of(chain);
        for (int w = 0; w < kPrompts; ++w) {
            const double error = value_of(w) - chain.values[chain.states[w + options_.context_length]];
            sum += error * error;
        }
    }
    return sum / (kPrompts * options_.size);
}

double SoftmaxTdBank::msve(const SoftmaxTdView& network, int layers) const {
    const auto windows = make_softmax_td_windows<float>(shape(layers));
    const int m = options_.tasks.num_states;
    std::vector<float> tables(SoftmaxTdTables{m}.size());
    float values[kPrompts];
    return mean_square_error([&](const Chain& chain) {
        softmax_td_tables(chain.features, network.weights.data(), static_cast<float>(network.temperature),
                          tables.data());
        windows->values({chain.states.data(), chain.features.rewards.data(), tables.data(),
                         static_cast<float>(options_.tasks.gamma), static_cast<float>(network.mixing)},
                        values);
        return [&](int w) { return static_cast<double>(values[w]); };
    });
}

KernelDiagonality SoftmaxTdBank::diagonality(const SoftmaxTdView& network) const {
    const int m = options_.tasks.num_states, n = options_.context_length;
    std::vector<float> tables(SoftmaxTdTables{m}.size());
    KernelDiagonality mean;
    for (const Chain& chain : chains_) {
        softmax_td_tables(chain.features, network.weights.data(), static_cast<float>(network.temperature),
                          tables.data());
        // scores(s', s) of source s' for column s, as in Eq. (27).
        const Mat scores = Mat::from_floats(tables.data(), m, m).transpose();
        Vec counts = Vec::Zero(m);
        for (int k = 0; k < n; ++k) counts[chain.states[k]] += 1;
        // The times at which a state was visited share its weight equally.
        const Mat kernel = state_kernel(counts, scores);
        double entries = 0.0, states = 0.0;
        const auto distinct = static_cast<double>(count_if(counts, [](double count) { return count > 0; }));
        for (int s = 0; s < m; ++s) {
            if (counts[s] == 0) continue;
            entries += kernel(s, s);
            states += (1.0 - network.mixing) * kernel(s, s) + network.mixing;
        }
        mean.kappa += (1.0 - network.mixing) * entries / n + network.mixing;
        mean.kappa_state += states / distinct;
        mean.ceiling += (1.0 - network.mixing) * distinct / n + network.mixing;
        const double margin = diagonality_margin(state_kernel(chain.stationary, scores), options_.tasks.gamma);
        mean.margin += margin;
        mean.holds += margin > 0 ? 1.0 : 0.0;
    }
    for (double* x : {&mean.kappa, &mean.kappa_state, &mean.ceiling, &mean.margin, &mean.holds}) *x /= options_.size;
    return mean;
}

SoftmaxTdBank::Prompt SoftmaxTdBank::prompt(int index) const {
    const Chain& chain = chains_[index % chains_.size()];
    const int d = options_.tasks.d, n = options_.context_length;
    Mat features(d, n + 1);
    Vec rewards(n);
    for (int k = 0; k <= n; ++k) {
        const int state = chain.states[k];
        const float* row = chain.features.rows.data() + state * (d + 1);
        for (int i = 0; i < d; ++i) features(i, k) = row[i];
        if (k < n) rewards[k] = row[d];
    }
    return {softmax_td_prompt(features, rewards), {chain.states.begin(), chain.states.begin() + n + 1}, chain.values};
}

double SoftmaxTdBank::msve_of_zero() const {
    return mean_square_error([](const Chain&) { return [](int) { return 0.0; }; });
}

double SoftmaxTdBank::msve_of_batch_td(int layers, double alpha) const {
    const int d = options_.tasks.d, n = options_.context_length;
    const std::vector<Mat> C = {alpha * Mat::Identity(d, d)};
    return mean_square_error([&](const Chain& chain) {
        return [&](int w) {
            const auto features = [&](int time) {
                const float* row = chain.features.rows.data() + chain.states[w + time] * (d + 1);
                return Vec::from_floats(row, d);
            };
            Transitions context{Mat(d, n), Mat(d, n), Vec(n)};
            for (int k = 0; k < n; ++k) {
                context.phi.col(k) = features(k);
                context.gamma_phi_next.col(k) = options_.tasks.gamma * features(k + 1);
                context.reward[k] = chain.features.rewards[chain.states[w + k]];
            }
            const Vec query = features(n);
            return query.dot(batch_td(context, C, layers).back());
        };
    });
}

SoftmaxTdTrace softmax_td_trace(const SoftmaxTdBank::Prompt& prompt, const SoftmaxTdView& network, int layers,
                                double gamma) {
    const auto D = prompt.Z.rows(), n = prompt.Z.cols() - 1;
    const Mat P = Mat::from_floats(network.weights.data(), D, D);
    const Mat Q = Mat::from_floats(network.weights.data() + D * D, D, D);
    Mat Z = prompt.Z;
    SoftmaxTdTrace trace{prompt.states, Mat(layers + 1, n + 1), Mat(layers, n), Mat(layers, n), {}};
    for (int l = 0; l < layers; ++l) {
        trace.values.row(l) = Z.row(D - 1);
        trace.td_errors.row(l) = (Z.row(D - 3) + Z.row(D - 2) - Z.row(D - 1)).head(n);
        trace.written.row(l) = (P.row(D - 1) * Z).head(n);
        // K = (1 - xi) softmax(Z' Q Z / T) + xi I, without the query's row; its column is the softmax alone.
        const Mat QZ = Q * Z;
        Mat K = Z.leftCols(n).transpose() * QZ;
        for (Index j = 0; j <= n; ++j) {
            const double largest = K.col(j).maxCoeff();
            K.col(j) = (K.col(j).cwisePlus(-largest) / network.temperature).cwiseExp();
            K.col(j) /= K.col(j).sum();
        }
        if (network.mixing != 0) {
            K.leftCols(n) *= 1 - network.mixing;
            K.leftCols(n).diagonal() += network.mixing;
        }
        // Eq. (23): Z + P Z K, then row d+2 becomes gamma times row d+3, one to the left.
        const Mat X = Z.leftCols(n) * K;
        Z += P * X;
        Z.row(D - 2).head(n) = gamma * Z.row(D - 1).tail(n);
        Z(D - 2, n) = 0;
        trace.kernels.push_back(std::move(K));
    }
    trace.values.row(layers) = Z.row(D - 1);
    return trace;
}

std::vector<int> columns_by_state(const std::vector<int>& states) {
    std::vector<int> order(states.size() - 1);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&states](int a, int b) { return states[a] < states[b]; });
    return order;
}

SoftmaxDifferences softmax_td_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, uint32_t trial) {
    Mrp mrp;
    draw_mrp({.num_states = options.num_states, .d = options.d, .gamma = options.gamma, .representable = true}, seed,
             trial, mrp);
    Stream stream(seed, Purpose::trajectory, trial);
    const std::vector<int> path = draw_path(mrp, options.n, stream);
    StateSequence context{Mat(options.d, options.n + 1), Vec(options.n)};
    for (int k = 0; k <= options.n; ++k) {
        context.features.col(k) = mrp.features.col(path[k]);
        if (k < options.n) context.rewards[k] = mrp.reward[path[k]];
    }
    const auto v = weighted_softmax_td(context, similarity_of(options.kernel), options.kernel == ScoreKernel::softmax,
                                       options.gamma, options.step, options.layers);
    const SoftmaxTdWeights weights = softmax_td_construction(options.d, options.step);
    const KernelOptions kernel{.kernel = options.kernel, .mask_query = options.flaw != SoftmaxFlaw::mask};
    const double gamma = options.gamma * (options.flaw == SoftmaxFlaw::gamma ? 1.0 + 1e-6 : 1.0);
    const bool shift = options.flaw != SoftmaxFlaw::shift;
    Mat single = softmax_td_prompt(context.features, context.rewards), dual = single;
    SoftmaxDifferences differences;
    double size = 0.0;
    for (size_t l = 0;; ++l) {
        const Vec values = single.bottomRows(1).transpose();
        size = larger(size, v[l].cwiseAbs().maxCoeff());
        const double scale = size == 0.0 ? 1.0 : size;
        differences.to_algorithm.push_back((values - v[l]).cwiseAbs().maxCoeff() / scale);
        differences.between_forms.push_back((single - dual).bottomRows(2).cwiseAbs().maxCoeff() / scale);
        if (l + 1 == v.size()) return differences;
        single = temporal_shift_layer(single, weights, gamma, kernel, shift);
        dual = dual_head_layer(dual, weights, gamma, kernel);
    }
}

SoftmaxConvergence::SoftmaxConvergence(const SoftmaxConvergenceOptions& options, uint64_t seed) : options_(options) {
    const int m = options.num_states;
    draw_mrp({.num_states = m, .d = options.d, .gamma = options.gamma, .representable = true}, seed, 0, mrp_);
    true_value_ = ::emergence::true_value(mrp_, options.gamma);
    const Mat scores =
        options.sharpness * (options.one_hot ? Mat::Identity(m, m) : mrp_.features.transpose() * mrp_.features);
    population_ = state_kernel(stationary_distribution(mrp_), scores);

    StateSampler sampler;
    sampler.reset(mrp_);
    Stream stream(seed, Purpose::trajectory, 0);
    Mat counts = Mat::Zero(m, m);
    int state = sampler.first(stream.uniform()), taken = 0;
    for (const int length : options.lengths) {
        for (; taken < length; ++taken) {
            const int next = sampler.next(state, stream.uniform());
            counts(state, next) += 1;
            state = next;
        }
        operators_.push_back(softmax_td_operators(counts, scores));
        values_.push_back(Vec::Zero(m));
        const SoftmaxTdOperators& of = operators_.back();
        const auto fixed_point = solve_if_regular(of.M - options.gamma * of.P, of.M * mrp_.reward);
        floors_.push_back(fixed_point ? error_of(*fixed_point) : kMissing);
    }
}

std::vector<double> SoftmaxConvergence::errors() const {
    return mapped(values_, [this](const Vec& v) { return error_of(v); });
}

void SoftmaxConvergence::apply_layer() {
    for (size_t i = 0; i < values_.size(); ++i)
        values_[i] = softmax_td_step(operators_[i], mrp_.reward, values_[i], options_.gamma, options_.step);
}

}  // namespace emergence
