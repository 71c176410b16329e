#include "tests/bench/naive_training.h"

#include <vector>

#include "core/models/attention_naive.h"

namespace emergence::bench {
namespace {

constexpr int kD = 4, kN = 30, kRows = 2 * kD + 1, kBatch = 64;
using Network = NaiveAttention<float, kRows, kN + 1>;

class Naive final : public NaiveTraining {
  public:
    explicit Naive(Activation activation)
        : network_(std::vector<Network::Square>(1), std::vector<Network::Square>(1), 3, activation) {}

    float minibatch(const float* phi, const float* reward, const float* P, const float* Q) override {
        using RowMajor = Eigen::Matrix<float, kRows, kRows, Eigen::RowMajor>;
        network_.set_weights(0, Eigen::Map<const RowMajor>(P), Eigen::Map<const RowMajor>(Q));
        dP_[0].setZero();
        dQ_[0].setZero();
        float loss = 0;
        load(phi, reward, kBatch);
        network_.forward(prompt_);
        float v_next = network_.value();
        for (int w = kBatch - 1; w >= 0; --w) {
            load(phi, reward, w);
            network_.forward(prompt_);
            const float v = network_.value();
            const float delta = reward[w + kN + 1] + 0.9F * v_next - v;
            loss += delta * delta / kBatch;
            network_.backward(2 * delta / kBatch, dP_, dQ_);
            v_next = v;
        }
        return loss;
    }

  private:
    void load(const float* phi, const float* reward, int window) {
        using Features = Eigen::Matrix<float, kD, Eigen::Dynamic>;
        const Eigen::Map<const Features> all(phi, kD, kBatch + kN + 2);
        prompt_.setZero();
        prompt_.template topLeftCorner<kD, kN>() = all.template middleCols<kN>(window);
        prompt_.template block<kD, kN>(kD, 0) = 0.9F * all.template middleCols<kN>(window + 1);
        for (int k = 0; k < kN; ++k) prompt_(kRows - 1, k) = reward[window + k];
        prompt_.template block<kD, 1>(0, kN) = all.col(window + kN + 1);
    }

    Network network_;
    Network::Prompt prompt_;
    std::vector<Network::Square> dP_{1}, dQ_{1};
};

}  // namespace

std::unique_ptr<NaiveTraining> make_naive_training(Activation activation) {
    return std::make_unique<Naive>(activation);
}

}  // namespace emergence::bench
