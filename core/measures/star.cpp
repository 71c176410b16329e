#include "core/measures/star.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"

namespace emergence {
namespace {

// Independent sets of MRPs.
constexpr int kSets = 8;
// The first of its worlds, far from those of held-out banks.
constexpr uint64_t kFirstWorld = 1000000;
// A trajectory's windows overlap: of those of a minibatch so many are enough.
constexpr int kWindowsUsed = 4;
// The finding flow and its rate; each set then starts from what it found.
constexpr int kFlowSteps = 60, kSetFlowSteps = 8;
constexpr double kRate = 0.5;

std::vector<int> windows_used(const StarOptions& options) {
    const int B = options.windows;
    std::vector<int> used;
    // A longer return needs the values of all windows: then all are used.
    const bool all = options.loss.lambda > 0 && options.loss.lambda < 1;
    for (int k = 0; k < (all ? B : kWindowsUsed); ++k) {
        const int w = all ? k : (2 * k + 1) * B / (2 * kWindowsUsed);
        if (used.empty() || used.back() != w) used.push_back(w);
    }
    return used;
}

// Adds the products of families.h of one transition: A, B, D row by row, r, q.
void add_products(const double* phi, const double* next, double reward, double gamma, int d, double* sums) {
    for (int a = 0; a < d; ++a)
        for (int b = 0; b < d; ++b) {
            const double discounted = gamma * next[b];
            double* entry = sums + a * d + b;
            entry[0] += phi[a] * phi[b];
            entry[d * d] += phi[a] * discounted;
            entry[2 * d * d] += gamma * next[a] * discounted;
        }
    for (int k = 0; k < d; ++k) {
        sums[3 * d * d + k] += reward * phi[k];
        sums[3 * d * d + d + k] += reward * gamma * next[k];
    }
}

// The same expected under the stationary distribution.
std::vector<double> stationary_products(const Mrp& mrp, double gamma) {
    const Mat products = expected_products(mrp, gamma);
    const int d = mrp.d();
    std::vector<double> moments;
    for (const auto& [row, column] : {std::pair{0, 0}, {0, d}, {d, d}})
        for (int a = 0; a < d; ++a)
            for (int b = 0; b < d; ++b) moments.push_back(products(row + a, column + b));
    for (int k = 0; k < 2 * d; ++k) moments.push_back(products(k, 2 * d));
    return moments;
}

}  // namespace

StarPrompts::StarPrompts(const StarOptions& options, int mrps, int set) : options_(options), mrps_(mrps) {
    const std::vector<int> used = windows_used(options);
    std::set<int> windows(used.begin(), used.end());
    windows.insert(options.windows);
    for (const int w : used)
        if (options.loss.lambda < 1) windows.insert(w + 1);
    windows_.assign(windows.begin(), windows.end());
    for (const int w : used)
        used_.push_back(static_cast<int>(std::lower_bound(windows_.begin(), windows_.end(), w) - windows_.begin()));
    const int d = options.tasks.d, prompts = mrps * static_cast<int>(windows_.size());
    const auto groups = static_cast<size_t>((prompts + kContextsInGroup - 1) / kContextsInGroup);
    moments_.resize(groups * static_cast<size_t>(num_moments(d) * kContextsInGroup));
    queries_.resize(groups * static_cast<size_t>(d * kContextsInGroup));
    const uint64_t world =
        derive_seed(kFirstWorld + options.seed * 1000 + static_cast<uint64_t>(set), Purpose::held_out);
    Mrp mrp;
    for (int k = 0; k < mrps; ++k) {
        draw_mrp(options.tasks, world, static_cast<uint32_t>(k), mrp);
        Stream stream(world, Purpose::trajectory, static_cast<uint32_t>(k));
        add(mrp, k, stream);
    }
}

void StarPrompts::add(const Mrp& mrp, int number, Stream& stream) {
    const int d = mrp.d(), n = options_.context_length, B = options_.windows, moments = num_moments(d);
    const int each = static_cast<int>(windows_.size());
    const double gamma = options_.tasks.gamma;
    const std::vector<int> path = draw_path(mrp, n + B + 2, stream);
    const auto put = [&](int place, const std::vector<double>& sums, double times) {
        for (int i = 0; i < moments; ++i)
            moments_[lane_place(number * each + place, moments, i)] += times * sums[static_cast<size_t>(i)];
    };
    if (options_.exact_contexts) {
        const std::vector<double> expected = stationary_products(mrp, gamma);
        for (int place = 0; place < each; ++place) put(place, expected, 1);
    } else {
        // Of the transitions so far. A window is what they sum to at its end, less what they did at its start.
        std::vector<double> sums(static_cast<size_t>(moments));
        int begun = 0, ended = 0;
        for (int t = 0; ended < each; ++t) {
            if (begun < each && windows_[begun] == t) put(begun++, sums, -1.0 / n);
            if (windows_[ended] + n == t) put(ended++, sums, 1.0 / n);
            add_products(mrp.features.col(path[t]).data(), mrp.features.col(path[t + 1]).data(), mrp.reward[path[t]],
                         gamma, d, sums.data());
        }
    }
    for (int place = 0; place < each; ++place)
        put_in_lane(mrp.features.col(path[windows_[place] + n + 1]).data(), d, number * each + place, queries_);
    for (int w = 0; w < B; ++w) rewards_.push_back(mrp.reward[path[w + n + 1]]);
    if (!options_.loss.value_error) return;
    const Vec v = true_value(mrp, gamma);
    for (const int place : used_) true_values_.push_back(v[path[windows_[place] + n + 1]]);
}

StarPrompts::Pull StarPrompts::pull(const Vec& theta) const {
    const int d = options_.tasks.d, size = static_cast<int>(theta.size()), B = options_.windows;
    const int each = static_cast<int>(windows_.size());
    const double gamma = options_.tasks.gamma, lambda = options_.loss.lambda;
    const int groups = static_cast<int>(queries_.size()) / (d * kContextsInGroup);
    const std::vector<double> values =
        family_values({moments_.data(), nullptr, groups, d}, queries_.data(), {theta.begin(), theta.end()});
    const auto entry = [&](int mrp, int place, int k) { return values[lane_place(mrp * each + place, 1 + size, k)]; };
    Pull sum{0, Vec::Zero(size), Mat::Zero(size, size)};
    Vec x(size);
    std::vector<double> returns(static_cast<size_t>(B) + 1);
    for (int mrp = 0; mrp < mrps_; ++mrp) {
        const double* rewards = rewards_.data() + static_cast<size_t>(mrp) * static_cast<size_t>(B);
        if (lambda > 0) returns[B] = entry(mrp, each - 1, 0);
        for (int w = B - 1; lambda > 0 && w >= 0; --w) {
            const double next = lambda < 1 ? entry(mrp, w + 1, 0) : 0;
            returns[w] = rewards[w] + gamma * ((1 - lambda) * next + lambda * returns[w + 1]);
        }
        for (size_t u = 0; u < used_.size(); ++u) {
            const int place = used_[u], w = windows_[place];
            const double target = options_.loss.value_error ? true_values_[static_cast<size_t>(mrp) * used_.size() + u]
                                  : lambda > 0              ? returns[w]
                                                            : rewards[w] + gamma * entry(mrp, place + 1, 0);
            const double delta = target - entry(mrp, place, 0);
            for (int k = 0; k < size; ++k) {
                x[k] = entry(mrp, place, 1 + k);
                if (options_.loss.follows_target) x[k] -= gamma * entry(mrp, place + 1, 1 + k);
            }
            sum.loss += delta * delta;
            for (int k = 0; k < size; ++k) {
                sum.update[k] += delta * x[k];
                for (int i = 0; i < size; ++i) sum.metric(i, k) += x[i] * x[k];
            }
        }
    }
    const double count = static_cast<double>(mrps_) * static_cast<double>(used_.size());
    return {sum.loss / count, sum.update / count, sum.metric / count};
}

Mat StarPrompts::jacobian(const Vec& theta) const {
    constexpr double kStep = 1e-4;
    Mat J(theta.size(), theta.size());
    for (Index k = 0; k < theta.size(); ++k) {
        Vec ahead = theta, back = theta;
        ahead[k] += kStep;
        back[k] -= kStep;
        J.col(k) = (pull(ahead).update - pull(back).update) / (2 * kStep);
    }
    return J;
}

namespace {

double largest_part(const Vec& x) { return x.cwiseAbs().maxCoeff(); }
Vec at_most(const Vec& step, double largest) { return step * smaller(1.0, largest / largest_part(step)); }

// theta <- theta + rate (E[x x'] + a little)^-1 U: only stable points attract it.
Vec flow(const StarPrompts& prompts, Vec theta, int steps, double rate) {
    constexpr double kDamping = 1e-2, kLeast = 1e-4, kLongest = 0.3, kSlow = 2e-3;
    for (int i = 0; i < steps; ++i) {
        const auto at = prompts.pull(theta);
        Mat metric = at.metric;
        for (Index k = 0; k < metric.rows(); ++k) metric(k, k) = metric(k, k) + kDamping * metric(k, k) + kLeast;
        const Vec step = rate * solve_positive(metric, at.update);
        if (!step.allFinite()) break;
        theta += at_most(step, kLongest);
        if (largest_part(step) < kSlow) break;
    }
    return theta;
}

struct Rest {
    Vec theta;
    Mat jacobian;
    bool reached = false;
};

// Newton's method for U = 0.
Rest root_from(const StarPrompts& prompts, Vec theta) {
    constexpr int kNewtonSteps = 12, kJacobianEvery = 3;
    constexpr double kLongest = 0.2, kEnough = 1e-4, kMost = 1e-3;
    Rest rest{std::move(theta), {}};
    double last = 0;
    for (int i = 0; i < kNewtonSteps; ++i) {
        if (i % kJacobianEvery == 0) rest.jacobian = prompts.jacobian(rest.theta);
        const Vec step = -least_norm_solution(rest.jacobian, prompts.pull(rest.theta).update);
        if (!step.allFinite()) return rest;
        rest.theta += at_most(step, kLongest);
        if ((last = largest_part(step)) < kEnough) break;
    }
    rest.reached = last < kMost;
    return rest;
}

// Half of the loss' second derivatives, made positive definite.
Mat curvature_of(const Mat& jacobian) {
    Mat H = -(jacobian + jacobian.transpose()) / 2;
    const Vec values = symmetric_eigenvalues(H);
    const double floor = 1e-5 * larger(std::abs(values[0]), values[values.size() - 1]);
    if (values[0] < floor) H.diagonal() += 2 * (floor - values[0]);
    return H;
}

// Newton's method for the least loss, going back where a step does not lower it.
Rest minimum_from(const StarPrompts& prompts, Vec theta) {
    constexpr int kDescentSteps = 40;
    constexpr double kLongest = 0.5, kEnough = 1e-3, kLeastShare = 1e-5;
    Rest rest{std::move(theta), {}};
    auto at = prompts.pull(rest.theta);
    double share = 1;
    for (int i = 0; i < kDescentSteps; ++i) {
        if (i % 2 == 0) rest.jacobian = prompts.jacobian(rest.theta);
        const Vec step = share * at_most(solve_positive(curvature_of(rest.jacobian), at.update), kLongest);
        if (!step.allFinite()) return rest;
        auto next = prompts.pull(rest.theta + step);
        if (next.loss < at.loss) {
            rest.theta += step;
            at = std::move(next);
            share = smaller(1.0, 2 * share);
        } else {
            share /= 4;
        }
        if (largest_part(step) < kEnough || share < kLeastShare) break;
    }
    rest.reached = true;
    return rest;
}

Rest rest_from(const StarPrompts& prompts, const Vec& start, const StarLoss& loss, int steps, double rate) {
    Vec theta = flow(prompts, start, steps, rate);
    Rest rest = loss.is_minimised() ? minimum_from(prompts, std::move(theta)) : root_from(prompts, std::move(theta));
    rest.reached = rest.reached && rest.theta.allFinite() && largest_part(rest.theta) < 30;
    if (rest.reached) std::sort(rest.theta.begin() + 2, rest.theta.end());
    return rest;
}

// The stable point that the flow reaches from nearly zero; of minimised losses the one of least loss.
Rest find_rest(const StarPrompts& prompts, const StarOptions& options) {
    // Nearly zero, from where networks start, and places all over the map.
    constexpr struct {
        double size, beta, c;
    } kStarts[] = {{0.05, 0, 0}, {1, 0.8, -0.1}, {1, 0.7, 0.4},  {1, 0.9, 0.9},
                   {1, 1, -0.5}, {0.4, 0.3, 0},  {1.6, 1.1, 0.2}};
    const int layers = options.layers;
    Rest best;
    double least = 0;
    for (const auto& [size, beta, c] : kStarts) {
        Vec start(2 + layers);
        start[0] = beta;
        start[1] = c;
        for (int l = 0; l < layers; ++l) start[2 + l] = size * (0.8 + 1.4 * l / larger(1, layers - 1));
        Rest rest = rest_from(prompts, start, options.loss, kFlowSteps, kRate);
        if (!rest.reached) continue;
        if (!options.loss.is_minimised()) {
            if (spectral_abscissa(rest.jacobian) < 1e-6) return rest;
            continue;
        }
        const double loss = prompts.pull(rest.theta).loss;
        if (best.reached && loss >= least) continue;
        least = loss;
        best = std::move(rest);
    }
    return best;
}

FittedNumber mean_with_interval(const std::vector<Vec>& found, Index k) {
    double mean = 0, square = 0;
    const auto count = static_cast<double>(found.size());
    for (const Vec& one : found) mean += one[k] / count;
    for (const Vec& one : found) square += (one[k] - mean) * (one[k] - mean) / (count - 1);
    return {mean, student_quantile(static_cast<int64_t>(found.size())) * std::sqrt(square / count)};
}

// About a second's: the work for one MRP grows with the values computed and with the family's own arithmetic.
int mrps_of(const StarOptions& options) {
    if (options.mrps > 0) return options.mrps;
    const bool all = options.loss.lambda > 0 && options.loss.lambda < 1;
    const double work = options.tasks.d * options.tasks.d * options.layers * (options.layers + 2.0) * (all ? 7 : 1) *
                        (options.loss.is_minimised() ? 2 : 1) / 240;
    return std::clamp(static_cast<int>(3000 / work), 32, 6000);
}

}  // namespace

Star star_of(const StarOptions& options) {
    if (!options.tasks.has_values()) throw InputError("star: task = cart_pole has no finite chain. Use another task.");
    if (options.layers > kMostStarLayers)
        throw InputError(
            fmt::format("star: num_layers = {} is more than {}, whose step sizes are not determined. Lower it.",
                        options.layers, kMostStarLayers));
    const int mrps = mrps_of(options);
    const Rest rest = find_rest(StarPrompts(options, larger(32, mrps / 2), kSets), options);
    Star star;
    if (!rest.reached) return star;
    std::vector<Vec> found;
    Mat H = Mat::Zero(rest.theta.size(), rest.theta.size());
    for (int set = 0; set < kSets; ++set) {
        const StarPrompts prompts(options, mrps, set);
        const Rest own = rest_from(prompts, rest.theta, options.loss, kSetFlowSteps, 1);
        if (!own.reached) continue;
        found.push_back(own.theta);
        H -= own.jacobian;
        star.loss += prompts.pull(own.theta).loss;
    }
    if (found.size() < 2) return star;
    star.found = true;
    star.loss /= static_cast<double>(found.size());
    star.beta = mean_with_interval(found, 0);
    star.c = mean_with_interval(found, 1);
    for (int l = 0; l < options.layers; ++l) star.alphas.push_back(mean_with_interval(found, 2 + l).value);
    if (!options.loss.is_minimised()) return star;
    // E[delta^2] rises by step' H step, H the mean of -dU/dtheta. With the best step sizes it rises by the share within
    // the ellipse of the covariance share loss H^-1.
    H /= static_cast<double>(found.size());
    const Mat covariance = kValleyShare * star.loss * inverse(curvature_of(-H));
    star.valley_beta = std::sqrt(covariance(0, 0));
    star.valley_c = std::sqrt(covariance(1, 1));
    star.valley_tilt = covariance(0, 1) / (star.valley_beta * star.valley_c);
    return star;
}

}  // namespace emergence
