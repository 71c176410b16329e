// Judges that read forward traces.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/linear_algebra.h"
#include "core/experiments/bench/judge.h"
#include "core/measures/map_fit.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// z_0 .. z_{n-1} of Z_0, and a query of zero.
MatrixXd prompt_of(const Transitions& context) { return td_prompt(context, VectorXd::Zero(context.phi.rows())); }

// A network's values on the prompts of a bench, to be fitted.
struct Fits {
    Fits(const BenchNetwork& network, const LineUpPrompts& prompts)
        : lanes(prompts), target(lanes, lanes.in_lanes(weights_of(network, prompts))), layers(network.layers()) {}

    // The step sizes with which the algorithm at (beta, c) explains most.
    MapPoint at(double beta, double c) const {
        return point(fit_map(target, first_map_point(target, beta, c, layers), 2, kMostMapSteps).x);
    }
    // The best point of all, from one.
    MapPoint from(const MapPoint& start) const {
        VectorXd x(layers + 2);
        x << start.beta, start.c, start.alphas;
        return point(fit_map(target, x, 0, kMostMapSteps).x);
    }

    MapPrompts lanes;
    MapTarget target;
    int layers;

  private:
    static std::vector<VectorXd> weights_of(const BenchNetwork& network, const LineUpPrompts& prompts) {
        std::vector<VectorXd> weights;
        for (int i = 0; i < prompts.size(); ++i)
            weights.push_back(network_weights(prompts.context(i), network.P, network.Q));
        return weights;
    }
    MapPoint point(const VectorXd& x) const { return {x[0], x[1], x.tail(layers)}; }
};

// w_0 .. w_L of an algorithm on a context; with `errors` those it meets from layer `from` on instead of its own.
struct Path {
    std::vector<VectorXd> w;
    std::vector<VectorXd> errors;  // before each layer, and at the end
};
Path path_of(const Transitions& context, const MapPoint& point, int from = -1, const VectorXd* errors = nullptr) {
    const auto n = static_cast<double>(context.phi.cols());
    const MatrixXd moved = point.beta * context.gamma_phi_next - context.phi,
                   credit = context.phi - point.c * context.gamma_phi_next;
    Path path{{VectorXd::Zero(context.phi.rows())}, {context.reward}};
    for (Eigen::Index l = 0; l < point.alphas.size(); ++l) {
        if (l == from) path.errors.back() = *errors;
        const VectorXd step = point.alphas[l] / n * (credit * path.errors.back());
        path.w.push_back(path.w.back() + step);
        path.errors.push_back(path.errors.back() + moved.transpose() * step);
    }
    return path;
}

// The share of the variance of `wanted` (samples x outputs) that a linear map of `seen` explains on the second half.
double explained_by_probe(const MatrixXd& seen, const MatrixXd& wanted) {
    const Eigen::Index half = seen.rows() / 2, columns = seen.cols();
    if (!seen.allFinite() || !wanted.allFinite()) return 0;
    const Eigen::RowVectorXd mean = seen.topRows(half).colwise().mean(), center = wanted.topRows(half).colwise().mean();
    const VectorXd scale = ((seen.topRows(half).rowwise() - mean).colwise().squaredNorm() / static_cast<double>(half))
                               .cwiseSqrt()
                               .cwiseMax(1e-12)
                               .transpose();
    const MatrixXd x = (seen.rowwise() - mean) * scale.cwiseInverse().asDiagonal(), y = wanted.rowwise() - center;
    const MatrixXd normal = x.topRows(half).transpose() * x.topRows(half) +
                            1e-3 * static_cast<double>(half) * MatrixXd::Identity(columns, columns);
    const MatrixXd map = solve_positive_columns(normal, x.topRows(half).transpose() * y.topRows(half));
    const Eigen::Index rest = seen.rows() - half;
    const double left = (y.bottomRows(rest) - x.bottomRows(rest) * map).squaredNorm(),
                 all = y.bottomRows(rest).squaredNorm();
    return all > 0 ? std::max(0.0, 1 - left / all) : 0;
}

using Sampled = std::function<std::pair<MatrixXd, MatrixXd>(const BenchNetwork&, int layer)>;

// What a probe finds at the best layer, less what it finds in random networks there.
Opinion probe(const BenchNetwork& network, const BenchPrompts& prompts, const Sampled& samples) {
    double best = -1;
    for (int layer = 1; layer <= network.layers(); ++layer) {
        double control = 0;
        for (const BenchNetwork& random : prompts.controls) {
            const auto [seen, wanted] = samples(random, layer);
            control += explained_by_probe(seen, wanted) / static_cast<double>(prompts.controls.size());
        }
        const auto [seen, wanted] = samples(network, layer);
        best = std::max(best, explained_by_probe(seen, wanted) - control);
    }
    return {MapVerdict::td, MapVerdict::none, best, best};
}

// Row by row the entries of a symmetric matrix.
Eigen::RowVectorXd upper_half(const MatrixXd& G) {
    Eigen::RowVectorXd entries(G.rows() * (G.rows() + 1) / 2);
    Eigen::Index k = 0;
    for (Eigen::Index i = 0; i < G.rows(); ++i)
        for (Eigen::Index j = i; j < G.cols(); ++j) entries[k++] = G(i, j);
    return entries;
}

}  // namespace

Opinion probe_weights(const BenchNetwork& network, const BenchPrompts& prompts) {
    const MapPoint td = Fits(network, *prompts.fit).at(1, 0);
    return probe(network, prompts, [&](const BenchNetwork& of, int layer) {
        const LineUpPrompts* halves[] = {prompts.fit.get(), prompts.judge.get()};
        const auto rows = 2 * of.d() + 1, samples = 2 * prompts.fit->size();
        std::pair<MatrixXd, MatrixXd> pair{MatrixXd(samples, rows * (rows + 1) / 2), MatrixXd(samples, of.d())};
        for (int i = 0; i < samples; ++i) {
            MatrixXd G = halves[i / prompts.fit->size()]->context(i % prompts.fit->size());
            const MapPoint so_far{td.beta, td.c, td.alphas.head(layer)};
            pair.second.row(i) = map_weights(G, so_far).transpose();
            for (int l = 0; l < layer; ++l) {
                const auto at = static_cast<size_t>(l);
                const MatrixXd T = MatrixXd::Identity(rows, rows) + of.P[at] * G * of.Q[at];
                G = (T * G * T.transpose()).eval();
            }
            pair.first.row(i) = upper_half(G);
        }
        return pair;
    });
}

Opinion probe_errors(const BenchNetwork& network, const BenchPrompts& prompts) {
    const MapPoint td = Fits(network, *prompts.fit).at(1, 0);
    const auto n = prompts.contexts[0].phi.cols();
    const auto count = static_cast<Eigen::Index>(prompts.contexts.size());
    return probe(network, prompts, [&](const BenchNetwork& of, int layer) {
        std::pair<MatrixXd, MatrixXd> pair{MatrixXd(count * n, 2 * of.d() + 1), MatrixXd(count * n, 1)};
        for (Eigen::Index i = 0; i < count; ++i) {
            const Transitions& context = prompts.contexts[static_cast<size_t>(i)];
            const auto Z = of.trace(prompt_of(context));
            const auto at = static_cast<size_t>(layer);
            pair.first.middleRows(i * n, n) = Z[at].leftCols(n).transpose();
            pair.second.middleRows(i * n, n) = path_of(context, td).errors[at];
        }
        return pair;
    });
}

namespace {

// The weight vector after the exchange of the last rows before layer `from`: that of `other` stands in `own`.
VectorXd exchanged(const BenchNetwork& network, const std::vector<MatrixXd>& own, const std::vector<MatrixXd>& other,
                   int from) {
    const auto rows = own[0].rows(), n = own[0].cols() - 1;
    MatrixXd product = MatrixXd::Identity(rows, rows), Z = own[0].leftCols(n);
    for (int l = 0; l < network.layers(); ++l) {
        const auto at = static_cast<size_t>(l);
        if (l == from) Z.row(rows - 1) = other[at].row(rows - 1).head(n);
        const MatrixXd G = Z * Z.transpose() / static_cast<double>(n);
        const MatrixXd T = MatrixXd::Identity(rows, rows) + network.P[at] * G * network.Q[at];
        product = (T * product).eval();
        Z = (T * Z).eval();
    }
    return -product.row(rows - 1).head(network.d()).transpose();
}

// The share of what follows the exchanges that an algorithm does not foretell; the order of its steps is the best.
double not_foretold(const BenchPrompts& prompts, const std::vector<std::vector<VectorXd>>& seen, MapPoint point) {
    std::sort(point.alphas.begin(), point.alphas.end());
    double least = std::numeric_limits<double>::infinity();
    const auto layers = static_cast<int>(point.alphas.size());
    int orders = 0;
    do {
        double left = 0, all = 0;
        for (int from = 1; from < layers; ++from)
            for (size_t i = 0; i < prompts.contexts.size(); ++i) {
                const Transitions &own = prompts.contexts[i],
                                  &other = prompts.contexts[(i + 1) % prompts.contexts.size()];
                const VectorXd errors = path_of(other, point).errors[static_cast<size_t>(from)];
                const VectorXd& w = seen[static_cast<size_t>(from - 1)][i];
                left += (path_of(own, point, from, &errors).w.back() - w).squaredNorm();
                all += w.squaredNorm();
            }
        if (left / all < least) least = left / all;
    } while (++orders < 24 && std::next_permutation(point.alphas.begin(), point.alphas.end()));
    return least;
}

}  // namespace

Opinion interchange(const BenchNetwork& network, const BenchPrompts& prompts) {
    std::vector<std::vector<MatrixXd>> traces;
    for (const Transitions& context : prompts.contexts) traces.push_back(network.trace(prompt_of(context)));
    std::vector<std::vector<VectorXd>> seen;  // by layer and prompt
    for (int from = 1; from < network.layers(); ++from) {
        seen.emplace_back();
        for (size_t i = 0; i < traces.size(); ++i)
            seen.back().push_back(exchanged(network, traces[i], traces[(i + 1) % traces.size()], from));
    }
    const Fits fits(network, *prompts.fit);
    // One reward step is TD without bootstrapping whose other steps are zero.
    std::vector<std::pair<MapVerdict, MapPoint>> algorithms;
    const MapPoint td = fits.at(1, 0), none = fits.at(0, 0);
    MapPoint one = none;
    one.alphas[0] = none.alphas.sum();
    one.alphas.tail(one.alphas.size() - 1).setZero();
    algorithms = {{MapVerdict::reward_correlation, one},
                  {MapVerdict::no_bootstrap, none},
                  {MapVerdict::td, td},
                  {MapVerdict::residual_gradient, fits.at(1, 1)}};
    const MapPoint best = fits.from(td);
    algorithms.emplace_back(region_of(best.beta, best.c), best);
    std::vector<double> left;
    for (const auto& [verdict, point] : algorithms) left.push_back(not_foretold(prompts, seen, point));
    double least = 10;
    for (const double share : left)
        if (share < least) least = share;
    Opinion opinion{MapVerdict::none, MapVerdict::none, -least, -std::min(left[2], 10.0)};
    for (size_t k = 0; k < left.size(); ++k)
        if (left[k] <= 1.25 * least + kMapSame) {
            opinion.name = algorithms[k].first;
            break;
        }
    return opinion;
}

}  // namespace emergence
