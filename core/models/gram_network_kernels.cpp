// The passes of gram_network.h where the only mask removes the query, so that G is symmetric, for two layers and more.

#include <type_traits>
#include <utility>

#include "core/base/lanes.h"
#include "core/models/gram_network.h"
#include "core/models/lane_products.h"

namespace emergence::EMERGENCE_LANES {

namespace {

// D: the number of rows if it is fixed at compile time, else 0.
template <class T, int D>
class SymmetricNetwork final : public GramNetwork<T> {
    using L = Lanes<T>;

  public:
    explicit SymmetricNetwork(const GramSizes& sizes) : sizes_(sizes) {
        const int d = n_, matrix_layers = sizes.layers > 2 ? sizes.layers - 2 : 0;
        store_.resize(matrix_layers * (4 * d * d + d) + 3 * d * d + 24 * d);
        L* next = store_.data();
        const auto take = [&next](int count) { return std::exchange(next, next + count); };
        layers_.resize(matrix_layers);
        for (MatrixLayer& layer : layers_)
            layer = {nullptr, take(d * d), take(d * d), take(d * d), take(d * d), take(d)};
        for (L** matrix : {&W_, &dA_, &R_}) *matrix = take(d * d);
        for (L** vector : {&z_,  &a_,  &b_,   &z1_, &y_,   &s_,  &t_,  &y1_, &sx_, &tx_,  &x1_, &m_,
                           &dz_, &dy_, &dy1_, &dt_, &dtx_, &ds_, &dm_, &db_, &da_, &dx1_, &dz1_})
            *vector = take(d);
    }

    size_t bytes() const override { return store_.size() * sizeof(L); }

    void set_weights(const T* P, const T* Q, T inverse_context_length) override {
        P_ = P;
        Q_ = Q;
        inv_n_ = L::broadcast(inverse_context_length);
        // sx = P' p depends on the weights alone.
        const T *p = output_row(), *P_before = P_ + sizes_.offset(last_ - 1);
        for (int j = 0; j < n_; ++j) {
            T sum = T(0);
            for (int i = 0; i < n_; ++i) sum = std::fma(P_before[i * n_ + j], p[i], sum);
            sx_[j] = L::broadcast(sum);
        }
    }

    L forward(const L* gram, const L* query) override {
        forward_matrix_layers(gram, query);
        return forward_last_two();
    }

    void backward(const L& out_gradient, L* sums, L* /*by_gram*/) override {
        backward_last_two(out_gradient, sums);
        for (int l = last_ - 2; l >= 0; --l) backward_matrix_layer(l, sums);
    }

    // P and Q, then D each of dx1 and dsx: the read-out row's part, see finish_read_out_row().
    size_t gradient_size() const override { return sizes_.weights() + 2 * n_; }

    void finish_gradient(const L* parts, T* P, T* Q) const override {
        const int size = sizes_.of_head();
        sum_parts(parts, gradient_size(), size, P);
        sum_parts(parts + size, gradient_size(), size, Q);
        T rows[2 * kMaxRows];
        sum_parts(parts + 2 * size, gradient_size(), 2 * n_, rows);
        finish_read_out_row(rows, rows + n_, P);
    }

    void read_out(const L* gram, L* r) override {
        for (int i = 0; i < n_; ++i) s_[i] = zero_lanes<T>();
        forward_matrix_layers(gram, s_);
        const auto G = lanes(G_);
        // u = G_{L-1} p = T G T' p = T G x1
        forward_read_out_row();
        apply<T>(n_, G, x1_, zero, to(s_));
        apply<T>(n_, Q(last_ - 1), s_, zero, to(a_));
        apply<T>(n_, G, a_, zero, to(b_));
        apply<T>(n_, P(last_ - 1), b_, zero, [&](int i, L v) { t_[i] = fma(v, inv_n_, s_[i]); });
        // r_{L-1} = e + (1/n) Q' u, then r_l = T_l' r_{l+1}
        const auto unit = [this](int i) { return L::broadcast(i == n_ - 1 ? T(1) : T(0)); };
        apply<T>(n_, transposed(Q(last_)), t_, zero, [&](int i, L v) { r[i] = fma(v, inv_n_, unit(i)); });
        apply<T>(n_, transposed(P(last_ - 1)), r, zero, to(s_));
        apply<T>(n_, G, s_, zero, to(t_));
        apply<T>(n_, transposed(Q(last_ - 1)), t_, zero, [&](int i, L v) { r[i] = fma(v, inv_n_, r[i]); });
        for (int l = last_ - 2; l >= 0; --l) {
            apply<T>(n_, transposed(lanes(layers_[l].A)), r, zero, to(s_));
            for (int i = 0; i < n_; ++i) r[i] = r[i] + s_[i];
        }
    }

  private:
    struct MatrixLayer {
        // The layer's input.
        const L* G;
        L *H, *A, *U, *G_next;
        L* z;  // the query column of the layer's input
    };

    LaneMatrix<T, D> lanes(const L* data) const { return {const_cast<L*>(data), n_}; }
    SharedMatrix<T, D> P(int layer) const { return {P_ + sizes_.offset(layer), n_}; }
    SharedMatrix<T, D> Q(int layer) const { return {Q_ + sizes_.offset(layer), n_}; }
    LaneMatrix<T, D> gradient_of_P(L* sums, int layer) const { return lanes(sums + sizes_.offset(layer)); }
    LaneMatrix<T, D> gradient_of_Q(L* sums, int layer) const {
        return lanes(sums + sizes_.of_head() + sizes_.offset(layer));
    }
    // p, the row of P that writes the output.
    const T* output_row() const { return P_ + sizes_.offset(last_) + (n_ - 1) * n_; }
    static constexpr auto zero = [](auto...) { return zero_lanes<T>(); };

    void forward_matrix_layers(const L* gram, const L* query) {
        const L* G = gram;
        for (int i = 0; i < n_; ++i) z_[i] = query[i];
        for (int l = 0; l < last_ - 1; ++l) {
            MatrixLayer& layer = layers_[l];
            layer.G = G;
            const auto g = lanes(G), H = lanes(layer.H), A = lanes(layer.A), U = lanes(layer.U),
                       next = lanes(layer.G_next);
            multiply<T>(n_, g, Q(l), zero, H);
            multiply<T>(n_, P(l), H, zero, [&](int i, int j, L v) { A(i, j) = v * inv_n_; });
            multiply<T>(n_, A, g, g, U);
            multiply<T, true>(n_, U, transposed(A), U, [&](int i, int j, L v) {
                if (j >= i) next(i, j) = next(j, i) = v;
            });
            for (int i = 0; i < n_; ++i) layer.z[i] = z_[i];
            apply<T>(n_, A, layer.z, from(layer.z), to(z_));
            G = layer.G_next;
        }
        G_ = G;
    }

    L forward_last_two() {
        const auto G = lanes(G_);
        const auto P = this->P(last_ - 1), Q = this->Q(last_ - 1);
        apply<T>(n_, Q, z_, zero, to(a_));
        apply<T>(n_, G, a_, zero, to(b_));
        apply<T>(n_, P, b_, zero, [&](int i, L v) { z1_[i] = fma(v, inv_n_, z_[i]); });
        apply<T>(n_, this->Q(last_), z1_, zero, to(y_));
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
    void forward_read_out_row() {
        const T* p = output_row();
        apply<T>(n_, lanes(G_), sx_, zero, to(tx_));
        apply<T>(n_, transposed(Q(last_ - 1)), tx_, zero,
                 [&](int i, L v) { x1_[i] = fma(v, inv_n_, L::broadcast(p[i])); });
    }

    void backward_last_two(const L& out_gradient, L* sums) {
        const auto G = lanes(G_);
        const auto P = this->P(last_ - 1), Q = this->Q(last_ - 1);
        const L g = out_gradient * inv_n_;
        L *dx1 = sums + sizes_.weights(), *dsx = dx1 + n_;
        // out = z1[D] + (1/n) x1' m,  m = G y1
        for (int i = 0; i < n_; ++i) {
            dm_[i] = g * x1_[i];
            dx1_[i] = g * m_[i];
            dx1[i] = dx1[i] + dx1_[i];
        }
        apply<T>(n_, G, dm_, zero, to(dy1_));
        // x1 = p + (1/n) Q' tx,  tx = G sx,  sx = P' p
        apply<T>(n_, Q, dx1_, zero, [&](int i, L v) { dtx_[i] = v * inv_n_; });
        apply<T>(n_, G, dtx_, zero, [&](int i, L v) { dsx[i] = dsx[i] + v; });
        // y1 = y + (1/n) Q' t,  t = G s,  s = P' y
        apply<T>(n_, Q, dy1_, zero, [&](int i, L v) { dt_[i] = v * inv_n_; });
        apply<T>(n_, G, dt_, zero, to(ds_));
        apply<T>(n_, P, ds_, from(dy1_), to(dy_));
        // y = Qn z1, and out reads z1[D]
        const auto direct = [&](int i) { return i == n_ - 1 ? out_gradient : zero_lanes<T>(); };
        apply<T>(n_, transposed(this->Q(last_)), dy_, direct, to(dz1_));
        // z1 = z + (1/n) P b,  b = G a,  a = Q z
        apply<T>(n_, transposed(P), dz1_, zero, [&](int i, L v) { db_[i] = v * inv_n_; });
        apply<T>(n_, G, db_, zero, to(da_));
        add_last_two_outer_products(sums);
        if (last_ < 2) return;
        symmetric_gram_gradient();
        apply<T>(n_, transposed(Q), da_, from(dz1_), to(dz_));
    }

    void add_last_two_outer_products(L* sums) {
        const auto dP = gradient_of_P(sums, last_ - 1), dQ = gradient_of_Q(sums, last_ - 1),
                   dQn = gradient_of_Q(sums, last_);
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
    void symmetric_gram_gradient() {
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
    void backward_matrix_layer(int l, L* sums) {
        const MatrixLayer& layer = layers_[l];
        const auto G = lanes(layer.G), H = lanes(layer.H), A = lanes(layer.A), U = lanes(layer.U);
        const auto W = lanes(W_), dA = lanes(dA_), R = lanes(R_);
        const auto dP = gradient_of_P(sums, l), dQ = gradient_of_Q(sums, l);
        // dT = W U + dz z'; dA_ holds (1/n) dT
        multiply<T>(
            n_, W, U, [&](int i, int j) { return dz_[i] * layer.z[j]; },
            [&](int i, int j, L v) { dA(i, j) = v * inv_n_; });
        multiply<T>(n_, transposed(P(l)), dA, zero, R);  // dH = P' dA
        multiply<T>(n_, dA, transposed(H), dP, dP);
        multiply<T>(n_, G, R, dQ, dQ);
        if (l == 0) return;
        // dz = T' dz_next;  dG = T' dG_next T + R Q', so W = T' W T + R Q' + (R Q')'
        for (int i = 0; i < n_; ++i) a_[i] = dz_[i];
        apply<T>(n_, transposed(A), a_, from(a_), to(dz_));
        multiply<T>(n_, W, A, W, dA);  // dA_ holds W T now
        multiply<T, true>(n_, transposed(A), dA, dA, [&](int i, int j, L v) {
            if (j >= i) W(i, j) = W(j, i) = v;
        });
        multiply<T>(n_, R, transposed(Q(l)), zero, dA);
        for (int i = 0; i < n_; ++i)
            for (int j = i; j < n_; ++j) W(i, j) = W(j, i) = W(i, j) + dA(i, j) + dA(j, i);
    }

    // x1 = p + (1/n) Q' tx,  tx = G sx,  sx = P' p
    //
    // p, the last row of Pn, is the same in every lane, so the sums over lanes come first:
    //
    //     dPn[last] += sum dx1 + P (sum dsx),   dP += p (sum dsx)'
    void finish_read_out_row(const T* dx1, const T* dsx, T* P_gradient) const {
        const T *P = P_ + sizes_.offset(last_ - 1), *p = output_row();
        T* dP = P_gradient + sizes_.offset(last_ - 1);
        T* row = P_gradient + sizes_.offset(last_) + (n_ - 1) * n_;
        for (int i = 0; i < n_; ++i) {
            T sum = dx1[i];
            for (int j = 0; j < n_; ++j) sum = std::fma(P[i * n_ + j], dsx[j], sum);
            row[i] += sum;
            for (int j = 0; j < n_; ++j) dP[i * n_ + j] = std::fma(p[i], dsx[j], dP[i * n_ + j]);
        }
    }

    GramSizes sizes_;
    Extent<D> n_ = Extent<D>(sizes_.rows);
    int last_ = sizes_.layers - 1;
    const T *P_ = nullptr, *Q_ = nullptr;
    L inv_n_ = zero_lanes<T>();
    std::vector<L> store_;
    std::vector<MatrixLayer> layers_;
    // The Gram matrix that enters the last two layers.
    const L* G_ = nullptr;
    L *W_, *dA_, *R_;
    L *z_, *a_, *b_, *z1_, *y_, *s_, *t_, *y1_, *sx_, *tx_, *x1_, *m_;
    L *dz_, *dy_, *dy1_, *dt_, *dtx_, *ds_, *dm_, *db_, *da_, *dx1_, *dz1_;
};

}  // namespace

template <class T>
std::unique_ptr<GramNetwork<T>> make_gram_network(const GramSizes& sizes) {
    if (sizes.layers == 1) return make_masked_network<T>(sizes);  // nothing to gain from symmetry
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (sizes.rows == 6) return std::make_unique<SymmetricNetwork<T, 6>>(sizes);  // d = 5, as in the regression's paper
    if constexpr (std::is_same_v<T, float>) {
        if (sizes.rows == 9) return std::make_unique<SymmetricNetwork<T, 9>>(sizes);    // d = 4
        if (sizes.rows == 17) return std::make_unique<SymmetricNetwork<T, 17>>(sizes);  // d = 8
    }
#endif
    return std::make_unique<SymmetricNetwork<T, 0>>(sizes);
}

template std::unique_ptr<GramNetwork<float>> make_gram_network(const GramSizes&);
template std::unique_ptr<GramNetwork<double>> make_gram_network(const GramSizes&);

}  // namespace emergence::EMERGENCE_LANES
