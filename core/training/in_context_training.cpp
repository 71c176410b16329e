#include "core/training/in_context_training.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"

namespace emergence {

InContextWeights::InContextWeights(int dimension, int num_layers)
    : d(dimension), layers(num_layers), flat(Vec::Zero(2 * num_layers * (dimension + 1) * (dimension + 1))) {}

Mat InContextWeights::matrix(int layer, bool query) const {
    const double* start = (query ? Q() : P()) + layer * (d + 1) * (d + 1);
    return ConstMatView::by_rows(start, d + 1, d + 1);
}

void InContextWeights::set(int layer, bool query, const Mat& M) {
    double* start = flat.data() + (query ? flat.size() / 2 : 0) + layer * (d + 1) * (d + 1);
    MatView::by_rows(start, d + 1, d + 1) = M;
}

Mat InContextWeights::A(int layer) const { return P(layer)(d, d) * Q(layer).topLeftCorner(d, d); }

Mat InContextWeights::B(int layer) const {
    const Mat M = P(layer);
    return M.topLeftCorner(d, d) / M(d, d);
}

void InContextWeights::set_layer(int layer, const Mat& A, const Mat& B) {
    Mat P = Mat::Zero(d + 1, d + 1), Q = P;
    P.topLeftCorner(d, d) = B;
    P(d, d) = 1;
    Q.topLeftCorner(d, d) = A;
    set_P(layer, P);
    set_Q(layer, Q);
}

InContextWeights InContextWeights::in_coordinates(const Mat& T) const {
    Mat inverse_R = Mat::Identity(d + 1, d + 1), R = inverse_R;
    inverse_R.topLeftCorner(d, d) = T;
    R.topLeftCorner(d, d) = inverse(T);
    InContextWeights result(d, layers);
    for (int l = 0; l < layers; ++l) {
        result.set_P(l, inverse_R * P(l) * R);
        result.set_Q(l, R.transpose() * Q(l) * R);
    }
    return result;
}

InContextWeights random_weights(Restriction restriction, int d, int layers, double scale, uint64_t seed) {
    Stream stream(seed, Purpose::initial_weights);
    const auto gaussian = [&](int size) { return normal_matrix(stream, size, size, scale); };
    InContextWeights weights(d, layers);
    for (int l = 0; l < layers; ++l) {
        if (restriction == Restriction::none) {
            weights.set_P(l, gaussian(d + 1));
            weights.set_Q(l, gaussian(d + 1));
            continue;
        }
        // Draws both always, so that (9) and (13) start with the same A.
        const Mat S = gaussian(d), B = gaussian(d);
        const bool moves = restriction == Restriction::moved_points && l < layers - 1;
        weights.set_layer(l, (S + S.transpose()) / 2, moves ? B : Mat::Zero(d, d));
    }
    return weights;
}

void project(Restriction restriction, int d, int layers, Vec& gradient) {
    if (restriction == Restriction::none) return;
    InContextWeights g(d, layers);
    std::swap(g.flat, gradient);
    for (int l = 0; l < layers; ++l) {
        Mat P = Mat::Zero(d + 1, d + 1), Q = P;
        const Mat A = g.Q(l).topLeftCorner(d, d);
        Q.topLeftCorner(d, d) = (A + A.transpose()) / 2;
        if (restriction == Restriction::moved_points) P.topLeftCorner(d, d) = g.P(l).topLeftCorner(d, d);
        g.set_P(l, P);
        g.set_Q(l, Q);
    }
    std::swap(gradient, g.flat);
}

template <class T>
double loss_of(InContextLoss<T>& loss, const GramView<T>& sample, const Vec& weights, Vec& gradient) {
    gradient.resize(weights.size());
    const Index half = weights.size() / 2;
    return loss.loss(sample, weights.data(), weights.data() + half, gradient.data(), gradient.data() + half);
}

template double loss_of(InContextLoss<float>&, const GramView<float>&, const Vec&, Vec&);
template double loss_of(InContextLoss<double>&, const GramView<double>&, const Vec&, Vec&);

InContextWeights WeightFamily::at(const Vec& theta) const {
    InContextWeights weights = offset;
    weights.flat += basis * theta;
    return weights;
}

FamilyMinimum minimise(const WeightFamily& family, const GramView<double>& sample) {
    // A family has few numbers: most fits end after ten iterations.
    constexpr int kMostIterations = 200;
    // If there are more starts than this, only the best continue after a few iterations.
    constexpr size_t kSearchedToTheEnd = 4;
    constexpr int kScreeningIterations = 8;
    const auto loss = make_in_context_loss<double>(family.offset.shape());
    Vec all;
    const Objective objective = [&](const Vec& theta, Vec& gradient) {
        const double value = loss_of(*loss, sample, family.at(theta).flat, all);
        gradient = family.basis.transpose() * all;
        return value;
    };
    const auto search = [&](Lbfgs& lbfgs, int iterations) {
        for (int k = 0; k < iterations && !lbfgs.converged() && !lbfgs.diverged(); ++k) lbfgs.iterate(objective);
    };
    std::vector<Lbfgs> searches;
    for (const Vec& start : family.starts) searches.emplace_back(LbfgsOptions{.gradient_tolerance = 1e-7}, start);
    if (searches.size() > kSearchedToTheEnd) {
        for (Lbfgs& lbfgs : searches) search(lbfgs, kScreeningIterations);
        const auto loss_or_none = [](const Lbfgs& lbfgs) {
            return std::isfinite(lbfgs.loss()) ? lbfgs.loss() : std::numeric_limits<double>::infinity();
        };
        std::stable_sort(searches.begin(), searches.end(),
                         [&](const Lbfgs& a, const Lbfgs& b) { return loss_or_none(a) < loss_or_none(b); });
        searches.resize(kSearchedToTheEnd, searches.front());
    }
    FamilyMinimum best{{}, std::numeric_limits<double>::infinity()};
    for (Lbfgs& lbfgs : searches) {
        search(lbfgs, kMostIterations);
        if (lbfgs.loss() < best.loss) best = {lbfgs.x(), lbfgs.loss()};
    }
    return best;
}

namespace {

// The weights' derivative by a number that scales A and B in the layers first .. end - 1.
Vec direction_in_layers(const InContextWeights& offset, const Mat& A, const Mat& B, int first, int end) {
    InContextWeights weights = offset;
    for (int l = first; l < end; ++l) weights.set_layer(l, A, B);
    return weights.flat - offset.flat;
}

// Numbers for A, then for B, which has no effect in the last layer; each for `at_once` layers, or what is left of them.
WeightFamily scalars(const Mat& C, int layers, bool moved, int at_once) {
    const int d = static_cast<int>(C.rows());
    const Mat zero = Mat::Zero(d, d), identity = Mat::Identity(d, d);
    WeightFamily family{InContextWeights(d, layers), {}, {}};
    for (int l = 0; l < layers; ++l) family.offset.set_layer(l, zero, zero);
    std::vector<Vec> columns;
    for (int first = 0; first < layers; first += at_once)
        columns.push_back(direction_in_layers(family.offset, -C, zero, first, first + at_once));
    for (int first = 0; moved && first < layers - 1; first += at_once)
        columns.push_back(
            direction_in_layers(family.offset, zero, identity, first, smaller(first + at_once, layers - 1)));
    family.basis.resize(family.offset.flat.size(), static_cast<Index>(columns.size()));
    for (size_t k = 0; k < columns.size(); ++k) family.basis.col(static_cast<Index>(k)) = columns[k];
    return family;
}

}  // namespace

WeightFamily layer_scalars(const Mat& C, int layers, bool moved) {
    WeightFamily family = scalars(C, layers, moved, 1);
    const Index numbers = family.basis.cols();
    // Equal steps are a saddle of the loss, so the starts have growing and falling steps.
    for (const double slope : {0.3, -0.3}) {
        Vec start = Vec::Constant(numbers, 0.2);
        for (int l = 0; l < layers; ++l) start(l) = 0.6 + (layers > 1 ? slope * (2.0 * l / (layers - 1) - 1) : 0.0);
        family.starts.push_back(start);
    }
    // With moved points there are many minima. The lowest of dozens of random starts have steps that grow.
    if (moved && layers > 1)
        for (const double first : {0.25, 0.5})
            for (const double growth : {10.0, 30.0, 60.0, 120.0})
                for (const double slope : {0.6, -0.5}) {
                    Vec start(numbers);
                    for (int l = 0; l < layers; ++l) start(l) = first * std::pow(growth, l / (layers - 1.0));
                    for (int l = 0; l + 1 < layers; ++l)
                        start(layers + l) = (slope > 0 ? 0.4 : 0.9) + slope * l / larger(layers - 2, 1);
                    family.starts.push_back(start);
                }
    return family;
}

WeightFamily shared_scalars(const Mat& C, int layers, bool moved) {
    WeightFamily family = scalars(C, layers, moved, layers);
    family.starts = {Vec::Constant(family.basis.cols(), 0.3)};
    return family;
}

// Each compiled instruction set has its own, see lane_losses_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T> InContextLoss<T>* make_in_context_loss(const InContextShape&);)

template <class T>
std::unique_ptr<InContextLoss<T>> make_in_context_loss(const InContextShape& shape, InstructionSet set) {
    check(shape.rows >= 2 && shape.rows <= kMaxRows, "rows of a prompt");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    return made_on_lanes(EMERGENCE_ON_LANES(set, make_in_context_loss<T>(shape)));
}

template std::unique_ptr<InContextLoss<float>> make_in_context_loss(const InContextShape&, InstructionSet);
template std::unique_ptr<InContextLoss<double>> make_in_context_loss(const InContextShape&, InstructionSet);

double InContextTraining::evaluate(const GramView<float>& sample, const Vec& weights, Vec& gradient) {
    const double loss = loss_of(*loss_, sample, weights, gradient);
    project(options_.restriction, options_.d, options_.layers, gradient);
    return loss;
}

GramSample<float> InContextTraining::draw(int prompts, int64_t first) const {
    return draw_gram_sample<float>(covariance_, options_.prior, options_.n, prompts, seed_,
                                   static_cast<uint32_t>(first), options_.whitened);
}

Objective InContextTraining::objective() {
    if (!sample_) sample_ = draw(options_.prompts, 0);
    return [this](const Vec& x, Vec& gradient) { return evaluate(sample_->view(), x, gradient); };
}

InContextTraining::Progress InContextTraining::on_minibatch(Vec& gradient) {
    const GramSample<float> minibatch = draw(options_.minibatch, steps_ * options_.minibatch);
    const double loss = evaluate(minibatch.view(), weights_.flat, gradient);
    return {loss, gradient.norm()};
}

void InContextTraining::step() {
    if (diverged_) return;
    if (options_.adam) {
        Vec gradient;
        last_ = on_minibatch(gradient);
        known_ = true;
        diverged_ = !std::isfinite(last_.loss) || !gradient.allFinite();
        if (!diverged_) adam_.step(weights_.flat.data(), gradient.data(), options_.adam_options);
    } else {
        lbfgs_.iterate(objective());
        diverged_ = lbfgs_.diverged();
        if (!diverged_) weights_.flat = lbfgs_.x();
    }
    if (!diverged_) ++steps_;
}

InContextTraining::Progress InContextTraining::progress() {
    if (!options_.adam) {
        lbfgs_.evaluate(objective());
        return {lbfgs_.loss(), lbfgs_.gradient_norm()};
    }
    Vec gradient;
    return known_ ? last_ : on_minibatch(gradient);
}

void InContextTraining::state(Archive& archive) {
    archive("weights", weights_.flat);
    archive("adam", adam_);
    archive("last", last_.loss, last_.gradient_norm);
    // Streams are keyed by the prompt's number, which follows from the steps.
    bool converged = lbfgs_.converged();
    int64_t pairs = lbfgs_.memory().cols() / 2;
    archive("progress", steps_, diverged_, converged, known_, pairs);
    archive.require(steps_ >= 0 && pairs >= 0 && pairs <= options_.lbfgs.memory, "progress",
                    "is not a number of steps, three flags, a number of remembered pairs");
    Mat memory = lbfgs_.memory();
    if (archive.loads()) memory = Mat(weights_.flat.size(), 2 * pairs);
    archive("memory", memory);
    if (archive.loads()) lbfgs_.restore(weights_.flat, std::move(memory), converged);
}

}  // namespace emergence
