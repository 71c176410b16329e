// What `verify` measures on Wang et al. 2025: constructions against their algorithm, fast path against naive form,
// identities, and whether the set of Theorem 2 attracts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

#include "core/algorithms/context_algorithms.h"
#include "core/base/eigen.h"
#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/stacked.h"
#include "core/measures/construction_errors.h"
#include "core/measures/network_evaluator.h"
#include "core/models/attention_naive.h"
#include "core/models/constructions.h"
#include "core/models/network_windows.h"
#include "core/pictures/figure_spec.h"
#include "core/tasks/task.h"
#include "tests/claims/measures.h"
#include "tests/claims/naive/attention_gradients.h"
#include "tests/claims/naive/sampled_update.h"
#include "tests/claims/trial_differences.h"

namespace emergence {
namespace {

// The entries that updates can move: P's last row and Q's first d columns, Q's column by column.
Vec movable_entries(const WeightUpdate& weights, int d) {
    Vec entries(weights.P.cols() + weights.Q.rows() * d);
    entries.head(weights.P.cols()) = weights.P.bottomRows(1).transpose();
    entries.tail(weights.Q.rows() * d) = ConstMatView::column(weights.Q.data(), weights.Q.rows() * d);
    return entries;
}

WeightUpdate weights_with(const Vec& entries, int d) {
    const int size = 2 * d + 1;
    WeightUpdate weights{Mat::Zero(size, size), Mat::Zero(size, size)};
    weights.P.bottomRows(1) = entries.head(size).transpose();
    weights.Q.leftCols(d) = ConstMatView::by_cols(entries.data() + size, size, d);
    return weights;
}

}  // namespace

std::vector<std::complex<double>> spectrum_off_invariant_set(const UpdateMoments& moments, const WeightUpdate& at) {
    const int d = moments.d;
    const Vec centre = movable_entries(at, d);
    const Index size = centre.size();
    // The update is a polynomial of degree 3, so that the central difference's error is its cubic part times the step
    // squared.
    constexpr double kStep = 1e-5;
    Mat derivative(size, size);
    for (Index k = 0; k < size; ++k) {
        const auto update = [&](double step) {
            Vec moved = centre;
            moved(k) += step;
            return movable_entries(expected_update(moments, weights_with(moved, d)), d);
        };
        derivative.col(k) = (update(kStep) - update(-kStep)) / (2.0 * kStep);
    }
    // The three directions along Theta* get an eigenvalue below all others, and leave.
    Mat along(size, 3);
    along.col(0) = movable_entries(invariant_weights(d, {1, 0, 0}), d);
    along.col(1) = movable_entries(invariant_weights(d, {0, 1, 0}), d) / std::sqrt(d);
    along.col(2) = movable_entries(invariant_weights(d, {0, 0, 1}), d) / std::sqrt(d);
    const Mat onto = along * along.transpose(), off = Mat::Identity(size, size) - onto;
    const Mat outside = off * derivative * off - 2.0 * derivative.norm() * onto;
    Eigen::VectorXcd all = eigen(outside).eigenvalues();
    std::sort(all.begin(), all.end(),
              [](auto a, auto b) { return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag(); });
    return {all.begin() + along.cols(), all.end()};
}

Vec rest_on_invariant_set(const InvariantSetOptions& options, uint64_t seed) {
    const int d = options.tasks.d;
    const auto invariants = [&](const Mat& Z) {
        const auto n = Z.cols() - 1;
        const auto context = Z.leftCols(n);
        const Mat gram = context * context.transpose() / static_cast<double>(n);
        const Vec query = Z.col(n).head(d);
        return Vec::of({gram.row(2 * d).head(d).dot(query), gram.row(2 * d).segment(d, d).dot(query)});
    };
    Vec r = Vec::Zero(2);
    Mat M = Mat::Zero(2, 2);
    for (int k = 0; k < options.samples; ++k) {
        const UpdateSample sample = update_sample(options, seed, static_cast<uint32_t>(k));
        const Vec f = invariants(sample.Z), f_next = invariants(sample.Z_next);
        r += sample.reward * f / options.samples;
        M += f * (f - options.tasks.gamma * f_next).transpose() / options.samples;
    }
    return -least_norm_solution(M, r);
}

namespace {

constexpr int kConstructionTrials = 30;
constexpr uint64_t kConstructionSeed = 1;
Measurement measured_largest_difference(const ConstructionOptions& options) {
    return {
        largest_difference_in(kConstructionTrials, differences_of(options, kConstructionSeed)),
        fmt::format("d = {}, n = {}, {} layers, {} trials", options.d, options.n, options.layers, kConstructionTrials)};
}

NamedMeasure identity(const char* name, const ConstructionOptions& options) {
    return {name, [options] { return measured_largest_difference(options); }};
}

NamedMeasure control(const std::string& name, ConstructionOptions options, Flaw flaw) {
    options.flaw = flaw;
    return {name, [options]() -> Measurement {
                return {least_difference_in(kConstructionTrials, differences_of(options, kConstructionSeed))};
            }};
}

// The theorem with a control for each flaw that every construction must show.
std::vector<NamedMeasure> with_controls(const std::string& name, const ConstructionOptions& options) {
    return {identity(name.c_str(), options), control(name + "-gamma", options, Flaw::gamma),
            control(name + "-mask", options, Flaw::mask), control(name + "-transposed", options, Flaw::transposed)};
}

Measurement share_with_averaging() {
    return {share_outside_invariant_set(
                sampled_update({}, invariant_weights(TaskOptions{}.d, {}), true, kConstructionSeed)),
            "d = 4, n = 30, 20 MRPs"};
}

double share_without_averaging(int samples) {
    return share_outside_invariant_set(
        sampled_update({.samples = samples}, invariant_weights(TaskOptions{}.d, {}), false, kConstructionSeed));
}

const InvariantSetOptions kFlow{.samples = 2000};

// The mean over ten samples of 2,000 MRPs. of: the sample's seed and the rest of its flow on the set, (eta c, eta c').
Measurement mean_at_rest(const std::function<double(uint64_t, const Vec&)>& of) {
    constexpr int kSamples = 10;
    std::vector<std::vector<double>> found;
    for (uint64_t k = kConstructionSeed; k < kConstructionSeed + kSamples; ++k)
        found.push_back({of(k, rest_on_invariant_set(kFlow, k))});
    return bootstrapped(
        found.size(), [&](const Places& samples) { return summary_at(found, samples).mean; },
        fmt::format("d = {}, n = {}", kFlow.tasks.d, kFlow.n));
}

// The largest real part of the spectrum off the set, over the largest modulus. At `times` the rest; eta^2 = d (c^2 +
// c'^2).
Measurement slowest_return(double times) {
    const int d = kFlow.tasks.d;
    const FeatureAverage average(d);
    return mean_at_rest([&](uint64_t seed, const Vec& rest) {
        const Vec ab = times * rest;
        const double eta = std::pow(d * ab.squaredNorm(), 0.25);
        const auto spectrum = spectrum_off_invariant_set(average(update_moments(kFlow, seed)),
                                                         invariant_weights(d, {eta, ab(0) / eta, ab(1) / eta}));
        double largest = 0;
        for (const auto value : spectrum) largest = larger(largest, std::abs(value));
        return spectrum.back().real() / largest;
    });
}

// TD(1) with the textbook's trace on a trial's context, at a random w, against steps towards the discounted returns:
//
//     sum_j (R_{j+1} + gamma w' phi_{j+1} - w' phi_j) e_j = sum_j (G_j - w' phi_j) phi_j,   G_j = R_{j+1} + gamma G_{j+1}
//
// where the context ends, G_n = w' phi_n. The difference over the size of the right side.
double monte_carlo_difference(const ConstructionOptions& options, uint32_t trial) {
    const ConstructionTrial drawn = draw_trial(options, kConstructionSeed, trial);
    const Transitions& context = drawn.context;
    const BatchUpdate update = td_lambda_update(context, options.gamma);
    const Vec &w = drawn.query, v = context.phi.transpose() * w;
    const Vec v_next = context.gamma_phi_next.transpose() * w;
    Vec returns = update.reward;
    for (int j = options.n - 1; j >= 0; --j)
        returns(j) += j + 1 < options.n ? options.gamma * returns(j + 1) : v_next(j);
    const Vec of_returns = context.phi * (returns - v);
    return (update.direction * (update.reward + v_next - v) - of_returns).norm() / of_returns.norm();
}

// 4 under the law N^-1/2.
Measurement fall_of_the_share() {
    const double few = share_without_averaging(1000), many = share_without_averaging(16000);
    return {few / many, fmt::format("{:.3f} and {:.3f}", few, many)};
}

}  // namespace

std::vector<NamedMeasure> construction_measures() {
    const ConstructionOptions td, one_layer{.layers = 1, .single_layer_weights = true},
        two_layers{.layers = 2, .single_layer_weights = true}, residual{.algorithm = BatchAlgorithm::residual_gradient},
        lambda{.algorithm = BatchAlgorithm::td_lambda},
        textbook{.algorithm = BatchAlgorithm::td_lambda, .textbook_trace = true},
        online{.n = 1, .preconditioner = Preconditioner::step_size},
        online_residual{
            .algorithm = BatchAlgorithm::residual_gradient, .n = 1, .preconditioner = Preconditioner::step_size},
        average{.algorithm = BatchAlgorithm::average_reward_td};
    std::vector<NamedMeasure> measures = {
        identity("corollary-1", one_layer),
        control("corollary-1-two-layers", two_layers, Flaw::none),
        {"theorem-2", share_with_averaging},
        {"theorem-2-monte-carlo", fall_of_the_share},
        {"theorem-2-attracts", [] { return slowest_return(1.0); }},
        {"theorem-2-attracts-opposite", [] { return slowest_return(-1.0); }},
        control("corollary-2-blocks", residual, Flaw::plain_td),
        control("corollary-3-traces", lambda, Flaw::plain_td),
        identity("corollary-3-textbook", textbook),
        control("theorem-3-centring", average, Flaw::plain_td),
        identity("equation-5", online),
        identity("equation-6", online_residual),
        {"td-lambda-0",
         [] {
             constexpr int kColumns = 100;
             const Mat td_0 = td_lambda_mask(kColumns, 0.0);
             return Measurement{(td_0 - context_mask(kColumns)).cwiseAbs().maxCoeff()};
         }},
        {"td-lambda-1",
         [textbook] {
             return Measurement{largest_difference_in(kConstructionTrials, [&](uint32_t trial) {
                 return std::vector{monte_carlo_difference(textbook, trial)};
             })};
         }},
        {"theorem-2-subset",
         [] { return mean_at_rest([](uint64_t, const Vec& rest) { return std::abs(rest(1) / rest(0)); }); }}};
    for (const auto& [name, options] :
         {std::pair{"theorem-1", td}, {"corollary-2", residual}, {"corollary-3", lambda}, {"theorem-3", average}})
        for (NamedMeasure& one : with_controls(name, options)) measures.push_back(std::move(one));
    return measures;
}

namespace {

Mat gaussian_matrix(Stream& stream, int rows, int columns, double scale) {
    Mat matrix(rows, columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) matrix(i, j) = scale * stream.normal();
    return matrix;
}

struct TdTrial {
    Mrp mrp;
    Transitions context;
    Vec query;
};

TdTrial draw_trial(int d, int n, uint32_t number) {
    TdTrial trial;
    draw_mrp({.num_states = 10, .d = d}, derive_seed(1, Purpose::testing), number, trial.mrp);
    Stream stream(1, Purpose::testing, number);
    trial.context = transitions_along(trial.mrp, 0.9, draw_path(trial.mrp, n, stream));
    trial.query = trial.mrp.features.col(static_cast<int>(stream.uniform() * 10));
    return trial;
}

// IWS and SS by their general definitions, from naive forward and backward passes.
Measurement iws_equals_ss() {
    const double worst = largest_over(10, [](uint32_t number) {
        const TdTrial trial = draw_trial(4, 30, number);
        Stream stream(4, Purpose::testing, number);
        AttentionWithGradient<double> net({eigen(gaussian_matrix(stream, 9, 9, 0.3))},
                                          {eigen(gaussian_matrix(stream, 9, 9, 0.3))}, 3);
        const int m = trial.mrp.num_states();
        Vec v(m);
        Mat gradients(4, m);
        for (int s = 0; s < m; ++s) {
            net.forward(eigen(td_prompt(trial.context, trial.mrp.features.col(s))));
            v[s] = net.value();
            std::vector<Eigen::MatrixXd> dP(1, Eigen::MatrixXd::Zero(9, 9)), dQ = dP;
            net.backward(-1.0, dP, dQ);
            gradients.col(s) = mat_of(net.prompt_gradient().col(30).head(4));
        }
        const Vec stationary = stationary_distribution(trial.mrp);
        const Vec td = batch_td(trial.context, {Mat::Identity(4, 4)}, 3).back();
        const double iws = cosine_similarity(implicit_weight(trial.mrp.features, v, stationary), td);
        const double ss = sensitivity_similarity(gradients, td * Vec::Constant(m, 1.0).transpose(), stationary);
        return std::abs(iws - ss);
    });
    return {worst, "random weights, L = 3, 10 contexts"};
}

// The value after one token and the query are exchanged, less what each exchange alone adds. A sum over tokens has 0.
Measurement mixed_difference() {
    std::vector<double> shares;
    for (uint32_t number = 0; number < 20; ++number) {
        const TdTrial trial = draw_trial(4, 30, number), other = draw_trial(4, 30, number + 100);
        Transitions changed = trial.context;
        changed.phi.col(0) = other.context.phi.col(0);
        changed.gamma_phi_next.col(0) = other.context.gamma_phi_next.col(0);
        changed.reward[0] = other.context.reward[0];
        const std::vector<Mat> C = {Mat::Identity(4, 4)};
        const Vec w = batch_td(trial.context, C, 3).back(), w_changed = batch_td(changed, C, 3).back();
        shares.push_back(std::abs((w_changed - w).dot(other.query - trial.query)) /
                         std::abs((w_changed - w).dot(trial.query)));
    }
    const Summary summary = summarise(shares, true);
    return {summary.median, "20 contexts"};
}

// The same of recurrent networks with random weights, context against query: what changing both does beyond either
// change alone, over what the context's change does.
Measurement mixed_difference_of_rnn(Activation recurrent) {
    constexpr int kPairs = 20, kWide = 4, kContextLength = 30;
    const NetworkShape shape{.model = Model::rnn, .d = kWide, .context_length = kContextLength, .recurrent = recurrent};
    constexpr int kStates = kContextLength + 1, kRow = kWide + 1;
    std::vector<double> shares;
    for (uint32_t pair = 0; pair < kPairs; ++pair) {
        Stream stream(12, Purpose::testing, pair);
        const auto normal = [&](size_t count, double scale) {
            std::vector<float> numbers(count);
            for (float& number : numbers) number = static_cast<float>(scale * stream.normal());
            return numbers;
        };
        const std::vector<float> contexts = normal(2 * kStates * kRow, 1), queries = normal(2 * kWide, 1);
        const std::vector<float> weights = normal(shape.num_weights(), 0.5);
        // Both contexts with both queries.
        std::vector<float> asked = queries;
        asked.insert(asked.end(), queries.begin(), queries.end());
        const int context_of[] = {0, 0, 1, 1};
        float v[4];
        make_network_prompts(shape)->run({contexts.data(), kStates * kRow, context_of, asked.data(), 4, 0.9F},
                                         weights.data(), v, nullptr);
        shares.push_back(std::abs(v[3] - v[2] - v[1] + v[0]) / std::abs(v[2] - v[0]));
    }
    return {summarise(shares, true).median, fmt::format("{} networks", kPairs)};
}

// The least mean IWS of a decoy with batch TD of three steps, over sizes, discounts and tasks.
Measurement least_decoy(double DecoySimilarities::*decoy) {
    constexpr int kContexts = 256;
    double least = 1;
    std::string where;
    for (const TaskKind kind : {TaskKind::boyan, TaskKind::loop})
        for (const int d : {2, 4, 8})
            for (const int n : {10, 30, 100})
                for (const double gamma : {0.5, 0.9, 0.99}) {
                    const HeldOutBank bank({.tasks = {.num_states = 10, .d = d, .gamma = gamma, .kind = kind},
                                            .size = kContexts,
                                            .context_lengths = {n}});
                    const double mean = decoy_similarities(bank, kContexts, 3, 1.5F).*decoy;
                    if (mean >= least) continue;
                    least = mean;
                    where = fmt::format("{}, d = {}, n = {}, gamma = {}", kind == TaskKind::boyan ? "chains" : "loops",
                                        d, n, gamma);
                }
    return {least, "at " + where};
}

// The constructed transformer and batch TD on the held-out bank, both through the fast path.
Measurement constructed_msve() {
    const InContextTdConfig config;
    const auto bank = make_bank(config, 500, {config.context_length});
    const ConstructedLayer layer = td_construction(Mat::Identity(config.tasks.d, config.tasks.d) * 1.5);
    const auto P = floats_of(layer.P), Q = floats_of(layer.Q);
    const BankScores scores = bank->compare(0, {config.num_layers, 1, P.data(), Q.data()}, 1.5F);
    return {std::abs(scores.msve / scores.msve_batch_td - 1),
            fmt::format("500 MRPs, alpha = 1.5: {:.6f} and {:.6f}", scores.msve, scores.msve_batch_td)};
}

// Implicit weights from the Gram form against naive forward passes, at several depths.
Measurement gram_form() {
    double worst = 0;
    for (const int layers : {1, 2, 3, 5}) {
        Stream stream(5, Purpose::testing, static_cast<uint32_t>(layers));
        const Mat P = gaussian_matrix(stream, 9, 9, 0.3), Q = gaussian_matrix(stream, 9, 9, 0.3);
        NaiveAttention<double> net({eigen(P)}, {eigen(Q)}, layers);
        const TdTrial trial = draw_trial(4, 30, static_cast<uint32_t>(layers));
        Mat Z = td_prompt(trial.context, trial.query);
        const Mat gram = Z.leftCols(30) * Z.leftCols(30).transpose();
        std::vector<float> lanes(81 * 16);
        for (int i = 0; i < 81; ++i) std::fill_n(lanes.begin() + i * 16, 16, static_cast<float>(gram(i / 9, i % 9)));
        const auto p = floats_of(P), q = floats_of(Q);
        const std::vector<float> weights =
            network_implicit_weights({lanes.data(), 1, 4, 30}, {layers, 1, p.data(), q.data()});
        double fast = 0;
        for (int i = 0; i < 4; ++i) fast += static_cast<double>(weights[static_cast<size_t>(i * 16)]) * trial.query[i];
        net.forward(eigen(Z));
        worst = larger(worst, std::abs(fast - net.value()) / larger(0.1, std::abs(net.value())));
    }
    return {worst, "random weights, L = 1, 2, 3, 5"};
}

}  // namespace

std::vector<NamedMeasure> in_context_td_measures() {
    return {{"iws-equals-ss", iws_equals_ss},
            {"constructed-msve", constructed_msve},
            {"linear-rnn", mixed_difference},
            {"linear-rnn-network", [] { return mixed_difference_of_rnn(Activation::identity); }},
            {"linear-rnn-network-tanh", [] { return mixed_difference_of_rnn(Activation::tanh); }},
            {"decoys-no-bootstrap", [] { return least_decoy(&DecoySimilarities::no_bootstrap); }},
            {"decoys-reward-correlation", [] { return least_decoy(&DecoySimilarities::reward_correlation); }},
            {"gram-form", gram_form}};
}

}  // namespace emergence
