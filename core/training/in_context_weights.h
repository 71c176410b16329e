#pragma once
// The weights of in-context regression as one vector: what the paper's restrictions leave free, what they
// mean, and how they look in other coordinates.

#include <vector>

#include "core/base/eigen.h"
#include "core/training/in_context_loss.h"

namespace emergence {

/// Which entries of P_i = [B_i *; * p_i] and Q_i = [A_i *; * *] are trained (Ahn et al. 2023).
enum class Restriction {
    steps,         // Eq. (9): A_i, symmetric; B_i = 0, p_i = 1, all else 0: preconditioned gradient steps
    moved_points,  // Eq. (13): B_i too, so that the x are moved as well
    none,          // all entries
};

/// P_0, P_1, .. then Q_0, Q_1, .., each D x D row-major with D = d+1.
struct InContextWeights {
    int d = 0, layers = 0;
    Eigen::VectorXd flat;

    InContextWeights() = default;
    /// All zero.
    InContextWeights(int dimension, int num_layers);

    InContextShape shape() const { return {d + 1, layers}; }
    const double* P() const { return flat.data(); }
    const double* Q() const { return flat.data() + flat.size() / 2; }
    Eigen::MatrixXd P(int layer) const { return matrix(layer, false); }
    Eigen::MatrixXd Q(int layer) const { return matrix(layer, true); }
    void set_P(int layer, const Eigen::MatrixXd& P) { set(layer, false, P); }
    void set_Q(int layer, const Eigen::MatrixXd& Q) { set(layer, true, Q); }

    /// Layer `layer`'s preconditioner as Lemma 2 has it: p_i A_i. With (9) and (13) p_i is 1; without a
    /// restriction only the product says how large a step is.
    Eigen::MatrixXd A(int layer) const;
    /// How the layer moves the x, d x d. Its scale too says something beside A_i's only: P_i times c and Q_i
    /// over c are the same layer. Divided by p_i, so that (13)'s convention holds.
    Eigen::MatrixXd B(int layer) const;
    /// A layer of (13): P = diag(B, 1), Q = diag(A, 0).
    void set_layer(int layer, const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

    /// The same network for x in other coordinates, x~ = T x (d x d, invertible): with R = diag(T^-1, 1) its
    /// P is R^-1 P R and its Q is R' Q R.
    InContextWeights in_coordinates(const Eigen::MatrixXd& T) const;

  private:
    Eigen::MatrixXd matrix(int layer, bool query) const;
    void set(int layer, bool query, const Eigen::MatrixXd& M);
};

/// Random ones: what is free is N(0, scale^2), A_i and the B_i that matter; A_i is made symmetric as
/// (S + S')/2.
InContextWeights random_weights(Restriction restriction, int d, int layers, double scale, uint64_t seed);

/// A gradient's projection on what the restriction leaves free; for (9) and (13) A_i's becomes symmetric.
void project(Restriction restriction, int d, int layers, Eigen::VectorXd& gradient);

/// The loss at `weights` and its gradient as a vector like theirs.
template <class T>
double loss_of(InContextLoss<T>& loss, const GramView<T>& sample, const Eigen::VectorXd& weights,
               Eigen::VectorXd& gradient);

/// Weights that are linear in few numbers: offset + basis theta.
struct WeightFamily {
    InContextWeights offset;
    Eigen::MatrixXd basis;                // weights x numbers
    std::vector<Eigen::VectorXd> starts;  // where to look from
    InContextWeights at(const Eigen::VectorXd& theta) const;
};
struct FamilyMinimum {
    Eigen::VectorXd theta;
    double loss = 0;  // on the sample
};
/// The least loss in the family that L-BFGS finds from any of its starts.
FamilyMinimum minimise(const WeightFamily& family, const GramView<double>& sample);

/// A_i = -theta_i C, i = 0 .. L-1, and with `moved` B_i = theta_{L+i} I for i < L-1: what Theorems 4 and 5
/// say of C = Sigma^-1.
WeightFamily layer_scalars(const Eigen::MatrixXd& C, int layers, bool moved);
/// A_i = -theta_0 C in every layer, and with `moved` B_i = theta_1 I: gradient descent with C = I, with
/// C = Sigma^-1 preconditioned; GD++ where the points are moved.
WeightFamily shared_scalars(const Eigen::MatrixXd& C, int layers, bool moved);

}  // namespace emergence
