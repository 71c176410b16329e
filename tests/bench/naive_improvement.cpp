// The whole layer of Eq. (1), Liang and Lai, with all entries of P and V, forward, backward and Adam, in
// floats: what the effective blocks are measured against. Compiled for this machine.
#include <Eigen/Dense>
#include <cmath>

#include "tests/bench/naive_training.h"

namespace emergence::bench {
namespace {

class Layer final : public NaiveImprovement {
    using Matrix = Eigen::MatrixXf;

  public:
    Layer(int rows, int columns, int outputs)
        : outputs_(outputs),
          P_(Matrix::Random(rows, rows) * 0.01F),
          V_(Matrix::Random(rows, rows) * 0.01F),
          mP_(Matrix::Zero(rows, rows)),
          vP_(mP_),
          mV_(mP_),
          vV_(mP_),
          error_(Matrix::Zero(rows, columns)) {}

    float train(const float* H_values, const float* target) override {
        const Eigen::Map<const Matrix> H(H_values, P_.rows(), error_.cols());
        const Eigen::Map<const Eigen::VectorXf> wanted(target, outputs_);
        const float n = static_cast<float>(H.cols() - 1);
        PH_.noalias() = P_ * H;
        scores_.noalias() = H.transpose() * PH_;
        scores_ /= n;
        VH_.noalias() = V_ * H;
        out_ = H;
        out_.noalias() += VH_ * scores_;
        error_.rightCols(1).bottomRows(outputs_) = out_.rightCols(1).bottomRows(outputs_) - wanted;
        // out = H + V H S, S = H' P H / n:  dV = E (H S)',  dS = (V H)' E,  dP = H dS H' / n.
        HS_.noalias() = H * scores_;
        dV_.noalias() = error_ * HS_.transpose();
        dS_.noalias() = VH_.transpose() * error_;
        HdS_.noalias() = H * dS_;
        dP_.noalias() = HdS_ * H.transpose();
        dP_ /= n;
        adam(P_, dP_, mP_, vP_);
        adam(V_, dV_, mV_, vV_);
        return 0.5F * error_.squaredNorm();
    }

  private:
    static void adam(Matrix& x, const Matrix& g, Matrix& m, Matrix& v) {
        m = 0.9F * m + 0.1F * g;
        v = 0.999F * v + 0.001F * g.cwiseAbs2();
        x.array() -= 1e-3F * m.array() / (v.array().sqrt() + 1e-8F);
    }

    Eigen::Index outputs_;
    Matrix P_, V_, mP_, vP_, mV_, vV_, error_;
    Matrix PH_, scores_, VH_, out_, HS_, dV_, dS_, HdS_, dP_;
};

}  // namespace

std::unique_ptr<NaiveImprovement> make_naive_improvement(int rows, int columns, int outputs) {
    return std::make_unique<Layer>(rows, columns, outputs);
}

}  // namespace emergence::bench
