#pragma once
// How far an algorithm of the map (algorithm_map.h) is from a network's values, summed over prompts, sixteen at a time.

#include <cstddef>
#include <vector>

namespace emergence {

// The steps of an algorithm of the map (algorithm_map.h), for plain numbers and for lanes of sixteen contexts.
//
// w_{l+1} = w_l + alpha_l e_l, e_l = b - M w_l, so
//
//     dw_{l+1} = dw_l - alpha_l M dw_l + dalpha_l e_l + alpha_l (B - c D) w_l dbeta
//                + alpha_l (-q + (B' - beta D) w_l) dc

/// The number of a context's averages in a row: A, B, D row by row, r, q (line_up.h).
constexpr int map_moments_size(int d) { return 3 * d * d + 2 * d; }

/// Runs an algorithm of the map. T: double, or lanes of it.
template <class T>
class MapRun {
  public:
    MapRun(int d, int layers)
        : d_(d),
          layers_(layers),
          M_(static_cast<size_t>(d * d)),
          by_beta_(M_),
          by_c_(M_),
          w_(static_cast<size_t>(d)),
          e_(w_),
          moved_(w_),
          J_(static_cast<size_t>(d * (layers + 2))) {}

    /// moments: map_moments_size() averages. alphas: a step size per layer. With kDerivatives also the derivatives.
    template <bool kDerivatives>
    void run(const T* moments, const T& beta, const T& c, const T* alphas) {
        const int dd = d_ * d_;
        const T *A = moments, *B = A + dd, *D = B + dd, *r = D + dd, *q = r + d_;
        for (int i = 0; i < d_; ++i)
            for (int j = 0; j < d_; ++j) {
                const int at = i * d_ + j;
                by_beta_[place(at)] = B[at] - c * D[at];
                by_c_[place(at)] = B[j * d_ + i] - beta * D[at];
                M_[place(at)] = A[at] - beta * by_beta_[place(at)] - c * B[j * d_ + i];
            }
        for (T& entry : w_) entry = T{};
        for (T& entry : J_) entry = T{};
        for (int l = 0; l < layers_; ++l) {
            product(M_, w_.data(), e_.data());
            for (int i = 0; i < d_; ++i) e_[place(i)] = r[i] - c * q[i] - e_[place(i)];
            if constexpr (kDerivatives) derive(l, alphas[l], q);
            for (int i = 0; i < d_; ++i) w_[place(i)] = w_[place(i)] + alphas[l] * e_[place(i)];
        }
    }

    /// w_L, d entries.
    const T* weights() const { return w_.data(); }
    /// The derivatives by beta, c, alpha_0 .. alpha_{L-1}, d entries each.
    const T* derivatives() const { return J_.data(); }

  private:
    static size_t place(int i) { return static_cast<size_t>(i); }

    // result = matrix x
    void product(const std::vector<T>& matrix, const T* x, T* result) const {
        for (int i = 0; i < d_; ++i) {
            T sum = T{};
            for (int j = 0; j < d_; ++j) sum = sum + matrix[place(i * d_ + j)] * x[j];
            result[i] = sum;
        }
    }
    // The derivatives after layer l, from those before it, w_l and e_l. Those by later step sizes are still zero.
    void derive(int l, const T& alpha, const T* q) {
        for (int k = 0; k < l + 2; ++k) {
            T* column = J_.data() + k * d_;
            product(M_, column, moved_.data());
            for (int i = 0; i < d_; ++i) column[i] = column[i] - alpha * moved_[place(i)];
        }
        T *by_beta = J_.data(), *by_c = by_beta + d_, *by_alpha = by_beta + (l + 2) * d_;
        product(by_beta_, w_.data(), moved_.data());
        for (int i = 0; i < d_; ++i) by_beta[i] = by_beta[i] + alpha * moved_[place(i)];
        product(by_c_, w_.data(), moved_.data());
        for (int i = 0; i < d_; ++i) by_c[i] = by_c[i] + alpha * (moved_[place(i)] - q[i]);
        for (int i = 0; i < d_; ++i) by_alpha[i] = e_[place(i)];
    }

    int d_, layers_;
    std::vector<T> M_, by_beta_, by_c_, w_, e_, moved_, J_;
};

/// Prompts in groups of sixteen. Lanes without a prompt are all zero.
struct MapBank {
    const double* moments;  // groups x map_moments_size() x 16
    const double* weights;  // groups x d x d x 16: the form that weighs differences of weight vectors
    int groups;
    int d;
};

/// Sums over prompts, with off the difference of both weight vectors, W the prompt's form, J the derivatives of the
/// algorithm's by its parameters beta, c, alpha_0 ..:
///
///     loss = sum off' W off,   gradient = sum g,   curvature = sum J' W J,   scatter = sum g g',   g = J' W off
struct MapSums {
    double loss = 0;
    /// Entries, and row by row both halves of matrices; of size 0 unless asked for.
    std::vector<double> gradient, curvature, scatter;
};

/// wanted: groups x d x 16, the network's weight vectors. parameters: beta, c, alphas.
MapSums map_sums(const MapBank& bank, const double* wanted, const std::vector<double>& parameters, bool derivatives);

}  // namespace emergence
