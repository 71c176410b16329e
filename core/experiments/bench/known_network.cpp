#include "core/experiments/bench/known_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/models/attention_naive.h"
#include "core/models/constructions.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct BuiltText {
    const char *name, *label;
    MapVerdict truth;
};
constexpr std::array<BuiltText, kBuilt> kBuiltTexts = {{
    {"td", "TD(\u03b1)", MapVerdict::td},
    {"td_steps", "TD(\u03b1_l)", MapVerdict::td},
    {"td_matrices", "TD(C_l)", MapVerdict::td},
    {"residual_gradient", "residual gradient", MapVerdict::residual_gradient},
    {"no_bootstrap", "no bootstrapping", MapVerdict::no_bootstrap},
    {"reward_step", "one reward step", MapVerdict::reward_correlation},
    {"half_bootstrap", "half bootstrapping", MapVerdict::between},
    {"half_residual", "half the target's gradient", MapVerdict::between},
    {"wrong_sign", "bootstrapping, wrong sign", MapVerdict::between},
    {"feature_map", "TD and a feature map", MapVerdict::none},
    {"cluttered_P", "TD and entries of P", MapVerdict::none},
    {"cluttered_Q", "TD and lower rows of Q", MapVerdict::none},
    {"random", "random", MapVerdict::none},
}};

MatrixXd normal_matrix(Stream& stream, Eigen::Index rows, Eigen::Index columns, double deviation) {
    MatrixXd matrix(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i)
        for (Eigen::Index j = 0; j < columns; ++j) matrix(i, j) = deviation * stream.normal();
    return matrix;
}

// Uniform between -0.95 and 0.95 of `largest`.
MatrixXd clutter(Stream& stream, Eigen::Index rows, Eigen::Index columns, double largest) {
    MatrixXd matrix(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i)
        for (Eigen::Index j = 0; j < columns; ++j) matrix(i, j) = 0.95 * largest * stream.uniform(-1, 1);
    return matrix;
}

double largest_entry(const MatrixXd& matrix) { return matrix.cwiseAbs().maxCoeff(); }

// The algorithm at (beta, c) with the matrix C: Q = [-C', beta C'; c C', -beta c C'].
ConstructedLayer layer_at(const MatrixXd& C, double beta, double c) {
    ConstructedLayer layer = residual_gradient_construction(C);
    const auto d = C.rows();
    layer.Q.block(0, d, 2 * d, d) *= beta;
    layer.Q.block(d, 0, d, 2 * d) *= c;
    return layer;
}

std::pair<double, double> place_built_as(Built built) {
    switch (built) {
        case Built::residual_gradient:
            return {1, 1};
        case Built::no_bootstrap:
        case Built::reward_step:
            return {0, 0};
        case Built::half_bootstrap:
            return {0.5, 0};
        case Built::half_residual:
            return {1, 0.5};
        case Built::wrong_sign:
            return {-1, 0};
        default:
            return {1, 0};
    }
}

// C_l of each layer.
std::vector<MatrixXd> layer_matrices(const Recipe& recipe, int d, int layers, Stream& stream) {
    std::vector<double> factors(static_cast<size_t>(layers), 1.0);
    if (recipe.built == Built::td_steps) {
        for (int l = 0; l < layers; ++l) factors[static_cast<size_t>(l)] = 0.5 + l / (layers - 1.0);
        for (size_t l = factors.size() - 1; l > 0; --l)
            std::swap(factors[l], factors[static_cast<size_t>(stream.uniform() * static_cast<double>(l + 1))]);
    }
    if (recipe.built == Built::reward_step) std::fill(factors.begin() + 1, factors.end(), 0.0);
    VectorXd diagonal = VectorXd::Ones(d);
    if (recipe.built == Built::td_matrices) diagonal.tail(d - 1).setConstant(0.2);
    MatrixXd C = recipe.alpha * MatrixXd(diagonal.asDiagonal());
    if (recipe.disguise == Disguise::rotated || recipe.disguise == Disguise::all) {
        const MatrixXd R = orthogonal_factor(normal_matrix(stream, d, d, 1));
        C = R * C * R.transpose();
    }
    std::vector<MatrixXd> matrices;
    for (const double factor : factors) matrices.push_back(factor * C);
    return matrices;
}

void spoil(const Recipe& recipe, Stream& stream, BenchNetwork& network) {
    const Eigen::Index d = network.d(), rows = 2 * d + 1;
    MatrixXd more_P = MatrixXd::Zero(rows, rows), more_Q = more_P;
    if (recipe.built == Built::feature_map)
        more_P.diagonal().head(2 * d) = clutter(stream, 2 * d, 1, 1);
    else if (recipe.built == Built::cluttered_P) {
        more_P = clutter(stream, rows, rows, 1);
        more_P(rows - 1, rows - 1) = 0;
    } else if (recipe.built == Built::cluttered_Q)
        more_Q.bottomRows(d + 1) = clutter(stream, d + 1, rows, largest_entry(network.Q[0]));
    else if (recipe.built == Built::random) {
        more_P = normal_matrix(stream, rows, rows, 0.5);
        more_Q = normal_matrix(stream, rows, rows, 0.5 * recipe.alpha);
        for (MatrixXd& P : network.P) P.setZero();
        for (MatrixXd& Q : network.Q) Q.setZero();
    }
    for (MatrixXd& P : network.P) P += more_P;
    for (MatrixXd& Q : network.Q) Q += more_Q;
}

// The share of a network's mean square value that no multiple of another's values explains.
double changed_share(const BenchNetwork& network, const BenchNetwork& from, const LineUpPrompts& prompts) {
    double both = 0, own = 0, other = 0;
    for (int i = 0; i < prompts.size(); ++i) {
        const VectorXd w = network_weights(prompts.context(i), network.P, network.Q),
                       v = network_weights(prompts.context(i), from.P, from.Q);
        const VectorXd weighted = prompts.moments(i) * w;
        both += weighted.dot(v);
        own += weighted.dot(w);
        other += v.dot(prompts.moments(i) * v);
    }
    return 1 - both * both / (own * other);
}

BenchNetwork without_disguise(Recipe recipe, int d, int layers, const LineUpPrompts& prompts, uint64_t seed,
                              uint32_t number) {
    const auto [beta, c] = place_built_as(recipe.built);
    const bool spoilt = truth_of(recipe.built) == MapVerdict::none;
    for (;; recipe.alpha *= 2) {
        Stream stream(seed, Purpose::initial_weights, number, 1);
        BenchNetwork pure;
        for (const MatrixXd& C : layer_matrices(recipe, d, layers, stream)) {
            const ConstructedLayer layer = layer_at(C, beta, c);
            pure.P.push_back(layer.P);
            pure.Q.push_back(layer.Q);
        }
        if (!spoilt) return pure;
        BenchNetwork network = pure;
        spoil(recipe, stream, network);
        if (recipe.built == Built::random || recipe.alpha > 8 || changed_share(network, pure, prompts) >= 0.5)
            return network;
    }
}

// The last layer's blocks that the value never reads: P's rows but the last, and the columns of Q for gamma phi', of
// which a query has none, unless earlier layers have `written` some into it.
void fill(Stream& stream, bool written, BenchNetwork& network) {
    const Eigen::Index d = network.d(), rows = 2 * d + 1;
    MatrixXd &P = network.P.back(), &Q = network.Q.back();
    P.topRows(rows - 1) = clutter(stream, rows - 1, rows, largest_entry(P));
    if (!written) Q.middleCols(d, d) = clutter(stream, rows, d, largest_entry(Q));
}

// The same columns of Q, so that the rewards of Z_L, which nobody reads, become TD errors of the last step.
void plant(BenchNetwork& network) {
    const Eigen::Index d = network.d();
    MatrixXd& Q = network.Q.back();
    // One reward step stands in the first layer; nothing after it reads what the last one adds.
    MatrixXd& first = network.Q.front();
    const bool single = Q.isZero() && network.layers() > 1;
    MatrixXd& planted = single ? first : Q;
    const double steps = single ? 1 : network.layers();
    planted.middleCols(d, d) = -steps * planted.leftCols(d);
}

void add_noise(Stream& stream, double share, BenchNetwork& network) {
    const Eigen::Index rows = network.P[0].rows();
    // Layers that do nothing have noise of the first one's size.
    for (size_t l = 0; l < network.P.size(); ++l)
        for (auto* matrices : {&network.P, &network.Q}) {
            const double largest = largest_entry((*matrices)[0]);
            (*matrices)[l] += normal_matrix(stream, rows, rows, share * largest);
        }
}

}  // namespace

const char* name_of(Built built) { return kBuiltTexts[static_cast<size_t>(built)].name; }
const char* label_of(Built built) { return kBuiltTexts[static_cast<size_t>(built)].label; }
MapVerdict truth_of(Built built) { return kBuiltTexts[static_cast<size_t>(built)].truth; }

const char* name_of(Disguise disguise) {
    constexpr const char* names[] = {"bare", "gauge", "rotated", "noise", "filled", "planted", "all", "taught"};
    return names[static_cast<size_t>(disguise)];
}
const char* label_of(Disguise disguise) {
    constexpr const char* labels[] = {"none",          "rescaled P, Q",  "rotated features", "noise",
                                      "filled blocks", "planted errors", "all four",         "taught"};
    return labels[static_cast<size_t>(disguise)];
}

std::vector<MatrixXd> BenchNetwork::trace(const MatrixXd& prompt) const {
    const auto n = prompt.cols() - 1;
    std::vector<MatrixXd> Z = {prompt};
    for (size_t l = 0; l < P.size(); ++l) {
        const MatrixXd G = Z[l].leftCols(n) * Z[l].leftCols(n).transpose() / static_cast<double>(n);
        Z.push_back(Z[l] + P[l] * G * Q[l] * Z[l]);
    }
    return Z;
}

MapPoint teacher_of(Built built, double alpha, int layers) {
    const auto [beta, c] = place_built_as(built);
    MapPoint point{beta, c, VectorXd::Constant(layers, alpha)};
    if (built == Built::reward_step) point.alphas.tail(layers - 1).setZero();
    return point;
}

BenchNetwork build_network(const Recipe& recipe, int d, int layers, const LineUpPrompts& prompts, uint64_t seed,
                           uint32_t number) {
    BenchNetwork network = without_disguise(recipe, d, layers, prompts, seed, number);
    Stream stream(seed, Purpose::initial_weights, number, 2);
    const auto is = [&](Disguise one) { return recipe.disguise == one || recipe.disguise == Disguise::all; };
    if (is(Disguise::filled)) fill(stream, truth_of(recipe.built) == MapVerdict::none, network);
    if (recipe.disguise == Disguise::planted) plant(network);
    if (is(Disguise::noise)) add_noise(stream, recipe.noise, network);
    if (is(Disguise::gauge))
        for (size_t l = 0; l < network.P.size(); ++l) {
            const double a = (stream.uniform() < 0.5 ? -1 : 1) * std::exp2(stream.uniform(-2, 2));
            network.P[l] *= a;
            network.Q[l] /= a;
        }
    return network;
}

}  // namespace emergence
