#include "core/algorithms/batch_td_lanes.h"
#include "core/tasks/window_grams.h"
#include "core/training/batch_td_windows.h"

namespace emergence::EMERGENCE_LANES {
namespace {

template <class T>
class BatchTdWindowKernel final : public WindowValues<T> {
    using L = Lanes<T>;

  public:
    BatchTdWindowKernel(int d, int steps, const PhasedLayout& layout)
        : d_(d),
          layout_(layout),
          grams_(d, layout),
          td_(d, steps),
          derivatives_((layout.phases + 1) * kParts, zero_lanes<T>()),
          query_(d, zero_lanes<T>()) {}

    void forward(const T* trajectory, T gamma, const T* alpha, T* values) override {
        grams_.compute(trajectory, gamma);
        for (int part = 0; part < kParts; ++part)
            for (int group = 0; group <= layout_.phases; ++group) {
                load_query(layout_, trajectory, d_, group, part, query_.data());
                td_.run(grams_.gram(group, part), *alpha, T(1) / static_cast<T>(layout_.context_length));
                scatter_windows(layout_, td_.value(query_.data()), group, part, values);
                derivative(group, part) = td_.derivative(query_.data());
            }
    }

    void backward(const T* value_gradient, T* alpha_gradient) override {
        L sums[kParts];
        for (int part = 0; part < kParts; ++part) {
            sums[part] = zero_lanes<T>();
            for (int group = layout_.phases; group >= 0; --group) {
                L by_value;
                gather_windows(layout_, value_gradient, group, part, &by_value);
                sums[part] = sums[part] + by_value * derivative(group, part);
            }
        }
        *alpha_gradient = sum_lanes(sums);
    }

  private:
    L& derivative(int group, int part) { return derivatives_[group * kParts + part]; }

    int d_;
    PhasedLayout layout_;
    WindowGrams<T> grams_;
    BatchTdLanes<T> td_;
    std::vector<L> derivatives_;  // dv/dalpha, per group and part
    std::vector<L> query_;
};

}  // namespace

template <class T>
WindowValues<T>* make_batch_td_windows(int d, int steps, const PhasedLayout& layout) {
    return new BatchTdWindowKernel<T>(d, steps, layout);
}

template WindowValues<float>* make_batch_td_windows(int, int, const PhasedLayout&);
#if defined(EMERGENCE_LANES_GENERIC)
template WindowValues<double>* make_batch_td_windows(int, int, const PhasedLayout&);
#endif

}  // namespace emergence::EMERGENCE_LANES
