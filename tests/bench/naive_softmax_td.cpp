
#include <vector>

#include "tests/bench/naive_training.h"
#include "tests/claims/naive/attention_gradients.h"

namespace emergence::bench {
namespace {

constexpr int kD = 4, kN = 30, kRows = kD + 3, kBatch = 64;
using Network = SoftmaxTdWithGradient<float, kRows, kN + 1>;

class Naive final : public NaiveTraining {
  public:
    float minibatch(const float* phi, const float* reward, const float* weights) override {
        using RowMajor = Eigen::Matrix<float, kRows, kRows, Eigen::RowMajor>;
        network_.set_weights(Eigen::Map<const RowMajor>(weights), Eigen::Map<const RowMajor>(weights + kRows * kRows));
        dP_.setZero();
        dQ_.setZero();
        float loss = 0;
        load(phi, reward, kBatch);
        network_.forward(prompt_);
        float v_next = network_.value();
        for (int w = kBatch - 1; w >= 0; --w) {
            load(phi, reward, w);
            network_.forward(prompt_);
            const float v = network_.value();
            const float delta = reward[w + kN] + 0.9F * v_next - v;
            loss += delta * delta / kBatch;
            network_.backward(-2 * delta / kBatch, dP_, dQ_);
            v_next = v;
        }
        return loss;
    }

  private:
    void load(const float* phi, const float* reward, int window) {
        using Features = Eigen::Matrix<float, kD, Eigen::Dynamic>;
        const Eigen::Map<const Features> all(phi, kD, kBatch + kN + 1);
        prompt_.setZero();
        prompt_.template topRows<kD>() = all.template middleCols<kN + 1>(window);
        for (int k = 0; k < kN; ++k) prompt_(kD, k) = reward[window + k];
    }

    Network network_{{3, 0.9F, 1.0F, 0.0F}};
    Network::Prompt prompt_;
    Network::Square dP_, dQ_;
};

}  // namespace

std::unique_ptr<NaiveTraining> make_naive_softmax_td() { return std::make_unique<Naive>(); }

}  // namespace emergence::bench
