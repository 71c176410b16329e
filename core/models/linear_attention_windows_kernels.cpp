#include "core/models/gram_network.h"
#include "core/models/kept_networks.h"
#include "core/models/network_windows.h"
#include "core/tasks/window_grams.h"

namespace emergence::EMERGENCE_LANES {
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

}  // namespace emergence::EMERGENCE_LANES
