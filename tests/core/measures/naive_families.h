#pragma once
// The line-up's families written plainly, for plain numbers and for numbers with derivatives: what its sums over prompts
// are held to.

#include <algorithm>
#include <vector>

#include "core/base/check.h"
#include "core/measures/line_up.h"

// Does not include what it needs of Eigen.
#include <unsupported/Eigen/AutoDiff>

namespace emergence::naive {

/// The number of derivatives that a Dual carries.
inline constexpr int kTangents = 8;
/// A number with its derivatives by kTangents parameters.
using Dual = Eigen::AutoDiffScalar<Eigen::Matrix<double, kTangents, 1>>;

/// A row-major matrix of plain numbers or of numbers with derivatives.
template <class T>
struct SmallMatrix {
    int rows, columns;
    std::vector<T> values;
    SmallMatrix(int of_rows, int of_columns)
        : rows(of_rows), columns(of_columns), values(static_cast<size_t>(of_rows * of_columns), T(0)) {}
    T& operator()(int i, int j) { return values[static_cast<size_t>(i * columns + j)]; }
    const T& operator()(int i, int j) const { return values[static_cast<size_t>(i * columns + j)]; }
};

/// Runs a family on one context, (1/n) Z M Z'. parameters: in the order of num_parameters().
template <class T>
class FamilyRun {
  public:
    FamilyRun(const Eigen::MatrixXd& context, int layers, const T* parameters)
        : context_(context), d_(static_cast<int>(context.rows() - 1) / 2), layers_(layers), p_(parameters) {}

    /// w_L, d entries.
    std::vector<T> weights(Family family) const {
        switch (family) {
            case Family::reward_correlation:
            case Family::no_bootstrap:
            case Family::td:
            case Family::td_steps:
            case Family::td_matrices:
            case Family::residual_gradient:
                return descend(family);
            case Family::td_features:
                return with_features();
        }
        check(false, "a family of the enumeration");
        return {};
    }

  private:
    // Where a family lies on the map of algorithms (algorithm_map.h): entry (i, j) of M, and entry i of b.
    double M(Family family, int i, int j) const {
        const double beta = family == Family::no_bootstrap ? 0 : 1, c = takes_target(family);
        return context_(i, j) - beta * context_(i, d_ + j) - c * context_(d_ + i, j) +
               beta * c * context_(d_ + i, d_ + j);
    }
    double b(Family family, int i) const {
        return context_(i, 2 * d_) - takes_target(family) * context_(d_ + i, 2 * d_);
    }
    static double takes_target(Family family) { return family == Family::residual_gradient ? 1 : 0; }

    std::vector<T> descend(Family family) const {
        const int steps = family == Family::reward_correlation ? 1 : layers_;
        const bool shared = family == Family::td || family == Family::reward_correlation;
        std::vector<T> w(static_cast<size_t>(d_), T(0)), error(w);
        for (int l = 0; l < steps; ++l) {
            for (int i = 0; i < d_; ++i) {
                T sum(b(family, i));
                for (int j = 0; j < d_; ++j) sum -= T(M(family, i, j)) * w[static_cast<size_t>(j)];
                error[static_cast<size_t>(i)] = sum;
            }
            for (int i = 0; i < d_; ++i) {
                if (family == Family::td_matrices)
                    for (int j = 0; j < d_; ++j)
                        w[static_cast<size_t>(i)] += p_[(l * d_ + i) * d_ + j] * error[static_cast<size_t>(j)];
                else
                    w[static_cast<size_t>(i)] += p_[shared ? 0 : l] * error[static_cast<size_t>(i)];
            }
        }
        return w;
    }

    // For every column z = (x, y, row) of the prompt and e = x - y, with S, K, g the means over the context of x x',
    // y x', row x':
    //
    //     x <- x - kappa S e,   y <- y - kappa' K e,   row <- row - alpha g e
    //
    // In matrices, with W = (kappa S; kappa' K; alpha g) and E = (I, -I, 0):
    //
    //     T = I - W E,   Z <- T Z,   G <- T G T'
    //
    // A query starts as (phi, 0, 0); its value is minus its last row.
    std::vector<T> with_features() const {
        const int rows = 2 * d_ + 1;
        SmallMatrix<T> G(rows, rows), query(rows, d_);
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < rows; ++j) G(i, j) = T(context_(i, j));
        for (int i = 0; i < d_; ++i) query(i, i) = T(1.0);
        SmallMatrix<T> W(rows, d_);
        for (int l = 0; l < layers_; ++l) {
            for (int i = 0; i < rows; ++i) {
                const T& scale = p_[3 * l + (i < d_ ? 1 : i < 2 * d_ ? 2 : 0)];
                for (int j = 0; j < d_; ++j) W(i, j) = scale * G(i, j);
            }
            query = without(query, W);
            if (l + 1 == layers_) break;
            G = transposed(without(transposed(without(G, W)), W));
        }
        std::vector<T> w(static_cast<size_t>(d_), T(0));
        for (int i = 0; i < d_; ++i) w[static_cast<size_t>(i)] -= query(2 * d_, i);
        return w;
    }

    // Z - W E Z
    SmallMatrix<T> without(const SmallMatrix<T>& Z, const SmallMatrix<T>& W) const {
        SmallMatrix<T> result = Z, difference(d_, Z.columns);
        for (int i = 0; i < d_; ++i)
            for (int j = 0; j < Z.columns; ++j) difference(i, j) = Z(i, j) - Z(d_ + i, j);
        for (int i = 0; i < Z.rows; ++i)
            for (int k = 0; k < d_; ++k)
                for (int j = 0; j < Z.columns; ++j) result(i, j) -= W(i, k) * difference(k, j);
        return result;
    }
    static SmallMatrix<T> transposed(const SmallMatrix<T>& Z) {
        SmallMatrix<T> result(Z.columns, Z.rows);
        for (int i = 0; i < Z.rows; ++i)
            for (int j = 0; j < Z.columns; ++j) result(j, i) = Z(i, j);
        return result;
    }

    const Eigen::MatrixXd& context_;
    int d_, layers_;
    const T* p_;
};

inline Eigen::VectorXd family_weights(Family family, const Eigen::MatrixXd& context, int layers,
                                      const Eigen::VectorXd& parameters) {
    const std::vector<double> w = FamilyRun<double>(context, layers, parameters.data()).weights(family);
    return Eigen::Map<const Eigen::VectorXd>(w.data(), static_cast<Eigen::Index>(w.size()));
}

/// The derivatives of family_weights() by each parameter: d x parameters.
inline Eigen::MatrixXd family_derivatives(Family family, const Eigen::MatrixXd& context, int layers,
                                          const Eigen::VectorXd& parameters) {
    const int count = static_cast<int>(parameters.size()), d = static_cast<int>(context.rows() - 1) / 2;
    Eigen::MatrixXd derivatives(d, count);
    for (int first = 0; first < count; first += kTangents) {
        const int some = std::min(kTangents, count - first);
        std::vector<Dual> seeded;
        for (const double parameter : parameters) seeded.emplace_back(parameter);
        for (int k = 0; k < some; ++k) seeded[static_cast<size_t>(first + k)].derivatives()[k] = 1.0;
        const std::vector<Dual> w = FamilyRun<Dual>(context, layers, seeded.data()).weights(family);
        for (int i = 0; i < d; ++i)
            for (int k = 0; k < some; ++k) derivatives(i, first + k) = w[static_cast<size_t>(i)].derivatives()[k];
    }
    return derivatives;
}

}  // namespace emergence::naive
