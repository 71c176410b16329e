#include "tests/bench/naive_training.h"
#include "tests/claims/naive/attention_gradients.h"

#include <vector>

#include "tests/support/rnn_naive.h"

namespace emergence::bench {
namespace {

constexpr int kD = 4, kN = 30, kRows = 2 * kD + 1, kBatch = 64;

// Semi-gradient TD over the windows from the last to the first; `Network` loads a window, evaluates it and
// descends from it.
template <class Network>
class Windows final : public NaiveTraining {
  public:
    explicit Windows(const NetworkShape& shape) : network_(shape) {}

    float minibatch(const float* phi, const float* reward, const float* weights) override {
        network_.begin(weights);
        network_.load(phi, reward, kBatch);
        float loss = 0, v_next = network_.value();
        for (int w = kBatch - 1; w >= 0; --w) {
            network_.load(phi, reward, w);
            const float v = network_.value();
            const float delta = reward[w + kN + 1] + 0.9F * v_next - v;
            loss += delta * delta / kBatch;
            network_.descend(2 * delta / kBatch);
            v_next = v;
        }
        return loss;
    }

  private:
    Network network_;
};

// The prompt of a window into the first 2d+1 rows of `prompt`, which are 0 before.
template <class Prompt>
void fill_prompt(const float* phi, const float* reward, int window, Prompt& prompt) {
    const Eigen::Map<const Eigen::Matrix<float, kD, Eigen::Dynamic>> all(phi, kD, kBatch + kN + 2);
    prompt.template topLeftCorner<kD, kN>() = all.template middleCols<kN>(window);
    prompt.template block<kD, kN>(kD, 0) = 0.9F * all.template middleCols<kN>(window + 1);
    for (int k = 0; k < kN; ++k) prompt(kRows - 1, k) = reward[window + k];
    prompt.template block<kD, 1>(0, kN) = all.col(window + kN + 1);
}

class NaiveTransformer {
  public:
    using Network = AttentionWithGradient<float, kRows, kN + 1>;

    explicit NaiveTransformer(const NetworkShape& shape)
        : stored_(static_cast<size_t>(shape.stored)),
          network_(std::vector<Network::Square>(stored_), std::vector<Network::Square>(stored_), shape.layers,
                   shape.activation),
          dP_(stored_),
          dQ_(stored_) {}

    void begin(const float* weights) {
        using Map = Eigen::Map<const Eigen::Matrix<float, kRows, kRows, Eigen::RowMajor>>;
        constexpr size_t kSize = kRows * kRows;
        for (size_t l = 0; l < stored_; ++l) {
            network_.set_weights(l, Map(weights + l * kSize), Map(weights + (stored_ + l) * kSize));
            dP_[l].setZero();
            dQ_[l].setZero();
        }
    }
    void load(const float* phi, const float* reward, int window) {
        prompt_.setZero();
        fill_prompt(phi, reward, window, prompt_);
        network_.forward(prompt_);
    }
    float value() const { return network_.value(); }
    void descend(float scale) { network_.backward(scale, dP_, dQ_); }

  private:
    size_t stored_;
    Network network_;
    Network::Prompt prompt_;
    std::vector<Network::Square> dP_, dQ_;
};

class NaiveRecurrent {
  public:
    explicit NaiveRecurrent(const NetworkShape& shape) : shape_(shape), network_(RnnWeights<float>(shape)) {}

    void begin(const float* weights) {
        RnnWeights<float> filled(shape_);
        filled.each([&weights](auto& matrix) {
            for (Eigen::Index i = 0; i < matrix.rows(); ++i)
                for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix(i, j) = *weights++;
        });
        network_ = NaiveRnn<float>(std::move(filled));
        gradient_ = RnnWeights<float>(shape_);
    }
    void load(const float* phi, const float* reward, int window) {
        tokens_ = Eigen::MatrixXf::Zero(kRows + 1, kN + 1);
        fill_prompt(phi, reward, window, tokens_);
        tokens_(kRows, kN) = 1;
        value_ = network_.forward(tokens_);
    }
    float value() const { return value_; }
    void descend(float scale) { network_.backward(scale, gradient_); }

  private:
    NetworkShape shape_;
    NaiveRnn<float> network_;
    RnnWeights<float> gradient_{shape_};
    Eigen::MatrixXf tokens_;
    float value_ = 0;
};

}  // namespace

std::unique_ptr<NaiveTraining> make_naive_training(const NetworkShape& shape) {
    if (shape.model == Model::rnn) return std::make_unique<Windows<NaiveRecurrent>>(shape);
    return std::make_unique<Windows<NaiveTransformer>>(shape);
}

}  // namespace emergence::bench
