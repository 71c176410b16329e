// The causal transformer in lanes: whole trajectories (causal_transformer_lanes.h) and round by round
// (causal_rollout_lanes.h).
#include "core/models/causal_rollout_lanes.h"
#include "core/models/causal_transformer_lanes.h"

namespace emergence::EMERGENCE_LANES {
namespace {

template <class T>
class Transformer final : public CausalTransformer<T> {
    using L = Lanes<T>;

  public:
    Transformer(const CausalTransformerShape& shape, const T* times) : lanes_(shape, times) {}

    void set_weights(const T* weights) override { lanes_.set_weights(weights); }
    void take_gradient(T* gradient) override { lanes_.take_gradient(gradient); }

    void logits(const BanditHistory<T>& trajectory, T* logits) override {
        lanes_.forward(trajectory);
        const int arms = lanes_.shape().arms;
        for (int t = 0; t < trajectory.rounds; ++t)
            for (int a = 0; a < arms; ++a) logits[t * arms + a] = lanes_.logits()[a * lanes_.n() + t];
    }

    double add_cross_entropy(const BanditHistory<T>& trajectory, T factor) override {
        lanes_.forward(trajectory);
        double loss = 0;
        for (int first = 0; first < lanes_.n(); first += kLanes) loss += loss_of(trajectory, factor, first);
        lanes_.backward(trajectory);
        return loss;
    }

    void attention(int layer, int head, T* map) const override {
        const int rounds = lanes_.rounds();
        for (int i = 0; i < rounds; ++i)
            for (int j = 0; j < rounds; ++j) map[i * rounds + j] = j <= i ? lanes_.attention(layer, head, i, j) : T(0);
    }

  private:
    // The loss of one register of rounds; replaces their logits by the gradient.
    double loss_of(const BanditHistory<T>& trajectory, T factor, int first) {
        const int arms = lanes_.shape().arms, n = lanes_.n();
        T* logits = lanes_.logits() + first;
        L largest = L::load(logits), sum = zero_lanes<T>();
        for (int a = 1; a < arms; ++a) largest = max(largest, L::load(logits + a * n));
        for (int a = 0; a < arms; ++a) sum = sum + exp(L::load(logits + a * n) - largest);
        T sums[kLanes], most[kLanes], factors[kLanes];
        sum.store(sums);
        largest.store(most);
        double loss = 0;
        for (int i = 0; i < kLanes; ++i) {
            const int t = first + i;
            factors[i] = t < trajectory.rounds ? factor : T(0);
            if (t < trajectory.rounds)
                loss += std::log(static_cast<double>(sums[i])) +
                        static_cast<double>(most[i] - logits[trajectory.labels[t] * n + i]);
        }
        const L scale = L::load(factors), share = scale / sum;
        for (int a = 0; a < arms; ++a) (exp(L::load(logits + a * n) - largest) * share).store(logits + a * n);
        for (int i = 0; i < kLanes && first + i < trajectory.rounds; ++i)
            logits[trajectory.labels[first + i] * n + i] -= factor;
        return loss;
    }

    CausalLanes<T> lanes_;
};

}  // namespace

template <class T>
CausalTransformer<T>* make_causal_transformer(const CausalTransformerShape& shape, const T* times) {
    return new Transformer<T>(shape, times);
}
template CausalTransformer<float>* make_causal_transformer(const CausalTransformerShape&, const float*);
#if defined(EMERGENCE_LANES_GENERIC)
template CausalTransformer<double>* make_causal_transformer(const CausalTransformerShape&, const double*);
#endif

CausalRollout* make_causal_rollout(const CausalTransformerShape& shape, const float* times) {
    return new CausalRolloutLanes(shape, times);
}

}  // namespace emergence::EMERGENCE_LANES
