#include "core/models/softmax_td_lanes.h"

namespace emergence::EMERGENCE_LANES {
namespace {

template <class T>
class SoftmaxTdWindowKernel final : public SoftmaxTdWindows<T> {
    using L = Lanes<T>;

  public:
    explicit SoftmaxTdWindowKernel(const SoftmaxTdShape& shape)
        : shape_(shape), times_(shape), gradient_(shape), network_(shape.layers, shape.context_length) {}

    void values(const SoftmaxTdInput<T>& in, T* values) override {
        start(in);
        for (int part = 0; part < kParts; ++part)
            for (int window = 0; window < windows_; ++window) {
                T value[kLanes];
                network_.forward(times_, window, part).store(value);
                for (int i = 0; i < kLanes; ++i) {
                    const int number = (part * kLanes + i) * windows_ + window;
                    if (number < shape_.batch) values[number] = value[i];
                }
            }
    }

    T td_loss(const SoftmaxTdInput<T>& in, T* table_gradient) override {
        start(in);
        gradient_.place(in.states);
        gradient_.clear();
        L loss[kParts];
        for (int part = 0; part < kParts; ++part) loss[part] = run_part(in, part);
        for (int i = 0; i < SoftmaxTdTables{shape_.num_states}.size(); ++i) table_gradient[i] = T(0);
        gradient_.gather(table_gradient);
        return sum_lanes(loss) / static_cast<T>(shape_.batch);
    }

  private:
    void start(const SoftmaxTdInput<T>& in) {
        times_.place(in.states);
        times_.fill(in.tables);
        network_.set(in.gamma, in.mixing);
    }

    // delta = R_{n+1} + gamma v(next window) - v for all windows of kLanes lanes, from the last to the first: v is
    // then the next v_next. loss = mean delta^2, so dv = -2 delta / B with the target held fixed.
    L run_part(const SoftmaxTdInput<T>& in, int part) {
        const L gamma = L::broadcast(in.gamma);
        const L scale = L::broadcast(T(-2) / static_cast<T>(shape_.batch));
        L loss = zero_lanes<T>();
        L v_next = network_.forward(times_, windows_, part);
        for (int window = windows_ - 1; window >= 0; --window) {
            const L v = network_.forward(times_, window, part);
            const L delta = (fma(gamma, v_next, reward(in, window, part)) - v) * mask(window, part);
            loss = fma(delta, delta, loss);
            network_.backward(times_, window, part, scale * delta, gradient_);
            v_next = v;
        }
        return loss;
    }

    // R_{n+1}, received when the query's state is left.
    L reward(const SoftmaxTdInput<T>& in, int window, int part) const {
        T rewards[kLanes];
        for (int i = 0; i < kLanes; ++i)
            rewards[i] = in.rewards[in.states[(part * kLanes + i) * windows_ + window + shape_.context_length]];
        return L::load(rewards);
    }
    // 1 for lanes whose window is one of the B, else 0.
    L mask(int window, int part) const {
        T mask[kLanes];
        for (int i = 0; i < kLanes; ++i) mask[i] = (part * kLanes + i) * windows_ + window < shape_.batch ? T(1) : T(0);
        return L::load(mask);
    }

    SoftmaxTdShape shape_;
    int windows_ = shape_.windows_a_lane();
    SoftmaxTdTimes<T> times_, gradient_;
    SoftmaxTdLanes<T> network_;
};

}  // namespace

template <class T>
SoftmaxTdWindows<T>* make_softmax_td_windows(const SoftmaxTdShape& shape) {
    return new SoftmaxTdWindowKernel<T>(shape);
}

template SoftmaxTdWindows<float>* make_softmax_td_windows(const SoftmaxTdShape&);
#if defined(EMERGENCE_LANES_GENERIC)
template SoftmaxTdWindows<double>* make_softmax_td_windows(const SoftmaxTdShape&);
#endif

}  // namespace emergence::EMERGENCE_LANES
