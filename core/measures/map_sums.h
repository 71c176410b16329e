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

/// What the second coordinate of a map says. gradient: c, how much of the target's gradient is taken. trace: lambda of
/// the trace of phi along which each transition steps. mean_reward: how much of the mean of the rewards so far is
/// subtracted from each.
enum class MapAxis { gradient, trace, mean_reward };

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
        steps<kDerivatives>(alphas, q, [&](int i) { return r[i] - c * q[i]; });
    }

    /// The same with an axis of mean rewards: moments hold the mean of rbar phi in the place of q.
    ///
    ///     b = r - c q,   M = A - beta B
    template <bool kDerivatives>
    void run_mean_reward(const T* moments, const T& beta, const T& c, const T* alphas) {
        const int dd = d_ * d_;
        const T *A = moments, *B = A + dd, *r = moments + 3 * dd, *q = r + d_;
        for (int at = 0; at < dd; ++at) {
            by_beta_[place(at)] = B[at];
            by_c_[place(at)] = T{};
            M_[place(at)] = A[at] - beta * B[at];
        }
        steps<kDerivatives>(alphas, q, [&](int i) { return r[i] - c * q[i]; });
    }

    /// The same with an axis of traces, e_i = lambda e_{i-1} + phi_i, u_i = de_i/dlambda = e_{i-1} + lambda u_{i-1}:
    ///
    ///     b = mean R_i e_i,   M = mean e_i (phi_i - beta gamma phi'_i)'
    ///
    /// state(t, k): phi(S_t), or R_{t+1} for k = d. n transitions.
    template <bool kDerivatives, class State>
    void run_traces(const State& state, int n, const T& gamma, const T& inverse_n, const T& beta, const T& lambda,
                    const T* alphas) {
        trace_.assign(place(2 * d_), T{});
        b_.assign(place(2 * d_), T{});
        for (std::vector<T>* sums : {&M_, &by_beta_, &by_c_})
            for (T& entry : *sums) entry = T{};
        T *e = trace_.data(), *u = e + d_, *b = b_.data(), *minus_db = b + d_;
        for (int t = 0; t < n; ++t) {
            for (int k = 0; k < d_; ++k) {
                u[k] = e[k] + lambda * u[k];
                e[k] = state(t, k) + lambda * e[k];
            }
            const T reward = state(t, d_) * inverse_n;
            for (int k = 0; k < d_; ++k) {
                b[k] = b[k] + reward * e[k];
                minus_db[k] = minus_db[k] - reward * u[k];
            }
            for (int j = 0; j < d_; ++j) {
                const T next = gamma * state(t + 1, j) * inverse_n, off = state(t, j) * inverse_n - beta * next;
                for (int i = 0; i < d_; ++i) {
                    const size_t at = place(i * d_ + j);
                    M_[at] = M_[at] + e[i] * off;
                    by_beta_[at] = by_beta_[at] + e[i] * next;
                    by_c_[at] = by_c_[at] - u[i] * off;
                }
            }
        }
        steps<kDerivatives>(alphas, minus_db, [&](int i) { return b[i]; });
    }

    /// w_L, d entries.
    const T* weights() const { return w_.data(); }
    /// The derivatives by beta, c, alpha_0 .. alpha_{L-1}, d entries each.
    const T* derivatives() const { return J_.data(); }

  private:
    static size_t place(int i) { return static_cast<size_t>(i); }

    // From w_0 = 0; q: minus the derivative of b by the second coordinate.
    template <bool kDerivatives, class Target>
    void steps(const T* alphas, const T* q, const Target& b) {
        for (T& entry : w_) entry = T{};
        for (T& entry : J_) entry = T{};
        for (int l = 0; l < layers_; ++l) {
            product(M_, w_.data(), e_.data());
            for (int i = 0; i < d_; ++i) e_[place(i)] = b(i) - e_[place(i)];
            if constexpr (kDerivatives) derive(l, alphas[l], q);
            for (int i = 0; i < d_; ++i) w_[place(i)] = w_[place(i)] + alphas[l] * e_[place(i)];
        }
    }
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
    std::vector<T> M_, by_beta_, by_c_, w_, e_, moved_, J_, trace_, b_;
};

/// Prompts in groups of sixteen. Lanes without a prompt are all zero.
struct MapBank {
    const double* moments;  // groups x map_moments_size() x 16
    const double* weights;  // groups x d x d x 16: the form that weighs differences of weight vectors
    int groups;
    int d;
    MapAxis axis = MapAxis::gradient;
    // Of the axis of traces: groups x (n+1) x (d+1) x 16.
    const double* states = nullptr;
    int context_length = 0;
    double gamma = 1;
};

/// Sums over prompts, with off the difference of both weight vectors, W the prompt's form, J the derivatives of the
/// algorithm's by its parameters:
///
///     loss = sum off' W off,   gradient = sum g,   curvature = sum J' W J,   scatter = sum g g',   g = J' W off
struct MapSums {
    double loss = 0;
    /// Entries, and row by row both halves of matrices; of size 0 unless asked for, scatter of the map's algorithms only.
    std::vector<double> gradient, curvature, scatter;
};

/// What the parameters are. map: beta, c, alpha_0 ..; matrices and features: those of the families td_matrices and
/// td_features (line_up.h).
enum class MapKind { map, matrices, features };
/// wanted: groups x d x 16, the network's weight vectors.
MapSums map_sums(const MapBank& bank, const double* wanted, const std::vector<double>& parameters, bool derivatives,
                 MapKind kind = MapKind::map);

}  // namespace emergence
