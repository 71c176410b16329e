// The recurrent network of Appendix G, Wang et al. 2025, one prompt per lane. Layer by layer, where the input x_t
// of layer l > 0 is the state a_t of layer l - 1:
//
//     u_t = W_ax x_t + W_aa a_{t-1} + b_a,   a_t = act(u_t)
//     value = W_o a_{n+1} of the last layer, after the query's token
//
// and backwards, from the last token to the first:
//
//     du_t = da_t act'(u_t),   da_{t-1} += W_aa' du_t,   dx_t = W_ax' du_t
//
// act is tanh, with act' = 1 - a_t^2, or for comparison ReLU or the identity.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/models/attention_network.h"
#include "core/models/attention_parts.h"
#include "core/models/lane_products.h"
#include "core/models/masked_network.h"
#include "core/models/network_windows.h"
#include "core/tasks/window_grams.h"

namespace emergence::EMERGENCE_LANES {

/// Everything that the backward pass needs from a forward pass of kLanes prompts.
template <class T>
class RnnTape {
    using L = Lanes<T>;

  public:
    explicit RnnTape(const NetworkShape& shape)
        : tokens_(shape.rows() * shape.columns()),
          layer_size_(shape.width * shape.columns()),
          states_(static_cast<size_t>(shape.layers) * layer_size_) {}

    /// The prompt; fill it before forward(). Entry k of token t is prompt()[t * rows + k].
    L* prompt() { return tokens_.data(); }
    /// The states of a layer, (n+1) x h.
    L* states(int layer) { return states_.data() + static_cast<size_t>(layer) * layer_size_; }
    /// The input of a layer, (n+1) x its number of inputs.
    L* inputs(int layer) { return layer == 0 ? prompt() : states(layer - 1); }

  private:
    std::vector<L> tokens_;
    size_t layer_size_;
    std::vector<L> states_;
};

/// The network itself.
template <class T>
class RnnNetwork {
    using L = Lanes<T>;

  public:
    using Tape = RnnTape<T>;

    explicit RnnNetwork(const NetworkShape& shape)
        : shape_(shape),
          h_(shape.width),
          steps_(shape.columns()),
          du_(h_ * steps_),
          dstates_(h_ * steps_),
          carried_(h_) {}

    /// weights: per layer W_ax (h x inputs), W_aa (h x h), b_a (h), then W_o (h), row-major. They must outlive the
    /// last pass.
    void set_weights(const T* weights) { weights_ = weights; }

    /// The value of each lane's prompt in the tape.
    L forward(Tape& tape) const {
        for (int l = 0; l < shape_.layers; ++l) forward_layer(l, tape.inputs(l), tape.states(l));
        const L* last = tape.states(shape_.layers - 1) + (steps_ - 1) * h_;
        L value = zero_lanes<T>();
        for (int i = 0; i < h_; ++i) value = fma(L::broadcast(weights_[output_offset() + i]), last[i], value);
        return value;
    }

    /// Adds the gradient of the sum over lanes of by_value * value for the tape's last forward(). gradient: laid
    /// out as the weights, or null; query_gradient: d entries, by the query's features, or null.
    void backward(Tape& tape, const L& by_value, L* gradient, L* query_gradient) {
        L* last = tape.states(shape_.layers - 1) + (steps_ - 1) * h_;
        std::fill(dstates_.begin(), dstates_.end(), zero_lanes<T>());
        for (int i = 0; i < h_; ++i) {
            dstates_[(steps_ - 1) * h_ + i] = by_value * L::broadcast(weights_[output_offset() + i]);
            if (gradient) {
                L& sum = gradient[output_offset() + i];
                sum = fma(by_value, last[i], sum);
            }
        }
        for (int l = shape_.layers - 1; l >= 0; --l) {
            backward_states(l, tape.states(l));
            if (gradient) add_gradient(l, tape.inputs(l), tape.states(l), gradient + offset(l));
            if (l > 0)
                through_inputs(l, 0, steps_, h_, dstates_.data());
            else if (query_gradient)
                through_inputs(0, steps_ - 1, steps_, shape_.d, query_gradient);
        }
    }

  private:
    int inputs(int layer) const { return layer == 0 ? shape_.rows() : h_; }
    // The offset of a layer's weights: W_ax, then W_aa, then b_a.
    int offset(int layer) const {
        return layer == 0 ? 0 : h_ * (shape_.rows() + h_ + 1) + (layer - 1) * h_ * (2 * h_ + 1);
    }
    int output_offset() const { return offset(shape_.layers); }
    const T* W_ax(int layer) const { return weights_ + offset(layer); }
    const T* W_aa(int layer) const { return W_ax(layer) + h_ * inputs(layer); }
    const T* b_a(int layer) const { return W_aa(layer) + h_ * h_; }

    // Calls finish(i, start(i) + sum_k matrix(i, k) x_k) for i < rows.
    template <class Matrix, class Start, class Finish>
    EMERGENCE_INLINE static void product(int rows, int inner, const Matrix& matrix, const L* x, const Start& start,
                                         const Finish& finish) {
        multiply_rectangle<T, kBlockRows == 1 ? 1 : 4, 1>(
            rows, 1, Extent<0>(inner), [&](int i, int k) { return L::broadcast(matrix(i, k)); },
            [&](int k, int) { return x[k]; }, [&](int i, int) { return start(i); },
            [&](int i, int, const L& sum) { finish(i, sum); });
    }

    void forward_layer(int layer, const L* in, L* states) const {
        const T *ax = W_ax(layer), *aa = W_aa(layer), *bias = b_a(layer);
        const int count = inputs(layer);
        const auto biased = [&](int i) { return L::broadcast(bias[i]); };
        for (int t = 0; t < steps_; ++t) {
            L* a = states + t * h_;
            product(
                h_, count, [&](int i, int k) { return ax[i * count + k]; }, in + t * count, biased,
                [&](int i, const L& u) { a[i] = u; });
            if (t > 0)
                product(
                    h_, h_, [&](int i, int k) { return aa[i * h_ + k]; }, a - h_, [&](int i) { return a[i]; },
                    [&](int i, const L& u) { a[i] = u; });
            activate(shape_.recurrent, a, h_, 1);
        }
    }

    // du of a unit from its state and da.
    EMERGENCE_INLINE L through_unit(const L& a, const L& da) const {
        if (shape_.recurrent == Activation::identity) return da;
        if (shape_.recurrent == Activation::relu) return through_relu(a, da);
        return da * fma(zero_lanes<T>() - a, a, L::broadcast(T(1)));
    }

    // du for every token, from dstates_.
    void backward_states(int layer, const L* states) {
        const T* aa = W_aa(layer);
        const L none = zero_lanes<T>();
        std::fill(carried_.begin(), carried_.end(), none);
        for (int t = steps_ - 1; t >= 0; --t) {
            const L* a = states + t * h_;
            L* du = du_.data() + t * h_;
            for (int i = 0; i < h_; ++i) du[i] = through_unit(a[i], dstates_[t * h_ + i] + carried_[i]);
            product(
                h_, h_, [&](int i, int k) { return aa[k * h_ + i]; }, du, [&](int) { return none; },
                [&](int i, const L& sum) { carried_[i] = sum; });
        }
    }

    // sums(i, k) += sum over t of du(first + t, i) x(t, k)
    void outer(const L* x, int count, int first, L* sums) const {
        const L* du = du_.data() + first * h_;
        multiply_rectangle<T, kBlockRows, kBlockColumns>(
            h_, count, Extent<0>(steps_ - first), [&](int i, int t) { return du[t * h_ + i]; },
            [&](int t, int k) { return x[t * count + k]; }, [&](int i, int k) { return sums[i * count + k]; },
            [&](int i, int k, const L& sum) { sums[i * count + k] = sum; });
    }
    void add_gradient(int layer, const L* in, const L* states, L* gradient) const {
        const int count = inputs(layer);
        L *d_aa = gradient + h_ * count, *db = d_aa + h_ * h_;
        outer(in, count, 0, gradient);
        outer(states, h_, 1, d_aa);  // token t has seen the state of token t - 1
        for (int t = 0; t < steps_; ++t)
            for (int i = 0; i < h_; ++i) db[i] = db[i] + du_[t * h_ + i];
    }

    // The gradient by the first `count` inputs of tokens `begin` .. `end` - 1, from du_.
    void through_inputs(int layer, int begin, int end, int count, L* target) const {
        const T* ax = W_ax(layer);
        const int all = inputs(layer);
        for (int t = begin; t < end; ++t)
            product(
                count, h_, [&](int k, int i) { return ax[i * all + k]; }, du_.data() + t * h_,
                [](int) { return zero_lanes<T>(); },
                [&](int k, const L& sum) { target[(t - begin) * count + k] = sum; });
    }

    NetworkShape shape_;
    int h_, steps_;
    const T* weights_ = nullptr;
    std::vector<L> du_, dstates_;  // (n+1) x h
    std::vector<L> carried_;       // h
};

// Networks in lanes: over the windows of a minibatch (network_windows.h) and over separate prompts
// (NetworkPrompts there).

namespace {

template <class T, class Network>
class NetworkWindowKernel final : public WindowValues<T> {
    using L = Lanes<T>;
    using Tape = typename Network::Tape;

  public:
    NetworkWindowKernel(const NetworkShape& shape, const PhasedLayout& layout)
        : shape_(shape), layout_(layout), network_(shape), gradients_(shape.num_weights() * kParts) {
        tapes_.reserve(groups() * kParts);
        for (int i = 0; i < groups() * kParts; ++i) tapes_.emplace_back(shape);
    }

    void forward(const T* trajectory, T gamma, const T* weights, T* values) override {
        network_.set_weights(weights);
        for (int part = 0; part < kParts; ++part)
            for (int group = 0; group < groups(); ++group) {
                load_prompts(trajectory, gamma, group, part);
                scatter_windows(layout_, network_.forward(tape(group, part)), group, part, values);
            }
    }

    void backward(const T* value_gradient, T* weight_gradient) override {
        const size_t count = shape_.num_weights();
        for (L& sum : gradients_) sum = zero_lanes<T>();
        for (int part = 0; part < kParts; ++part)
            for (int group = groups() - 1; group >= 0; --group) {
                L by_value;
                if (gather_windows(layout_, value_gradient, group, part, &by_value))
                    network_.backward(tape(group, part), by_value,
                                      gradients_.data() + static_cast<size_t>(part) * count, nullptr);
            }
        for (size_t i = 0; i < count; ++i) {
            L parts[kParts];
            for (int part = 0; part < kParts; ++part) parts[part] = gradients_[static_cast<size_t>(part) * count + i];
            weight_gradient[i] = sum_lanes(parts);
        }
    }

  private:
    // The lanes' windows are 0 .. 16 S - 1; window B needs one more group if B = 16 S.
    int groups() const { return layout_.phases + (layout_.batch == kVirtualLanes * layout_.phases ? 1 : 0); }
    Tape& tape(int group, int part) { return tapes_[group * kParts + part]; }

    void load_prompts(const T* trajectory, T gamma, int group, int part) {
        const int d = shape_.d, n = shape_.context_length, rows = shape_.rows();
        const L discount = L::broadcast(gamma), none = zero_lanes<T>();
        L* column = tape(group, part).prompt();
        for (int t = 0; t < n; ++t, column += rows) {
            for (int k = 0; k < d; ++k) {
                column[k] = load_row(layout_, trajectory, k, group + t, part);
                column[d + k] = discount * load_row(layout_, trajectory, k, group + t + 1, part);
            }
            column[2 * d] = load_row(layout_, trajectory, d, group + t, part);
            for (int k = 2 * d + 1; k < rows; ++k) column[k] = none;
        }
        load_query(layout_, trajectory, d, group, part, column);
        for (int k = d; k < rows; ++k) column[k] = none;
        if (shape_.model == Model::rnn) column[rows - 1] = L::broadcast(T(1));
    }

    NetworkShape shape_;
    PhasedLayout layout_;
    Network network_;
    std::vector<Tape> tapes_;
    std::vector<L> gradients_;  // parts x weights
};

// A masked network on separate prompts. Its value is linear in the query.
class MaskedPrompts {
    using L = Lanes<float>;

  public:
    class Tape {
      public:
        explicit Tape(const NetworkShape& shape) : columns_(static_cast<size_t>(shape.columns() * shape.rows())) {}
        L* prompt() { return columns_.data(); }

      private:
        std::vector<L> columns_;
    };

    explicit MaskedPrompts(const NetworkShape& shape)
        : shape_(shape),
          flat_(shape),
          network_(flat_.sizes()),
          sums_(shape.rows(), shape.heads()),
          r_(static_cast<size_t>(shape.rows())) {}

    void set_weights(const float* weights) {
        network_.set_weights(flat_.joined(weights), 1.0F / static_cast<float>(shape_.context_length));
        lambda_ = L::broadcast(flat_.lambda(weights));
    }
    L forward(Tape& tape) {
        const int rows = shape_.rows(), n = shape_.context_length;
        sums_.clear();
        for (int t = 0; t < n; ++t) sums_.add(tape.prompt() + t * rows, lambda_);
        network_.read_out(sums_.grams(), r_.data());
        L out = zero_lanes<float>();
        for (int k = 0; k < rows; ++k) out = fma(r_[k], tape.prompt()[n * rows + k], out);
        return zero_lanes<float>() - out;
    }
    // By the query alone.
    void backward(Tape&, const L& by_value, L*, L* query_gradient) {
        for (int k = 0; k < shape_.d; ++k) query_gradient[k] = zero_lanes<float>() - by_value * r_[k];
    }

  private:
    NetworkShape shape_;
    MaskedWeights<float> flat_;
    MaskedNetwork<float, 0> network_;
    MaskedSums<float> sums_;
    std::vector<L> r_;
    L lambda_ = zero_lanes<float>();
};

template <class Network>
class Prompts final : public NetworkPrompts {
    using L = Lanes<float>;

  public:
    explicit Prompts(const NetworkShape& shape) : shape_(shape), network_(shape), tape_(shape) {}

    void run(const PromptBatch& batch, const float* weights, float* values, float* by_query) override {
        network_.set_weights(weights);
        L query_gradient[kMaxRows];
        for (int first = 0; first < batch.prompts; first += kLanes) {
            load(batch, first);
            store(batch, first, network_.forward(tape_), values, 1, 0);
            if (!by_query) continue;
            network_.backward(tape_, L::broadcast(1.0F), nullptr, query_gradient);
            for (int k = 0; k < shape_.d; ++k) store(batch, first, query_gradient[k], by_query, shape_.d, k);
        }
    }

  private:
    // Lanes beyond the last prompt repeat it.
    template <class Entry>
    static L gather(const PromptBatch& batch, int first, const Entry& entry) {
        float lanes[kLanes];
        for (int i = 0; i < kLanes; ++i) lanes[i] = entry(first + i < batch.prompts ? first + i : batch.prompts - 1);
        return L::load(lanes);
    }
    static void store(const PromptBatch& batch, int first, const L& lanes, float* target, int step, int at) {
        float values[kLanes];
        lanes.store(values);
        for (int i = 0; i < kLanes && first + i < batch.prompts; ++i) target[(first + i) * step + at] = values[i];
    }

    void load(const PromptBatch& batch, int first) {
        const int d = shape_.d, rows = shape_.rows();
        const auto row = [&](int time, int k) {
            return gather(batch, first, [&](int p) {
                return batch.contexts[batch.context_of[p] * batch.context_size + time * (d + 1) + k];
            });
        };
        const L discount = L::broadcast(batch.gamma), none = zero_lanes<float>();
        L* column = tape_.prompt();
        for (int t = 0; t < shape_.context_length; ++t, column += rows) {
            for (int k = 0; k < d; ++k) {
                column[k] = row(t, k);
                column[d + k] = discount * row(t + 1, k);
            }
            column[2 * d] = row(t, d);
            for (int k = 2 * d + 1; k < rows; ++k) column[k] = none;
        }
        for (int k = 0; k < d; ++k) column[k] = gather(batch, first, [&](int p) { return batch.queries[p * d + k]; });
        for (int k = d; k < rows; ++k) column[k] = none;
        if (shape_.model == Model::rnn) column[rows - 1] = L::broadcast(1.0F);
    }

    NetworkShape shape_;
    Network network_;
    typename Network::Tape tape_;
};

}  // namespace

template <class T>
WindowValues<T>* make_network_windows(const NetworkShape& shape, const PhasedLayout& layout) {
    if (shape.model == Model::rnn) return new NetworkWindowKernel<T, RnnNetwork<T>>(shape, layout);
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (shape.d == 4) return new NetworkWindowKernel<T, AttentionNetwork<T, 9>>(shape, layout);
#endif
    return new NetworkWindowKernel<T, AttentionNetwork<T, 0>>(shape, layout);
}

template WindowValues<float>* make_network_windows(const NetworkShape&, const PhasedLayout&);
#if defined(EMERGENCE_LANES_GENERIC)
template WindowValues<double>* make_network_windows(const NetworkShape&, const PhasedLayout&);
#endif

NetworkPrompts* make_network_prompts(const NetworkShape& shape) {
    if (shape.model == Model::rnn) return new Prompts<RnnNetwork<float>>(shape);
    if (shape.is_masked()) return new Prompts<MaskedPrompts>(shape);
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (shape.d == 4) return new Prompts<AttentionNetwork<float, 9>>(shape);
#endif
    return new Prompts<AttentionNetwork<float, 0>>(shape);
}

}  // namespace emergence::EMERGENCE_LANES
