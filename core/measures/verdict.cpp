#include "core/measures/verdict.h"

#include <algorithm>
#include <complex>
#include <numeric>
#include <utility>

#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"
#include "core/optim/descent.h"

namespace emergence {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// One side of 90 %, both sides of 95 %.
constexpr double kSurely = 1.2816, kInterval = 1.96;
// How much nearer in values a name must be than every other, and how far from its place it reaches.
constexpr double kNearer = 3, kBox = 0.4;
// The sandwich is too narrow by this factor (measured on known networks).
constexpr double kSandwich = 1.5;
// Half of the interval of (beta, c) beside matrices.
constexpr double kMatrixHalf = 0.2;
// An interval as wide as this says nothing.
constexpr double kUndetermined = 10;
// Matrices are fitted only where scalar steps leave more; they must leave less than half of it.
constexpr double kScalarEnough = 0.04, kHalfOf = 0.5;
// A fit rests when a step lowers its share by less.
constexpr double kRest = 1e-6;
constexpr int kMostScalarSteps = 60, kMatrixSteps = 30;
// Of more entries than these no matrices are fitted: a fit takes seconds.
constexpr int kMostMatrixEntries = 100;
// A fit of matrices ends once a few more steps like its last one would not lead to what it must explain; the first ones may
// be short.
constexpr int kFirstMatrixSteps = 4, kAhead = 4;
// Up to so many layers a place's best steps are read off powers of M; of more those are ill-conditioned.
constexpr int kMostPowers = 4;

using FlatParameters = std::vector<double>;

FlatParameters flat_of(const VectorXd& x) { return {x.begin(), x.end()}; }

double middle_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// A network's values on prompts, and their sizes.
struct NetworkValues {
    NetworkValues(const FitPrompts& of, std::vector<double> values) : prompts(of), wanted(std::move(values)) {
        sizes = family_errors(of.bank(), wanted.data(), {0, 0, 0}, Steps::scalar);
        sizes.resize(static_cast<size_t>(of.size()));
        median = middle_of(sizes);
        usable = std::all_of(sizes.begin(), sizes.end(), [](double s) { return std::isfinite(s); }) && median > 0;
    }
    std::vector<double> errors(const VectorXd& x, Steps steps) const {
        std::vector<double> left = family_errors(prompts.bank(), wanted.data(), flat_of(x), steps);
        left.resize(sizes.size());
        return left;
    }

    const FitPrompts& prompts;
    std::vector<double> wanted, sizes;
    double median;
    bool usable;
};

struct FamilyFit {
    VectorXd x;
    double loss = kInfinity;
    int steps = 0;
    bool rests = false;
};

class FamilyFitter {
  public:
    FamilyFitter(const NetworkValues& values, int layers) : values_(values), layers_(layers) {
        importance_.resize(values.wanted.size() / static_cast<size_t>(values.prompts.d()));
        for (size_t k = 0; k < values.sizes.size(); ++k) {
            importance_[k] = 1 / (values.sizes[k] + values.median);
            total_ += importance_[k] * values.sizes[k];
        }
    }

    double total() const { return total_; }
    int layers() const { return layers_; }
    double loss(const VectorXd& x, Steps steps) const {
        return family_sums(bank(), target(), flat_of(x), steps, false).loss;
    }
    NormalEquations linearise(const VectorXd& x, Steps steps, MatrixXd* scatter = nullptr) const {
        const FamilySums sums = family_sums(bank(), target(), flat_of(x), steps, true);
        const auto matrix = [&x](const std::vector<double>& entries) -> MatrixXd {
            return Eigen::Map<const MatrixXd>(entries.data(), x.size(), x.size());
        };
        if (scatter != nullptr) *scatter = matrix(sums.scatter);
        return {sums.loss, matrix(sums.curvature), Eigen::Map<const VectorXd>(sums.gradient.data(), x.size())};
    }

    // Fits the parameters from number `first` on. `enough`: the loss that it must reach to be of use. `tied`: all layers'
    // matrices are one.
    FamilyFit fit(const VectorXd& start, Index first, Steps steps, int most, double enough = kInfinity,
                  bool tied = false) const {
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
            if (!tied)
                return {all.loss, all.curvature.bottomRightCorner(y.size(), y.size()), all.gradient.tail(y.size())};
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
    double powers(double beta, double c, VectorXd* x = nullptr) const {
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
    VectorXd equal_steps(double beta, double c) const {
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
    VectorXd spread() const {
        VectorXd factors(layers_);
        for (int l = 0; l < layers_; ++l) factors[l] = 1.0 + 0.2 * (l - (layers_ - 1) / 2.0) / layers_;
        return factors;
    }
    // The best steps at a place, or a start towards them: with real roots the powers' best is the steps' best.
    FamilyFit start_at(double beta, double c) const {
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
    FamilyFit fit_at(double beta, double c) const {
        const FamilyFit start = start_at(beta, c);
        return start.rests ? start : fit(start.x, 2, Steps::scalar, kMostScalarSteps);
    }

  private:
    FamilyBank bank() const { return values_.prompts.bank(); }
    FamilyTarget target() const { return {values_.wanted.data(), importance_.data()}; }

    // Durand and Kerner's iteration for all roots at once.
    VectorXd real_roots(const VectorXd& a) const {
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
            // The two of a pair a little apart.
            alphas[k] = root.real() + (std::abs(root.imag()) > 1e-7 * reach ? 0.05 * root.imag() : 0);
        }
        return alphas;
    }

    const NetworkValues& values_;
    int layers_;
    std::vector<double> importance_;
    double total_ = 0;
};

// Each landmark's share and the family's, prompt by prompt.
class FamilyJudge {
  public:
    explicit FamilyJudge(const NetworkValues& values) : values_(values) {
        for (const double s : values.sizes) whole_.push_back(s / (s + values.median));
        sum_ = std::accumulate(whole_.begin(), whole_.end(), 0.0);
    }
    void add(const VectorXd& x, Steps steps) {
        std::vector<double> left = values_.errors(x, steps);
        double sum = 0;
        for (size_t k = 0; k < left.size(); ++k) {
            left[k] = smaller(left[k] / (values_.sizes[k] + values_.median), 1.0);
            if (std::isnan(left[k])) left[k] = 1.0;  // it diverged there
            sum += left[k];
        }
        lefts_.push_back(std::move(left));
        shares_.push_back(sum / sum_);
    }

    size_t size() const { return shares_.size(); }
    double share(size_t m) const { return shares_[m]; }
    size_t best() const {
        return static_cast<size_t>(std::min_element(shares_.begin(), shares_.end()) - shares_.begin());
    }
    // A sum of shares, each by its factor, and its standard deviation over prompts.
    std::pair<double, double> combined(const std::vector<std::pair<size_t, double>>& parts) const {
        double value = 0;
        for (const auto& [m, factor] : parts) value += factor * shares_[m];
        const double count = static_cast<double>(whole_.size()), mean = sum_ / count;
        double squares = 0;
        for (size_t k = 0; k < whole_.size(); ++k) {
            double off = -value * whole_[k];
            for (const auto& [m, factor] : parts) off += factor * lefts_[m][k];
            squares += off * off;
        }
        return {value, std::sqrt(squares) / (mean * count)};
    }
    // Of a landmark's share less that of the best: what it surely exceeds, and what it surely stays below.
    double difference_at_least(size_t m) const { return edge({{m, 1}, {best(), -1}}, -kSurely); }
    double difference_at_most(size_t m) const { return edge({{m, 1}, {best(), -1}}, kSurely); }
    // D_o - 3 D_m surely exceeds it.
    double nearer_by(size_t m, size_t other) const {
        return edge({{other, 1}, {m, -kNearer}, {best(), kNearer - 1}}, -kSurely);
    }
    LeftShare left(size_t m) const {
        const auto [value, deviation] = combined({{m, 1}});
        return {value, larger(0.0, value - kInterval * deviation), value + kInterval * deviation};
    }
    // The median over prompts of the uncapped share.
    double median_share(const VectorXd& x) const {
        const std::vector<double> left = values_.errors(x, Steps::scalar);
        std::vector<double> shares;
        for (size_t k = 0; k < left.size(); ++k)
            if (values_.sizes[k] > 0) shares.push_back(left[k] / values_.sizes[k]);
        return middle_of(shares);
    }

  private:
    double edge(const std::vector<std::pair<size_t, double>>& parts, double deviations) const {
        const auto [value, deviation] = combined(parts);
        return value + deviations * deviation;
    }

    const NetworkValues& values_;
    std::vector<double> whole_, shares_;
    std::vector<std::vector<double>> lefts_;
    double sum_;
};

// The scalar fits: one of each landmark, and the family's.
struct ScalarFits {
    std::vector<FamilyFit> landmarks;
    FamilyFit family;
};

// Fits of the family begin at the best of so many places.
constexpr size_t kFamilyStarts = 2;
// Those beside the landmarks.
constexpr std::pair<double, double> kPlaces[] = {{0.5, 0}, {0.9, -0.5}, {-1, 0},   {0.8, 0.4}, {0.5, 1},
                                                 {1.5, 0}, {0, 0.5},    {0, -0.5}, {-0.5, 1},  {1.5, 1}};

ScalarFits fit_scalars(const FamilyFitter& fitter, const std::vector<Landmark>& landmarks) {
    ScalarFits fits;
    for (const Landmark& one : landmarks) {
        if (one.one_step) {  // linear in alpha
            FamilyFit fit;
            fit.x = VectorXd::Zero(fitter.layers() + 2);
            fit.x[2] = 1;
            const NormalEquations at = fitter.linearise(fit.x, Steps::scalar);
            fit.x[2] -= at.gradient[2] / at.curvature(2, 2);
            fit.loss = fitter.loss(fit.x, Steps::scalar);
            fit.rests = true;
            fits.landmarks.push_back(std::move(fit));
            continue;
        }
        fits.landmarks.push_back(fitter.fit_at(one.beta, one.c));
    }
    std::vector<std::pair<double, VectorXd>> starts;
    for (size_t m = 1; m < fits.landmarks.size(); ++m) starts.push_back({fits.landmarks[m].loss, fits.landmarks[m].x});
    for (const auto& [beta, c] : kPlaces) {
        VectorXd x;
        const double score = fitter.layers() <= kMostPowers ? fitter.powers(beta, c, &x) : kInfinity;
        if (std::isfinite(score)) starts.push_back({score, std::move(x)});
    }
    std::stable_sort(starts.begin(), starts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    starts.resize(smaller(starts.size(), kFamilyStarts));
    for (const auto& [score, start] : starts) {
        FamilyFit fit = fitter.fit(start, 0, Steps::scalar, kMostScalarSteps);
        const int steps = fits.family.steps + fit.steps;
        if (fit.loss < fits.family.loss) fits.family = std::move(fit);
        fits.family.steps = steps;
    }
    return fits;
}

// The sandwich, and the moves of (beta, c) that change the values by less than kSameShare while the steps follow.
void add_intervals(const FamilyFitter& fitter, const VectorXd& x, NetworkVerdict& verdict) {
    MatrixXd scatter;
    NormalEquations at = fitter.linearise(x, Steps::scalar, &scatter);
    // A step size may move by the largest for a share of kSameShare: else two equal ones, which a first order lets move
    // apart without end, would leave beta open.
    const double largest = x.tail(x.size() - 2).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    for (Index k = 0; k < at.gradient.size(); ++k)
        if (at.curvature(k, k) > 0) {
            const double slope = std::abs(at.gradient[k]) / std::sqrt(at.curvature(k, k) * fitter.total());
            verdict.slope = std::isnan(verdict.slope) ? slope : larger(verdict.slope, slope);
        }
    if (largest > 0)
        at.curvature.diagonal().tail(x.size() - 2).array() += kSameShare * fitter.total() / (largest * largest);
    // A direction of (beta, c) that hardly changes the values stays open, instead of singular.
    at.curvature.diagonal().head(2).array() += 1e-9 * fitter.total();
    const MatrixXd inverse_H = inverse(at.curvature);
    const MatrixXd moved = inverse_H * scatter * inverse_H, give = kSameShare * fitter.total() * inverse_H;
    double halves[2];
    for (Index k = 0; k < 2; ++k) {
        halves[k] = kSandwich * kInterval * std::sqrt(moved(k, k)) + std::sqrt(give(k, k));
        if (2 * halves[k] < kUndetermined) (k == 0 ? verdict.beta : verdict.c) = {x[k], halves[k]};
    }
    const double both = moved(0, 1) + give(0, 1);
    verdict.tilt = both / std::sqrt((moved(0, 0) + give(0, 0)) * (moved(1, 1) + give(1, 1)));
}

VectorXd as_matrices(const VectorXd& x, int d, int layers) {
    VectorXd matrices = VectorXd::Zero(2 + layers * d * d);
    matrices.head(2) = x.head(2);
    for (int l = 0; l < layers; ++l)
        for (int i = 0; i < d; ++i) matrices[2 + (l * d + i) * d + i] = x[2 + l];
    return matrices;
}

// The better of a fit that begins with the scalar steps and of one that begins with one matrix for all layers. `enough`: as
// in fit().
FamilyFit fit_matrices(const FamilyFitter& fitter, const VectorXd& scalar, int d, Index first, double enough) {
    constexpr double kSmall = 0.3, kGood = 0.02;
    const int layers = fitter.layers();
    FamilyFit best = fitter.fit(as_matrices(scalar, d, layers), first, Steps::matrices, kMatrixSteps, enough);
    if (best.loss < kGood * fitter.total()) return best;
    VectorXd tied_start(2 + layers);
    tied_start << scalar.head(2), VectorXd::Constant(layers, kSmall);
    const FamilyFit tied =
        fitter.fit(as_matrices(tied_start, d, layers), first, Steps::matrices, kMatrixSteps, enough, true);
    FamilyFit from_tied = fitter.fit(tied.x, first, Steps::matrices, kMatrixSteps, enough);
    return from_tied.loss < best.loss ? from_tied : best;
}

// Whether matrices may leave less than half, to first order from the scalar point.
bool matrices_may_halve(const FamilyFitter& fitter, const FamilyFit& family, int d) {
    const NormalEquations at = fitter.linearise(as_matrices(family.x, d, fitter.layers()), Steps::matrices);
    MatrixXd H = at.curvature;
    H.diagonal().array() += 1e-9 * fitter.total();
    return at.loss - at.gradient.dot(solve_positive(H, at.gradient)) < kHalfOf * at.loss;
}

// One step w = C r: linear in C_0.
VectorXd one_matrix_step(const FamilyFitter& fitter, int d) {
    VectorXd x = VectorXd::Zero(2 + fitter.layers() * d * d);
    const NormalEquations at = fitter.linearise(x, Steps::matrices);
    const Index size = d * d;
    MatrixXd H = at.curvature.block(2, 2, size, size);
    H.diagonal().array() += 1e-9 * H.diagonal().mean();
    x.segment(2, size) = -solve_positive(H, at.gradient.segment(2, size));
    return x;
}

// Steps 3 to 5 of the rule. The family is the judge's last.
void name_among(const FamilyJudge& judge, const std::vector<Landmark>& landmarks, bool wrong_sign,
                NetworkVerdict& verdict) {
    const auto meets = [&](size_t m) {
        if (landmarks[m].one_step) return true;
        const double beta_half = verdict.by_matrices ? kMatrixHalf : verdict.beta.half,
                     c_half = verdict.by_matrices ? kMatrixHalf : verdict.c.half;
        return !(std::abs(verdict.beta.value - landmarks[m].beta) - beta_half > kBox) &&
               !(std::abs(verdict.c.value - landmarks[m].c) - c_half > kBox);
    };
    const auto called = [&](size_t m) {
        verdict.of = static_cast<int>(m);
        verdict.name = wrong_sign ? VerdictName::wrong_sign : [&] {
            for (int k = 0; k < kVerdictNames; ++k)
                if (std::string(landmarks[m].name) == name_of(static_cast<VerdictName>(k)))
                    return static_cast<VerdictName>(k);
            return VerdictName::none;
        }();
    };
    if (judge.share(0) <= kMostUnexplained && judge.difference_at_most(0) <= kSameShare) return called(0);
    for (size_t m = 0; m < landmarks.size(); ++m) {
        if (judge.share(m) > kMostUnexplained) continue;
        bool nearest = true;
        for (size_t other = 0; other < landmarks.size(); ++other)
            nearest = nearest && (other == m || judge.nearer_by(m, other) >= kSameShare);
        if (!nearest) continue;
        verdict.name = VerdictName::between;
        if (meets(m)) called(m);
        return;
    }
    for (size_t m = 0; m < landmarks.size(); ++m)
        if (judge.share(m) <= kMostUnexplained && meets(m) && judge.difference_at_least(m) <= kSameShare)
            verdict.ties.push_back(static_cast<int>(m));
    verdict.name = verdict.ties.empty() ? VerdictName::between : VerdictName::ambiguous;
}

// One layer: beta has no effect.
void name_one_layer(const FamilyJudge& judge, const std::vector<Landmark>& landmarks, NetworkVerdict& verdict) {
    verdict.beta = {};
    const size_t td = 2, own = 3;
    const bool is_td = judge.share(td) <= kMostUnexplained && judge.nearer_by(td, own) >= 0;
    if (is_td || judge.share(own) <= kMostUnexplained)
        for (size_t m = 0; m < landmarks.size(); ++m)
            if (landmarks[m].c == landmarks[is_td ? td : own].c) verdict.ties.push_back(static_cast<int>(m));
    verdict.name = verdict.ties.empty() ? VerdictName::between : VerdictName::ambiguous;
}

}  // namespace

const char* name_of(VerdictName name) {
    constexpr const char* names[] = {"td",           "residual_gradient",
                                     "no_bootstrap", "reward_correlation",
                                     "td_lambda",    "average_reward",
                                     "wrong_sign",   "ambiguous",
                                     "between",      "none"};
    return names[static_cast<size_t>(name)];
}

NetworkVerdict verdict(const LinearAttentionView& network, const VerdictPrompts& prompts,
                       const std::vector<Landmark>& landmarks) {
    return verdict(prompts.fit.values(network), prompts.judge.values(network), network.layers, prompts, landmarks);
}

NetworkVerdict verdict(std::vector<double> fit_to, std::vector<double> judge_by, int layers,
                       const VerdictPrompts& prompts, const std::vector<Landmark>& landmarks) {
    NetworkVerdict verdict;
    const NetworkValues fitted(prompts.fit, std::move(fit_to)), judged(prompts.judge, std::move(judge_by));
    if (!fitted.usable || !judged.usable) return verdict;
    const int d = prompts.fit.d();
    const FamilyFitter fitter(fitted, layers);
    const ScalarFits fits = fit_scalars(fitter, landmarks);
    FamilyJudge judge(judged);
    for (const FamilyFit& fit : fits.landmarks) judge.add(fit.x, Steps::scalar);
    judge.add(fits.family.x, Steps::scalar);

    add_intervals(fitter, fits.family.x, verdict);
    verdict.converged = fits.family.rests;
    verdict.steps = fits.family.steps;
    const VectorXd alphas = fits.family.x.tail(layers);
    verdict.alphas.assign(alphas.begin(), alphas.end());
    std::sort(verdict.alphas.begin(), verdict.alphas.end());
    verdict.unexplained = judge.share(landmarks.size());
    verdict.median_unexplained = judge.median_share(fits.family.x);
    for (size_t m = 0; m < landmarks.size(); ++m) verdict.leaves.push_back(judge.left(m));

    const double least = judge.share(judge.best());
    size_t nearest = 0;
    for (size_t m = 1; m < landmarks.size(); ++m)
        if (judge.share(m) < judge.share(nearest)) nearest = m;
    if (layers > 1 && layers * d * d <= kMostMatrixEntries && judge.share(nearest) > kScalarEnough &&
        matrices_may_halve(fitter, fits.family, d)) {
        // A little more on the fitting prompts, since other prompts judge.
        const double most = 1.2 * kMostUnexplained * fitter.total();
        const FamilyFit family = fit_matrices(fitter, fits.family.x, d, 0,
                                              least > kMostUnexplained ? most : 1.2 * kHalfOf * fits.family.loss);
        FamilyJudge among_matrices(judged);
        among_matrices.add(family.x, Steps::matrices);
        verdict.unexplained_by_matrices = among_matrices.share(0);
        if (least > kMostUnexplained && verdict.unexplained_by_matrices > kMostUnexplained) return verdict;
        if (least > kMostUnexplained || verdict.unexplained_by_matrices < kHalfOf * least) {
            FamilyJudge all(judged);
            for (size_t m = 0; m < landmarks.size(); ++m)
                all.add(landmarks[m].one_step ? one_matrix_step(fitter, d)
                                              : fit_matrices(fitter, fits.landmarks[m].x, d, 2, most).x,
                        Steps::matrices);
            all.add(family.x, Steps::matrices);
            verdict.by_matrices = true;
            verdict.beta = {family.x[0], kMatrixHalf};
            verdict.c = {family.x[1], kMatrixHalf};
            verdict.unexplained_by_matrices = all.share(all.best());
            if (verdict.unexplained_by_matrices <= kMostUnexplained) name_among(all, landmarks, false, verdict);
            return verdict;
        }
    }
    if (least > kMostUnexplained) return verdict;
    if (layers == 1)
        name_one_layer(judge, landmarks, verdict);
    else
        name_among(judge, landmarks, fits.landmarks[nearest].x.tail(layers).sum() < 0, verdict);
    return verdict;
}

}  // namespace emergence
