#pragma once
// The linear-attention transformer in its Gram form, one prompt per lane.
//
//     Z_{l+1} = Z_l + (1/n) P_l Z_l M Z_l' Q_l Z_l                               Eq. (3), Wang et al. 2025
//
// Put, for any mask M,
//
//     G_l = Z_l M Z_l'  (D x D),   A_l = (1/n) P_l G_l Q_l,   T_l = I + A_l
//
// Then the cost of a layer does not depend on the context length:
//
//     Z_{l+1} = T_l Z_l,   G_{l+1} = T_l G_l T_l'
//
// The value reads only Z_L[D, query], so the last two layers need products with vectors only:
//
//     a = Q z,  b = G a,  z1 = z + (1/n) P b            (layer L-2; z, G, P, Q are that layer's)
//     y = Qn z1,  p = last row of Pn                    (layer L-1; Pn, Qn are its weights)
//     t = G P' y,   y1 = y + (1/n) Q' t                 = T' y
//     tx = G P' p,  x1 = p + (1/n) Q' tx                = T' p
//     Z_L[D, query] = z1[D] + (1/n) x1' G y1            since p' G_{L-1} y = p' T G T' y
//
// Layers 0 .. L-3 are matrix layers:
//
//     H = G Q,   A = (1/n) P H,   U = G + A G = T G,   G_next = U + U A' = T G T'

#include <cstddef>
#include <utility>
#include <vector>

#include "core/models/lane_products.h"
#include "core/models/network_windows.h"

namespace emergence::EMERGENCE_LANES {

/// The weights of a network: `stored` layers of P and Q, each D x D row-major. One stored layer is used by all.
template <class T>
struct NetworkWeights {
    int rows;    // D
    int layers;  // L >= 1
    int stored;  // 1 or L
    const T *P = nullptr, *Q = nullptr;

    const T* P_of(int layer) const { return P + offset(layer); }
    const T* Q_of(int layer) const { return Q + offset(layer); }
    int offset(int layer) const { return stored == 1 ? 0 : layer * rows * rows; }
};

/// Forward and backward passes of kLanes prompts. D: the number of rows if it is fixed at compile time, else 0.
/// The passes are in gram_network_kernels.cpp, compiled for the sizes at its end.
template <class T, int D>
class GramNetwork {
    using L = Lanes<T>;

  public:
    /// Fixes the sizes; set_weights() sets the weights.
    explicit GramNetwork(const NetworkWeights<T>& weights);

    /// Sets P and Q, stored x D x D each, and 1/n of the prompts to come. P and Q must outlive the last pass.
    void set_weights(const T* P, const T* Q, T inverse_context_length);

    /// Sums of gradients, lane by lane. Call finish_gradient() after the last prompt.
    struct Gradient {
        std::vector<L> P, Q;      // stored x D x D
        std::vector<L> dx1, dsx;  // D each: the read-out row's part, see finish_read_out_row()
        Gradient(int rows, int stored)
            : P(rows * rows * stored, zero_lanes<T>()), Q(P), dx1(rows, zero_lanes<T>()), dsx(dx1) {}
        void clear() {
            for (auto* sum : {&P, &Q, &dx1, &dsx})
                for (L& lanes : *sum) lanes = zero_lanes<T>();
        }
    };

    /// The size of the tape.
    size_t bytes() const { return store_.size() * sizeof(L); }

    /// Z_L[D, query] of each lane, which is minus the value. gram: G_0, D x D, symmetric; query: D. Both must
    /// outlive backward().
    L forward(const L* gram, const L* query);

    /// Adds the gradient of the sum over lanes of out_gradient * Z_L[D, query] for the last forward().
    void backward(const L& out_gradient, Gradient& gradient);

    /// Overwrites P and Q (stored x D x D each) with the sums over the virtual lanes. parts: kParts gradients.
    void finish_gradient(const Gradient* parts, T* P, T* Q) const;

    /// r (D entries) with Z_L[D, query] = r' query for every query, in each lane. The first d entries of -r are
    /// the implicit weight of the network's value function. It overwrites the tape, so do not call it between
    /// forward() and backward().
    void read_out(const L* gram, L* r);

  private:
    struct MatrixLayer {
        // The layer's input.
        const L* G;
        L *H, *A, *U, *G_next;
        // The query column of the layer's input.
        L* z;
    };

    LaneMatrix<T, D> lanes(const L* data) const { return {const_cast<L*>(data), n_}; }
    SharedMatrix<T, D> shared(const T* data) const { return {data, n_}; }
    static L zero(int) { return zero_lanes<T>(); }
    static L zero2(int, int) { return zero_lanes<T>(); }

    void forward_matrix_layers(const L* gram, const L* query);
    L forward_single();
    L forward_last_two();
    void forward_read_out_row();
    void backward_single(const L& out_gradient, Gradient& gradient);
    void backward_last_two(const L& out_gradient, Gradient& gradient);
    void add_last_two_outer_products(Gradient& gradient);
    void symmetric_gram_gradient();
    void backward_matrix_layer(int l, Gradient& gradient);
    void finish_read_out_row(const Gradient* parts, T* P_gradient) const;
    static T sum_of(const Gradient* parts, std::vector<L> Gradient::*sums, size_t i);

    NetworkWeights<T> w_;
    Extent<D> n_;
    L inv_n_;
    std::vector<L> store_;
    std::vector<MatrixLayer> layers_;
    // The Gram matrix that enters the last two layers, or the only layer if L = 1.
    const L* G_ = nullptr;
    L *W_, *dA_, *R_;
    L *z_, *a_, *b_, *z1_, *y_, *s_, *t_, *y1_, *sx_, *tx_, *x1_, *m_;
    L *dz_, *dy_, *dy1_, *dt_, *dtx_, *ds_, *dm_, *db_, *da_, *dx1_, *dz1_;
};

}  // namespace emergence::EMERGENCE_LANES
