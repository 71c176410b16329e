// The family of algorithms of families.h, its named members, and its fits to a network's values.

#include <algorithm>
#include <complex>

#include "core/base/instruction_set.h"
#include "core/base/linear_algebra.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/measures/families.h"

namespace emergence {

// Each compiled instruction set has its own, see family_sums_kernels.cpp. sums: loss; gradient; the upper half of
// curvature and, for scalar steps, that of scatter, row by row.
EMERGENCE_DECLARE_ON_LANES(void family_lane_sums(const FamilyBank&, const FamilyTarget&, const double* parameters,
                                                 int size, Steps, bool derivatives, double* sums);
                           void family_lane_errors(const FamilyBank&, const double* wanted, const double* parameters,
                                                   int size, Steps, double* errors);
                           void family_lane_values(const FamilyBank&, const double* queries, const double* parameters,
                                                   int size, double* values);
                           void power_lane_sums(const FamilyBank&, const FamilyTarget&, double beta, double c,
                                                int layers, double* sums);)

FamilySums family_sums(const FamilyBank& bank, const FamilyTarget& target, const std::vector<double>& parameters,
                       Steps steps, bool derivatives) {
    const size_t p = parameters.size(), half = p * (p + 1) / 2;
    std::vector<double> flat(derivatives ? 1 + p + (steps == Steps::scalar ? 2 : 1) * half : 1);
    EMERGENCE_ON_LANES(instruction_set(), family_lane_sums(bank, target, parameters.data(), static_cast<int>(p), steps,
                                                           derivatives, flat.data()));
    FamilySums sums;
    sums.loss = flat[0];
    if (!derivatives) return sums;
    sums.gradient = ConstMatView::column(flat.data() + 1, static_cast<Index>(p));
    const double* entry = flat.data() + 1 + p;
    for (Mat* whole : {&sums.curvature, &sums.scatter}) {
        if (whole == &sums.scatter && steps != Steps::scalar) break;
        whole->resize(p, p);
        for (size_t a = 0; a < p; ++a)
            for (size_t b = a; b < p; ++b) (*whole)(a, b) = (*whole)(b, a) = *entry++;
    }
    return sums;
}

std::vector<double> family_errors(const FamilyBank& bank, const double* wanted, const std::vector<double>& parameters,
                                  Steps steps) {
    std::vector<double> errors(static_cast<size_t>(bank.groups) * 16);
    EMERGENCE_ON_LANES(
        instruction_set(),
        family_lane_errors(bank, wanted, parameters.data(), static_cast<int>(parameters.size()), steps, errors.data()));
    return errors;
}

std::vector<double> family_values(const FamilyBank& bank, const double* queries,
                                  const std::vector<double>& parameters) {
    std::vector<double> values(static_cast<size_t>(bank.groups) * (1 + parameters.size()) * 16);
    EMERGENCE_ON_LANES(instruction_set(), family_lane_values(bank, queries, parameters.data(),
                                                             static_cast<int>(parameters.size()), values.data()));
    return values;
}

std::vector<double> power_sums(const FamilyBank& bank, const FamilyTarget& target, double beta, double c, int layers) {
    std::vector<double> sums(static_cast<size_t>(layers * (layers + 1) / 2 + layers));
    EMERGENCE_ON_LANES(instruction_set(), power_lane_sums(bank, target, beta, c, layers, sums.data()));
    return sums;
}

std::vector<Landmark> landmarks_of(PlaceAxis axis, double own) {
    const char* const td = axis == PlaceAxis::gradient ? "TD" : "TD(0)";
    const double second = axis == PlaceAxis::gradient ? 0 : axis == PlaceAxis::trace ? own : 1;
    const Landmark own_one[] = {{"residual_gradient", "residual gradient", 1, 1},
                                {"td_lambda", "TD(\u03bb)", 1, own},
                                {"average_reward", "average-reward TD", 1, 1}};
    return {{"reward_correlation", "one reward step", 0, 0, true},
            {"no_bootstrap", "no bootstrapping", 0, second},
            {"td", td, 1, 0},
            own_one[static_cast<size_t>(axis)]};
}

namespace {

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

std::vector<double> flat_of(const Vec& x) { return {x.begin(), x.end()}; }

Vec parameters_of(double beta, double c, const Vec& steps) {
    Vec x(2 + steps.size());
    x[0] = beta;
    x[1] = c;
    x.tail(steps.size()) = steps;
    return x;
}

// Fits the parameters from number `first` on (0: beta, 1: c, 2: the first step) and keeps those before it. tied: all
// layers share one matrix.
FamilyFit fit(const FamilyFitter& fitter, const Vec& start, Index first, Steps steps, int most,
              double enough = kInfinity, bool tied = false) {
    const int layers = fitter.layers;
    const Index block = tied ? (start.size() - 2) / layers : 0;
    const auto whole = [&](const Vec& y) -> Vec {
        Vec x = start;
        if (!tied) {
            x.tail(y.size()) = y;
            return x;
        }
        x.segment(first, 2 - first) = y.head(2 - first);
        for (int l = 0; l < layers; ++l) x.segment(2 + l * block, block) = y.tail(block);
        return x;
    };
    double accepted = kInfinity;
    const auto loss_at = [&](const Vec& y) { return accepted = fitter.loss(whole(y), steps); };
    const auto linearise_at = [&](const Vec& y) -> NormalEquations {
        const NormalEquations all = fitter.linearise(whole(y), steps);
        if (!tied)
            return {all.loss, all.curvature.bottomRows(y.size()).rightCols(y.size()), all.gradient.tail(y.size())};
        Mat fold = Mat::Zero(y.size(), start.size());  // the sum over layers
        for (Index k = first; k < 2; ++k) fold(k - first, k) = 1;
        for (Index k = 0; k < block; ++k)
            for (int l = 0; l < layers; ++l) fold(2 - first + k, 2 + l * block + k) = 1;
        return {all.loss, fold * all.curvature * fold.transpose(), fold * all.gradient};
    };
    LeastSquares squares{start.segment(first, tied ? 2 - first + block : start.size() - first)};
    FamilyFit fit;
    double before = fitter.loss(start, steps);
    while (!fit.rests && fit.steps < most) {
        if (!squares.step(linearise_at, loss_at)) {
            fit.rests = true;
            break;
        }
        ++fit.steps;
        const double gained = before - accepted;
        fit.rests = gained < kRest * fitter.total;
        before = accepted;
        if (fit.steps >= kFirstMatrixSteps && accepted - kAhead * gained > enough) break;
    }
    fit.x = whole(squares.x);
    fit.loss = before;
    return fit;
}

// The real parts of the roots of z^L - a_0 z^{L-1} - ... - a_{L-1}, by Durand and Kerner's iteration.
Vec real_roots(const Vec& a) {
    using Complex = std::complex<double>;
    const auto L = static_cast<int>(a.size());
    const double reach = std::pow(std::abs(a[L - 1]), 1.0 / L) + std::abs(a[0]) / L + 1e-12;
    std::vector<Complex> roots;
    for (int k = 0; k < L; ++k) roots.push_back(reach * std::pow(Complex(0.4, 0.9), static_cast<double>(k)));
    constexpr int kMostRounds = 100;
    double moved = reach;
    for (int round = 0; round < kMostRounds && moved > 1e-14 * reach; ++round) {
        moved = 0;
        for (int k = 0; k < L; ++k) {
            Complex value = 1;
            for (int i = 0; i < L; ++i) value = value * roots[k] - a[i];
            Complex others = 1;
            for (int other = 0; other < L; ++other)
                if (other != k) others *= roots[k] - roots[other];
            if (others == Complex(0)) continue;
            roots[k] -= value / others;
            moved = larger(moved, std::abs(value / others));
        }
    }
    Vec alphas(L);
    for (int k = 0; k < L; ++k) {
        const Complex& root = roots[k];
        // Keeps the two step sizes of a complex pair a little apart.
        alphas[k] = root.real() + (std::abs(root.imag()) > 1e-7 * reach ? 0.05 * root.imag() : 0);
    }
    return alphas;
}

// The loss of the best polynomial in M of degree L - 1 at this place, and its step sizes: w = sum_k a_k M^k b takes
// the steps whose sizes are the roots of z^L - a_0 z^{L-1} - ... - a_{L-1}. Of a pair of complex ones the real part.
double powers(const FamilyFitter& fitter, double beta, double c, Vec& x) {
    const int L = fitter.layers;
    const std::vector<double> sums = power_sums(fitter.values.prompts.bank(), fitter.target(), beta, c, L);
    Mat N(L, L);
    const double* entry = sums.data();
    for (int a = 0; a < L; ++a)
        for (int b = a; b < L; ++b) N(a, b) = N(b, a) = *entry++;
    const Vec scale = N.diagonal().unaryExpr([](double square) { return 1.0 / std::sqrt(larger(square, 1e-300)); });
    Mat scaled = scale.asDiagonal() * N * scale.asDiagonal();
    scaled.diagonal() += 1e-11;
    const Vec scaled_h = scale.cwiseProduct(ConstMatView::column(entry, L)), a = solve_positive(scaled, scaled_h);
    x = parameters_of(beta, c, real_roots(scale.cwiseProduct(a)));
    return fitter.total - scaled_h.dot(a);
}

// The best of equal steps, made unequal: equal ones have equal derivatives, which no fit separates.
Vec equal_steps(const FamilyFitter& fitter, double beta, double c) {
    const int layers = fitter.layers;
    Vec best, spread(layers);
    for (int l = 0; l < layers; ++l) spread[l] = 1.0 + 0.2 * (l - (layers - 1) / 2.0) / layers;
    double least = kInfinity;
    for (int power = -16; power <= 8; power += 2) {
        const Vec x = parameters_of(beta, c, std::exp2(power / 2.0) * spread);
        const double there = fitter.loss(x, Steps::scalar);
        if (best.size() > 0 && !(there < least)) continue;
        best = x;
        least = there;
    }
    return best;
}

// The best steps at a place, or a start towards them: with real roots the powers' best is the steps' best.
FamilyFit start_at(const FamilyFitter& fitter, double beta, double c) {
    FamilyFit fit;
    if (fitter.layers <= kMostPowers) {
        const double least = powers(fitter, beta, c, fit.x);
        fit.loss = fitter.loss(fit.x, Steps::scalar);
        fit.rests = fit.loss - least < kRest * fitter.total;
        if (fit.loss < fitter.total) return fit;
    }
    const Vec equal = equal_steps(fitter, beta, c);
    if (const double there = fitter.loss(equal, Steps::scalar); !(fit.loss <= there)) {
        fit.x = equal;
        fit.loss = there;
    }
    return fit;
}

// The best single reward step, which is linear in alpha.
FamilyFit one_step(const FamilyFitter& fitter) {
    FamilyFit fit;
    fit.x = Vec::Zero(fitter.layers + 2);
    fit.x[2] = 1;
    const NormalEquations at = fitter.linearise(fit.x, Steps::scalar);
    fit.x[2] -= at.gradient[2] / at.curvature(2, 2);
    fit.loss = fitter.loss(fit.x, Steps::scalar);
    fit.rests = true;
    return fit;
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
    usable = all_of(sizes, [](double s) { return std::isfinite(s); }) && median > 0;
}

std::vector<double> NetworkValues::errors(const Vec& x, Steps steps) const {
    std::vector<double> left = family_errors(prompts.bank(), wanted.data(), flat_of(x), steps);
    left.resize(sizes.size());
    return left;
}

FamilyFitter::FamilyFitter(const NetworkValues& of, int num_layers) : values(of), layers(num_layers) {
    importance.resize(values.wanted.size() / static_cast<size_t>(values.prompts.d()));
    for (size_t k = 0; k < values.sizes.size(); ++k) {
        importance[k] = 1 / (values.sizes[k] + values.median);
        total += importance[k] * values.sizes[k];
    }
}

double FamilyFitter::loss(const Vec& x, Steps steps) const {
    return family_sums(values.prompts.bank(), target(), flat_of(x), steps, false).loss;
}

FamilySums FamilyFitter::linearise(const Vec& x, Steps steps) const {
    return family_sums(values.prompts.bank(), target(), flat_of(x), steps, true);
}

ScalarFits FamilyFitter::fit_scalars(const std::vector<Landmark>& landmarks) const {
    ScalarFits fits;
    for (const Landmark& one : landmarks) {
        FamilyFit found = one.one_step ? one_step(*this) : start_at(*this, one.beta, one.c);
        if (!found.rests) found = fit(*this, found.x, 2, Steps::scalar, kMostScalarSteps);
        fits.landmarks.push_back(std::move(found));
    }
    std::vector<std::pair<double, Vec>> starts;
    for (size_t m = 1; m < fits.landmarks.size(); ++m) starts.push_back({fits.landmarks[m].loss, fits.landmarks[m].x});
    for (const auto& [beta, c] : kPlaces) {
        Vec x;
        const double score = layers <= kMostPowers ? powers(*this, beta, c, x) : kInfinity;
        if (std::isfinite(score)) starts.push_back({score, std::move(x)});
    }
    std::stable_sort(starts.begin(), starts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    starts.resize(smaller(starts.size(), kFamilyStarts));
    for (const auto& [score, start] : starts) {
        FamilyFit found = fit(*this, start, 0, Steps::scalar, kMostScalarSteps);
        const int steps = fits.family.steps + found.steps;
        if (found.loss < fits.family.loss) fits.family = std::move(found);
        fits.family.steps = steps;
    }
    return fits;
}

Vec FamilyFitter::as_matrices(const Vec& x) const {
    const int d = values.prompts.d();
    Vec matrices = Vec::Zero(2 + layers * d * d);
    matrices.head(2) = x.head(2);
    for (int l = 0; l < layers; ++l)
        for (int i = 0; i < d; ++i) matrices[2 + (l * d + i) * d + i] = x[2 + l];
    return matrices;
}

FamilyFit FamilyFitter::fit_matrices(const Vec& scalar, Index first, double enough) const {
    constexpr double kSmall = 0.3, kGood = 0.02;
    const auto from = [&](const Vec& start, bool tied) {
        return fit(*this, start, first, Steps::matrices, kMatrixSteps, enough, tied);
    };
    FamilyFit best = from(as_matrices(scalar), false);
    if (best.loss < kGood * total) return best;
    const Vec tied_start = parameters_of(scalar[0], scalar[1], Vec::Constant(layers, kSmall));
    FamilyFit from_tied = from(from(as_matrices(tied_start), true).x, false);
    return from_tied.loss < best.loss ? from_tied : best;
}

bool FamilyFitter::matrices_may_leave(double share, const FamilyFit& family) const {
    const NormalEquations at = linearise(as_matrices(family.x), Steps::matrices);
    Mat H = at.curvature;
    H.diagonal() += 1e-9 * total;
    return at.loss - at.gradient.dot(solve_positive(H, at.gradient)) < share * at.loss;
}

Vec FamilyFitter::one_matrix_step() const {
    const Index size = values.prompts.d() * values.prompts.d();
    Vec x = Vec::Zero(2 + layers * size);
    const NormalEquations at = linearise(x, Steps::matrices);
    Mat H = at.curvature.block(2, 2, size, size);
    H.diagonal() += 1e-9 * H.diagonal().mean();
    x.segment(2, size) = -solve_positive(H, at.gradient.segment(2, size));
    return x;
}

}  // namespace emergence
