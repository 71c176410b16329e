#pragma once
// A random minibatch for a network, its windows as prompts, and the naive networks' answers.

#include <vector>

#include "core/base/eigen.h"
#include "core/base/rng.h"
#include "core/models/constructions.h"
#include "core/models/network_windows.h"
#include "core/tasks/layouts.h"
#include "tests/claims/naive/attention_gradients.h"
#include "tests/support/rnn_naive.h"

namespace emergence {

struct NetworkProblem {
    NetworkProblem(const NetworkShape& chosen, int batch, double scale = 0.4)
        : shape(chosen), layout(PhasedLayout::of(chosen.context_length, batch)) {
        Stream stream(31, Purpose::testing, static_cast<uint32_t>(chosen.d * 100 + chosen.layers),
                      static_cast<uint32_t>(chosen.context_length));
        trajectory.resize(static_cast<size_t>((shape.d + 1) * layout.row_size()));
        for (double& x : trajectory) x = stream.uniform(-1, 1);
        weights.resize(shape.num_weights());
        for (double& x : weights) x = scale * stream.normal();
        value_gradient.resize(static_cast<size_t>(batch + 1));
        for (double& x : value_gradient) x = stream.normal();
    }

    double at(int row, int time) const {
        return trajectory[static_cast<size_t>(row * layout.row_size() + layout.at(time))];
    }
    /// Window w's prompt: rows x (n+1).
    Mat prompt(int w) const {
        const int d = shape.d, n = shape.context_length;
        Mat Z(shape.rows(), n + 1);
        for (int k = 0; k < n; ++k) {
            for (int i = 0; i < d; ++i) {
                Z(i, k) = at(i, w + k);
                Z(d + i, k) = gamma * at(i, w + k + 1);
            }
            Z(2 * d, k) = at(d, w + k);
        }
        for (int i = 0; i < d; ++i) Z(i, n) = at(i, w + n + 1);
        if (shape.model == Model::rnn) Z(2 * d + 1, n) = 1;
        return Z;
    }

    /// The value of a prompt; adds by_value times its gradient to `gradient` (as the weights) where that is
    /// not null, and leaves the gradient by the prompt in prompt_gradient.
    double naive(const Mat& Z, const std::vector<double>& w, double by_value, std::vector<double>* gradient) {
        return shape.model == Model::attention ? naive_attention(Z, w, by_value, gradient)
                                               : naive_rnn(Z, w, by_value, gradient);
    }
    Mat prompt_gradient;

    NetworkShape shape;
    PhasedLayout layout;
    double gamma = 0.9;
    std::vector<double> trajectory, weights, value_gradient;

  private:
    static Eigen::MatrixXd read(const double*& source, Eigen::Index rows, Eigen::Index columns) {
        const Eigen::MatrixXd matrix = Eigen::Map<const RowMajorMatrix>(source, rows, columns);
        source += rows * columns;
        return matrix;
    }
    static void add(const Eigen::MatrixXd& matrix, double*& target) {
        Eigen::Map<RowMajorMatrix>(target, matrix.rows(), matrix.cols()) += matrix;
        target += matrix.size();
    }

    double naive_attention(const Mat& Z, const std::vector<double>& w, double by_value, std::vector<double>* gradient) {
        std::vector<Eigen::MatrixXd> P, Q;
        const double* source = w.data();
        for (auto* matrices : {&P, &Q})
            for (int l = 0; l < shape.stored; ++l) matrices->push_back(read(source, shape.rows(), shape.rows()));
        AttentionWithGradient<double> net(P, Q, shape.layers, shape.activation);
        if (shape.mask == Mask::td_lambda)
            net.set_mask(
                eigen(td_lambda_mask(shape.context_length, shape.learns_lambda ? w.back() : shape.mask_lambda)));
        net.forward(eigen(Z));
        std::vector<Eigen::MatrixXd> dP(P.size(), Eigen::MatrixXd::Zero(shape.rows(), shape.rows())), dQ = dP;
        net.backward(-by_value, dP, dQ);
        prompt_gradient = mat_of(net.prompt_gradient());
        if (gradient) {
            double* target = gradient->data();
            for (const auto* matrices : {&dP, &dQ})
                for (const auto& matrix : *matrices) add(matrix, target);
        }
        return net.value();
    }

    double naive_rnn(const Mat& Z, const std::vector<double>& w, double by_value, std::vector<double>* gradient) {
        RnnWeights<double> weights_of(shape), by_weights = weights_of;
        const double* source = w.data();
        weights_of.each([&](auto& matrix) { matrix = read(source, matrix.rows(), matrix.cols()); });
        NaiveRnn<double> net(weights_of, shape.recurrent);
        const double value = net.forward(eigen(Z));
        prompt_gradient = mat_of(net.backward(by_value, by_weights));
        if (gradient) {
            double* target = gradient->data();
            by_weights.each([&](const auto& matrix) { add(matrix, target); });
        }
        return value;
    }
};

/// Every activation and the recurrent network, at these sizes.
inline std::vector<NetworkShape> every_network(int d, int n, int layers, int stored, int width) {
    NetworkShape shape{.d = d, .context_length = n, .layers = layers, .stored = stored, .width = width};
    std::vector<NetworkShape> shapes;
    // Identity last, because the recurrent shapes keep it.
    for (const Activation activation : {Activation::softmax, Activation::softmax_columns, Activation::relu,
                                        Activation::elu, Activation::tanh, Activation::identity}) {
        shape.activation = activation;
        shapes.push_back(shape);
    }
    shape.model = Model::rnn;
    shape.stored = 1;
    for (const Activation recurrent : {Activation::tanh, Activation::relu, Activation::identity}) {
        shape.recurrent = recurrent;
        shapes.push_back(shape);
    }
    return shapes;
}

}  // namespace emergence
