#pragma once
// In-context regression: its weights as one vector, with the paper's restrictions, and their training.

#include <memory>
#include <optional>
#include <vector>

#include "core/base/array.h"
#include "core/base/matrix.h"
#include "core/optim/adam.h"
#include "core/optim/descent.h"
#include "core/tasks/regression.h"
#include "core/training/lane_losses.h"

namespace emergence {

/// The trained entries of P_i = [B_i *; * p_i] and Q_i = [A_i *; * *] (Ahn et al. 2023).
enum class Restriction {
    // Eq. (9): A_i, symmetric; B_i = 0, p_i = 1, all others 0. Preconditioned gradient steps.
    steps,
    // Eq. (13): B_i too, which moves the x.
    moved_points,
    // All entries.
    none,
};

/// The flat weights P_0, P_1, .., then Q_0, Q_1, .., each D x D row-major with D = d+1.
struct InContextWeights {
    int d = 0, layers = 0;
    Vec flat;

    InContextWeights() = default;
    /// All weights are 0.
    InContextWeights(int dimension, int num_layers);

    InContextShape shape() const { return {d + 1, layers}; }
    const double* P() const { return flat.data(); }
    const double* Q() const { return flat.data() + flat.size() / 2; }
    Mat P(int layer) const { return matrix(layer, false); }
    Mat Q(int layer) const { return matrix(layer, true); }
    void set_P(int layer, const Mat& P) { set(layer, false, P); }
    void set_Q(int layer, const Mat& Q) { set(layer, true, Q); }

    /// The preconditioner of a layer in Lemma 2, p_i A_i, d x d. (9) and (13) have p_i = 1; in general only the product
    /// determines the step.
    Mat A(int layer) const;
    /// The move of the x in a layer, B_i / p_i, d x d. (c P_i, Q_i / c) is the same layer for every c; the division
    /// fixes the scale to that of (13).
    Mat B(int layer) const;
    /// Sets a layer of (13): P = diag(B, 1), Q = diag(A, 0).
    void set_layer(int layer, const Mat& A, const Mat& B);

    /// The same network for x~ = T x; T: d x d, invertible. With R = diag(T^-1, 1):
    ///
    ///     P~ = R^-1 P R,   Q~ = R' Q R
    InContextWeights in_coordinates(const Mat& T) const;

  private:
    Mat matrix(int layer, bool query) const;
    void set(int layer, bool query, const Mat& M);
};

/// Random weights: free entries are N(0, scale^2); for (9) and (13) A_i = (S + S')/2, and the last layer's B is 0.
InContextWeights random_weights(Restriction restriction, int d, int layers, double scale, uint64_t seed);

/// Projects a gradient on the free entries; for (9) and (13) the gradient by A_i becomes symmetric.
void project(Restriction restriction, int d, int layers, Vec& gradient);

/// The loss at `weights` (InContextWeights::flat) and its gradient, as long as the weights.
template <class T>
double loss_of(InContextLoss<T>& loss, const GramView<T>& sample, const Vec& weights, Vec& gradient);

/// Weights that are linear in few numbers theta: offset + basis theta.
struct WeightFamily {
    InContextWeights offset;
    Mat basis;                // weights x numbers
    std::vector<Vec> starts;  // starting points of a minimisation
    InContextWeights at(const Vec& theta) const;
};
struct FamilyMinimum {
    Vec theta;
    double loss = 0;  // on the sample
};
/// The smallest loss that L-BFGS finds from any start of the family; of many starts the best few go on to the end.
FamilyMinimum minimise(const WeightFamily& family, const GramView<double>& sample);

/// The family of Theorems 4 and 5 for C = Sigma^-1: A_i = -theta_i C for i = 0 .. L-1 and, if `moved`,
/// B_i = theta_{L+i} I for i < L-1.
WeightFamily layer_scalars(const Mat& C, int layers, bool moved);
/// The family with equal numbers in all layers: A_i = -theta_0 C and, if `moved`, B_i = theta_1 I for i < L-1. C = I is
/// gradient descent, or GD++ if `moved`; C = Sigma^-1 preconditions it.
WeightFamily shared_scalars(const Mat& C, int layers, bool moved);

struct InContextTrainingOptions {
    int d = 5, n = 20, layers = 3;
    Restriction restriction = Restriction::steps;
    WeightPrior prior = WeightPrior::inverse_covariance;
    double initial_scale = 0.1;
    // Optimise in the coordinates x~ = Sigma^-1/2 x, in which x has covariance I: the same loss, minima and starting
    // point, but steps in Sigma's own metric.
    bool whitened = false;
    // Adam instead of L-BFGS.
    bool adam = false;
    // L-BFGS: prompts of the sample.
    int prompts = 20000;
    // Adam: prompts per update.
    int minibatch = 512;
    AdamOptions adam_options{.learning_rate = 1e-2};
    LbfgsOptions lbfgs{};
};

/// The training of one seed: L-BFGS on a fixed sample of prompts, as in Ahn et al. 2023, or Adam on a stream of new
/// prompts. Its state after k iterations depends only on the options, Sigma, the seed and k.
class InContextTraining : public Archived<InContextTraining> {
  public:
    InContextTraining(const InContextTrainingOptions& options, Covariance covariance, uint64_t seed)
        : options_(options), covariance_(std::move(covariance)), seed_(seed) {}

    /// One iteration of L-BFGS or one update of Adam. L-BFGS does not move once converged(); nothing moves once
    /// diverged().
    void step();
    int64_t steps() const { return steps_; }
    /// Whether L-BFGS finds no lower loss.
    bool converged() const { return lbfgs_.converged(); }
    /// Whether the loss or its gradient was not finite; the weights are those before that step.
    bool diverged() const { return diverged_; }

    /// The weights in the coordinates of the given x, also if `whitened`.
    InContextWeights weights() const {
        return options_.whitened ? weights_.in_coordinates(covariance_.power(0.5)) : weights_;
    }
    const InContextWeights& initial_weights() const { return initial_; }
    const Covariance& covariance() const { return covariance_; }

    /// Loss and norm of the projected gradient. L-BFGS: of the present weights on its sample. Adam: of the weights
    /// before the last update on its minibatch; at step 0 on the first minibatch.
    struct Progress {
        double loss, gradient_norm;
    };
    Progress progress();
    void state(Archive& archive);

  private:
    GramSample<float> draw(int prompts, int64_t first) const;
    double evaluate(const GramView<float>& sample, const Vec& weights, Vec& gradient);
    Objective objective();
    Progress on_minibatch(Vec& gradient);

    InContextTrainingOptions options_;
    Covariance covariance_;
    uint64_t seed_;
    InContextWeights initial_ =
        random_weights(options_.restriction, options_.d, options_.layers, options_.initial_scale, seed_);
    // The weights in the optimiser's coordinates.
    InContextWeights weights_ = options_.whitened ? initial_.in_coordinates(covariance_.power(-0.5)) : initial_;
    std::unique_ptr<InContextLoss<float>> loss_ = make_in_context_loss<float>(weights_.shape());
    // L-BFGS: the sample, drawn at its first use.
    std::optional<GramSample<float>> sample_;
    Lbfgs lbfgs_{options_.lbfgs, weights_.flat};
    Adam<double> adam_ = Adam<double>(weights_.flat.size());
    // Adam: the last update's progress, and whether it is known.
    Progress last_{0, 0};
    bool known_ = false;
    int64_t steps_ = 0;
    bool diverged_ = false;
};

}  // namespace emergence
