#include "core/algorithms/batch_td_lanes.h"
#include "core/models/gram_network.h"
#include "core/tasks/window_grams.h"
#include "core/training/lane_losses.h"

namespace emergence::EMERGENCE_LANES {
namespace {

template <class T>
class BatchTdWindowKernel final : public WindowValues<T> {
    using L = Lanes<T>;

  public:
    BatchTdWindowKernel(int d, int steps, const PhasedLayout& layout) : d_(d), layout_(layout), td_(d, steps) {}

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
    WindowGrams<T> grams_{d_, layout_};
    BatchTdLanes<T> td_;
    // dv/dalpha, per group and part.
    std::vector<L> derivatives_ = std::vector<L>((layout_.phases + 1) * kParts, zero_lanes<T>());
    std::vector<L> query_ = std::vector<L>(d_, zero_lanes<T>());
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

namespace {

template <class T>
class Kernel final : public TdMinibatchKernel<T> {
    using L = Lanes<T>;

  public:
    Kernel(const NetworkShape& shape, const PhasedLayout& layout) : shape_(shape), layout_(layout) {
        for (int part = 0; part < kParts; ++part) first_groups_.push_back(make_gram_network<T>(sizes_));
    }

    void run(const TdMinibatchInput<T>& in, TdMinibatchResult<T>& out) override {
        const T inv_n = T(1) / static_cast<T>(layout_.context_length);
        grams_.compute(in.trajectory, in.gamma);
        network_->set_weights(in.P, in.Q, inv_n);
        run_first_groups(in, inv_n);
        for (int part = 0; part < kParts; ++part) run_part(in, part);
        network_->finish_gradient(gradients_.data(), out.P_gradient, out.Q_gradient);
        out.alpha_gradient = sum_lanes(alpha_gradient_);
        out.loss = sum_lanes(loss_) / static_cast<T>(layout_.batch);
        out.batch_td_loss = sum_lanes(td_loss_) / static_cast<T>(layout_.batch);
    }

  private:
    // Group S of a lane is group 0 of the next. Only lane 15's is another window, which a minibatch reads that fills
    // all lanes.
    void run_first_groups(const TdMinibatchInput<T>& in, T inv_n) {
        const int groups = layout_.phases;
        for (int part = 0; part < kParts; ++part) {
            auto& network = *first_groups_[part];
            network.set_weights(in.P, in.Q, inv_n);
            load_query(layout_, in.trajectory, shape_.d, 0, part, query_.data());
            const L v = zero_lanes<T>() - network.forward(grams_.gram(0, part), query_.data());
            v.store(first_values_ + part * kLanes);
        }
        if (layout_.batch < kVirtualLanes * groups) return;
        load_query(layout_, in.trajectory, shape_.d, groups, kParts - 1, query_.data());
        T last[kLanes];
        (zero_lanes<T>() - network_->forward(grams_.gram(groups, kParts - 1), query_.data())).store(last);
        first_values_[kVirtualLanes] = last[kLanes - 1];
    }

    // delta = R + gamma v(next window) - v for all windows of kLanes lanes, from the last to the first: v is then the
    // next v_next.
    void run_part(const TdMinibatchInput<T>& in, int part) {
        const int n = layout_.context_length, groups = layout_.phases;
        const T inv_n = T(1) / static_cast<T>(n);
        const L gamma = L::broadcast(in.gamma);
        const L loss_scale = L::broadcast(T(2) / static_cast<T>(layout_.batch));
        L loss = zero_lanes<T>(), td_loss = zero_lanes<T>(), alpha_gradient = zero_lanes<T>();
        L* gradient = gradients_.data() + part * network_->gradient_size();
        std::fill_n(gradient, network_->gradient_size(), zero_lanes<T>());
        load_query(layout_, in.trajectory, shape_.d, groups, part, query_.data());
        L v_next = L::load(first_values_ + part * kLanes + 1);
        batch_td_.run(grams_.gram(groups, part), in.alpha, inv_n);
        L td_next = batch_td_.value(query_.data());
        for (int group = groups - 1; group >= 0; --group) {
            const L* gram = grams_.gram(group, part);
            const L mask = window_mask(group, part);
            const L reward = load_row(layout_, in.trajectory, shape_.d, group + n + 1, part);
            load_query(layout_, in.trajectory, shape_.d, group, part, query_.data());
            auto& network = group == 0 ? *first_groups_[part] : *network_;
            const L v = group == 0 ? L::load(first_values_ + part * kLanes)
                                   : zero_lanes<T>() - network.forward(gram, query_.data());
            const L delta = (fma(gamma, v_next, reward) - v) * mask;
            loss = fma(delta, delta, loss);
            // loss = (1/B) sum delta^2,  v = -Z_L[D, query]:  dZ_L[D, query] = 2 delta / B
            network.backward(loss_scale * delta, gradient);
            v_next = v;

            batch_td_.run(gram, in.alpha, inv_n);
            const L td = batch_td_.value(query_.data()), td_derivative = batch_td_.derivative(query_.data());
            const L td_delta = (fma(gamma, td_next, reward) - td) * mask;
            td_loss = fma(td_delta, td_delta, td_loss);
            alpha_gradient = alpha_gradient - loss_scale * td_delta * td_derivative;
            td_next = td;
        }
        loss_[part] = loss;
        td_loss_[part] = td_loss;
        alpha_gradient_[part] = alpha_gradient;
    }

    // 1 for lanes whose window i S + group is one of the B, else 0.
    L window_mask(int group, int part) const {
        T mask[kLanes];
        for (int i = 0; i < kLanes; ++i)
            mask[i] = (part * kLanes + i) * layout_.phases + group < layout_.batch ? T(1) : T(0);
        return L::load(mask);
    }

    NetworkShape shape_;
    PhasedLayout layout_;
    WindowGrams<T> grams_{shape_.d, layout_};
    GramSizes sizes_{shape_.rows(), shape_.layers, shape_.stored};
    std::unique_ptr<GramNetwork<T>> network_ = make_gram_network<T>(sizes_);
    std::vector<std::unique_ptr<GramNetwork<T>>> first_groups_;  // of group 0 of each part
    std::vector<L> gradients_ = std::vector<L>(kParts * network_->gradient_size());
    BatchTdLanes<T> batch_td_{shape_.d, shape_.layers};
    std::vector<L> query_ = std::vector<L>(shape_.rows(), zero_lanes<T>());
    T first_values_[kVirtualLanes + 1] = {};  // of group 0 by lane, then of window 16 S
    L loss_[kParts], td_loss_[kParts], alpha_gradient_[kParts];
};

}  // namespace

template <class T>
TdMinibatchKernel<T>* make_td_minibatch_kernel(const NetworkShape& shape, const PhasedLayout& layout) {
    return new Kernel<T>(shape, layout);
}

template TdMinibatchKernel<float>* make_td_minibatch_kernel(const NetworkShape&, const PhasedLayout&);
#if defined(EMERGENCE_LANES_GENERIC)
template TdMinibatchKernel<double>* make_td_minibatch_kernel(const NetworkShape&, const PhasedLayout&);
#endif

namespace {

// Float lanes lose digits in sums over many prompts, so after this many groups their sums go to doubles.
constexpr int kGroupsAtOnce = 32;

template <class T>
class Loss final : public InContextLoss<T> {
    using L = Lanes<T>;

  public:
    explicit Loss(const InContextShape& shape) : rows_(shape.rows), layers_(shape.layers) {}

    double loss(const GramView<T>& sample, const double* P, const double* Q, double* P_gradient,
                double* Q_gradient) override {
        begin(sample, P, Q);
        const bool wanted = P_gradient != nullptr;
        for (int i = 0; wanted && i < size_; ++i) P_gradient[i] = Q_gradient[i] = 0.0;
        double sum = 0.0;
        const int groups = gram_groups(sample.prompts);
        for (int first = 0; first < groups; first += kGroupsAtOnce) {
            const int end = first + kGroupsAtOnce < groups ? first + kGroupsAtOnce : groups;
            sum += static_cast<double>(some_groups(sample, first, end, wanted));
            for (int i = 0; wanted && i < size_; ++i) {
                P_gradient[i] += static_cast<double>(partial_.data()[i]);
                Q_gradient[i] += static_cast<double>(partial_.data()[size_ + i]);
            }
        }
        const double inverse = 1.0 / sample.prompts;
        for (int i = 0; wanted && i < size_; ++i) {
            P_gradient[i] *= 2.0 * inverse;
            Q_gradient[i] *= 2.0 * inverse;
        }
        return sum * inverse;
    }

    void predict(const GramView<T>& sample, const double* P, const double* Q, double* predictions) override {
        begin(sample, P, Q);
        T stored[kLanes];
        for (int group = 0; group < gram_groups(sample.prompts); ++group)
            for (int part = 0; part < kParts; ++part) {
                load(sample, group, part);
                (zero_lanes<T>() - network_->forward(gram_.data(), query_.data())).store(stored);
                const int first = group * kVirtualLanes + part * kLanes;
                for (int lane = 0; lane < kLanes && first + lane < sample.prompts; ++lane)
                    predictions[first + lane] = static_cast<double>(stored[lane]);
            }
    }

  private:
    void begin(const GramView<T>& sample, const double* P, const double* Q) {
        for (int i = 0; i < size_; ++i) {
            weights_.data()[i] = static_cast<T>(P[i]);
            weights_.data()[size_ + i] = static_cast<T>(Q[i]);
        }
        network_->set_weights(weights_.data(), weights_.data() + size_, T(1) / static_cast<T>(sample.context_length));
    }

    // Returns the sum of squared errors of groups [first, end); leaves half its gradient in partial_.
    T some_groups(const GramView<T>& sample, int first, int end, bool gradient_wanted) {
        L sums[kParts];
        for (L& sum : sums) sum = zero_lanes<T>();
        for (L& sum : gradients_) sum = zero_lanes<T>();
        const size_t size = network_->gradient_size();
        for (int group = first; group < end; ++group)
            for (int part = 0; part < kParts; ++part) {
                const L target = load(sample, group, part);
                // error = target - prediction,  prediction = -[Z_L]_{D, n+1}
                const L error = target + network_->forward(gram_.data(), query_.data());
                sums[part] = fma(error, error, sums[part]);
                if (gradient_wanted) network_->backward(error, gradients_.data() + part * size);
            }
        if (gradient_wanted) network_->finish_gradient(gradients_.data(), partial_.data(), partial_.data() + size_);
        return sum_lanes(sums);
    }

    // Fills gram_ and query_, and returns the targets.
    L load(const GramView<T>& sample, int group, int part) {
        const T* place = sample.data + group * gram_entries(rows_) * kVirtualLanes + part * kLanes;
        const auto take = [&place] {
            const L values = L::load(place);
            place += kVirtualLanes;
            return values;
        };
        for (int i = 0; i < rows_; ++i)
            for (int j = i; j < rows_; ++j) gram_[i * rows_ + j] = gram_[j * rows_ + i] = take();
        for (int i = 0; i < rows_; ++i) query_[i] = take();
        return take();
    }

    int rows_, layers_, size_ = layers_ * rows_ * rows_;  // D; L; entries of P in all layers
    std::unique_ptr<GramNetwork<T>> network_ = make_gram_network<T>({rows_, layers_, layers_});
    std::vector<L> gradients_ = std::vector<L>(kParts * network_->gradient_size());
    std::vector<L> gram_ = std::vector<L>(rows_ * rows_, zero_lanes<T>());
    std::vector<L> query_ = std::vector<L>(rows_, zero_lanes<T>());
    ScalarBuffer<T> weights_ = ScalarBuffer<T>(2 * size_), partial_ = ScalarBuffer<T>(2 * size_);  // P, then Q
};

}  // namespace

template <class T>
InContextLoss<T>* make_in_context_loss(const InContextShape& shape) {
    return new Loss<T>(shape);
}

template InContextLoss<float>* make_in_context_loss(const InContextShape&);
template InContextLoss<double>* make_in_context_loss(const InContextShape&);

}  // namespace emergence::EMERGENCE_LANES
