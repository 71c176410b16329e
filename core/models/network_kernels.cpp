// Networks in lanes, over the windows of a minibatch and over separate prompts.
#include <optional>

#include "core/base/lanes.h"
#include "core/models/attention_network.h"
#include "core/models/gram_network.h"
#include "core/models/network_windows.h"
#include "core/tasks/window_grams.h"

namespace emergence::EMERGENCE_LANES {

namespace {

// The order of passes over windows, the same for all networks. Passes: start() takes a minibatch, value() runs a group,
// backward() adds the gradient of a group, between clear() and finish().
template <class T, class Passes>
class WindowKernel final : public WindowValues<T> {
  public:
    WindowKernel(const NetworkShape& shape, const PhasedLayout& layout) : layout_(layout), passes_(shape, layout) {}

    void forward(const T* trajectory, T gamma, const T* weights, T* values) override {
        passes_.start(trajectory, gamma, weights);
        for (int part = 0; part < kParts; ++part)
            for (int group = 0; group < groups(); ++group)
                scatter_windows(layout_, passes_.value(group, part), group, part, values);
    }

    // The last group goes first, as in the one-pass TD kernel, so that the sums have the same bits.
    void backward(const T* value_gradient, T* weight_gradient) override {
        passes_.clear();
        for (int part = 0; part < kParts; ++part)
            for (int group = groups() - 1; group >= 0; --group) {
                Lanes<T> by_value;
                if (gather_windows(layout_, value_gradient, group, part, &by_value))
                    passes_.backward(group, part, by_value);
            }
        passes_.finish(weight_gradient);
    }

  private:
    // The lanes' windows are 0 .. 16 S - 1; window B needs one more group if B = 16 S.
    int groups() const { return layout_.phases + (layout_.batch == kVirtualLanes * layout_.phases ? 1 : 0); }

    PhasedLayout layout_;
    Passes passes_;
};

// Passes of linear attention, with the algebra of gram_network.h.
template <class T>
class LinearPasses {
    using L = Lanes<T>;

  public:
    LinearPasses(const NetworkShape& shape, const PhasedLayout& layout) : shape_(shape), layout_(layout) {
        if (shape.is_masked())
            masked_grams_.emplace(shape.d, shape.rows(), shape.heads(), layout);
        else
            grams_.emplace(shape.d, layout);
        const size_t all = (layout.phases + 1) * kParts;
        do
            networks_.push_back(shape.is_masked() ? make_masked_network<T>(weights_.sizes())
                                                  : make_gram_network<T>(weights_.sizes()));
        while (networks_.size() < all && all * networks_[0]->bytes() <= kMostBytes);
        gradients_.resize(kParts * networks_[0]->gradient_size());
    }

    void start(const T* trajectory, T gamma, const T* weights) {
        trajectory_ = trajectory;
        gamma_ = gamma;
        raw_ = weights;
        lambda_ = weights_.lambda(weights);
        if (masked_grams_)
            masked_grams_->compute(trajectory, gamma, lambda_);
        else
            grams_->compute(trajectory, gamma);
        const T* joined = weights_.joined(weights);
        for (auto& network : networks_)
            network->set_weights(joined, joined + weights_.sizes().of_head(),
                                 T(1) / static_cast<T>(layout_.context_length));
    }
    // -Z_L[D, query], Eq. (4), Wang et al. 2025
    L value(int group, int part) {
        load_query(layout_, trajectory_, shape_.d, group, part, query_.data());
        const L* grams = masked_grams_ ? masked_grams_->grams(group, part) : grams_->gram(group, part);
        return zero_lanes<T>() - network(group, part).forward(grams, query_.data());
    }
    void clear() {
        for (L& sum : gradients_) sum = zero_lanes<T>();
        for (L& sum : by_lambda_) sum = zero_lanes<T>();
    }
    void backward(int group, int part, const L& by_value) {
        if (networks_.size() == 1) value(group, part);
        L* by_gram = shape_.learns_lambda ? by_gram_.data() : nullptr;
        L* sums = gradients_.data() + part * networks_[0]->gradient_size();
        network(group, part).backward(zero_lanes<T>() - by_value, sums, by_gram);
        if (by_gram) by_lambda_[part] = by_lambda_[part] + gradient_by_lambda(group, part);
    }
    void finish(T* weight_gradient) {
        networks_[0]->finish_gradient(gradients_.data(), by_joined_.data(),
                                      by_joined_.data() + weights_.sizes().of_head());
        weights_.gradient(raw_, by_joined_.data(), sum_lanes(by_lambda_), weight_gradient);
    }

  private:
    static constexpr size_t kMostBytes = size_t{1} << 20;

    GramNetwork<T>& network(int group, int part) {
        return *networks_[networks_.size() == 1 ? 0 : group * kParts + part];
    }

    // sum_i z_i' N u_i with N the gradient by G,  u_i = de_i/dlambda = e_{i-1} + lambda u_{i-1}
    L gradient_by_lambda(int group, int part) {
        const int rows = shape_.rows();
        const L decay = L::broadcast(lambda_);
        for (int k = 0; k < rows; ++k) trace_[k] = by_trace_[k] = zero_lanes<T>();
        L sum = zero_lanes<T>();
        for (int time = 0; time < layout_.context_length; ++time) {
            const L* z = masked_grams_->column(trajectory_, gamma_, group + time, part);
            for (int k = 0; k < rows; ++k) {
                by_trace_[k] = fma(decay, by_trace_[k], trace_[k]);
                trace_[k] = fma(decay, trace_[k], z[k]);
            }
            for (int i = 0; i < rows; ++i) {
                L row = zero_lanes<T>();
                for (int j = 0; j < rows; ++j) row = fma(by_gram_[i * rows + j], by_trace_[j], row);
                sum = fma(z[i], row, sum);
            }
        }
        return sum;
    }

    NetworkShape shape_;
    PhasedLayout layout_;
    GramWeights<T> weights_{shape_};
    // One or the other.
    std::optional<WindowGrams<T>> grams_;
    std::optional<MaskedWindowGrams<T>> masked_grams_;
    // One with its tape for each group and part, or a single one if the tapes would not fit in the cache.
    std::vector<std::unique_ptr<GramNetwork<T>>> networks_;
    const T *trajectory_ = nullptr, *raw_ = nullptr;
    T gamma_ = 0, lambda_ = 0;
    std::vector<T> by_joined_ = std::vector<T>(weights_.sizes().weights());
    std::vector<L> gradients_;  // parts x gradient_size()
    std::vector<L> query_ = std::vector<L>(shape_.rows(), zero_lanes<T>()), trace_ = query_, by_trace_ = query_;
    std::vector<L> by_gram_ = std::vector<L>(weights_.sizes().matrix());
    L by_lambda_[kParts];
};

// Z_0 of a prompt, column after column. row(t, k): entry k of phi(S_t), or R_{t+1} for k = d; query(k): of its query.
template <class T, class Row, class Query>
void write_prompt(const NetworkShape& shape, T gamma, const Row& row, const Query& query, Lanes<T>* column) {
    const int d = shape.d, rows = shape.rows();
    const Lanes<T> discount = Lanes<T>::broadcast(gamma), none = zero_lanes<T>();
    for (int t = 0; t < shape.context_length; ++t, column += rows) {
        for (int k = 0; k < d; ++k) {
            column[k] = row(t, k);
            column[d + k] = discount * row(t + 1, k);
        }
        column[2 * d] = row(t, d);
        for (int k = 2 * d + 1; k < rows; ++k) column[k] = none;
    }
    for (int k = 0; k < d; ++k) column[k] = query(k);
    for (int k = d; k < rows; ++k) column[k] = none;
    if (shape.model == Model::rnn) column[rows - 1] = Lanes<T>::broadcast(T(1));
}

// Passes of all other networks, whose tapes hold whole prompts.
template <class T, class Network>
class PromptPasses {
    using L = Lanes<T>;
    using Tape = typename Network::Tape;

  public:
    PromptPasses(const NetworkShape& shape, const PhasedLayout& layout)
        : shape_(shape), layout_(layout), network_(shape), gradients_(shape.num_weights() * kParts) {
        for (int i = 0; i < (layout.phases + 1) * kParts; ++i) tapes_.emplace_back(shape);
    }

    void start(const T* trajectory, T gamma, const T* weights) {
        trajectory_ = trajectory;
        gamma_ = gamma;
        network_.set_weights(weights);
    }
    L value(int group, int part) {
        const auto row = [&](int t, int k) { return load_row(layout_, trajectory_, k, group + t, part); };
        const auto query = [&](int k) { return row(shape_.context_length + 1, k); };
        write_prompt(shape_, gamma_, row, query, tape(group, part).prompt());
        return network_.forward(tape(group, part));
    }
    void clear() {
        for (L& sum : gradients_) sum = zero_lanes<T>();
    }
    void backward(int group, int part, const L& by_value) {
        network_.backward(tape(group, part), by_value, gradients_.data() + part * shape_.num_weights(), nullptr);
    }
    void finish(T* weight_gradient) {
        const size_t size = shape_.num_weights();
        sum_parts(gradients_.data(), size, size, weight_gradient);
    }

  private:
    Tape& tape(int group, int part) { return tapes_[group * kParts + part]; }

    NetworkShape shape_;
    PhasedLayout layout_;
    const T* trajectory_ = nullptr;
    T gamma_ = 0;
    Network network_;
    std::vector<Tape> tapes_;
    std::vector<L> gradients_;  // parts x weights
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
        const auto row = [&](int time, int k) {
            return gather(batch, first, [&](int p) {
                return batch.contexts[batch.context_of[p] * batch.context_size + time * (shape_.d + 1) + k];
            });
        };
        const auto query = [&](int k) {
            return gather(batch, first, [&](int p) { return batch.queries[p * shape_.d + k]; });
        };
        write_prompt(shape_, batch.gamma, row, query, tape_.prompt());
    }

    NetworkShape shape_;
    Network network_;
    typename Network::Tape tape_;
};

}  // namespace

template <class T>
WindowValues<T>* make_network_windows(const NetworkShape& shape, const PhasedLayout& layout) {
    if (shape.model == Model::rnn) return new WindowKernel<T, PromptPasses<T, RnnNetwork<T>>>(shape, layout);
    if (shape.activation == Activation::identity) return new WindowKernel<T, LinearPasses<T>>(shape, layout);
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (shape.d == 4) return new WindowKernel<T, PromptPasses<T, AttentionNetwork<T, 9>>>(shape, layout);
#endif
    return new WindowKernel<T, PromptPasses<T, AttentionNetwork<T, 0>>>(shape, layout);
}

template WindowValues<float>* make_network_windows(const NetworkShape&, const PhasedLayout&);
#if defined(EMERGENCE_LANES_GENERIC)
template WindowValues<double>* make_network_windows(const NetworkShape&, const PhasedLayout&);
#endif

NetworkPrompts* make_network_prompts(const NetworkShape& shape) {
    if (shape.model == Model::rnn) return new Prompts<RnnNetwork<float>>(shape);
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (shape.d == 4) return new Prompts<AttentionNetwork<float, 9>>(shape);
#endif
    return new Prompts<AttentionNetwork<float, 0>>(shape);
}

}  // namespace emergence::EMERGENCE_LANES
