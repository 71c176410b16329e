#include "tests/claims/bench/bench.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/eigen.h"
#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/experiments/stacked.h"
#include "core/measures/emergence.h"
#include "core/tasks/task.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;

// A network's matrices in double.
struct Traced {
    explicit Traced(const KnownNetwork& network) : d(network.d) {
        for (int l = 0; l < network.layers; ++l) {
            P.push_back(network.P_at(l));
            Q.push_back(network.Q_at(l));
        }
    }
    // Z_0 .. Z_L of a context, without a query.
    std::vector<Mat> of(const Transitions& context) const {
        std::vector<Mat> Z = {td_prompt(context, Vec::Zero(d)).leftCols(context.phi.cols())};
        for (size_t l = 0; l < P.size(); ++l) Z.push_back(Z[l] + P[l] * average(Z[l]) * Q[l] * Z[l]);
        return Z;
    }
    static Mat average(const Mat& Z) { return Z * Z.transpose() / static_cast<double>(Z.cols()); }

    int d;
    std::vector<Mat> P, Q;
};

struct PointOfFamily {
    double beta, c;
    Vec alphas;
};

// The step sizes with which the algorithm at (beta, c) explains most: damped least squares from three starts.
PointOfFamily fitted_at(double beta, double c, const KnownNetwork& network, const FitPrompts& prompts) {
    const FamilyBank bank = prompts.bank();
    const std::vector<double> values = prompts.values(network.view());
    std::vector<double> importance = family_errors(bank, values.data(), {0, 0, 0}, Steps::scalar);
    std::vector<double> sizes(importance.begin(), importance.begin() + prompts.size());
    std::nth_element(sizes.begin(), sizes.begin() + prompts.size() / 2, sizes.end());
    for (double& one : importance) one = 1 / (one + sizes[static_cast<size_t>(prompts.size() / 2)]);
    const FamilyTarget target{values.data(), importance.data()};
    const Index layers = network.layers;
    const auto sums_at = [&](const Vec& alphas, bool derivatives) {
        std::vector<double> x = {beta, c};
        x.insert(x.end(), alphas.begin(), alphas.end());
        return family_sums(bank, target, x, Steps::scalar, derivatives);
    };
    double least = std::numeric_limits<double>::infinity();
    Vec best = Vec::Constant(layers, 0.1);
    for (const double start : {0.1, 0.4, 1.0}) {
        Vec alphas = Vec::Constant(layers, start);
        double damping = 1e-3;
        for (int step = 0; step < 25; ++step) {
            const FamilySums at = sums_at(alphas, true);
            if (at.loss < least) least = at.loss, best = alphas;
            Mat H = at.curvature.bottomRows(layers).rightCols(layers);
            H.diagonal() *= 1 + damping;
            H.diagonal() += 1e-12 * (1 + H.diagonal().maxCoeff());
            const Vec gradient = at.gradient.tail(layers), trial = alphas - solve_positive(H, gradient);
            const bool better = sums_at(trial, false).loss < at.loss;
            if (better) alphas = trial;
            damping *= better ? 0.3 : 10;
        }
    }
    return {beta, c, best};
}

// w_0 .. w_L of an algorithm on a context; with `errors` those it meets from layer `from` on instead of its own.
struct Path {
    std::vector<Vec> w;
    std::vector<Vec> errors;  // before each layer, and at the end
};
Path path_of(const Transitions& context, const PointOfFamily& point, int from = -1, const Vec* errors = nullptr) {
    const auto n = static_cast<double>(context.phi.cols());
    const Mat moved = point.beta * context.gamma_phi_next - context.phi,
              credit = context.phi - point.c * context.gamma_phi_next;
    Path path{{Vec::Zero(context.phi.rows())}, {context.reward}};
    for (Index l = 0; l < point.alphas.size(); ++l) {
        if (l == from) path.errors.back() = *errors;
        const Vec step = point.alphas[l] / n * (credit * path.errors.back());
        path.w.push_back(path.w.back() + step);
        path.errors.push_back(path.errors.back() + moved.transpose() * step);
    }
    return path;
}

// The share of the variance of `wanted` (samples x outputs) that a linear map of `seen` explains on the second half.
double explained_by_probe(const MatrixXd& seen, const MatrixXd& wanted) {
    const Index half = seen.rows() / 2, columns = seen.cols();
    if (!seen.allFinite() || !wanted.allFinite()) return 0;
    const Eigen::RowVectorXd mean = seen.topRows(half).colwise().mean(), center = wanted.topRows(half).colwise().mean();
    const Eigen::VectorXd scale =
        ((seen.topRows(half).rowwise() - mean).colwise().squaredNorm() / static_cast<double>(half))
            .cwiseSqrt()
            .cwiseMax(1e-12)
            .transpose();
    const MatrixXd x = (seen.rowwise() - mean) * scale.cwiseInverse().asDiagonal(), y = wanted.rowwise() - center;
    const MatrixXd normal = x.topRows(half).transpose() * x.topRows(half) +
                            1e-3 * static_cast<double>(half) * MatrixXd::Identity(columns, columns);
    const MatrixXd products = x.topRows(half).transpose() * y.topRows(half), map = normal.ldlt().solve(products);
    const Index rest = seen.rows() - half;
    const double left = (y.bottomRows(rest) - x.bottomRows(rest) * map).squaredNorm(),
                 all = y.bottomRows(rest).squaredNorm();
    return all > 0 ? larger(0.0, 1 - left / all) : 0;
}

// One prompt's rows of what a probe sees after a layer, and of what it looks for.
using Rows = std::function<std::pair<Mat, Mat>(const Mat& Z, const Path& td, size_t layer)>;

// What a probe finds at the best layer, less what it finds in random networks there.
Opinion probe(const KnownNetwork& network, const BenchPrompts& prompts, const Rows& rows_of) {
    const PointOfFamily td = fitted_at(1, 0, network, prompts.verdict.fit);
    const auto explained = [&](const KnownNetwork& one) {
        const Traced traced(one);
        std::vector<double> by_layer;
        for (size_t layer = 1; layer <= traced.P.size(); ++layer) {
            MatrixXd seen, wanted;
            Index first = 0;
            for (const Transitions& context : prompts.contexts) {
                const auto [rows, targets] = rows_of(traced.of(context)[layer], path_of(context, td), layer);
                if (first == 0) {
                    seen.resize(rows.rows() * static_cast<Index>(prompts.contexts.size()), rows.cols());
                    wanted.resize(seen.rows(), targets.cols());
                }
                seen.middleRows(first, rows.rows()) = eigen(rows);
                wanted.middleRows(first, rows.rows()) = eigen(targets);
                first += rows.rows();
            }
            by_layer.push_back(explained_by_probe(seen, wanted));
        }
        return by_layer;
    };
    std::vector<double> found = explained(network);
    for (const KnownNetwork& control : prompts.controls) {
        const std::vector<double> anyway = explained(control);
        for (size_t l = 0; l < found.size(); ++l) found[l] -= anyway[l] / static_cast<double>(prompts.controls.size());
    }
    const double best = *std::max_element(found.begin(), found.end());
    return {VerdictName::td, best, best};
}

// Row by row the entries of a symmetric matrix.
Mat upper_half(const Mat& G) {
    Mat entries(1, G.rows() * (G.rows() + 1) / 2);
    Index k = 0;
    for (Index i = 0; i < G.rows(); ++i)
        for (Index j = i; j < G.cols(); ++j) entries[k++] = G(i, j);
    return entries;
}

// The weight vector after the exchange of the last rows before layer `from`: that of `other` stands in `own`.
Vec exchanged(const Traced& network, const std::vector<Mat>& own, const std::vector<Mat>& other, size_t from) {
    const auto rows = own[0].rows();
    Mat product = Mat::Identity(rows, rows), Z = own[0];
    for (size_t l = 0; l < network.P.size(); ++l) {
        if (l == from) Z.row(rows - 1) = other[l].row(rows - 1);
        const Mat T = Mat::Identity(rows, rows) + network.P[l] * Traced::average(Z) * network.Q[l];
        product = T * product;
        Z = T * Z;
    }
    return -product.row(rows - 1).head(network.d).transpose();
}

// The share of what follows the exchanges that an algorithm does not foretell; the order of its steps is the best.
double not_foretold(const BenchPrompts& prompts, const std::vector<std::vector<Vec>>& seen, PointOfFamily point) {
    std::sort(point.alphas.begin(), point.alphas.end());
    double least = std::numeric_limits<double>::infinity();
    int orders = 0;
    do {
        double left = 0, all = 0;
        for (size_t from = 1; from <= seen.size(); ++from)
            for (size_t i = 0; i < prompts.contexts.size(); ++i) {
                const Transitions &own = prompts.contexts[i],
                                  &other = prompts.contexts[(i + 1) % prompts.contexts.size()];
                const Vec errors = path_of(other, point).errors[from];
                const Vec& w = seen[from - 1][i];
                left += (path_of(own, point, static_cast<int>(from), &errors).w.back() - w).squaredNorm();
                all += w.squaredNorm();
            }
        if (left / all < least) least = left / all;
    } while (++orders < 24 && std::next_permutation(point.alphas.begin(), point.alphas.end()));
    return least;
}

// Linear probes, on traces: of batch TD's weight vector after each layer, from the averages of that layer's Z; of its
// TD errors, from the columns of Z. How sure: the explained share of the variance on other prompts, less that of random
// networks, at the best layer.
Opinion probe_weights(const KnownNetwork& network, const BenchPrompts& prompts) {
    return probe(network, prompts, [](const Mat& Z, const Path& td, size_t layer) {
        return std::pair<Mat, Mat>(upper_half(Traced::average(Z)), td.w[layer].transpose());
    });
}

Opinion probe_errors(const KnownNetwork& network, const BenchPrompts& prompts) {
    return probe(network, prompts, [](const Mat& Z, const Path& td, size_t layer) {
        return std::pair<Mat, Mat>(Z.transpose(), td.errors[layer]);
    });
}

// Interchange: the errors in one prompt's Z_l, its last row, are put into another prompt's, for each layer between; the
// value that follows is compared with what each algorithm makes of the same exchange.
Opinion interchange(const KnownNetwork& network, const BenchPrompts& prompts) {
    const Traced traced(network);
    std::vector<std::vector<Mat>> traces;
    for (const Transitions& context : prompts.contexts) traces.push_back(traced.of(context));
    std::vector<std::vector<Vec>> seen;  // by layer and prompt
    for (size_t from = 1; from < traced.P.size(); ++from) {
        seen.emplace_back();
        for (size_t i = 0; i < traces.size(); ++i)
            seen.back().push_back(exchanged(traced, traces[i], traces[(i + 1) % traces.size()], from));
    }
    const auto at = [&](double beta, double c) { return fitted_at(beta, c, network, prompts.verdict.fit); };
    const PointOfFamily none = at(0, 0);
    // One reward step is TD without bootstrapping whose other steps are zero.
    PointOfFamily one = none;
    one.alphas.setZero();
    one.alphas[one.alphas.size() - 1] = none.alphas.sum();
    const std::pair<VerdictName, PointOfFamily> algorithms[] = {{VerdictName::reward_correlation, one},
                                                                {VerdictName::no_bootstrap, none},
                                                                {VerdictName::td, at(1, 0)},
                                                                {VerdictName::residual_gradient, at(1, 1)},
                                                                {VerdictName::between, at(0.5, 0)},
                                                                {VerdictName::between, at(1, 0.5)},
                                                                {VerdictName::between, at(-1, 0)}};
    std::vector<double> left;
    double least = 10;
    for (const auto& [name, point] : algorithms) {
        left.push_back(not_foretold(prompts, seen, point));
        if (left.back() < least) least = left.back();
    }
    Opinion opinion{VerdictName::none, -least, -smaller(left[2], 10.0)};
    for (size_t k = 0; k < left.size(); ++k)
        if (left[k] <= 1.25 * least + kSameShare) {
            opinion.name = algorithms[k].first;
            break;
        }
    return opinion;
}

constexpr uint32_t kTraced = 96, kControls = 4;

// The pattern that theory gives P and Q. Of several layers the last needs no bootstrapping.
Opinion read_pattern(const KnownNetwork& network, const BenchPrompts&) {
    bool td = true, residual = true;
    for (int l = 0; l < network.layers; ++l) {
        const ElementWise e = element_wise(table_of(network.P_at(l)), table_of(network.Q_at(l)));
        const int layers = l + 1 < network.layers ? network.layers : 1;
        td = td && lacks_to_emerge(e, network.d, layers).empty();
        residual = residual && lacks_to_emerge(e, network.d, layers, true).empty();
    }
    return {residual ? VerdictName::residual_gradient : VerdictName::td, td || residual ? 1.0 : 0.0,
            td && !residual ? 1.0 : 0.0};
}

// The mean cosine of the network's weight vectors and batch TD's, with the step size that resembles most. Values are
// linear in the query, so SS is the same number.
Opinion iws_of(const KnownNetwork& network, const BenchPrompts& prompts) {
    const auto mean_cosine = [&](const FitPrompts& on, double alpha) {
        const FamilyBank bank = on.bank();
        std::vector<double> td(static_cast<size_t>(network.layers) + 2, alpha);
        td[0] = 1;
        td[1] = 0;
        const std::vector<double> values = on.values(network.view()), nothing(values.size(), 0);
        // |w - w_TD|^2, |w|^2 and |w_TD|^2, each in the form that weighs values
        const std::vector<double> between = family_errors(bank, values.data(), td, Steps::scalar),
                                  theirs = family_errors(bank, nothing.data(), td, Steps::scalar),
                                  own = family_errors(bank, values.data(), {0, 0, 0}, Steps::scalar);
        double sum = 0;
        for (int i = 0; i < on.size(); ++i) {
            const auto at = static_cast<size_t>(i);
            sum += (own[at] + theirs[at] - between[at]) / (2 * std::sqrt(own[at] * theirs[at]));
        }
        return sum / on.size();
    };
    double best = -1, best_alpha = 1;
    for (int power = -8; power <= 3; ++power)
        if (const double cosine = mean_cosine(prompts.verdict.fit, std::exp2(power / 2.0)); cosine > best) {
            best = cosine;
            best_alpha = std::exp2(power / 2.0);
        }
    const double iws = mean_cosine(prompts.verdict.judge, best_alpha);
    return {VerdictName::td, iws, iws};
}

Opinion verdict_on(const KnownNetwork& network, const BenchPrompts& prompts) {
    const NetworkVerdict said = verdict(network.view(), prompts.verdict, prompts.landmarks);
    if (!said.has_values()) return {said.name, 1, -10};
    // By how much TD leaves less than any other named algorithm.
    constexpr size_t kTd = 2;
    double others = 1;
    for (size_t m = 0; m < said.leaves.size(); ++m)
        if (m != kTd) others = smaller(others, said.leaves[m].value);
    return {said.name, 1, others - said.leaves[kTd].value};
}

}  // namespace

BenchPrompts::BenchPrompts(const BankOptions& options, int layers)
    : verdict(HeldOutBank(options), 0, PlaceAxis::gradient), landmarks(landmarks_of(PlaceAxis::gradient, 0)) {
    Mrp mrp;
    for (uint32_t i = 0; i < kTraced; ++i) {
        draw_mrp(options.tasks, derive_seed(options.seed, Purpose::testing), i, mrp);
        Stream stream(options.seed, Purpose::testing, i);
        contexts.push_back(
            transitions_along(mrp, options.tasks.gamma, draw_path(mrp, options.context_lengths.front(), stream)));
    }
    for (const KnownNetwork& network :
         known_networks({.d = options.tasks.d, .layers = layers, .seed = options.seed}, 0))
        if (network.truth == VerdictName::none && controls.size() < kControls) controls.push_back(network);
}

const std::vector<Judge>& bench_judges() {
    static const std::vector<Judge> judges = {{"pattern", "pattern of the weights", false, read_pattern},
                                              {"iws", "IWS", true, iws_of},
                                              {"verdict", "verdict", false, verdict_on},
                                              {"probe_weights", "probe of w", true, probe_weights},
                                              {"probe_errors", "probe of TD errors", true, probe_errors},
                                              {"interchange", "interchange", false, interchange}};
    return judges;
}

}  // namespace emergence
