// Networks of a minibatch's groups of windows, which hold their tapes from the forward to the backward pass.

#include <cstddef>
#include <vector>

#include "core/base/lanes.h"
#include "core/models/gram_network.h"
#include "core/models/masked_network.h"
#include "core/models/network_windows.h"
#include "core/tasks/layouts.h"
#include "core/tasks/window_grams.h"

namespace emergence::EMERGENCE_LANES {

/// One network for each group and part, or one for all if so many tapes would not stay in the cache.
template <class Network>
class KeptNetworks {
  public:
    template <class Sizes>
    KeptNetworks(const PhasedLayout& layout, const Sizes& sizes) {
        networks_.emplace_back(sizes);
        const size_t all = static_cast<size_t>((layout.phases + 1) * kParts);
        if (all * networks_[0].bytes() > kMostBytes) return;
        networks_.reserve(all);
        while (networks_.size() < all) networks_.emplace_back(sizes);
    }

    /// Whether of(group, part) still has the tape of that group's last forward pass.
    bool keep_tapes() const { return networks_.size() > 1; }
    Network& of(int group, int part) { return networks_[keep_tapes() ? place(group, part) : 0]; }
    /// For what all networks share.
    std::vector<Network>& all() { return networks_; }

  private:
    static constexpr size_t kMostBytes = size_t{1} << 20;
    static size_t place(int group, int part) { return static_cast<size_t>(group * kParts + part); }

    std::vector<Network> networks_;
};

namespace {

template <class T, int D>
class LinearAttentionWindowKernel final : public WindowValues<T> {
    using L = Lanes<T>;

  public:
    LinearAttentionWindowKernel(const NetworkShape& shape, const PhasedLayout& layout)
        : shape_(shape),
          layout_(layout),
          rows_(shape.rows()),
          grams_(shape.d, layout),
          networks_(layout, NetworkWeights<T>{rows_, shape.layers, shape.stored, nullptr, nullptr}),
          gradients_(kParts, typename GramNetwork<T, D>::Gradient(rows_, shape.stored)),
          query_(rows_, zero_lanes<T>()) {}

    void forward(const T* trajectory, T gamma, const T* weights, T* values) override {
        trajectory_ = trajectory;
        grams_.compute(trajectory, gamma);
        for (auto& network : networks_.all())
            network.set_weights(weights, weights + matrix_size(), T(1) / static_cast<T>(layout_.context_length));
        for (int part = 0; part < kParts; ++part)
            for (int group = 0; group <= layout_.phases; ++group)
                // value = -Z_L[D, query], Eq. (4), Wang et al. 2025
                scatter_windows(layout_, zero_lanes<T>() - read_out(group, part), group, part, values);
    }

    // The last group goes first, as in the one-pass TD kernel, so that the sums have the same bits.
    void backward(const T* value_gradient, T* weight_gradient) override {
        for (int part = 0; part < kParts; ++part) {
            auto& gradient = gradients_[part];
            gradient.clear();
            for (int group = layout_.phases; group >= 0; --group) {
                L by_value;
                if (!gather_windows(layout_, value_gradient, group, part, &by_value)) continue;
                if (!networks_.keep_tapes()) read_out(group, part);
                networks_.of(group, part).backward(zero_lanes<T>() - by_value, gradient);
            }
        }
        networks_.all()[0].finish_gradient(gradients_.data(), weight_gradient, weight_gradient + matrix_size());
    }

  private:
    int matrix_size() const { return shape_.stored * rows_ * rows_; }
    L read_out(int group, int part) {
        load_query(layout_, trajectory_, shape_.d, group, part, query_.data());
        return networks_.of(group, part).forward(grams_.gram(group, part), query_.data());
    }

    NetworkShape shape_;
    PhasedLayout layout_;
    int rows_;
    const T* trajectory_ = nullptr;
    WindowGrams<T> grams_;
    KeptNetworks<GramNetwork<T, D>> networks_;
    std::vector<typename GramNetwork<T, D>::Gradient> gradients_;
    std::vector<L> query_;
};

}  // namespace

template <class T>
WindowValues<T>* make_linear_attention_windows(const NetworkShape& shape, const PhasedLayout& layout) {
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (shape.d == 4) return new LinearAttentionWindowKernel<T, 9>(shape, layout);
    if (shape.d == 8) return new LinearAttentionWindowKernel<T, 17>(shape, layout);
#endif
    return new LinearAttentionWindowKernel<T, 0>(shape, layout);
}

template WindowValues<float>* make_linear_attention_windows(const NetworkShape&, const PhasedLayout&);
#if defined(EMERGENCE_LANES_GENERIC)
template WindowValues<double>* make_linear_attention_windows(const NetworkShape&, const PhasedLayout&);
#endif

namespace {

template <class T, int D>
class MaskedWindowKernel final : public WindowValues<T> {
    using L = Lanes<T>;

  public:
    MaskedWindowKernel(const NetworkShape& shape, const PhasedLayout& layout)
        : shape_(shape),
          layout_(layout),
          weights_(shape),
          grams_(shape.d, shape.rows(), shape.heads(), layout),
          networks_(layout, weights_.sizes()),
          gradients_(weights_.sizes().weights() * kParts),
          query_(static_cast<size_t>(shape.rows()), zero_lanes<T>()),
          trace_(query_),
          by_trace_(query_),
          by_gram_(shape.learns_lambda ? static_cast<size_t>(weights_.sizes().matrix()) : 0),
          by_joined_(weights_.sizes().weights()) {}

    void forward(const T* trajectory, T gamma, const T* weights, T* values) override {
        trajectory_ = trajectory;
        gamma_ = gamma;
        raw_ = weights;
        lambda_ = weights_.lambda(weights);
        grams_.compute(trajectory, gamma, lambda_);
        const T* joined = weights_.joined(weights);
        for (auto& network : networks_.all())
            network.set_weights(joined, T(1) / static_cast<T>(layout_.context_length));
        for (int part = 0; part < kParts; ++part)
            for (int group = 0; group <= layout_.phases; ++group)
                scatter_windows(layout_, zero_lanes<T>() - read_out(group, part), group, part, values);
    }

    void backward(const T* value_gradient, T* weight_gradient) override {
        const size_t count = by_joined_.size();
        for (L& sum : gradients_) sum = zero_lanes<T>();
        L by_lambda[kParts];
        for (int part = 0; part < kParts; ++part) {
            by_lambda[part] = zero_lanes<T>();
            for (int group = layout_.phases; group >= 0; --group) {
                L by_value;
                if (!gather_windows(layout_, value_gradient, group, part, &by_value)) continue;
                if (!networks_.keep_tapes()) read_out(group, part);
                L* by_gram = shape_.learns_lambda ? by_gram_.data() : nullptr;
                networks_.of(group, part)
                    .backward(zero_lanes<T>() - by_value, gradients_.data() + static_cast<size_t>(part) * count,
                              by_gram);
                if (by_gram) by_lambda[part] = by_lambda[part] + gradient_by_lambda(group, part);
            }
        }
        for (size_t i = 0; i < count; ++i) {
            L parts[kParts];
            for (int part = 0; part < kParts; ++part) parts[part] = gradients_[static_cast<size_t>(part) * count + i];
            by_joined_[i] = sum_lanes(parts);
        }
        weights_.gradient(raw_, by_joined_.data(), sum_lanes(by_lambda), weight_gradient);
    }

  private:
    L read_out(int group, int part) {
        load_query(layout_, trajectory_, shape_.d, group, part, query_.data());
        return networks_.of(group, part).forward(grams_.grams(group, part), query_.data());
    }

    // sum_i z_i' N u_i with N the gradient by G,  u_i = de_i/dlambda = e_{i-1} + lambda u_{i-1}
    L gradient_by_lambda(int group, int part) {
        const int rows = shape_.rows();
        const L decay = L::broadcast(lambda_);
        for (int k = 0; k < rows; ++k) trace_[k] = by_trace_[k] = zero_lanes<T>();
        L sum = zero_lanes<T>();
        for (int time = 0; time < layout_.context_length; ++time) {
            const L* z = grams_.column(trajectory_, gamma_, group + time, part);
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
    MaskedWeights<T> weights_;
    MaskedWindowGrams<T> grams_;
    KeptNetworks<MaskedNetwork<T, D>> networks_;
    const T *trajectory_ = nullptr, *raw_ = nullptr;
    T gamma_ = 0, lambda_ = 0;
    std::vector<L> gradients_;  // parts x weights
    std::vector<L> query_, trace_, by_trace_, by_gram_;
    std::vector<T> by_joined_;
};

}  // namespace

template <class T>
WindowValues<T>* make_masked_windows(const NetworkShape& shape, const PhasedLayout& layout) {
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (shape.rows() == 9) return new MaskedWindowKernel<T, 9>(shape, layout);
    if (shape.rows() == 10) return new MaskedWindowKernel<T, 10>(shape, layout);
#endif
    return new MaskedWindowKernel<T, 0>(shape, layout);
}

template WindowValues<float>* make_masked_windows(const NetworkShape&, const PhasedLayout&);
#if defined(EMERGENCE_LANES_GENERIC)
template WindowValues<double>* make_masked_windows(const NetworkShape&, const PhasedLayout&);
#endif

}  // namespace emergence::EMERGENCE_LANES
