#include "core/measures/known_networks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"

namespace emergence {
namespace {

struct KnownPlace {
    const char* name;
    double beta, c;
    VerdictName truth;
};
constexpr KnownPlace kKnownPlaces[] = {{"td", 1, 0, VerdictName::td},
                                       {"residual_gradient", 1, 1, VerdictName::residual_gradient},
                                       {"no_bootstrap", 0, 0, VerdictName::no_bootstrap},
                                       {"half_bootstrap", 0.5, 0, VerdictName::between},
                                       {"half_residual", 1, 0.5, VerdictName::between},
                                       {"minus_half_residual", 0.9, -0.5, VerdictName::between},
                                       {"bootstraps_wrongly", -1, 0, VerdictName::between}};
constexpr KnownPlace kRewardStep = {"reward_step", 0, 0, VerdictName::reward_correlation};
constexpr double kMatrixAlphas[] = {0.1, 0.25, 0.5, 1};
// Largest and smallest eigenvalue of C / alpha.
constexpr double kLargest = 2, kSmallest = 0.2;
constexpr int kWreckedNetworks = 12;

double largest_entry(const Mat& matrix) { return matrix.cwiseAbs().maxCoeff(); }

Mat clutter(Stream& stream, Index rows, Index columns, double largest) {
    Mat matrix(rows, columns);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) matrix(i, j) = 0.95 * largest * stream.uniform(-1, 1);
    return matrix;
}

Mat stepped_along_random_axes(Stream& stream, int d, double alpha) {
    Vec eigenvalues(d);
    for (int i = 0; i < d; ++i) eigenvalues[i] = kLargest * std::pow(kSmallest / kLargest, i / larger(1.0, d - 1.0));
    const Mat O = orthogonal_factor(normal_matrix(stream, d, d, 1));
    return alpha * O * eigenvalues.asDiagonal() * O.transpose();
}

// The matrices of each layer, in double.
struct Layers {
    std::vector<Mat> P, Q;
};

Layers built_layers(const KnownNetwork& network, const Mat& C, bool one_step) {
    const int d = network.d, rows = 2 * d + 1;
    Mat P = Mat::Zero(rows, rows), Q = P;
    P(rows - 1, rows - 1) = 1;
    Q.block(0, 0, d, d) = -C;
    Q.block(0, d, d, d) = network.beta * C;
    Q.block(d, 0, d, d) = network.c * C;
    Q.block(d, d, d, d) = -network.beta * network.c * C;
    Layers layers{std::vector<Mat>(network.layers, P), std::vector<Mat>(network.layers, Q)};
    if (one_step) std::for_each(layers.Q.begin() + 1, layers.Q.end(), [](Mat& later) { later.setZero(); });
    return layers;
}

// Fills what no value reads of the last layer: all rows of P but the last, and Q's columns for gamma phi', which is 0
// in a query.
void fill(Stream& stream, int d, Layers& layers) {
    Mat &P = layers.P.back(), &Q = layers.Q.back();
    P.topRows(2 * d) = clutter(stream, 2 * d, 2 * d + 1, largest_entry(P));
    Q.middleCols(d, d) = clutter(stream, 2 * d + 1, d, largest_entry(layers.Q.front()));
}

// Writes TD errors of the last step into the rewards of Z_L, which no value reads.
void plant(int d, bool one_step, Layers& layers) {
    // A single reward step is in the first layer, and no later layer reads what it adds.
    Mat& planted = one_step ? layers.Q.front() : layers.Q.back();
    const double steps = one_step ? 1 : static_cast<double>(layers.Q.size());
    planted.middleCols(d, d) = -steps * planted.leftCols(d);
}

// Layers with equal weights get equal noise.
void add_noise(Stream& stream, double share, bool one_step, Layers& layers) {
    for (auto* all : {&layers.P, &layers.Q}) {
        const double deviation = share * largest_entry(all->front());
        const auto drawn = [&] { return normal_matrix(stream, all->front().rows(), all->front().cols(), deviation); };
        Mat noise = drawn();
        for (Mat& matrix : *all) {
            matrix += noise;
            if (one_step) noise = drawn();
        }
    }
}

std::vector<float> flat_layers(const std::vector<Mat>& layers) {
    std::vector<float> all;
    for (const Mat& layer : layers)
        for (Index i = 0; i < layer.rows(); ++i)
            for (Index j = 0; j < layer.cols(); ++j) all.push_back(static_cast<float>(layer(i, j)));
    return all;
}

Mat matrix_at(const std::vector<float>& flat, int layer, int rows) {
    return Mat::from_floats(flat.data() + static_cast<Index>(layer) * rows * rows, rows, rows);
}

// Makes the networks of a set.
class Maker {
  public:
    Maker(const KnownOptions& options, uint32_t set)
        : options_(options), stream_(options.seed, Purpose::initial_weights, set, 1) {}

    std::vector<KnownNetwork> all() {
        for (const KnownPlace& place : kKnownPlaces) {
            each_disguise(place, {0.1, 0.4, 1.1, 1.8});
            if (place.beta == 0 || place.truth == VerdictName::td) each_disguise(place, {-0.1, -0.4});
        }
        each_disguise(kRewardStep, {0.4, 1.1, -0.4});
        for (const KnownPlace& place : kKnownPlaces)
            if (place.truth != VerdictName::between || place.c == 0)
                for (const double alpha : kMatrixAlphas)
                    for (const double noise : {0.0, options_.noise}) add(place, alpha, Disguise::bare, noise, true);
        for (int i = 0; i < kWreckedNetworks; ++i)
            add(kKnownPlaces[0], i % 2 == 0 ? 0.4 : 1.1, Disguise::noise, (i % 4 < 2 ? 5 : 10) * options_.noise, false);
        for (const double deviation : {0.2, 0.35, 0.5})
            for (int i = 0; i < 6; ++i) add_random(deviation);
        for (size_t i = networks_.size() - 1; i > 0; --i)
            std::swap(networks_[i], networks_[static_cast<size_t>(stream_.uniform() * static_cast<double>(i + 1))]);
        return std::move(networks_);
    }

  private:
    void each_disguise(const KnownPlace& place, const std::vector<double>& alphas) {
        for (const double alpha : alphas) {
            add(place, alpha, Disguise::bare, 0, false);
            add(place, alpha, place.beta == 0 ? Disguise::planted : Disguise::filled, 0, false);
            for (const double factor : {1, 1, 2, 2}) add(place, alpha, Disguise::noise, factor * options_.noise, false);
        }
    }
    void add(const KnownPlace& place, double alpha, Disguise disguise, double noise, bool matrices) {
        const bool wrong_sign = alpha < 0, one_step = &place == &kRewardStep;
        KnownNetwork network{options_.d, options_.layers, {}, {}, place.name, place.beta, place.c, alpha, matrices};
        network.truth = wrong_sign ? VerdictName::wrong_sign : place.truth;
        network.of = place.truth;
        network.disguise = noise > 0 ? Disguise::noise : disguise;
        network.noise = noise;
        const Mat C = matrices ? stepped_along_random_axes(stream_, options_.d, alpha)
                               : alpha * Mat::Identity(options_.d, options_.d);
        Layers layers = built_layers(network, C, one_step);
        if (disguise == Disguise::filled) fill(stream_, options_.d, layers);
        if (disguise == Disguise::planted) plant(options_.d, one_step, layers);
        const double a = std::vector{1.0, -0.3, 7.0}[static_cast<size_t>(3 * stream_.uniform())];
        for (Mat& P : layers.P) P *= a;
        for (Mat& Q : layers.Q) Q /= a;
        finish(network, layers, one_step);
    }
    void add_random(double deviation) {
        KnownNetwork network{options_.d, options_.layers, {}, {}, "random", NAN, NAN, deviation};
        const int rows = 2 * options_.d + 1;
        const Mat P = normal_matrix(stream_, rows, rows, deviation), Q = normal_matrix(stream_, rows, rows, deviation);
        Layers layers{std::vector<Mat>(options_.layers, P), std::vector<Mat>(options_.layers, Q)};
        finish(network, layers, false);
    }
    void finish(KnownNetwork& network, Layers& layers, bool one_step) {
        network.bare_P = flat_layers(layers.P);
        network.bare_Q = flat_layers(layers.Q);
        if (network.noise > 0) add_noise(stream_, network.noise, one_step, layers);
        network.P = flat_layers(layers.P);
        network.Q = flat_layers(layers.Q);
        networks_.push_back(std::move(network));
    }

    KnownOptions options_;
    Stream stream_;
    std::vector<KnownNetwork> networks_;
};

}  // namespace

const char* name_of(Disguise disguise) {
    constexpr const char* names[] = {"bare", "filled", "planted", "noise"};
    return names[static_cast<size_t>(disguise)];
}

Mat KnownNetwork::P_at(int layer) const { return matrix_at(P, layer, 2 * d + 1); }
Mat KnownNetwork::Q_at(int layer) const { return matrix_at(Q, layer, 2 * d + 1); }

double KnownNetwork::changed_by_noise(const FitPrompts& prompts) const {
    const std::vector<double> w = prompts.values(view()),
                              before = prompts.values({layers, layers, bare_P.data(), bare_Q.data()});
    double changed = 0, all = 0;
    for (size_t i = 0; i < w.size(); ++i) {
        changed += (w[i] - before[i]) * (w[i] - before[i]);
        all += w[i] * w[i];
    }
    return changed / all;
}

std::vector<KnownNetwork> known_networks(const KnownOptions& options, uint32_t set) {
    return Maker(options, set).all();
}

BankOptions known_bank(int d) {
    const int size = VerdictPrompts::kFitted + VerdictPrompts::kJudged;
    return {.tasks = {.d = d}, .size = size, .context_lengths = {30}, .seed = 1000};
}

}  // namespace emergence
