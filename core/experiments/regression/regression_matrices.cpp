// The weights of experiment "regression" as pictures and as arrays.
#include <fmt/format.h>

#include "core/algorithms/regression_descent.h"
#include "core/base/error.h"
#include "core/experiments/regression/regression_study.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"
#include "core/measures/identity_distance.h"

namespace emergence {
namespace {

// Sigma^1/2 A Sigma^1/2 of one layer.
Eigen::MatrixXd whitened(const RegressionWeights& seed, const InContextWeights& weights, int layer) {
    const Eigen::MatrixXd root = seed.covariance.power(0.5);
    return root * weights.A(layer) * root;
}

// A matrix with one table per seed, from its weights and its initial weights.
template <class Part>
ShownMatrix regression_matrix(std::string name, std::string help, const RegressionConfig& config,
                              const std::vector<RegressionWeights>& seeds, const Part& part) {
    ShownMatrix matrix(std::move(name), "", std::move(help));
    matrix.square({{"x", config.d}});
    for (const RegressionWeights& seed : seeds)
        matrix.seed(table_of(part(seed, seed.weights)), table_of(part(seed, seed.initial)));
    return matrix;
}

// `scale` times the identity.
Table diagonal(int d, double scale) {
    Table table(d, d);
    for (int i = 0; i < d; ++i) table(i, i) = scale;
    return table;
}

NamedMatrix whitened_matrix(const RegressionConfig& config, const std::vector<RegressionWeights>& seeds, int layer) {
    ShownMatrix matrix = regression_matrix(
        fmt::format("A{} whitened", layer),
        fmt::format("\u03a3^\u00bd A{0} \u03a3^\u00bd: the preconditioner of layer {1} as it acts on whitened x. A "
                    "negative multiple of I: a gradient step preconditioned with \u03a3\u207b\u00b9.",
                    layer, layer + 1),
        config, seeds,
        [layer](const RegressionWeights& seed, const InContextWeights& w) { return whitened(seed, w, layer); });
    // With one layer and w* ~ N(0, I) theory's matrix has other eigenvectors in every seed.
    if (config.layers > 1 || config.prior != WeightPrior::identity)
        matrix.target(diagonal(config.d, -1.0),
                      moves_points(config) ? "Theorem 5, Ahn et al. 2023" : "Theorem 4, Ahn et al. 2023");
    matrix.meanings(
        {{0, 0, "A step downhill on the least-squares loss, Eq. (11); off the diagonal nothing, once x is whitened.",
          false, "the gradient step"}});
    return matrix.note_alignment(
        config.restriction == Restriction::none ? "times P's corner, on which its scale depends" : "as trained");
}

NamedMatrix raw_matrix(const RegressionConfig& config, const std::vector<RegressionWeights>& seeds, int layer) {
    return regression_matrix(
               fmt::format("A{}", layer),
               fmt::format("A{0}, the preconditioner of layer {1} in the coordinates of the prompt. Every seed has "
                           "another \u03a3, so that their mean says little: look at one seed.",
                           layer, layer + 1),
               config, seeds, [layer](const RegressionWeights&, const InContextWeights& w) { return w.A(layer); })
        .note_alignment("as trained; each seed has its own \u03a3");
}

// Layer `layer` in the basis that makes all layers as diagonal as possible.
Eigen::MatrixXd in_joint_basis(const InContextWeights& weights, int layer) {
    std::vector<Eigen::MatrixXd> all;
    for (int l = 0; l < weights.layers; ++l) all.push_back((weights.A(l) + weights.A(l).transpose()) / 2);
    return diagonalise_jointly(std::move(all)).matrices[layer];
}

NamedMatrix joint_matrix(const RegressionConfig& config, const std::vector<RegressionWeights>& seeds, int layer) {
    return regression_matrix(
               fmt::format("A{} joint basis", layer),
               fmt::format("A{} in the basis in which all layers together are as diagonal as can be. Theorem 3: some "
                           "minimisers are diagonal, and on isotropic data a rotation of all layers is as good.",
                           layer),
               config, seeds,
               [layer](const RegressionWeights&, const InContextWeights& w) { return in_joint_basis(w, layer); })
        .note_alignment("each seed in its own basis, found by joint diagonalisation");
}

NamedMatrix move_matrix(const RegressionConfig& config, const std::vector<RegressionWeights>& seeds, int layer) {
    return regression_matrix(
               fmt::format("B{}", layer),
               fmt::format("How layer {} moves the x before the next gradient step: a multiple of I evens out their "
                           "curvature (GD++).",
                           layer + 1),
               config, seeds, [layer](const RegressionWeights&, const InContextWeights& w) { return w.B(layer); })
        .target(diagonal(config.d, 1.0), "Theorem 5, Ahn et al. 2023")
        .meanings({{0, 0, "Moves each x by a multiple of X X' A x.", false, "the move of x"}})
        .note_alignment(config.restriction == Restriction::none ? "over P's corner, on which its scale depends"
                                                                : "as trained");
}

}  // namespace

std::vector<NamedMatrix> regression_matrices(const RegressionConfig& config,
                                             const std::vector<RegressionWeights>& seeds) {
    std::vector<NamedMatrix> matrices;
    for (int l = 0; l < config.layers; ++l) matrices.push_back(whitened_matrix(config, seeds, l));
    for (int l = 0; moves_points(config) && l + 1 < config.layers; ++l)
        matrices.push_back(move_matrix(config, seeds, l));
    for (int l = 0; l < config.layers; ++l) matrices.push_back(raw_matrix(config, seeds, l));
    const bool isotropic = config.spectrum == Spectrum::identity && config.layers > 1;
    for (int l = 0; isotropic && l < config.layers; ++l) matrices.push_back(joint_matrix(config, seeds, l));
    return matrices;
}

std::vector<Formula> regression_formulas(const RegressionConfig& config) {
    std::vector<BlockReference> preconditioners, moves;
    for (int l = 0; l < config.layers; ++l)
        for (const char* form : {" whitened", ""}) preconditioners.push_back({fmt::format("A{}{}", l, form), 0, 0});
    for (int l = 0; l + 1 < config.layers; ++l) moves.push_back({fmt::format("B{}", l), 0, 0});
    std::vector<Formula> formulas = {
        {"preconditioned gradient descent",
         {{"w_{l+1}", "The weights after layer l + 1: the prediction is their product with the query.", {}},
          {"=", "", {}},
          {"w_l", "What the layers before have found; from w_0 = 0.", {}},
          {"+", "", {}},
          {"A_l", "The preconditioner of the layer, negative definite.", preconditioners},
          {"(1/n) sum_j", "The gradient of the least-squares loss over the prompt's pairs.", {}},
          {"(", "", {}},
          {"w_l^T x_j", "What is predicted for x_j so far.", {}},
          {"-", "", {}},
          {"y_j", "Its y.", {}},
          {")", "", {}},
          {"x_j", "The direction of the gradient.", preconditioners}},
         "Lemma 2 of Ahn et al. 2023: under Eq. (9) a layer is exactly this."}};
    if (moves_points(config))
        formulas.push_back({"moved x",
                            {{"x", "Each x, the query's too.", {}},
                             {"<-", "", {}},
                             {"x", "", {}},
                             {"+", "", {}},
                             {"B_l", "Which way and how far.", moves},
                             {"(1/n) X X^T", "The prompt's second moments.", {}},
                             {"A_l x", "The same product as in the gradient step.", preconditioners}},
                            "Eq. (13) of Ahn et al. 2023: with multiples of I (whitened) this is GD++."});
    return formulas;
}

ArrayMap regression_arrays(const RegressionConfig& config, const std::vector<RegressionWeights>& seeds) {
    const auto rows = static_cast<size_t>(config.d + 1), d = static_cast<size_t>(config.d);
    const std::vector<size_t> shape = {static_cast<size_t>(config.layers), rows, rows};
    const auto half = [](const RegressionWeights& seed, const double* start) {
        return std::span(start, seed.weights.flat.size() / 2);
    };
    ArrayMap map;
    map["P"] = stacked(seeds, shape, [&](const auto& seed) { return half(seed, seed.weights.P()); });
    map["Q"] = stacked(seeds, shape, [&](const auto& seed) { return half(seed, seed.weights.Q()); });
    map["Sigma"] = stacked(seeds, {d, d}, [](const auto& seed) { return table_of(seed.covariance.matrix()).values; });
    return map;
}

std::vector<RegressionWeights> regression_weights(const RegressionConfig& config, const Snapshot& snapshot) {
    const auto P = as_doubles(snapshot.weights.at("P")), Q = as_doubles(snapshot.weights.at("Q"));
    std::vector<RegressionWeights> seeds;
    for (size_t k = 0; k < snapshot.seeds.size(); ++k) {
        RegressionWeights seed{covariance_of(config, snapshot.seeds[k].seed),
                               InContextWeights(config.d, config.layers),
                               {},
                               snapshot.seeds[k].failed};
        const auto half = seed.weights.flat.size() / 2;
        check(P.size() == Q.size() && P.size() == snapshot.seeds.size() * static_cast<size_t>(half),
              "an inspection keeps the trained sizes");
        const Eigen::Index from = static_cast<Eigen::Index>(k) * half;
        seed.weights.flat.head(half) = Eigen::Map<const Eigen::VectorXd>(P.data() + from, half);
        seed.weights.flat.tail(half) = Eigen::Map<const Eigen::VectorXd>(Q.data() + from, half);
        seeds.push_back(std::move(seed));
    }
    return seeds;
}

}  // namespace emergence
