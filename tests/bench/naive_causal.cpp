#include "tests/bench/naive_training.h"
#include "tests/claims/naive/causal_transformer_naive.h"

namespace emergence::bench {
namespace {

class Naive final : public NaiveCausal {
  public:
    Naive(const CausalTransformerShape& shape, const std::vector<float>& weights) : network_(shape, weights) {}
    float cross_entropy(const BanditHistory<float>& history) override { return network_.add_cross_entropy(history); }

  private:
    NaiveCausalTransformer<float> network_;
};

}  // namespace

std::unique_ptr<NaiveCausal> make_naive_causal(const CausalTransformerShape& shape, const std::vector<float>& weights) {
    return std::make_unique<Naive>(shape, weights);
}

}  // namespace emergence::bench
