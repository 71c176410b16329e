// The passes of gram_network.h.

#include "core/base/lanes.h"
#include "core/models/gram_network.h"

namespace emergence::EMERGENCE_LANES {

template <class T, int D>
GramNetwork<T, D>::GramNetwork(const NetworkWeights<T>& weights)
    : w_(weights), n_(weights.rows), inv_n_(zero_lanes<T>()) {
    const int d = weights.rows, matrix_layers = weights.layers > 2 ? weights.layers - 2 : 0;
    store_.resize(matrix_layers * (4 * d * d + d) + 3 * d * d + 24 * d);
    L* next = store_.data();
    const auto take = [&next](int count) { return std::exchange(next, next + count); };
    layers_.resize(matrix_layers);
    for (MatrixLayer& layer : layers_) layer = {nullptr, take(d * d), take(d * d), take(d * d), take(d * d), take(d)};
    for (L** matrix : {&W_, &dA_, &R_}) *matrix = take(d * d);
    for (L** vector : {&z_,  &a_,  &b_,   &z1_, &y_,   &s_,  &t_,  &y1_, &sx_, &tx_,  &x1_, &m_,
                       &dz_, &dy_, &dy1_, &dt_, &dtx_, &ds_, &dm_, &db_, &da_, &dx1_, &dz1_})
        *vector = take(d);
}

template <class T, int D>
void GramNetwork<T, D>::set_weights(const T* P, const T* Q, T inverse_context_length) {
    w_.P = P;
    w_.Q = Q;
    inv_n_ = L::broadcast(inverse_context_length);
    if (w_.layers == 1) return;
    // sx = P' p depends on the weights alone.
    const T* p = w_.P_of(w_.layers - 1) + (n_ - 1) * n_;
    const T* P_before = w_.P_of(w_.layers - 2);
    for (int j = 0; j < n_; ++j) {
        T sum = T(0);
        for (int i = 0; i < n_; ++i) sum = std::fma(P_before[i * n_ + j], p[i], sum);
        sx_[j] = L::broadcast(sum);
    }
}

template <class T, int D>
Lanes<T> GramNetwork<T, D>::forward(const L* gram, const L* query) {
    forward_matrix_layers(gram, query);
    return w_.layers == 1 ? forward_single() : forward_last_two();
}

template <class T, int D>
void GramNetwork<T, D>::backward(const L& out_gradient, Gradient& gradient) {
    if (w_.layers == 1) return backward_single(out_gradient, gradient);
    backward_last_two(out_gradient, gradient);
    for (int l = w_.layers - 3; l >= 0; --l) backward_matrix_layer(l, gradient);
}

template <class T, int D>
void GramNetwork<T, D>::finish_gradient(const Gradient* parts, T* P, T* Q) const {
    const size_t count = parts[0].P.size();
    for (size_t i = 0; i < count; ++i) {
        P[i] = sum_of(parts, &Gradient::P, i);
        Q[i] = sum_of(parts, &Gradient::Q, i);
    }
    finish_read_out_row(parts, P);
}

template <class T, int D>
void GramNetwork<T, D>::read_out(const L* gram, L* r) {
    for (int i = 0; i < n_; ++i) s_[i] = zero_lanes<T>();
    forward_matrix_layers(gram, s_);
    const int last = w_.layers - 1;
    const auto G = lanes(G_);
    const T* p = w_.P_of(last) + (n_ - 1) * n_;
    if (w_.layers == 1) {
        for (int i = 0; i < n_; ++i) s_[i] = L::broadcast(p[i]);
        apply<T>(n_, G, s_, zero, to(t_));
    } else {
        // u = G_{L-1} p = T G T' p = T G x1
        const auto P = shared(w_.P_of(last - 1)), Q = shared(w_.Q_of(last - 1));
        forward_read_out_row();
        apply<T>(n_, G, x1_, zero, to(s_));
        apply<T>(n_, Q, s_, zero, to(a_));
        apply<T>(n_, G, a_, zero, to(b_));
        apply<T>(n_, P, b_, zero, [&](int i, L v) { t_[i] = fma(v, inv_n_, s_[i]); });
    }
    // r_{L-1} = e + (1/n) Q' u, then r_l = T_l' r_{l+1}
    const auto unit = [this](int i) { return L::broadcast(i == n_ - 1 ? T(1) : T(0)); };
    apply<T>(n_, transposed(shared(w_.Q_of(last))), t_, zero, [&](int i, L v) { r[i] = fma(v, inv_n_, unit(i)); });
    if (w_.layers == 1) return;
    apply<T>(n_, transposed(shared(w_.P_of(last - 1))), r, zero, to(s_));
    apply<T>(n_, G, s_, zero, to(t_));
    apply<T>(n_, transposed(shared(w_.Q_of(last - 1))), t_, zero, [&](int i, L v) { r[i] = fma(v, inv_n_, r[i]); });
    for (int l = last - 2; l >= 0; --l) {
        apply<T>(n_, transposed(lanes(layers_[l].A)), r, zero, to(s_));
        for (int i = 0; i < n_; ++i) r[i] = r[i] + s_[i];
    }
}

template <class T, int D>
void GramNetwork<T, D>::forward_matrix_layers(const L* gram, const L* query) {
    const L* G = gram;
    for (int i = 0; i < n_; ++i) z_[i] = query[i];
    for (int l = 0; l < w_.layers - 2; ++l) {
        MatrixLayer& layer = layers_[l];
        layer.G = G;
        const auto H = lanes(layer.H), A = lanes(layer.A), U = lanes(layer.U), next = lanes(layer.G_next);
        const auto g = lanes(G);
        multiply<T>(n_, g, shared(w_.Q_of(l)), zero2, [&](int i, int j, L v) { H(i, j) = v; });
        multiply<T>(n_, shared(w_.P_of(l)), H, zero2, [&](int i, int j, L v) { A(i, j) = v * inv_n_; });
        multiply<T>(n_, A, g, g, [&](int i, int j, L v) { U(i, j) = v; });
        multiply<T, true>(n_, U, transposed(A), U, [&](int i, int j, L v) {
            if (j >= i) next(i, j) = next(j, i) = v;
        });
        for (int i = 0; i < n_; ++i) layer.z[i] = z_[i];
        apply<T>(
            n_, A, layer.z, [&](int i) { return layer.z[i]; }, to(z_));
        G = layer.G_next;
    }
    G_ = G;
}

template <class T, int D>
Lanes<T> GramNetwork<T, D>::forward_single() {
    const T* p = w_.P_of(0) + (n_ - 1) * n_;
    apply<T>(n_, shared(w_.Q_of(0)), z_, zero, to(y_));
    apply<T>(n_, lanes(G_), y_, zero, to(t_));
    L out = zero_lanes<T>();
    for (int i = 0; i < n_; ++i) out = fma(L::broadcast(p[i]), t_[i], out);
    return fma(out, inv_n_, z_[n_ - 1]);
}

template <class T, int D>
Lanes<T> GramNetwork<T, D>::forward_last_two() {
    const int last = w_.layers - 1;
    const auto G = lanes(G_);
    const auto P = shared(w_.P_of(last - 1)), Q = shared(w_.Q_of(last - 1));
    apply<T>(n_, Q, z_, zero, to(a_));
    apply<T>(n_, G, a_, zero, to(b_));
    apply<T>(n_, P, b_, zero, [&](int i, L v) { z1_[i] = fma(v, inv_n_, z_[i]); });
    apply<T>(n_, shared(w_.Q_of(last)), z1_, zero, to(y_));
    apply<T>(n_, transposed(P), y_, zero, to(s_));
    apply<T>(n_, G, s_, zero, to(t_));
    apply<T>(n_, transposed(Q), t_, zero, [&](int i, L v) { y1_[i] = fma(v, inv_n_, y_[i]); });
    forward_read_out_row();
    apply<T>(n_, G, y1_, zero, to(m_));
    L out = zero_lanes<T>();
    for (int i = 0; i < n_; ++i) out = fma(x1_[i], m_[i], out);
    return fma(out, inv_n_, z1_[n_ - 1]);
}

// x1 = T' p
template <class T, int D>
void GramNetwork<T, D>::forward_read_out_row() {
    const int last = w_.layers - 1;
    const T* p = w_.P_of(last) + (n_ - 1) * n_;
    apply<T>(n_, lanes(G_), sx_, zero, to(tx_));
    apply<T>(n_, transposed(shared(w_.Q_of(last - 1))), tx_, zero,
             [&](int i, L v) { x1_[i] = fma(v, inv_n_, L::broadcast(p[i])); });
}

// out = z[D] + (1/n) p' t,  t = G y,  y = Q z
template <class T, int D>
void GramNetwork<T, D>::backward_single(const L& out_gradient, Gradient& gradient) {
    const L g = out_gradient * inv_n_;
    const T* p = w_.P_of(0) + (n_ - 1) * n_;
    for (int i = 0; i < n_; ++i) {
        dm_[i] = g * L::broadcast(p[i]);
        gradient.P[(n_ - 1) * n_ + i] = fma(g, t_[i], gradient.P[(n_ - 1) * n_ + i]);
    }
    apply<T>(n_, lanes(G_), dm_, zero, to(dy_));
    const auto dQ = lanes(gradient.Q.data());
    for (int i = 0; i < n_; ++i)
        for (int j = 0; j < n_; ++j) dQ(i, j) = fma(dy_[i], z_[j], dQ(i, j));
}

template <class T, int D>
void GramNetwork<T, D>::backward_last_two(const L& out_gradient, Gradient& gradient) {
    const int last = w_.layers - 1;
    const auto G = lanes(G_);
    const auto P = shared(w_.P_of(last - 1)), Q = shared(w_.Q_of(last - 1)), Qn = shared(w_.Q_of(last));
    const L g = out_gradient * inv_n_;
    // out = z1[D] + (1/n) x1' m,  m = G y1
    for (int i = 0; i < n_; ++i) {
        dm_[i] = g * x1_[i];
        dx1_[i] = g * m_[i];
        gradient.dx1[i] = gradient.dx1[i] + dx1_[i];
    }
    apply<T>(n_, G, dm_, zero, to(dy1_));
    // x1 = p + (1/n) Q' tx,  tx = G sx,  sx = P' p
    apply<T>(n_, Q, dx1_, zero, [&](int i, L v) { dtx_[i] = v * inv_n_; });
    apply<T>(n_, G, dtx_, zero, [&](int i, L v) { gradient.dsx[i] = gradient.dsx[i] + v; });
    // y1 = y + (1/n) Q' t,  t = G s,  s = P' y
    apply<T>(n_, Q, dy1_, zero, [&](int i, L v) { dt_[i] = v * inv_n_; });
    apply<T>(n_, G, dt_, zero, to(ds_));
    apply<T>(
        n_, P, ds_, [&](int i) { return dy1_[i]; }, to(dy_));
    // y = Qn z1, and out reads z1[D]
    const auto direct = [&](int i) { return i == n_ - 1 ? out_gradient : zero_lanes<T>(); };
    apply<T>(n_, transposed(Qn), dy_, direct, to(dz1_));
    // z1 = z + (1/n) P b,  b = G a,  a = Q z
    apply<T>(n_, transposed(P), dz1_, zero, [&](int i, L v) { db_[i] = v * inv_n_; });
    apply<T>(n_, G, db_, zero, to(da_));
    add_last_two_outer_products(gradient);
    if (w_.layers > 2) {
        symmetric_gram_gradient();
        apply<T>(
            n_, transposed(Q), da_, [&](int i) { return dz1_[i]; }, to(dz_));
    }
}

template <class T, int D>
void GramNetwork<T, D>::add_last_two_outer_products(Gradient& gradient) {
    const int last = w_.layers - 1;
    const auto dP = lanes(gradient.P.data() + w_.offset(last - 1));
    const auto dQ = lanes(gradient.Q.data() + w_.offset(last - 1));
    const auto dQn = lanes(gradient.Q.data() + w_.offset(last));
    for (int i = 0; i < n_; ++i) {
        const L dz = dz1_[i] * inv_n_, t = t_[i] * inv_n_, tx = tx_[i] * inv_n_;
        for (int j = 0; j < n_; ++j) {
            dP(i, j) = fma(dz, b_[j], fma(y_[i], ds_[j], dP(i, j)));
            dQ(i, j) = fma(da_[i], z_[j], fma(tx, dx1_[j], fma(t, dy1_[j], dQ(i, j))));
            dQn(i, j) = fma(dy_[i], z1_[j], dQn(i, j));  // the same entry as dQ if one layer is stored
        }
    }
}

// W = dG + dG' for the last output G of the matrix layers. From m = G y1, t = G s, tx = G sx, b = G a:
//
//     dG = dm y1' + dt s' + dtx sx' + db a'
template <class T, int D>
void GramNetwork<T, D>::symmetric_gram_gradient() {
    const auto W = lanes(W_);
    for (int i = 0; i < n_; ++i)
        for (int j = i; j < n_; ++j) {
            L v = dm_[i] * y1_[j];
            v = fma(dm_[j], y1_[i], v);
            v = fma(dt_[i], s_[j], v);
            v = fma(dt_[j], s_[i], v);
            v = fma(dtx_[i], sx_[j], v);
            v = fma(dtx_[j], sx_[i], v);
            v = fma(db_[i], a_[j], v);
            v = fma(db_[j], a_[i], v);
            W(i, j) = W(j, i) = v;
        }
}

// H = G Q,  A = (1/n) P H,  T = I + A,  U = T G,  G_next = U T',  z_next = T z
//
// On entry W = dG_next + dG_next' and dz is the gradient by z_next; on exit W = dG + dG' and dz is that by z.
template <class T, int D>
void GramNetwork<T, D>::backward_matrix_layer(int l, Gradient& gradient) {
    const MatrixLayer& layer = layers_[l];
    const auto G = lanes(layer.G);
    const auto H = lanes(layer.H), A = lanes(layer.A), U = lanes(layer.U);
    const auto W = lanes(W_), dA = lanes(dA_), R = lanes(R_);
    const auto P = shared(w_.P_of(l)), Q = shared(w_.Q_of(l));
    const auto dP = lanes(gradient.P.data() + w_.offset(l)), dQ = lanes(gradient.Q.data() + w_.offset(l));
    // dT = W U + dz z'; dA_ holds (1/n) dT
    multiply<T>(
        n_, W, U, [&](int i, int j) { return dz_[i] * layer.z[j]; }, [&](int i, int j, L v) { dA(i, j) = v * inv_n_; });
    multiply<T>(n_, transposed(P), dA, zero2, [&](int i, int j, L v) { R(i, j) = v; });  // dH = P' dA
    multiply<T>(n_, dA, transposed(H), dP, [&](int i, int j, L v) { dP(i, j) = v; });
    multiply<T>(n_, G, R, dQ, [&](int i, int j, L v) { dQ(i, j) = v; });
    if (l == 0) return;
    // dz = T' dz_next;  dG = T' dG_next T + R Q', so W = T' W T + R Q' + (R Q')'
    for (int i = 0; i < n_; ++i) a_[i] = dz_[i];
    apply<T>(
        n_, transposed(A), a_, [&](int i) { return a_[i]; }, to(dz_));
    multiply<T>(n_, W, A, W, [&](int i, int j, L v) { dA(i, j) = v; });  // dA_ holds W T now
    multiply<T, true>(n_, transposed(A), dA, dA, [&](int i, int j, L v) {
        if (j >= i) W(i, j) = W(j, i) = v;
    });
    multiply<T>(n_, R, transposed(Q), zero2, [&](int i, int j, L v) { dA(i, j) = v; });
    for (int i = 0; i < n_; ++i)
        for (int j = i; j < n_; ++j) W(i, j) = W(j, i) = W(i, j) + dA(i, j) + dA(j, i);
}

// x1 = p + (1/n) Q' tx,  tx = G sx,  sx = P' p
//
// p, the last row of Pn, is the same in every lane, so the sums over lanes come first:
//
//     dPn[last] += sum dx1 + P (sum dsx),   dP += p (sum dsx)'
template <class T, int D>
void GramNetwork<T, D>::finish_read_out_row(const Gradient* parts, T* P_gradient) const {
    if (w_.layers == 1) return;
    const int last = w_.layers - 1;
    const T* P = w_.P_of(last - 1);
    const T* p = w_.P_of(last) + (n_ - 1) * n_;
    T* dP = P_gradient + w_.offset(last - 1);
    T* row = P_gradient + w_.offset(last) + (n_ - 1) * n_;
    T dsx[kMaxRows];
    for (int j = 0; j < n_; ++j) dsx[j] = sum_of(parts, &Gradient::dsx, j);
    for (int i = 0; i < n_; ++i) {
        T sum = sum_of(parts, &Gradient::dx1, i);
        for (int j = 0; j < n_; ++j) sum = std::fma(P[i * n_ + j], dsx[j], sum);
        row[i] += sum;
        for (int j = 0; j < n_; ++j) dP[i * n_ + j] = std::fma(p[i], dsx[j], dP[i * n_ + j]);
    }
}

template <class T, int D>
T GramNetwork<T, D>::sum_of(const Gradient* parts, std::vector<L> Gradient::*sums, size_t i) {
    L lanes[kParts];
    for (int part = 0; part < kParts; ++part) lanes[part] = (parts[part].*sums)[i];
    return sum_abreast(lanes);
}

// D = 0 serves all other sizes. In-context TD has D = 2d+1 rows, in-context regression D = d+1.
template class GramNetwork<float, 0>;
template class GramNetwork<double, 0>;
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
template class GramNetwork<float, 6>;  // d = 5, as in the regression's paper
template class GramNetwork<double, 6>;
template class GramNetwork<float, 9>;   // d = 4
template class GramNetwork<float, 17>;  // d = 8
#endif

}  // namespace emergence::EMERGENCE_LANES
