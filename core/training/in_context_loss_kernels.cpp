#include "core/models/gram_network.h"
#include "core/training/lane_losses.h"

namespace emergence::EMERGENCE_LANES {
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
