#pragma once
// The forward pass of gram_network.h for a single prompt, with the rows of its matrices in lanes. Every sum runs in the
// same order, so the value has the bits of that prompt's lane there, for a fraction of the work.

#include <cstddef>
#include <utility>
#include <vector>

#include "core/models/gram_network.h"
#include "core/models/lane_product.h"

namespace emergence::EMERGENCE_LANES {

template <class T>
class GramPrompt {
    using L = Lanes<T>;

  public:
    explicit GramPrompt(const NetworkWeights<T>& weights)
        : n_(weights.rows),
          layers_(weights.layers),
          stored_(weights.stored),
          step_((n_ + kVirtualLanes - 1) / kVirtualLanes * kVirtualLanes),
          store_((4 * stored_ + 6) * matrix() + 12 * step_) {
        T* next = store_.data();
        const auto take = [&next](int size) { return std::exchange(next, next + size); };
        for (T** all : {&P_, &Q_, &P_turned_, &Q_turned_}) *all = take(stored_ * matrix());
        for (T** one : {&gram_, &H_, &A_, &U_, &A_turned_, &G_}) *one = take(matrix());
        for (T** vector : {&z_, &a_, &b_, &z1_, &y_, &s_, &t_, &y1_, &sx_, &tx_, &x1_, &m_}) *vector = take(step_);
    }

    void set_weights(const T* P, const T* Q, T inverse_context_length) {
        inv_n_ = inverse_context_length;
        for (int l = 0; l < stored_; ++l) {
            const T *p = P + l * n_ * n_, *q = Q + l * n_ * n_;
            for (int i = 0; i < n_; ++i)
                for (int j = 0; j < n_; ++j) {
                    P_[l * matrix() + i * step_ + j] = P_turned_[l * matrix() + j * step_ + i] = p[i * n_ + j];
                    Q_[l * matrix() + i * step_ + j] = Q_turned_[l * matrix() + j * step_ + i] = q[i * n_ + j];
                }
        }
    }

    /// Z_L[D, query] of one lane of gram (D x D) and query (D).
    T forward(const L* gram, const L* query, int lane) {
        for (int i = 0; i < n_; ++i) {
            z_[i] = entry(query[i], lane);
            for (int j = 0; j < n_; ++j) gram_[i * step_ + j] = entry(gram[i * n_ + j], lane);
        }
        const T* G = gram_;
        for (int l = 0; l < layers_ - 2; ++l) G = matrix_layer(G, l);
        return layers_ == 1 ? single(G) : last_two(G);
    }

  private:
    int matrix() const { return n_ * step_; }
    int at(int layer) const { return stored_ == 1 ? 0 : layer * matrix(); }
    static T entry(const L& lanes, int lane) {
        T values[kLanes];
        lanes.store(values);
        return values[lane];
    }
    // C = A B, or C += A B.
    void multiply_rows(const T* A, const T* B, T* C, bool add = false) const {
        product<T>(n_, step_, n_, {A, step_, 1}, B, step_, C, step_, add);
    }
    // y = rows' x
    void combine(const T* rows, const T* x, T* y) const { row_product(step_, n_, x, rows, step_, y, false); }
    // y = x + (1/n) y
    void add_share(const T* x, T* y) const {
        for (int i = 0; i < step_; i += kLanes) fma(L::load(y + i), L::broadcast(inv_n_), L::load(x + i)).store(y + i);
    }
    void copy(const T* from, T* to, int size) const {
        for (int i = 0; i < size; i += kLanes) L::load(from + i).store(to + i);
    }

    // Overwrites z_; returns G_next.
    const T* matrix_layer(const T* G, int l) {
        multiply_rows(G, Q_ + at(l), H_);
        multiply_rows(P_ + at(l), H_, A_);
        for (int i = 0; i < matrix(); i += kLanes) (L::load(A_ + i) * L::broadcast(inv_n_)).store(A_ + i);
        transpose(n_, n_, A_, step_, A_turned_, step_);
        copy(G, U_, matrix());
        multiply_rows(A_, G, U_, true);
        copy(U_, G_, matrix());
        multiply_rows(U_, A_turned_, G_, true);
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < i; ++j) G_[i * step_ + j] = G_[j * step_ + i];
        copy(z_, a_, step_);
        row_product(step_, n_, a_, A_turned_, step_, z_, true);
        return G_;
    }

    T single(const T* G) {
        combine(Q_turned_, z_, y_);
        combine(G, y_, t_);
        return read_out(P_ + (n_ - 1) * step_, t_, z_);
    }
    T last_two(const T* G) {
        const T *P = P_ + at(layers_ - 2), *Q = Q_ + at(layers_ - 2);
        const T* p = P_ + at(layers_ - 1) + (n_ - 1) * step_;
        combine(Q_turned_ + at(layers_ - 2), z_, a_);
        combine(G, a_, b_);
        combine(P_turned_ + at(layers_ - 2), b_, z1_);
        add_share(z_, z1_);
        combine(Q_turned_ + at(layers_ - 1), z1_, y_);
        combine(P, y_, s_);
        combine(G, s_, t_);
        combine(Q, t_, y1_);
        add_share(y_, y1_);
        combine(P, p, sx_);
        combine(G, sx_, tx_);
        combine(Q, tx_, x1_);
        add_share(p, x1_);
        combine(G, y1_, m_);
        return read_out(x1_, m_, z1_);
    }
    // z[D] + (1/n) x' m
    T read_out(const T* x, const T* m, const T* z) const {
        L out = zero_lanes<T>();
        for (int i = 0; i < n_; ++i) out = fma(L::broadcast(x[i]), L::broadcast(m[i]), out);
        return entry(fma(out, L::broadcast(inv_n_), L::broadcast(z[n_ - 1])), 0);
    }

    int n_, layers_, stored_, step_;  // rows of matrices are step_ apart, with zeros at their ends
    T inv_n_ = 0;
    ScalarBuffer<T> store_;
    T *P_, *Q_, *P_turned_, *Q_turned_;  // stored each
    T *gram_, *H_, *A_, *U_, *A_turned_, *G_;
    T *z_, *a_, *b_, *z1_, *y_, *s_, *t_, *y1_, *sx_, *tx_, *x1_, *m_;
};

}  // namespace emergence::EMERGENCE_LANES
