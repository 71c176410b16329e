// Linear attention under any masks, one prompt per lane: the mask of TD(lambda), and two heads (Eqs. (14) and (18),
// Wang et al. 2025).
//
//     Z_{l+1} = Z_l + (1/n) sum_h P_hl Z_l M_h Z_l' Q_hl Z_l
//
// As in gram_network.h, but G_h = Z M_h Z' is not symmetric, and heads share the step:
//
//     H_h = G_h Q_h,  A = (1/n) sum_h P_h H_h,  T = I + A,  U_h = T G_h,  G_h,next = U_h T',  z_next = T z
//     Z_L[D, query] = z[D] + (1/n) sum_h p_h' G_h Q_h z           (last layer; p_h: last row of its P_h)
//
// and backwards, with N_h = dG_h,next:
//
//     dT = dz_next z' + sum_h (N_h T G_h' + N_h' U_h)
//     dH_h = (1/n) P_h' dT,  dP_h += (1/n) dT H_h',  dQ_h += G_h' dH_h,  dG_h = T' N_h T + dH_h Q_h',  dz = T' dz_next

#include <type_traits>
#include <utility>

#include "core/base/lanes.h"
#include "core/models/gram_network.h"
#include "core/models/lane_products.h"

namespace emergence::EMERGENCE_LANES {

namespace {

// D: the number of rows if it is fixed at compile time, else 0.
template <class T, int D>
class MaskedNetwork final : public GramNetwork<T> {
    using L = Lanes<T>;

  public:
    explicit MaskedNetwork(const GramSizes& sizes) : s_(sizes) {
        const int rows = s_.rows, matrix = s_.matrix(), heads = s_.heads, inner = s_.layers - 1;
        store_.resize(inner * (3 * heads + 1) * matrix + (inner + 1) * rows + (heads + 4) * matrix +
                      (2 * heads + 4) * rows);
        L* next = store_.data();
        const auto take = [&next](int count) { return std::exchange(next, next + count); };
        for (int l = 0; l <= inner; ++l) {
            const int one = l < inner ? matrix : 0, all = heads * one;
            layers_.push_back({nullptr, take(rows), take(all), take(one), take(all), take(all)});
        }
        N_ = take(heads * matrix);
        for (L** one : {&dA_, &V_, &X_, &R_}) *one = take(matrix);
        y_ = take(heads * rows);
        t_ = take(heads * rows);
        for (L** one : {&dt_, &dy_, &dz_, &r_}) *one = take(rows);
    }

    void set_weights(const T* P, const T* Q, T inverse_context_length) override {
        P_ = P;
        Q_ = Q;
        inv_n_ = L::broadcast(inverse_context_length);
    }

    size_t bytes() const override { return store_.size() * sizeof(L); }

    L forward(const L* grams, const L* query) override {
        forward_layers(grams, query);
        const Layer& last = layers_.back();
        L out = zero_lanes<T>();
        for (int h = 0; h < s_.heads; ++h) {
            L *y = y_ + h * n_, *t = t_ + h * n_;
            apply<T>(n_, Q(h, s_.layers - 1), last.z, zero, to(y));
            apply<T>(n_, lanes(gram(last, h)), y, zero, to(t));
            for (int i = 0; i < n_; ++i) out = fma(output_row(h, i), t[i], out);
        }
        return fma(out, inv_n_, last.z[n_ - 1]);
    }

    void backward(const L& out_gradient, L* gradient, L* by_gram) override {
        backward_last(out_gradient, gradient, s_.layers > 1 || by_gram != nullptr);
        for (int l = s_.layers - 2; l >= 0; --l) backward_layer(l, gradient, l > 0 || by_gram != nullptr);
        if (by_gram)
            for (int k = 0; k < s_.heads * s_.matrix(); ++k) by_gram[k] = N_[k];
    }

    // For each head all P, then all Q.
    size_t gradient_size() const override { return s_.weights(); }

    void finish_gradient(const L* parts, T* P, T* Q) const override {
        const int size = s_.of_head();
        for (int first = 0; first < s_.weights(); first += 2 * size) {
            sum_parts(parts + first, gradient_size(), size, P + first);
            sum_parts(parts + first + size, gradient_size(), size, Q + first);
        }
    }

    void read_out(const L* grams, L* r) override {
        for (int i = 0; i < n_; ++i) r_[i] = zero_lanes<T>();
        forward_layers(grams, r_);
        const int last = s_.layers - 1;
        for (int i = 0; i < n_; ++i) r[i] = L::broadcast(i == n_ - 1 ? T(1) : T(0));
        for (int h = 0; h < s_.heads; ++h) {
            for (int i = 0; i < n_; ++i) dt_[i] = output_row(h, i);
            apply<T>(n_, transposed(lanes(gram(layers_.back(), h))), dt_, zero, to(dy_));
            apply<T>(n_, transposed(Q(h, last)), dy_, zero, [&](int i, L v) { r[i] = fma(v, inv_n_, r[i]); });
        }
        for (int l = last - 1; l >= 0; --l) {
            apply<T>(n_, transposed(lanes(layers_[l].A)), r, zero, to(dy_));
            for (int i = 0; i < n_; ++i) r[i] = r[i] + dy_[i];
        }
    }

  private:
    struct Layer {
        // The layer's input: G_h of all heads, and the query's column.
        const L* G;
        L* z;
        L *H, *A, *U, *next;  // the last layer does not use these
    };

    static constexpr auto zero = [](auto...) { return zero_lanes<T>(); };
    LaneMatrix<T, D> lanes(const L* data) const { return {const_cast<L*>(data), n_}; }
    int offset(int head, int layer) const { return 2 * head * s_.of_head() + s_.offset(layer); }
    SharedMatrix<T, D> P(int head, int layer) const { return {P_ + offset(head, layer), n_}; }
    SharedMatrix<T, D> Q(int head, int layer) const { return {Q_ + offset(head, layer), n_}; }
    L* gradient_of_P(L* gradient, int head, int layer) const { return gradient + offset(head, layer); }
    L* gradient_of_Q(L* gradient, int head, int layer) const { return gradient + s_.of_head() + offset(head, layer); }
    const L* gram(const Layer& layer, int head) const { return layer.G + head * s_.matrix(); }
    L output_row(int head, int i) const { return P(head, s_.layers - 1)(n_ - 1, i); }

    void forward_layers(const L* grams, const L* query) {
        layers_.front().G = grams;
        for (int i = 0; i < n_; ++i) layers_.front().z[i] = query[i];
        for (int l = 0; l + 1 < s_.layers; ++l) {
            Layer &layer = layers_[l], &next = layers_[l + 1];
            const auto A = lanes(layer.A);
            for (int h = 0; h < s_.heads; ++h) {
                const auto H = lanes(layer.H + h * s_.matrix());
                multiply<T>(n_, lanes(gram(layer, h)), Q(h, l), zero, H);
                if (h == 0)
                    multiply<T>(n_, P(h, l), H, zero, [&](int i, int j, L v) { A(i, j) = v * inv_n_; });
                else
                    multiply<T>(n_, P(h, l), H, zero, [&](int i, int j, L v) { A(i, j) = fma(v, inv_n_, A(i, j)); });
            }
            for (int h = 0; h < s_.heads; ++h) {
                const auto G = lanes(gram(layer, h)), U = lanes(layer.U + h * s_.matrix()),
                           G_next = lanes(layer.next + h * s_.matrix());
                multiply<T>(n_, A, G, G, U);
                multiply<T>(n_, U, transposed(A), U, G_next);
            }
            next.G = layer.next;
            apply<T>(n_, A, layer.z, from(layer.z), to(next.z));
        }
    }

    // out = z[D] + (1/n) sum_h p_h' t_h,  t_h = G_h y_h,  y_h = Q_h z
    void backward_last(const L& out_gradient, L* gradient, bool whole) {
        const Layer& layer = layers_.back();
        const int last = s_.layers - 1;
        const L g = out_gradient * inv_n_;
        for (int i = 0; i < n_; ++i) dz_[i] = i == n_ - 1 ? out_gradient : zero_lanes<T>();
        for (int h = 0; h < s_.heads; ++h) {
            L* dp = gradient_of_P(gradient, h, last) + (n_ - 1) * n_;
            const L *y = y_ + h * n_, *t = t_ + h * n_;
            for (int i = 0; i < n_; ++i) {
                dt_[i] = g * output_row(h, i);
                dp[i] = fma(g, t[i], dp[i]);
            }
            apply<T>(n_, transposed(lanes(gram(layer, h))), dt_, zero, to(dy_));
            const auto N = lanes(N_ + h * s_.matrix()), dQ = lanes(gradient_of_Q(gradient, h, last));
            for (int i = 0; i < n_; ++i)
                for (int j = 0; j < n_; ++j) dQ(i, j) = fma(dy_[i], layer.z[j], dQ(i, j));
            if (!whole) continue;
            for (int i = 0; i < n_; ++i)
                for (int j = 0; j < n_; ++j) N(i, j) = dt_[i] * y[j];
            apply<T>(n_, transposed(Q(h, last)), dy_, zero, [&](int i, L v) { dz_[i] = dz_[i] + v; });
        }
    }

    void backward_layer(int l, L* gradient, bool by_gram) {
        const Layer& layer = layers_[l];
        const auto A = lanes(layer.A), dA = lanes(dA_), V = lanes(V_), X = lanes(X_), R = lanes(R_);
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) dA(i, j) = dz_[i] * layer.z[j];
        for (int h = 0; h < s_.heads; ++h) {
            const auto G = transposed(lanes(gram(layer, h)));
            const auto N = lanes(N_ + h * s_.matrix()), U = lanes(layer.U + h * s_.matrix());
            multiply<T>(n_, A, G, G, V);
            multiply<T>(n_, N, V, dA, dA);
            multiply<T>(n_, transposed(N), U, dA, dA);
        }
        for (int k = 0; k < s_.matrix(); ++k) dA_[k] = dA_[k] * inv_n_;
        for (int h = 0; h < s_.heads; ++h) {
            const auto N = lanes(N_ + h * s_.matrix()), H = lanes(layer.H + h * s_.matrix());
            const auto dP = lanes(gradient_of_P(gradient, h, l)), dQ = lanes(gradient_of_Q(gradient, h, l));
            multiply<T>(n_, transposed(P(h, l)), dA, zero, R);
            multiply<T>(n_, dA, transposed(H), dP, dP);
            multiply<T>(n_, transposed(lanes(gram(layer, h))), R, dQ, dQ);
            if (!by_gram) continue;
            multiply<T>(n_, N, A, N, X);
            multiply<T>(n_, transposed(A), X, X, N);
            multiply<T>(n_, R, transposed(Q(h, l)), N, N);
        }
        for (int i = 0; i < n_; ++i) dy_[i] = dz_[i];
        apply<T>(n_, transposed(A), dy_, from(dy_), to(dz_));
    }

    GramSizes s_;
    Extent<D> n_ = Extent<D>(s_.rows);
    L inv_n_ = zero_lanes<T>();
    const T *P_ = nullptr, *Q_ = nullptr;
    std::vector<L> store_;
    std::vector<Layer> layers_;
    L *N_, *dA_, *V_, *X_, *R_;
    L *y_, *t_, *dt_, *dy_, *dz_, *r_;
};

}  // namespace

template <class T>
std::unique_ptr<GramNetwork<T>> make_masked_network(const GramSizes& sizes) {
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (sizes.rows == 6) return std::make_unique<MaskedNetwork<T, 6>>(sizes);
    if constexpr (std::is_same_v<T, float>) {
        if (sizes.rows == 9) return std::make_unique<MaskedNetwork<T, 9>>(sizes);
        if (sizes.rows == 10) return std::make_unique<MaskedNetwork<T, 10>>(sizes);
        if (sizes.rows == 17) return std::make_unique<MaskedNetwork<T, 17>>(sizes);
    }
#endif
    return std::make_unique<MaskedNetwork<T, 0>>(sizes);
}

template std::unique_ptr<GramNetwork<float>> make_masked_network(const GramSizes&);
template std::unique_ptr<GramNetwork<double>> make_masked_network(const GramSizes&);

}  // namespace emergence::EMERGENCE_LANES
