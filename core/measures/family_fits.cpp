#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"
#include "core/measures/families.h"

namespace emergence {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A fit has converged when a step lowers its share by less than this.
constexpr double kRest = 1e-6;
constexpr int kMostScalarSteps = 60, kMatrixSteps = 30;
// A fit of matrices ends once a few more steps like its last one would not lead to what it must explain; the first ones
// may be short.
constexpr int kFirstMatrixSteps = 4, kAhead = 4;
// Powers of M give the best steps at a place up to this many layers; for more layers they are ill-conditioned.
constexpr int kMostPowers = 4;
// Fits of the family begin at this many of the best places.
constexpr size_t kFamilyStarts = 2;
// Further places at which fits of the family may begin, besides the landmarks.
constexpr std::pair<double, double> kPlaces[] = {{0.5, 0}, {0.9, -0.5}, {-1, 0},   {0.8, 0.4}, {0.5, 1},
                                                 {1.5, 0}, {0, 0.5},    {0, -0.5}, {-0.5, 1},  {1.5, 1}};

using FlatParameters = std::vector<double>;

FlatParameters flat_of(const VectorXd& x) { return {x.begin(), x.end()}; }

VectorXd as_matrices(const VectorXd& x, int d, int layers) {
    VectorXd matrices = VectorXd::Zero(2 + layers * d * d);
    matrices.head(2) = x.head(2);
    for (int l = 0; l < layers; ++l)
        for (int i = 0; i < d; ++i) matrices[2 + (l * d + i) * d + i] = x[2 + l];
    return matrices;
}

}  // namespace

double middle_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

NetworkValues::NetworkValues(const FitPrompts& of, std::vector<double> values)
    : prompts(of), wanted(std::move(values)) {
    sizes = family_errors(of.bank(), wanted.data(), {0, 0, 0}, Steps::scalar);
    sizes.resize(static_cast<size_t>(of.size()));
    median = middle_of(sizes);
    usable = std::all_of(sizes.begin(), sizes.end(), [](double s) { return std::isfinite(s); }) && median > 0;
}

std::vector<double> NetworkValues::errors(const VectorXd& x, Steps steps) const {
    std::vector<double> left = family_errors(prompts.bank(), wanted.data(), flat_of(x), steps);
    left.resize(sizes.size());
    return left;
}

FamilyFitter::FamilyFitter(const NetworkValues& values, int layers) : values_(values), layers_(layers) {
    importance_.resize(values.wanted.size() / static_cast<size_t>(values.prompts.d()));
    for (size_t k = 0; k < values.sizes.size(); ++k) {
        importance_[k] = 1 / (values.sizes[k] + values.median);
        total_ += importance_[k] * values.sizes[k];
    }
}

double FamilyFitter::loss(const VectorXd& x, Steps steps) const {
    return family_sums(bank(), target(), flat_of(x), steps, false).loss;
}

FamilySums FamilyFitter::linearise(const VectorXd& x, Steps steps) const {
    return family_sums(bank(), target(), flat_of(x), steps, true);
}

FamilyFit FamilyFitter::fit(const VectorXd& start, Index first, Steps steps, int most, double enough, bool tied) const {
    const Index block = tied ? (start.size() - 2) / layers_ : 0;
    const auto whole = [&](const VectorXd& y) -> VectorXd {
        VectorXd x = start;
        if (!tied) {
            x.tail(y.size()) = y;
            return x;
        }
        x.segment(first, 2 - first) = y.head(2 - first);
        for (int l = 0; l < layers_; ++l) x.segment(2 + l * block, block) = y.tail(block);
        return x;
    };
    double accepted = kInfinity;
    const auto loss_at = [&](const VectorXd& y) { return accepted = loss(whole(y), steps); };
    const auto linearise_at = [&](const VectorXd& y) -> NormalEquations {
        const NormalEquations all = linearise(whole(y), steps);
        if (!tied) return {all.loss, all.curvature.bottomRightCorner(y.size(), y.size()), all.gradient.tail(y.size())};
        MatrixXd fold = MatrixXd::Zero(y.size(), start.size());  // the sum over layers
        for (Index k = first; k < 2; ++k) fold(k - first, k) = 1;
        for (Index k = 0; k < block; ++k)
            for (int l = 0; l < layers_; ++l) fold(2 - first + k, 2 + l * block + k) = 1;
        return {all.loss, fold * all.curvature * fold.transpose(), fold * all.gradient};
    };
    VectorXd y = tied ? VectorXd(2 - first + block) : VectorXd(start.tail(start.size() - first));
    if (tied) y << start.segment(first, 2 - first), start.segment(2, block);
    LeastSquares squares(y);
    FamilyFit fit;
    double before = loss(start, steps);
    while (!fit.rests && fit.steps < most) {
        if (!squares.step(linearise_at, loss_at)) {
            fit.rests = true;
            break;
        }
        ++fit.steps;
        const double gained = before - accepted;
        fit.rests = gained < kRest * total_;
        before = accepted;
        if (fit.steps >= kFirstMatrixSteps && accepted - kAhead * gained > enough) break;
    }
    fit.x = whole(squares.x());
    fit.loss = before;
    return fit;
}

// The loss of the best polynomial in M of degree L - 1 at this place, and its step sizes: w = sum_k a_k M^k b takes
// the steps whose sizes are the roots of z^L - a_0 z^{L-1} - ... - a_{L-1}. Of a pair of complex ones the real part.
double FamilyFitter::powers(double beta, double c, VectorXd* x) const {
    const int L = layers_;
    const std::vector<double> sums = power_sums(bank(), target(), beta, c, L);
    MatrixXd N(L, L);
    const double* entry = sums.data();
    for (int a = 0; a < L; ++a)
        for (int b = a; b < L; ++b) N(a, b) = N(b, a) = *entry++;
    const Eigen::Map<const VectorXd> h(entry, L);
    const VectorXd scale = (N.diagonal().array().max(1e-300)).sqrt().inverse();
    MatrixXd scaled = scale.asDiagonal() * N * scale.asDiagonal();
    scaled.diagonal().array() += 1e-11;
    const VectorXd scaled_h = scale.cwiseProduct(h), a = solve_positive(scaled, scaled_h);
    if (x != nullptr) {
        x->resize(L + 2);
        *x << beta, c, real_roots(scale.cwiseProduct(a));
    }
    return total_ - scaled_h.dot(a);
}

// The best of equal steps, made unequal: equal ones have equal derivatives, which no fit separates.
VectorXd FamilyFitter::equal_steps(double beta, double c) const {
    VectorXd best;
    double least = kInfinity;
    for (int power = -16; power <= 8; power += 2) {
        VectorXd x(layers_ + 2);
        x << beta, c, std::exp2(power / 2.0) * spread();
        const double there = loss(x, Steps::scalar);
        if (best.size() > 0 && !(there < least)) continue;
        best = x;
        least = there;
    }
    return best;
}

VectorXd FamilyFitter::spread() const {
    VectorXd factors(layers_);
    for (int l = 0; l < layers_; ++l) factors[l] = 1.0 + 0.2 * (l - (layers_ - 1) / 2.0) / layers_;
    return factors;
}

// The best steps at a place, or a start towards them: with real roots the powers' best is the steps' best.
FamilyFit FamilyFitter::start_at(double beta, double c) const {
    FamilyFit fit;
    if (layers_ <= kMostPowers) {
        const double least = powers(beta, c, &fit.x);
        fit.loss = loss(fit.x, Steps::scalar);
        fit.rests = fit.loss - least < kRest * total_;
        if (fit.loss < total_) return fit;
    }
    const VectorXd equal = equal_steps(beta, c);
    if (const double there = loss(equal, Steps::scalar); !(fit.loss <= there)) {
        fit.x = equal;
        fit.loss = there;
    }
    return fit;
}

FamilyFit FamilyFitter::fit_at(double beta, double c) const {
    const FamilyFit start = start_at(beta, c);
    return start.rests ? start : fit(start.x, 2, Steps::scalar, kMostScalarSteps);
}

// Durand and Kerner's iteration for all roots at once.
VectorXd FamilyFitter::real_roots(const VectorXd& a) const {
    using Complex = std::complex<double>;
    const auto L = static_cast<size_t>(layers_);
    const double reach = std::pow(std::abs(a[layers_ - 1]), 1.0 / layers_) + std::abs(a[0]) / layers_ + 1e-12;
    std::vector<Complex> roots;
    for (size_t k = 0; k < L; ++k) roots.push_back(reach * std::pow(Complex(0.4, 0.9), static_cast<double>(k)));
    constexpr int kMostRounds = 100;
    double moved = reach;
    for (int round = 0; round < kMostRounds && moved > 1e-14 * reach; ++round) {
        moved = 0;
        for (size_t k = 0; k < L; ++k) {
            Complex value = 1;
            for (int i = 0; i < layers_; ++i) value = value * roots[k] - a[i];
            Complex others = 1;
            for (size_t other = 0; other < L; ++other)
                if (other != k) others *= roots[k] - roots[other];
            if (others == Complex(0)) continue;
            roots[k] -= value / others;
            moved = larger(moved, std::abs(value / others));
        }
    }
    VectorXd alphas(layers_);
    for (int k = 0; k < layers_; ++k) {
        const Complex& root = roots[static_cast<size_t>(k)];
        // Keeps the two step sizes of a complex pair a little apart.
        alphas[k] = root.real() + (std::abs(root.imag()) > 1e-7 * reach ? 0.05 * root.imag() : 0);
    }
    return alphas;
}

ScalarFits FamilyFitter::fit_scalars(const std::vector<Landmark>& landmarks) const {
    ScalarFits fits;
    for (const Landmark& one : landmarks) {
        if (one.one_step) {  // linear in alpha
            FamilyFit fit;
            fit.x = VectorXd::Zero(layers_ + 2);
            fit.x[2] = 1;
            const NormalEquations at = linearise(fit.x, Steps::scalar);
            fit.x[2] -= at.gradient[2] / at.curvature(2, 2);
            fit.loss = loss(fit.x, Steps::scalar);
            fit.rests = true;
            fits.landmarks.push_back(std::move(fit));
            continue;
        }
        fits.landmarks.push_back(fit_at(one.beta, one.c));
    }
    std::vector<std::pair<double, VectorXd>> starts;
    for (size_t m = 1; m < fits.landmarks.size(); ++m) starts.push_back({fits.landmarks[m].loss, fits.landmarks[m].x});
    for (const auto& [beta, c] : kPlaces) {
        VectorXd x;
        const double score = layers_ <= kMostPowers ? powers(beta, c, &x) : kInfinity;
        if (std::isfinite(score)) starts.push_back({score, std::move(x)});
    }
    std::stable_sort(starts.begin(), starts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    starts.resize(smaller(starts.size(), kFamilyStarts));
    for (const auto& [score, start] : starts) {
        FamilyFit found = fit(start, 0, Steps::scalar, kMostScalarSteps);
        const int steps = fits.family.steps + found.steps;
        if (found.loss < fits.family.loss) fits.family = std::move(found);
        fits.family.steps = steps;
    }
    return fits;
}

FamilyFit FamilyFitter::fit_matrices(const VectorXd& scalar, Index first, double enough) const {
    const int d = values_.prompts.d();
    constexpr double kSmall = 0.3, kGood = 0.02;
    FamilyFit best = fit(as_matrices(scalar, d, layers_), first, Steps::matrices, kMatrixSteps, enough);
    if (best.loss < kGood * total_) return best;
    VectorXd tied_start(2 + layers_);
    tied_start << scalar.head(2), VectorXd::Constant(layers_, kSmall);
    const FamilyFit tied = fit(as_matrices(tied_start, d, layers_), first, Steps::matrices, kMatrixSteps, enough, true);
    FamilyFit from_tied = fit(tied.x, first, Steps::matrices, kMatrixSteps, enough);
    return from_tied.loss < best.loss ? from_tied : best;
}

bool FamilyFitter::matrices_may_leave(double share, const FamilyFit& family) const {
    const NormalEquations at = linearise(as_matrices(family.x, values_.prompts.d(), layers_), Steps::matrices);
    MatrixXd H = at.curvature;
    H.diagonal().array() += 1e-9 * total_;
    return at.loss - at.gradient.dot(solve_positive(H, at.gradient)) < share * at.loss;
}

VectorXd FamilyFitter::one_matrix_step() const {
    const int d = values_.prompts.d();
    VectorXd x = VectorXd::Zero(2 + layers_ * d * d);
    const NormalEquations at = linearise(x, Steps::matrices);
    const Index size = d * d;
    MatrixXd H = at.curvature.block(2, 2, size, size);
    H.diagonal().array() += 1e-9 * H.diagonal().mean();
    x.segment(2, size) = -solve_positive(H, at.gradient.segment(2, size));
    return x;
}

}  // namespace emergence
