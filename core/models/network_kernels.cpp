// Networks in lanes: over the windows of a minibatch (network_windows.h) and over separate prompts
// (NetworkPrompts there).
#include "core/models/attention_network.h"
#include "core/models/masked_network.h"
#include "core/models/masked_weights.h"
#include "core/models/network_shape.h"
#include "core/models/network_windows.h"
#include "core/models/rnn_network.h"
#include "core/tasks/masked_grams.h"
#include "core/tasks/window_grams.h"

namespace emergence::EMERGENCE_LANES {
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
