#include "tests/claims/softmax_td/softmax_td_lemmas.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/models/softmax_td_layer.h"

namespace emergence {

namespace {

double largest_row_sum(const Mat& matrix) { return matrix.cwiseAbs().rowSums().maxCoeff(); }
double largest_size(const Mat& matrix) { return matrix.cwiseAbs().maxCoeff(); }

// The second eigenvalue of the additive reversibilization, similar to a symmetric matrix.
double second_eigenvalue(const Mat& p, const Vec& stationary) {
    const Vec root = stationary.cwiseSqrt();
    const Mat similar = root.asDiagonal() * p * root.cwiseInverse().asDiagonal();
    return symmetric_eigenvalues((similar + similar.transpose()) / 2)(p.rows() - 2);
}

// The largest over layers of |v_l - end| / ((1 - C)^l |end| + floor).
double largest_over_bound(const SoftmaxTdOperators& of, const Mrp& mrp, double gamma, double step, const Vec& end,
                          double margin, double floor, int layers) {
    Vec v = Vec::Zero(end.size());
    double largest = 0, geometric = largest_size(end);
    for (int l = 1; l <= layers; ++l) {
        v = softmax_td_step(of, mrp.reward, v, gamma, step);
        geometric *= 1 - margin;
        largest = larger(largest, largest_size(v - end) / (geometric + floor));
    }
    return largest;
}

}  // namespace

LemmaChain::LemmaChain(const LemmaOptions& options, uint64_t seed) : options_(options), seed_(seed) {
    const int m = options.num_states;
    draw_mrp({.num_states = m, .d = 4, .gamma = options.gamma, .representable = true}, seed, 0, mrp_);
    mrp_.transition = (1 - options.laziness) * mrp_.transition + options.laziness * Mat::Identity(m, m);
    stationary_ = stationary_distribution(mrp_);
    mrp_.initial = stationary_;
    values_ = true_value(mrp_, options.gamma);
    population_ = state_kernel(stationary_, scores());
    lambda_ = second_eigenvalue(mrp_.transition, stationary_);
    sampler_.reset(mrp_);
}

Mat LemmaChain::scores() const { return options_.sharpness * Mat::Identity(options_.num_states, options_.num_states); }

Mat LemmaChain::counts(int n, uint32_t trajectory, int skip) const {
    Stream stream(seed_, Purpose::trajectory, trajectory);
    Mat counts = Mat::Zero(options_.num_states, options_.num_states);
    int state = sampler_.first(stream.uniform());
    for (int k = 0; k < n + skip; ++k) {
        const int next = sampler_.next(state, stream.uniform());
        if (k >= skip) counts(state, next) += 1;
        state = next;
    }
    return counts;
}

Deviations LemmaChain::deviations(const Mat& counts) const {
    const SoftmaxTdOperators of = softmax_td_operators(counts, scores());
    Deviations found;
    const Vec frequencies = counts.rowSums() / counts.sum();
    found.frequency = largest_size(frequencies - stationary_);
    found.relative = found.frequency / stationary_.minCoeff();
    found.kernel = largest_row_sum(of.M - population_);
    found.margin = diagonality_margin(of.M, options_.gamma);
    const Vec now = options_.current_value * (of.M * values_);
    found.bias = largest_size(of.M * mrp_.reward + options_.gamma * (of.P * values_) - now);
    return found;
}

double LemmaChain::frequency_bound(int n, double delta, bool gap) const {
    const double lambda = gap ? larger(lambda_, 0.0) : 0.0, m = options_.num_states;
    return std::sqrt((1 + lambda) / (1 - lambda) * std::log(2 * m / delta) / (2.0 * n));
}

std::optional<double> LemmaChain::error_over_bound(const Mat& counts, int layers, bool without_floor) const {
    const Deviations of_context = deviations(counts);
    if (of_context.margin <= 0) return std::nullopt;
    const double floor = without_floor ? 0 : of_context.bias / of_context.margin;
    return largest_over_bound(softmax_td_operators(counts, scores()), mrp_, options_.gamma, 1.0, values_,
                              of_context.margin, floor, layers);
}

std::optional<double> LemmaChain::decay_over_bound(const Mat& counts, int layers, double step) const {
    const double margin = deviations(counts).margin;
    if (margin <= 0) return std::nullopt;
    const SoftmaxTdOperators of = softmax_td_operators(counts, scores());
    const Vec end = solve(of.M - options_.gamma * of.P, of.M * mrp_.reward);
    return largest_over_bound(of, mrp_, options_.gamma, step, end, margin, 0.0, layers);
}

double LemmaChain::td_error_over_bound(const Mat& context, const Mat& shifted, int layers) const {
    const SoftmaxTdOperators of = softmax_td_operators(context, scores());
    const SoftmaxTdOperators of_shifted = softmax_td_operators(shifted, scores());
    Vec v = Vec::Zero(values_.size()), w = v;
    double largest = 0;
    for (int l = 0; l <= layers; ++l) {
        const Vec error = mrp_.reward + options_.gamma * (mrp_.transition * w) - options_.current_value * v;
        const double both = larger(largest_size(v - values_), largest_size(w - values_));
        largest = larger(largest, largest_size(error) / ((1 + options_.gamma) * both));
        v = softmax_td_step(of, mrp_.reward, v, options_.gamma, 1.0);
        w = softmax_td_step(of_shifted, mrp_.reward, w, options_.gamma, 1.0);
    }
    return largest;
}

// ---- gradients

Mat LemmaChain::layer_map(const SoftmaxTdOperators& of) const {
    return Mat::Identity(of.M.rows(), of.M.cols()) - of.M + options_.gamma * of.P;
}

namespace {

// d(That v) by the parameters, v fixed: m x (3 + m m). seen: the transitions as seen, rows sum to 1.
Mat direct_gradient(const SoftmaxTdOperators& of, const Mat& seen, const Vec& reward, const Vec& v, double gamma) {
    const auto m = of.M.rows();
    Mat gradient = Mat::Zero(m, 3 + m * m);
    gradient.col(0) = of.M * reward;
    gradient.col(1) = gamma * (of.P * v);
    gradient.col(2) = of.M * v;
    const Vec errors = reward + gamma * (seen * v) - v, mean = of.M * errors;  // TD errors by source
    for (Index s = 0; s < m; ++s)  // column s of the scores moves row s of the kernel
        gradient.row(s).segment(3 + s * m, m) = of.M.row(s).cwiseProduct(errors.cwisePlus(-mean[s]).transpose());
    return gradient;
}

double largest_row_norm(const Mat& matrix) { return matrix.cwiseProduct(matrix).rowSums().cwiseSqrt().maxCoeff(); }

}  // namespace

LemmaChain::Gradients LemmaChain::gradients(const Mat& counts, int layers) const {
    const SoftmaxTdOperators of = softmax_td_operators(counts, scores());
    Mat seen = counts;
    for (Index s = 0; s < seen.rows(); ++s)
        if (const double left = counts.row(s).sum(); left > 0) seen.row(s) /= left;
    const Mat map = layer_map(of);
    Vec v = Vec::Zero(values_.size());
    Mat total = Mat::Zero(v.size(), 3 + v.size() * v.size());
    Gradients found;
    for (int l = 0; l < layers; ++l) {
        const Mat direct = direct_gradient(of, seen, mrp_.reward, v, options_.gamma);
        total = map * total + direct;
        v = softmax_td_step(of, mrp_.reward, v, options_.gamma, 1.0);
        found.values.push_back(v);
        found.by_layer.push_back(total);
        found.norms.push_back(largest_row_norm(total));
        found.bound = larger(found.bound, largest_row_norm(direct));
    }
    const double margin = deviations(counts).margin;
    found.bound = margin > 0 ? found.bound / margin : std::numeric_limits<double>::infinity();
    return found;
}

std::optional<double> LemmaChain::update_over_bound(const Mat& counts, int layers) const {
    const double margin = deviations(counts).margin;
    if (margin <= 0) return std::nullopt;
    const Gradients of = gradients(counts, layers);
    double largest = 0, geometric = (1 + options_.gamma) * largest_size(values_) * of.bound;
    for (size_t l = 0; l < of.values.size(); ++l) {
        geometric *= 1 - margin;
        const Vec& v = of.values[l];
        const Vec errors = mrp_.reward + options_.gamma * (mrp_.transition * v) - v;
        const Vec update = of.by_layer[l].transpose() * stationary_.cwiseProduct(errors);
        largest = larger(largest, update.norm() / geometric);
    }
    return largest;
}

Mat LemmaChain::population_counts() const { return 1e6 * (stationary_.asDiagonal() * mrp_.transition); }

double LemmaChain::margin() const { return diagonality_margin(population_, options_.gamma); }

// ---- attention

namespace {

constexpr int kFeaturesOfPrompt = 4, kPairsOfPrompt = 12;

Mat normal_entries(Index rows, Index columns, double size, Stream& stream) {
    Mat entries(rows, columns);
    for (double& entry : entries) entry = size * stream.normal();
    return entries;
}

double largest_column_sum(const Mat& matrix) {
    double largest = 0;
    for (Index j = 0; j < matrix.cols(); ++j) largest = larger(largest, matrix.col(j).cwiseAbs().sum());
    return largest;
}

}  // namespace

double softmax_lipschitz_ratio(uint32_t trial, double temperature) {
    Stream stream(9, Purpose::testing, trial);
    const Mat Z = normal_entries(kFeaturesOfPrompt, kPairsOfPrompt + 1, 1.0, stream);
    const Mat Q = normal_entries(kFeaturesOfPrompt, kFeaturesOfPrompt, 1.0, stream);
    const Mat other = Q + normal_entries(kFeaturesOfPrompt, kFeaturesOfPrompt, 0.01, stream);
    const KernelOptions options{.temperature = temperature};
    return largest_column_sum(attention_kernel(Z, Q, options) - attention_kernel(Z, other, options)) /
           largest_size((Z.transpose() * (Q - other) * Z).topRows(kPairsOfPrompt));
}

double softmax_lipschitz_of_two(double apart, double temperature) {
    // Sources +1 and -1, query 1: the scores are Q and -Q.
    const Mat Z = Vec::of({1.0, -1.0, 1.0}).transpose();
    const KernelOptions options{.temperature = temperature};
    const Mat Q = Mat::Constant(1, 1, apart), zero = Mat::Zero(1, 1);
    return largest_column_sum(attention_kernel(Z, Q, options) - attention_kernel(Z, zero, options)) / apart;
}

double attention_derivative_ratio(uint32_t trial, double temperature) {
    constexpr double kStep = 1e-5;
    Stream stream(10, Purpose::testing, trial);
    const Mat Z = normal_entries(kFeaturesOfPrompt, kPairsOfPrompt + 1, 1.0, stream);
    const Mat Q = normal_entries(kFeaturesOfPrompt, kFeaturesOfPrompt, 1.0, stream);
    const KernelOptions options{.temperature = temperature};
    double largest = 0;
    for (Index a = 0; a < Q.rows(); ++a)
        for (Index b = 0; b < Q.cols(); ++b) {
            Mat above = Q, below = Q;
            above(a, b) += kStep;
            below(a, b) -= kStep;
            const Mat derivative =
                (attention_kernel(Z, above, options) - attention_kernel(Z, below, options)) / (2 * kStep);
            const double size = largest_size(Z.row(a).head(kPairsOfPrompt)) * largest_size(Z.row(b));
            largest = larger(largest, largest_column_sum(derivative) / size);
        }
    return largest;
}

namespace {

constexpr int kCaseContext = 40, kCaseLayers = 40, kCaseStates = 8;
constexpr double kCaseDiscount = 0.9, kKernelWidth = 0.2, kSharp = 1000.0, kBlurred = 8.0;

// One chain and a context whose query's state is among its sources.
struct CaseTrial {
    Mrp mrp;
    std::vector<int> path;
    Vec rewards;
    Mat phi;  // d x states, centred over the sources

    explicit CaseTrial(uint32_t trial) : rewards(kCaseContext) {
        draw_mrp({.num_states = kCaseStates, .d = 4, .gamma = kCaseDiscount, .representable = true}, 8, trial, mrp);
        Stream stream(8, Purpose::trajectory, trial);
        do {
            path = draw_path(mrp, kCaseContext, stream);
        } while (std::find(path.begin(), path.end() - 1, path.back()) == path.end() - 1);
        Vec mean = Vec::Zero(mrp.d());
        for (int k = 0; k < kCaseContext; ++k) {
            rewards[k] = mrp.reward[path[k]];
            mean += mrp.features.col(path[k]) / kCaseContext;
        }
        phi = mrp.features;
        for (Index s = 0; s < phi.cols(); ++s) phi.col(s) -= mean;
    }
    // One column per state of the path.
    Mat along(const Mat& by_state) const {
        Mat columns(by_state.rows(), kCaseContext + 1);
        for (int k = 0; k <= kCaseContext; ++k) columns.col(k) = by_state.col(path[k]);
        return columns;
    }
};

// The values after every layer, (n+1) x (layers+1).
using Values = Mat;

Values transformer_values(const CaseTrial& trial, const Mat& x, const Mat& scores) {
    SoftmaxTdWeights weights = softmax_td_construction(static_cast<int>(x.rows()));
    weights.Q.topLeftCorner(x.rows(), x.rows()) = scores;
    Mat Z = softmax_td_prompt(trial.along(x), trial.rewards);
    Values values = Values::Zero(kCaseContext + 1, kCaseLayers + 1);
    for (int l = 1; l <= kCaseLayers; ++l) {
        Z = temporal_shift_layer(Z, weights, kCaseDiscount, {});
        values.col(l) = Z.bottomRows(1).transpose();
    }
    return values;
}

Values linear_td_values(const CaseTrial& trial, const Mat& psi) {
    Mrp mrp = trial.mrp;
    mrp.features = psi;
    const auto w = batch_td(transitions_along(mrp, kCaseDiscount, trial.path), {Mat::Identity(psi.rows(), psi.rows())},
                            kCaseLayers);
    Values values(kCaseContext + 1, kCaseLayers + 1);
    for (int l = 0; l <= kCaseLayers; ++l) values.col(l) = trial.along(psi).transpose() * w[static_cast<size_t>(l)];
    return values;
}

Values tabular_td_values(const CaseTrial& trial) {
    Vec v = Vec::Zero(kCaseStates);
    Values values = Values::Zero(kCaseContext + 1, kCaseLayers + 1);
    for (int l = 1; l <= kCaseLayers; ++l) {
        Vec sum = Vec::Zero(kCaseStates), visits = sum;
        for (int k = 0; k < kCaseContext; ++k) {
            const int from = trial.path[k], to = trial.path[k + 1];
            sum[from] += trial.rewards[k] + kCaseDiscount * v[to] - v[from];
            visits[from] += 1;
        }
        v += sum.cwiseQuotient(visits.unaryExpr([](double count) { return larger(count, 1.0); }));
        values.col(l) = trial.along(v.transpose()).transpose();
    }
    return values;
}

Mat with_constant(const Mat& phi, double width) {
    Mat psi(phi.rows() + 1, phi.cols());
    psi.row(0).setConstant(1.0);
    psi.bottomRows(phi.rows()) = std::sqrt(width) * phi;
    return psi;
}

std::vector<double> distance_by_layer(const Values& ours, const Values& theirs) {
    std::vector<double> distances = {0.0};
    double size = 0;
    for (Index l = 1; l < ours.cols(); ++l) {
        size = larger(size, theirs.col(l).cwiseAbs().maxCoeff());
        distances.push_back((ours - theirs).col(l).cwiseAbs().maxCoeff() / size);
    }
    return distances;
}

}  // namespace

std::vector<double> special_case_difference(SpecialCase special, uint32_t trial) {
    const CaseTrial drawn(trial);
    const Mat one_hot = Mat::Identity(kCaseStates, kCaseStates);
    const auto against = [&](const Mat& scores, const Values& algorithm) {
        return distance_by_layer(transformer_values(drawn, one_hot, scores), algorithm);
    };
    if (special == SpecialCase::tabular || special == SpecialCase::tabular_blurred)
        return against((special == SpecialCase::tabular ? kSharp : kBlurred) * one_hot, tabular_td_values(drawn));
    const Mat& phi = special == SpecialCase::linear ? drawn.phi : drawn.mrp.features;
    const Mat kernel = Mat::Constant(kCaseStates, kCaseStates, 1.0) + kKernelWidth * (phi.transpose() * phi);
    return against(kernel.cwiseLog(), linear_td_values(drawn, with_constant(phi, kKernelWidth)));
}

std::vector<double> flat_scores_difference(const std::vector<double>& widths, bool constant_alone, uint32_t trial) {
    const CaseTrial drawn(trial);
    const auto d = drawn.phi.rows();
    std::vector<double> distances;
    for (const double width : widths)
        distances.push_back(
            distance_by_layer(transformer_values(drawn, drawn.phi, width * Mat::Identity(d, d)),
                              linear_td_values(drawn, with_constant(drawn.phi, constant_alone ? 0.0 : width)))
                .back());
    return distances;
}

namespace {

constexpr double kGradientStep = 1e-5;  // of central differences
// The margin is judged at the kernel of the construction, also if `sharpness` is another.
constexpr double kConstructedSharpness = 8.0;

// The parameters: the weights of reward, next value and current value, then the scores.
Vec looped_parameters(const ExpectedUpdateOptions& options) {
    const int m = options.num_states;
    Vec parameters(3 + m * m);
    parameters.head(3) = Vec::of({1.0, 1.0, options.current_value});
    MatView::by_cols(parameters.data() + 3, m, m) = options.sharpness * Mat::Identity(m, m);
    return parameters;
}

// The values of all states after every layer asked for, m x layers.
Mat looped_values(const Vec& parameters, const Mat& counts, const Vec& rewards, double gamma,
                  const std::vector<int>& layers) {
    const auto m = counts.rows();
    const SoftmaxTdOperators of = softmax_td_operators(counts, ConstMatView::by_cols(parameters.data() + 3, m, m));
    const Vec seen = parameters[0] * (of.M * rewards);
    const Mat map = Mat::Identity(m, m) + gamma * parameters[1] * of.P + parameters[2] * of.M;
    Mat values(m, static_cast<Index>(layers.size()));
    Vec v = Vec::Zero(m);
    int layer = 0;
    for (size_t k = 0; k < layers.size(); ++k) {
        for (; layer < layers[k]; ++layer) v = seen + map * v;
        values.col(static_cast<Index>(k)) = v;
    }
    return values;
}

// One norm per number of layers.
Vec update_norms(const ExpectedUpdateOptions& options, const Mrp& mrp, const Vec& stationary, const Mat& counts) {
    const auto depths = static_cast<Index>(options.layers.size());
    const Vec at = looped_parameters(options);
    const auto values = [&](const Vec& parameters) {
        return looped_values(parameters, counts, mrp.reward, options.gamma, options.layers);
    };
    const Mat v = values(at);
    Mat errors = options.gamma * (mrp.transition * v);
    for (Index l = 0; l < depths; ++l) errors.col(l) = (mrp.reward + errors.col(l) - v.col(l)).cwiseProduct(stationary);
    Vec squares = Vec::Zero(depths);
    for (Index i = 0; i < at.size(); ++i) {
        Vec above = at, below = at;
        above[i] += kGradientStep;
        below[i] -= kGradientStep;
        const Mat gradient = (values(above) - values(below)) / (2 * kGradientStep);
        for (Index l = 0; l < depths; ++l) {
            const double sum = gradient.col(l).dot(errors.col(l));
            squares[l] += sum * sum;
        }
    }
    return squares.cwiseSqrt();
}

}  // namespace

std::optional<Mat> norm_of_expected_update(const ExpectedUpdateOptions& options, uint64_t seed, uint32_t chain) {
    const int m = options.num_states;
    Mrp mrp;
    draw_mrp({.num_states = m, .d = 4, .gamma = options.gamma, .representable = true}, seed, chain, mrp);
    const Vec stationary = stationary_distribution(mrp);
    const Mat kernel = state_kernel(stationary, kConstructedSharpness * Mat::Identity(m, m));
    if (diagonality_margin(kernel, options.gamma) <= 0) return std::nullopt;

    StateSampler sampler;
    sampler.reset(mrp);
    Stream stream(seed, Purpose::trajectory, chain);
    Mat counts = Mat::Zero(m, m);
    Mat norms(static_cast<Index>(options.lengths.size()), static_cast<Index>(options.layers.size()));
    int state = sampler.first(stream.uniform()), taken = 0;
    for (Index i = 0; i < norms.rows(); ++i) {
        for (; taken < options.lengths[i]; ++taken) {
            const int next = sampler.next(state, stream.uniform());
            counts(state, next) += 1;
            state = next;
        }
        norms.row(i) = update_norms(options, mrp, stationary, counts).transpose();
    }
    return norms;
}

}  // namespace emergence
